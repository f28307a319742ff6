package postgres

import (
	"net"
	"os"
	"sync/atomic"
	"time"
)

// A silentError reports that a server sent nothing for too long. It has no method
// Timeout, because pgx would then keep the connection.
type silentError struct{}

func (silentError) Error() string { return "the server said nothing for too long" }

// Is makes netfailure describe the error as a time-out.
func (silentError) Is(other error) bool { return other == os.ErrDeadlineExceeded }

// A server that is away is noticed within silence. A transaction waits longer, because others may be
// writing; they end within idleInTransaction if their machine is gone.
const (
	silence           = 4 * time.Second
	writerSilence     = 10 * time.Second
	idleInTransaction = "8s"
)

// A talkingConn closes itself when a read or a write takes too long.
type talkingConn struct {
	net.Conn

	longest time.Duration
	silent  atomic.Bool // it was closed for that
}

// Read implements net.Conn.
func (c *talkingConn) Read(b []byte) (int, error) {
	return c.watched(func() (int, error) { return c.Conn.Read(b) })
}

// Write implements net.Conn.
func (c *talkingConn) Write(b []byte) (int, error) {
	return c.watched(func() (int, error) { return c.Conn.Write(b) })
}

// watched does a read or a write, and closes the connection if that lasts too long.
func (c *talkingConn) watched(do func() (int, error)) (int, error) {
	timer := time.AfterFunc(c.longest, func() {
		c.silent.Store(true)
		_ = c.Close() // the reader or the writer has the error
	})
	n, err := do()
	timer.Stop()
	if err != nil && c.silent.Load() {
		err = silentError{}
	}
	return n, err
}
