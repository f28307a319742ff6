package service

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// maxIdle is how long a service must leave an idle connection open. If it closes
// one sooner, connections are not kept any more.
const maxIdle = 2 * time.Second

// slack is how much longer a witness must have been open than is needed, because
// each of the two machines may be late: the service in closing the witness, this
// one in noticing it. Without it, 21 of 2,880 runs against a service that closes
// after 1 ms had an unclear trip, on two cores under a load of 12.
const slack = 100 * time.Millisecond

// A connection is a transport of its own, for one request at a time, so that it
// is known which requests were sent before on the same connection.
type connection struct {
	transport *http.Transport
	// open is the connection itself, nil before there is one. A dial that a request
	// did not wait for may still set it.
	open atomic.Pointer[watchedConn]
	// idleSince is when the last request ended.
	idleSince time.Time
}

// A watchedConn records how long it took to connect, what became of its newest
// request, and when it ended.
type watchedConn struct {
	net.Conn
	dialed time.Duration
	ended  atomic.Pointer[time.Time]
	leaves atomic.Int32
	// by is when the request must have begun to leave, by the wall clock now; zero for
	// any time.
	by  atomic.Pointer[time.Time]
	now func() time.Time
}

// What became of a request.
const (
	requestWaits int32 = iota // no byte of it has left
	requestLeft               // a byte of it may have left
	requestKept               // no byte of it leaves any more
	requestLate               // the same, since its time was over
)

// await begins a request, which must begin to leave by a time.
func (w *watchedConn) await(by time.Time) {
	w.by.Store(&by)
	w.leaves.Store(requestWaits) // the TLS handshake has written
}

// keep keeps the request back, unless a byte of it may have left. It returns what became
// of it.
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

// Read notices the end of a connection that the service closes. The transport
// reads all the time, also while no request is under way.
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

// idled returns for how long the connection has been idle and open, and whether
// it is open still.
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

// mayReuse reports whether a trip may be sent on a connection that was kept. The
// service may be about to close it, and nobody could tell then whether the trip
// was booked. So the witness must have been open for twice as long, for the time
// that a request is on its way, and for the slack. The wall clock decides how long a connection
// was idle, since the monotonic one stops while the computer sleeps; if it was set
// back, the time is unknown. The caller holds the lock.
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

// keeps reports whether connections are kept at all: while the service is known
// to repeat our trip ids, and leaves idle connections open.
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

// observe makes a connection the witness, which is never used again: it shows how
// long the service leaves an idle connection open.
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
