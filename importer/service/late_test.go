package service

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
)

// A request that could not leave within its time does not leave any more, with TLS and
// without, because the computer may have slept, and another computer may have sent the
// trip.
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
			for _, during := range []string{forToken, toConnect, toSend} {
				for nap, late := range map[time.Duration]bool{importer.StartWithin - time.Second: false, importer.StartWithin + time.Second: true} {
					t.Run(fmt.Sprintf("%s, slept %s, TLS %t, %v", what, during, secure, nap), func(t *testing.T) {
						c := newSleeper(t, s.URL, during, nap)
						if secure {
							c.transport.TLSClientConfig.RootCAs = s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
						}
						before := received.Load()
						a := send(t, c)
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

// When the computer of newSleeper sleeps.
const (
	forToken  = "while the client gets its token"
	toConnect = "while it connects"
	toSend    = "before the first byte leaves"
)

// newSleeper makes a client on a computer that sleeps once during its first request.
func newSleeper(t *testing.T, url, during string, nap time.Duration) *Client {
	c := clientOf(t, url, nil)
	var passed atomic.Int64
	var looked atomic.Int32 // the second look at the clock is the one before the first byte
	c.now = func() time.Time {
		if during == toSend && looked.Add(1) == 2 {
			passed.Store(int64(nap))
		}
		return time.Now().Add(time.Duration(passed.Load()))
	}
	token, dial := c.config.Token, c.transport.DialContext
	c.config.Token = sourceFunc(func(ctx context.Context) (importer.Secret, error) {
		if during == forToken {
			passed.Store(int64(nap))
		}
		return token.Token(ctx)
	})
	c.transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if during == toConnect {
			passed.Store(int64(nap))
		}
		return dial(ctx, network, address)
	}
	return c
}

type sourceFunc func(context.Context) (importer.Secret, error)

func (f sourceFunc) Token(ctx context.Context) (importer.Secret, error) { return f(ctx) }
