package postgres

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
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

// notSilent returns a dial function whose connections close themselves after a silence of
// that length, unless the server is alive: then it is busy, or waits for another process.
func notSilent(dial pgconn.DialFunc, longest time.Duration, alive func() bool) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &talkingConn{Conn: conn, longest: longest, alive: alive}, nil
	}
}

// A talkingConn closes itself when a reading or a writing takes too long. The deadlines
// that its user sets hold as well.
type talkingConn struct {
	net.Conn

	longest time.Duration
	alive   func() bool

	mu          sync.Mutex
	read, write time.Time // the deadlines that its user has set
}

// Read implements net.Conn.
func (c *talkingConn) Read(b []byte) (int, error) {
	for silences := 1; ; silences++ {
		c.begin(&c.read, c.Conn.SetReadDeadline)
		n, err := c.Conn.Read(b)
		again, err := c.errorOf(err, &c.read, silences)
		if n > 0 || !again {
			return n, err
		}
	}
}

// Write implements net.Conn.
func (c *talkingConn) Write(b []byte) (written int, err error) {
	for silences := 1; ; silences++ {
		c.begin(&c.write, c.Conn.SetWriteDeadline)
		n, err := c.Conn.Write(b[written:])
		written += n
		again, err := c.errorOf(err, &c.write, silences)
		if !again {
			return written, err
		}
	}
}

// begin sets the deadline of one read or write. If that fails, the read or write fails
// too.
func (c *talkingConn) begin(users *time.Time, set func(time.Time) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	deadline := time.Now().Add(c.longest)
	if !users.IsZero() && users.Before(deadline) {
		deadline = *users
	}
	_ = set(deadline)
}

// errorOf returns the error of a read or write, or that it goes on. It closes the connection
// if the server is silent and not alive.
func (c *talkingConn) errorOf(err error, users *time.Time, silences int) (again bool, _ error) {
	if !errors.Is(err, os.ErrDeadlineExceeded) || c.isPast(users) {
		return false, err
	}
	if silences < longestWait && c.alive() {
		return true, nil
	}
	if c.isPast(users) {
		return false, err
	}
	return false, errors.Join(silentError{}, c.Close())
}

// isPast reports whether a deadline of the connection's user has passed.
func (c *talkingConn) isPast(users *time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !users.IsZero() && !users.After(time.Now())
}

// SetDeadline implements net.Conn.
func (c *talkingConn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetReadDeadline implements net.Conn.
func (c *talkingConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read = t
	return c.Conn.SetReadDeadline(t)
}

// SetWriteDeadline implements net.Conn.
func (c *talkingConn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.write = t
	return c.Conn.SetWriteDeadline(t)
}
