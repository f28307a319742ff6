package service

import (
	"context"
	"crypto/tls"
	"net"
	"sync/atomic"
	"time"
)

// A watchedConn records what became of the one request that is sent on it.
type watchedConn struct {
	net.Conn
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

// await begins the request, whose first byte must leave by that time.
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

// watch returns a dial function whose connections are watched, by that wall clock.
func watch(now func() time.Time, dial func(ctx context.Context, network, address string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &watchedConn{Conn: conn, now: now}, nil
	}
}

// watched returns the watched connection under those that the transport laid over it for
// TLS and for a proxy.
func watched(conn net.Conn) *watchedConn {
	for {
		over, ok := conn.(*tls.Conn)
		if !ok {
			return conn.(*watchedConn) // the transport dials with watch alone
		}
		conn = over.NetConn()
	}
}
