package postgres

import (
	"net"
	"time"
)

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
}

// Read implements net.Conn.
func (c *talkingConn) Read(b []byte) (int, error) {
	defer c.watch().Stop()
	return c.Conn.Read(b)
}

// Write implements net.Conn.
func (c *talkingConn) Write(b []byte) (int, error) {
	defer c.watch().Stop()
	return c.Conn.Write(b)
}

// watch closes the connection once that lasts too long, unless it is stopped before.
func (c *talkingConn) watch() *time.Timer {
	return time.AfterFunc(c.longest, func() { _ = c.Close() }) // the reader or the writer has the error
}
