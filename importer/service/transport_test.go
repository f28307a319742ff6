package service

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
)

// A connection that breaks after the service has read the trip makes it unclear: the trip
// is not sent a second time. The transport would repeat a request on a kept connection
// that has an idempotency header and a body that it can rewind.
func TestBrokenConnectionIsNotRepeated(t *testing.T) {
	for name, end := range map[string]func(net.Conn){
		"reset":  reset,
		"closed": func(conn net.Conn) { _ = conn.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			var booked atomic.Int32
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.ReadAll(r.Body)
				if booked.Add(1) == 1 {
					answers(200, jsonType, withGUID)(w, r)
					return
				}
				conn, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				end(conn)
			}))
			defer s.Close()
			client := clientOf(t, s.URL, nil)
			if a := insert(t, client, goodTrip()); a.Kind != importer.ReplyCreated {
				t.Fatalf("%v: %s", a.Kind, a.Message)
			}
			if a := insert(t, client, goodTrip()); a.Kind != importer.ReplyUnclear {
				t.Errorf("%v: %s", a.Kind, a.Message)
			}
			if n := booked.Load(); n != 2 {
				t.Errorf("the server booked %d in two requests", n)
			}
		})
	}
}

func TestEveryRequestHasABodyOfItsOwn(t *testing.T) {
	c := clientOf(t, "https://service.example.com", nil)
	req, err := c.request(t.Context(), importer.NewSecret("t"), c.post("/v1/singletrip", []byte("{}")))
	if err != nil {
		t.Fatal(err)
	}
	if req.GetBody != nil {
		t.Error("the body can be read a second time: the transport may replay it")
	}
}

// The host that a redirect names gets no byte of a trip or token.
func TestRedirectsAreNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		other, elsewhere := serve(t, answers(200, jsonType, withGUID))
		for name, to := range map[string]string{"another host": other + "/v1/singletrip", "the same host": "/v1/login"} {
			url, got := serve(t, answers(status, "text/html", "", "Location", to))
			c := clientOf(t, url, nil)
			if a := insert(t, c, goodTrip()); a.Kind != importer.ReplyRedirected || a.Status != status {
				t.Errorf("%d to %s: %v", status, name, a.Kind)
			}
			if _, err := c.Access(t.Context()); err == nil {
				t.Errorf("%d to %s: access was answered", status, name)
			}
			if n := len(got()); n != 2 {
				t.Errorf("%d to %s: the first host saw %d requests, want 2", status, name, n)
			}
			if n := len(elsewhere()); n != 0 {
				t.Errorf("%d to %s: %d requests reached the second host", status, name, n)
			}
		}
	}
}

func TestBodiesAreCapped(t *testing.T) {
	pad := strings.Repeat(" ", maxBody)
	var sent atomic.Int64
	endless := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, withGUID)
		for r.Context().Err() == nil {
			n, err := io.WriteString(w, pad[:64<<10])
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	}
	bomb := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, withGUID)
		for range 64 {
			_, _ = io.WriteString(z, pad)
		}
		_ = z.Close()
	}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    importer.ReplyKind
	}{
		"just within":    {answers(200, jsonType, withGUID+pad[:maxBody-len(withGUID)]), importer.ReplyCreated},
		"one byte more":  {answers(200, jsonType, withGUID+pad[:maxBody-len(withGUID)+1]), importer.ReplyUnclear},
		"without end":    {endless, importer.ReplyUnclear},
		"a bomb":         {bomb, importer.ReplyUnclear},
		"a long refusal": {answers(400, jsonType, `{"message":"no"}`+pad), importer.ReplyRefused},
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := serve(t, c.handler)
			a := insert(t, clientOf(t, url, nil), goodTrip())
			if a.Kind != c.want {
				t.Errorf("got %v (%s), want %v", a.Kind, a.Message, c.want)
			}
		})
	}
	if n := sent.Load(); n > 16*maxBody {
		t.Errorf("an endless answer of %d bytes was taken", n)
	}
}

// The timeout is for the whole request, so a server that sends its reply byte by
// byte can't occupy a worker.
func TestDeadlineIsTotal(t *testing.T) {
	drip := func(w http.ResponseWriter, r *http.Request) {
		flush := http.NewResponseController(w)
		for i := 0; r.Context().Err() == nil; i++ {
			_, _ = io.WriteString(w, withGUID[i%len(withGUID):][:1])
			_ = flush.Flush()
			time.Sleep(20 * time.Millisecond)
		}
	}
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		status  int
	}{"silent": {silent, 0}, "a byte at a time": {drip, 200}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, got := serve(t, c.handler)
			began := time.Now()
			a := insert(t, clientOf(t, url, func(c *Config) { c.Timeout = time.Second }), goodTrip())
			if a.Kind != importer.ReplyUnclear || a.Status != c.status || !strings.Contains(a.Message, "nothing came within 1s") {
				t.Errorf("got %+v", a)
			}
			if spent := time.Since(began); spent > 10*time.Second {
				t.Errorf("it took %v", spent)
			}
			if n := len(got()); n != 1 {
				t.Errorf("%d requests were sent", n)
			}
		})
	}
}

// On a kept connection net/http would log verbatim what a service sends unasked.
func TestWhatComesUnaskedIsNotLogged(t *testing.T) {
	var logged lockedBuffer
	log.SetOutput(&logged)
	defer log.SetOutput(io.Discard)
	url, _ := wire(t, func(conn net.Conn, _ int) {
		_, _ = conn.Read(make([]byte, 64<<10))
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%sSURPLUS", len(withGUID), withGUID)
		time.Sleep(50 * time.Millisecond)
	})
	for range 5 {
		if a := insert(t, clientOf(t, url, nil), goodTrip()); a.Kind != importer.ReplyCreated {
			t.Errorf("%+v", a)
		}
	}
	time.Sleep(100 * time.Millisecond)
	if text := logged.String(); text != "" {
		t.Errorf("logged: %s", text)
	}
}

// A lockedBuffer is a buffer for more than one goroutine.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
