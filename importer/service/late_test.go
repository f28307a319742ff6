package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
)

// A request that could not leave within its time does not leave any more, on new and on
// kept connections, with TLS and without, because the computer may have slept, and
// another computer may have sent the trip.
func TestNoRequestLeavesLate(t *testing.T) {
	sends := map[string]func(*testing.T, *Client) importer.Reply{
		"a trip":   func(t *testing.T, c *Client) importer.Reply { return insert(t, c, goodTrip()) },
		"a change": func(t *testing.T, c *Client) importer.Reply { return change(t, c, goodChange()) },
	}
	for _, secure := range []bool{false, true} {
		var received atomic.Int32
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			received.Add(1)
			answers(200, jsonType, withGUID)(w, r)
		}))
		if secure {
			s.StartTLS()
		} else {
			s.Start()
		}
		t.Cleanup(s.Close)
		for what, send := range sends {
			for _, kept := range []string{"no", "a", "a closed", "for the token no"} {
				for nap, late := range map[time.Duration]bool{importer.StartWithin - time.Second: false, importer.StartWithin + time.Second: true} {
					t.Run(fmt.Sprintf("%s, %s kept connection, TLS %t, %v", what, kept, secure, nap), func(t *testing.T) {
						c := newSleeper(t, s.URL, kept, nap)
						if secure {
							c.transport.TLSClientConfig.RootCAs = s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
						}
						if kept == "a" || kept == "a closed" {
							insert(t, c.Client, goodTrip())
						}
						if kept == "a closed" {
							s.CloseClientConnections()
							for open := c.idle.kept[0].open.Load(); open.ended.Load() == nil; {
								time.Sleep(time.Millisecond)
							}
						}
						c.send.Store(true)
						before := received.Load()
						a := send(t, c.Client)
						switch n := received.Load() - before; {
						case late && (a.Kind != importer.ReplyNotSent || a.Message != importer.NotInTime().Message || n != 0):
							t.Errorf("%v: %s; %d arrived", a.Kind, a.Message, n)
						case !late && (a.Kind != importer.ReplyCreated && a.Kind != importer.ReplyChanged || n != 1):
							t.Errorf("%v: %s; %d arrived", a.Kind, a.Message, n)
						}
					})
				}
			}
		}
	}
}

// A sleeper is a client on a computer that sleeps once after send is set: while the client
// gets its token, while it connects, or after a request has begun that needs neither.
type sleeper struct {
	*Client
	send   atomic.Bool
	looked atomic.Int32 // how often the client has looked at its clock since
	passed atomic.Int64
}

func newSleeper(t *testing.T, url, kept string, nap time.Duration) *sleeper {
	s := &sleeper{Client: keeping(t, url)}
	s.now = func() time.Time {
		if kept == "a" && s.send.Load() && s.looked.Add(1) == 2 {
			s.passed.Store(int64(nap))
		}
		return time.Now().Add(time.Duration(s.passed.Load()))
	}
	if token := s.source; kept == "for the token no" {
		s.source = sourceFunc(func(ctx context.Context) (importer.Secret, error) {
			s.passed.Store(int64(nap))
			return token.Token(ctx)
		})
	}
	dial := s.transport.DialContext
	s.transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if s.send.Load() && kept != "for the token no" {
			s.passed.Store(int64(nap))
		}
		return dial(ctx, network, address)
	}
	return s
}

type sourceFunc func(context.Context) (importer.Secret, error)

func (f sourceFunc) Token(ctx context.Context) (importer.Secret, error) { return f(ctx) }

// A request does not leave after its end was noticed if no byte of it had left by then.
// If a byte may have left, it counts as sent.
func TestWhatIsKeptDoesNotLeave(t *testing.T) {
	for _, written := range []bool{false, true} {
		near, far := net.Pipe()
		_ = far.Close()
		conn := &watchedConn{Conn: near, now: time.Now}
		conn.await(time.Time{})
		if written {
			_, _ = conn.Write([]byte("x")) // fails, and might not have
		}
		if became := conn.keep(); (became == requestLeft) != written {
			t.Errorf("written %t: %d", written, became)
		}
		if _, err := conn.Write([]byte("x")); errors.Is(err, net.ErrClosed) == written {
			t.Errorf("written %t: then %v", written, err)
		}
	}
}
