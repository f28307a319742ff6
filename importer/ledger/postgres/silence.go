package postgres

import (
	"net"
	"os"
	"sync/atomic"
	"time"
)

// longestWait is how many times a silence may last before the connection counts as lost even
// if the server is alive: a proxy may keep a connection open whose other end is gone.
const longestWait = 120

// A silentError reports that a server sent nothing for too long. It has no method
// Timeout, because pgx would then keep the connection.
type silentError struct{}

func (silentError) Error() string { return "the server said nothing for too long" }

// Is makes netfailure describe the error as a time-out.
func (silentError) Is(other error) bool { return other == os.ErrDeadlineExceeded }

// A talkingConn closes itself when a read or a write takes too long, unless the server is alive: then it is busy, or
// waits for another process.
type talkingConn struct {
	net.Conn

	longest time.Duration
	alive   func() bool
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

// watched does a read or a write, and watches it once it has lasted for long.
func (c *talkingConn) watched(do func() (int, error)) (int, error) {
	done := make(chan struct{})
	timer := time.AfterFunc(c.longest, func() { c.watch(done) })
	n, err := do()
	timer.Stop()
	close(done)
	if err != nil && c.silent.Load() {
		err = silentError{}
	}
	return n, err
}

// watch closes the connection if the server is not alive, unless done is closed before.
func (c *talkingConn) watch(done chan struct{}) {
	for waits := 1; waits < longestWait && c.alive(); waits++ {
		select {
		case <-done:
			return
		case <-time.After(c.longest):
		}
	}
	select {
	case <-done:
	default:
		c.silent.Store(true)
		_ = c.Close() // the reader or the writer has the error
	}
}
