package ping

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"
)

// A monitor is a monitoring service on loopback, which answers with a code.
type monitor struct {
	*httptest.Server
	sync.Mutex
	code     int
	received []string
}

func newMonitor(t *testing.T, code int) *monitor {
	m := &monitor{code: code}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.Lock()
		defer m.Unlock()
		m.received = append(m.received, r.Method+" "+r.URL.RequestURI())
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(m.code)
	}))
	t.Cleanup(m.Close)
	return m
}

var night = uuid.MustParse("7d0f4f9e-3f57-4c1c-9a53-3d1b54b0a8c1")

func client(t *testing.T, address string) *Client {
	t.Helper()
	c := &Client{}
	if err := c.UnmarshalText([]byte(address)); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestOneIDForAllPingsOfANight(t *testing.T) {
	m := newMonitor(t, 200)
	c := client(t, m.URL+"/ping-key/nights/?create=1")
	for _, err := range []error{
		c.Send(t.Context(), "start", night), c.Send(t.Context(), "success", night), c.Send(t.Context(), "fail", night),
	} {
		if err != nil {
			t.Error(err)
		}
	}

	want := []string{
		"POST /ping-key/nights/start?create=1&rid=" + night.String(),
		"POST /ping-key/nights?create=1&rid=" + night.String(),
		"POST /ping-key/nights/fail?create=1&rid=" + night.String(),
	}
	if !slices.Equal(m.received, want) {
		t.Errorf("received\n%s\nwant\n%s", strings.Join(m.received, "\n"), strings.Join(want, "\n"))
	}
}

// TestAnswers shows which answers count as taken.
func TestAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		code int
		says string
	}{
		"taken":          {200, ""},
		"created":        {201, ""},
		"no such check":  {404, "no such check (404)"},
		"sent elsewhere": {302, "answered 302"},
		"too many":       {429, "answered 429"},
		"broken":         {503, "answered 503"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMonitor(t, test.code)
			err := client(t, m.URL).Send(t.Context(), "success", night)
			if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
				t.Errorf("it says %v, want %q", err, test.says)
			}
			if len(m.received) != 1 {
				t.Errorf("%d requests, want 1", len(m.received))
			}
		})
	}
}

// silent answers nothing until the request is given up.
type silent struct{}

func (silent) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestASilentMonitorHoldsNothingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
		defer cancel()
		c := client(t, "https://hc.example/secret-check")
		c.http.Transport = silent{}
		err := c.Send(ctx, "start", night)
		if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "took too long") {
			t.Errorf("it says %v, and the night's own time is %v", err, ctx.Err())
		}
	})
}

// The address is a secret: no error may contain it.
func TestErrorsDoNotNameTheAddress(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	m := newMonitor(t, 404)
	for _, address := range []string{gone.URL + "/secret-check", m.URL + "/secret-check"} {
		c := client(t, address)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for _, ctx := range []context.Context{ctx, t.Context()} {
			err := c.Send(ctx, "start", night)
			if err == nil || strings.Contains(err.Error(), "secret-check") || strings.Contains(err.Error(), "127.0.0.1") {
				t.Errorf("it says %v", err)
			}
		}
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]bool{
		"https://hc-ping.com/0b5f":       true,
		" https://hc-ping.com/0b5f/ ":    true,
		"http://127.0.0.1:8000/ping/x":   true,
		"http://hc-ping.com/0b5f":        false,
		"hc-ping.com/0b5f":               false,
		"":                               false,
		"ftp://hc-ping.com/0b5f":         false,
		"https://hc-ping.com/\x7fsecret": false,
	} {
		err := new(Client).UnmarshalText([]byte(address))
		if (err == nil) != want || err != nil && strings.Contains(err.Error(), "0b5f") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
