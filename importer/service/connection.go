package service

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// maxIdle is the time for which a service must leave an idle connection open. If it
// closes one sooner, the client does not keep connections any more.
const maxIdle = 2 * time.Second

// slack is added to the time for which a witness must have been open, because both
// machines may be late: the service in closing the witness, and this one in noticing it.
// Without it, 21 of 2,880 runs against a service that closes after 1 ms had an unclear
// trip, on two cores under a load of 12.
const slack = 100 * time.Millisecond

// A connection is a transport of its own, for one request at a time, so that the client
// knows which requests were sent before on the same connection.
type connection struct {
	transport *http.Transport
	// open is the network connection, or nil before there is one. A dial for which no
	// request waits any more may still set it.
	open atomic.Pointer[watchedConn]
	// idleSince is when the last request ended.
	idleSince time.Time
}

// A watchedConn records how long the dial took, what became of the newest request, and
// when the connection ended.
type watchedConn struct {
	net.Conn
	dialed time.Duration
	ended  atomic.Pointer[time.Time]
	leaves atomic.Int32
	// by is when the request must have begun to leave, by the wall clock; zero for no
	// limit.
	by  atomic.Pointer[time.Time]
	now func() time.Time // the wall clock
}

// What became of a request.
const (
	requestWaits int32 = iota // no byte of it has left
	requestLeft               // a byte of it may have left
	requestKept               // no byte of it leaves any more
	requestLate               // as requestKept, because its time was over
)

// await begins a request, whose first byte must leave by that time.
func (w *watchedConn) await(by time.Time) {
	w.by.Store(&by)
	w.leaves.Store(requestWaits) // the TLS handshake has written
}

// keep keeps the request back, unless a byte of it may have left. It returns what became
// of the request.
func (w *watchedConn) keep() int32 {
	w.leaves.CompareAndSwap(requestWaits, requestKept)
	return w.leaves.Load()
}

// Write records the attempt first: a write that fails may have sent something.
func (w *watchedConn) Write(p []byte) (int, error) {
	if by := w.by.Load(); by != nil && !by.IsZero() && w.now().Round(0).After(*by) {
		w.leaves.CompareAndSwap(requestWaits, requestLate)
	}
	w.leaves.CompareAndSwap(requestWaits, requestLeft)
	if w.leaves.Load() != requestLeft {
		return 0, net.ErrClosed
	}
	return w.Conn.Write(p)
}

// Read notices when the service closes the connection. The transport reads all the time,
// also while there is no request.
func (w *watchedConn) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if err != nil {
		w.end()
	}
	return n, err
}

// Close closes the connection.
func (w *watchedConn) Close() error {
	w.end()
	return w.Conn.Close()
}

func (w *watchedConn) end() {
	now := time.Now()
	w.ended.CompareAndSwap(nil, &now)
}

// newConnection makes a connection, which is established by its first request.
func (c *Client) newConnection() *connection {
	conn := &connection{transport: c.transport.Clone()}
	dial := c.transport.DialContext
	conn.transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		began := time.Now()
		raw, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		open := &watchedConn{Conn: raw, dialed: time.Since(began), now: c.now}
		conn.open.Store(open)
		return open, nil
	}
	return conn
}

// close closes the connection for good.
func (conn *connection) close() {
	conn.transport.CloseIdleConnections()
	if open := conn.open.Load(); open != nil {
		_ = open.Close() // its request has ended
	}
}

// idled returns for how long the connection has been idle and open, and reports whether
// it is still open.
func (conn *connection) idled() (time.Duration, bool) {
	if ended := conn.open.Load().ended.Load(); ended != nil {
		return ended.Sub(conn.idleSince), false
	}
	return time.Since(conn.idleSince), true
}

// takeConnection returns the connection that was used last, or a new one.
func (c *Client) takeConnection() *connection {
	c.idle.Lock()
	defer c.idle.Unlock()
	for n := len(c.idle.kept) - 1; n >= 0; n-- {
		conn := c.idle.kept[n]
		c.idle.kept = c.idle.kept[:n]
		if c.mayReuse(conn) {
			return conn
		}
		conn.close()
	}
	return c.newConnection()
}

// mayReuse reports whether a trip may be sent on a connection that was kept. The service
// may be about to close it, and then nobody could tell whether the trip was booked. So
// the witness must have been open for twice the idle time of the connection, plus the
// time of its dial, plus the slack. The idle time is by the wall clock, because the
// monotonic clock stops while the computer sleeps; if the wall clock was set back, the
// time is unknown. The caller holds the lock.
func (c *Client) mayReuse(conn *connection) bool {
	age, open := conn.idled()
	if !open && age < maxIdle {
		c.idle.dropped = true
	}
	if !open || !c.keepsIdle() {
		return false
	}

	proven, _ := c.idle.witness.idled()
	idle := time.Now().Round(0).Sub(conn.idleSince.Round(0))
	return idle >= 0 && 2*idle+conn.open.Load().dialed+slack <= proven
}

// keepsIdle reports whether the service leaves idle connections open, as far as is
// known. The caller holds the lock.
func (c *Client) keepsIdle() bool {
	if c.idle.dropped || c.idle.witness == nil {
		return false
	}
	age, open := c.idle.witness.idled()
	c.idle.dropped = !open && age < maxIdle
	return !c.idle.dropped
}

// keeps reports whether connections are kept at all: the service must be known to repeat
// our trip ids, and must leave idle connections open.
func (c *Client) keeps() bool {
	c.idle.Lock()
	defer c.idle.Unlock()
	return c.echo.known() && c.keepsIdle()
}

// keep keeps a connection for another trip.
func (c *Client) keep(conn *connection) {
	c.idle.Lock()
	defer c.idle.Unlock()
	if len(c.idle.kept) >= c.connections {
		conn.close()
		return
	}
	c.idle.kept = append(c.idle.kept, conn)
}

// observe makes a connection the witness, unless there is one. The witness is never used
// for requests: it shows how long the service leaves an idle connection open.
func (c *Client) observe(conn *connection) {
	c.idle.Lock()
	defer c.idle.Unlock()
	if c.idle.witness != nil {
		conn.close()
		return
	}
	c.idle.witness = conn
}

// CloseIdle closes the connections that are kept for other trips.
func (c *Client) CloseIdle() {
	c.idle.Lock()
	defer c.idle.Unlock()
	for _, conn := range c.idle.kept {
		conn.close()
	}
	c.idle.kept = nil
}
