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

// longestSilence is how long a server may say nothing in the midst of an answer, or take
// nothing of a question. A server that is gone without a word is noticed by it, also one
// behind a proxy that keeps the connection up.
const longestSilence = time.Minute

// A silentError says that a server said nothing for too long. It has no method Timeout:
// pgx would keep the connection.
type silentError struct{}

func (silentError) Error() string { return "the server said nothing for too long" }

// Is has the error described as a time-out.
func (silentError) Is(other error) bool { return other == os.ErrDeadlineExceeded }

// notSilent makes connections that are closed after so long a silence.
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
	read, write time.Time // its user's deadlines
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

// begin sets the deadline of one reading or writing. If that fails, so does the reading.
func (c *talkingConn) begin(users *time.Time, set func(time.Time) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	deadline := time.Now().Add(c.longest)
	if !users.IsZero() && users.Before(deadline) {
		deadline = *users
	}
	_ = set(deadline)
}

// errorOf gives the error of a reading or writing. It closes the connection where the
// deadline that passed is not its user's.
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
