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

// If a reused connection breaks after the server has read the request, Go's
// transport repeats a POST that has an idempotency header and a body that it can
// rewind. The server would have booked two trips.
func TestDeadReusedConnectionIsNotReplayed(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(net.Conn)
		edit func(*http.Request)
		want int32
	}{
		"ours, reset":  {reset, func(*http.Request) {}, 1},
		"ours, closed": {func(conn net.Conn) { _ = conn.Close() }, func(*http.Request) {}, 1},
		// The same request with an idempotency header and a body that can be
		// rewound books twice. If this case ever counts 1, net/http has
		// changed and the two guards may be unnecessary.
		"with a key header and GetBody, reset": {reset, func(r *http.Request) {
			r.Header.Set("Idempotency-Key", "k")
			text, _ := io.ReadAll(r.Body)
			r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(string(text))), nil }
			r.Body, _ = r.GetBody()
		}, 2},
		// With the header but without GetBody it is not repeated: each guard
		// suffices.
		"with a key header alone, reset": {reset, func(r *http.Request) { r.Header.Set("Idempotency-Key", "k") }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var booked atomic.Int32
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.ReadAll(r.Body)
				if r.Method == http.MethodGet { // opens the connection
					answers(200, jsonType, "[]")(w, r)
					return
				}
				booked.Add(1)
				conn, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				c.end(conn)
			}))
			defer s.Close()
			client := clientOf(t, s.URL, nil)
			conn := client.newConnection()
			if r := client.do(t.Context(), conn, importer.NewSecret(testToken), get("/v1/access")); r.err != nil {
				t.Fatal(r.err)
			}
			body, err := encode(goodTrip(), importer.NewSecret(testKey))
			if err != nil {
				t.Fatal(err)
			}
			req, err := client.request(t.Context(), importer.NewSecret(testToken), client.post("/v1/singletrip", body))
			if err != nil {
				t.Fatal(err)
			}
			c.edit(req)
			if resp, err := conn.transport.RoundTrip(req); err == nil {
				_ = resp.Body.Close()
				t.Errorf("the client saw %s", resp.Status)
			}
			if n := booked.Load(); n != c.want {
				t.Errorf("the server booked %d, want %d", n, c.want)
			}
		})
	}
}

// The same through Insert: the answer is unclear.
func TestDeadReusedConnectionIsUnclear(t *testing.T) {
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
		reset(conn)
	}))
	defer s.Close()
	client := keeping(t, s.URL)
	if a := insert(t, client, goodTrip()); a.Kind != importer.ReplyCreated {
		t.Fatalf("%v: %s", a.Kind, a.Message)
	}
	if a := insert(t, client, goodTrip()); a.Kind != importer.ReplyUnclear {
		t.Errorf("%v: %s", a.Kind, a.Message)
	}
	if n := booked.Load(); n != 2 {
		t.Errorf("the server booked %d in two requests", n)
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

// After a pause a new connection is used: the old one may be broken, which would
// make the trip unclear.
func TestNoConnectionWaitsLong(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]bool{}
	url, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen[r.RemoteAddr] = true
		answers(200, jsonType, withGUID)(w, r)
	})
	connections := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(seen)
	}
	c := keeping(t, url)
	waited := func(d time.Duration) {
		if len(c.idle.kept) != 1 {
			t.Fatalf("%d connections are kept, want 1", len(c.idle.kept))
		}
		conn := c.idle.kept[0]
		conn.idleSince = time.Now().Add(-d)
		insert(t, c, goodTrip())
	}
	insert(t, c, goodTrip())
	insert(t, c, goodTrip())
	if n := connections(); n != 1 {
		t.Errorf("%d connections without a pause, want 1", n)
	}
	waited(900 * time.Millisecond)
	if n := connections(); n != 1 {
		t.Errorf("%d connections after 0.9 s, want the same", n)
	}
	waited(1100 * time.Millisecond) // the witness was open for 2 s
	if n := connections(); n != 2 {
		t.Errorf("%d connections after 1.1 s, want a fresh one", n)
	}
	waited(-8 * time.Hour)
	if n := connections(); n != 3 {
		t.Errorf("%d connections after the clock was set back, want a fresh one", n)
	}
	c.CloseIdle()
	insert(t, c, goodTrip())
	if n := connections(); n != 4 {
		t.Errorf("%d connections after CloseIdle, want a fresh one", n)
	}
}

// keeping makes a client that keeps connections: it knows that answers repeat our
// trip id, and has seen that an idle connection stays open for two seconds.
func keeping(t testing.TB, url string) *Client {
	t.Helper()
	c := clientOf(t, url, func(c *Config) { c.Learned = tripIDField })
	witness, ended := c.newConnection(), time.Now()
	open := &watchedConn{}
	open.ended.Store(&ended)
	witness.open.Store(open)
	witness.idleSince = ended.Add(-2 * time.Second)
	c.observe(witness)
	return c
}

// New asks for the standard logger to be discarded because net/http logs data
// that comes after the end of a reply. If this test fails, it no longer does.
func TestStandardLoggerShowsWhatComesUnasked(t *testing.T) {
	var logged lockedBuffer
	log.SetOutput(&logged)
	defer log.SetOutput(io.Discard)
	url, _ := wire(t, func(conn net.Conn, _ int) {
		_, _ = conn.Read(make([]byte, 64<<10))
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%sSURPLUS", len(withGUID), withGUID)
		time.Sleep(50 * time.Millisecond)
	})
	insert(t, keeping(t, url), goodTrip())
	for range 100 {
		if strings.Contains(logged.String(), "SURPLUS") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("net/http no longer prints what comes unasked")
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
