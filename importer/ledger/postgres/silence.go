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

// longestSilence is how long a server may send nothing in the middle of an answer, or
// accept nothing of a query. It finds a server that has disappeared, also behind a proxy
// that keeps the connection open.
const longestSilence = time.Minute

// A silentError reports that a server sent nothing for too long. It has no method
// Timeout, because pgx would then keep the connection.
type silentError struct{}

func (silentError) Error() string { return "the server said nothing for too long" }

// Is makes netfailure describe the error as a time-out.
func (silentError) Is(other error) bool { return other == os.ErrDeadlineExceeded }

// notSilent returns a dial function whose connections close themselves after a silence of
// that length.
func notSilent(dial pgconn.DialFunc, longest time.Duration) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &talkingConn{Conn: conn, longest: longest}, nil
	}
}

// A talkingConn closes itself when a reading or a writing takes too long. The deadlines
// that its user sets hold as well.
type talkingConn struct {
	net.Conn

	longest time.Duration

	mu          sync.Mutex
	read, write time.Time // the deadlines that its user has set
}

// Read implements net.Conn.
func (c *talkingConn) Read(b []byte) (int, error) {
	c.begin(&c.read, c.Conn.SetReadDeadline)
	n, err := c.Conn.Read(b)
	return n, c.errorOf(err, &c.read)
}

// Write implements net.Conn.
func (c *talkingConn) Write(b []byte) (int, error) {
	c.begin(&c.write, c.Conn.SetWriteDeadline)
	n, err := c.Conn.Write(b)
	return n, c.errorOf(err, &c.write)
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

// errorOf returns the error of a read or write. It closes the connection if the deadline
// that has passed is not one of its user's.
func (c *talkingConn) errorOf(err error, users *time.Time) error {
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !users.IsZero() && !users.After(time.Now()) {
		return err
	}
	return errors.Join(silentError{}, c.Close())
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
