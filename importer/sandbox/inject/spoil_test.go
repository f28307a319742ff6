package inject

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tripimport/importer/sandbox"
)

// injectOne sends one trip into one injected failure and returns the log too.
func injectOne(t *testing.T, f Fault) (resp *http.Response, text string, entries []sandbox.Entry, err error) {
	t.Helper()
	var log entryLog
	c := start(t, sandbox.Config{Log: log.add, Faults: &Plan{Faults: []Fault{f}}})
	resp, text, err = c.try("POST", "/v1/singletrip", c.trip("T-1001"))
	return resp, text, log.all(), err
}

// Whatever the answer looks like, the log says whether the trip was booked, and
// the plan decides it.
func TestEveryInjectionBooksAsItSays(t *testing.T) {
	kinds := []string{"202", "204", "207", "301", "307", "400", "401", "403", "404", "405", "409", "413", "415", "422", "429", "500", "502", "503", "504", "100", "102", "103"}
	for _, k := range Kinds() {
		if k != "timeout" && k != "endless" && k != "slow" && k != "gzip-bomb" {
			kinds = append(kinds, k)
		}
	}
	for _, kind := range kinds {
		known, _ := kindOf(kind)
		for commit, possible := range map[string]bool{"before": known.when&before != 0, "after": known.when&after != 0} {
			if !possible {
				continue
			}
			f := Fault{Kind: kind, Commit: commit}
			resp, text, entries, err := injectOne(t, f)
			var phasesSeen []string
			for _, e := range entries {
				phasesSeen = append(phasesSeen, string(e.Phase))
			}
			want := "received"
			if commit == "after" {
				want = "received committed"
			}
			if got := strings.Join(phasesSeen, " "); got != want {
				t.Errorf("%s %s: the log says %q, want %q", kind, commit, got, want)
			}
			// The response must not claim a booking that the log does not have.
			if commit == "before" && err == nil && resp.StatusCode == 200 {
				var object map[string]any
				if json.Unmarshal([]byte(text), &object) == nil {
					t.Errorf("%s: not booked, and answered with %s", kind, text)
				}
			}
		}
	}
}

// connectionReset is the system's error of a connection that the server has reset.
func connectionReset() error {
	if runtime.GOOS == "windows" {
		return syscall.Errno(10054) // WSAECONNRESET
	}
	return syscall.ECONNRESET
}

func TestInjectedConnectionFailures(t *testing.T) {
	for kind, want := range map[string]error{
		"reset": connectionReset(), "eof": io.EOF,
		"reset-headers": connectionReset(), "reset-body": connectionReset(), "wrong-length": io.ErrUnexpectedEOF,
	} {
		resp, text, _, err := injectOne(t, Fault{Kind: kind})
		if kind == "reset-headers" && errors.Is(err, io.ErrUnexpectedEOF) {
			continue // the transport's error for incomplete headers
		}
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, %q, %v, want %v", kind, resp, text, err, want)
		}
		if kind == "reset-body" && !strings.HasPrefix(text, `{"trip_guid":"`) {
			t.Errorf("%s: the body begins with %q", kind, text)
		}
	}
}

func TestInjectedAnswers(t *testing.T) {
	for kind, check := range map[string]func(resp *http.Response, text string) bool{
		"truncated": func(r *http.Response, text string) bool { return r.StatusCode == 200 && !json.Valid([]byte(text)) },
		"empty":     func(r *http.Response, text string) bool { return r.StatusCode == 200 && text == "" },
		"page": func(r *http.Response, text string) bool {
			return r.StatusCode == 200 && strings.HasPrefix(text, "<!DOCTYPE") && strings.HasPrefix(r.Header.Get("Content-Type"), "text/html")
		},
		"no-guid": func(_ *http.Response, text string) bool {
			return !strings.Contains(text, "trip_guid") && strings.Contains(text, `"T-1001"`)
		},
		"bad-guid": func(_ *http.Response, text string) bool { return strings.Contains(text, `"trip_guid":"TRIP-`) },
		"zero-guid": func(_ *http.Response, text string) bool {
			return strings.Contains(text, `"00000000-0000-0000-0000-000000000000"`)
		},
		"late": func(r *http.Response, text string) bool {
			return r.StatusCode == 200 && strings.Contains(text, "trip_guid")
		},
		"204": func(r *http.Response, text string) bool { return r.StatusCode == 204 && text == "" },
		"202": func(r *http.Response, text string) bool {
			return r.StatusCode == 202 && strings.Contains(text, "trip_guid")
		},
		"503": func(r *http.Response, text string) bool {
			return r.StatusCode == 503 && strings.Contains(text, "message")
		},
		"303": func(r *http.Response, _ string) bool {
			return r.StatusCode == 303 && r.Header.Get("Location") == "/v1/elsewhere"
		},
	} {
		resp, text, _, err := injectOne(t, Fault{Kind: kind})
		if err != nil || !check(resp, text) {
			t.Errorf("%s: %v, %s, %v", kind, resp, text, err)
		}
	}
}

func TestSameGUID(t *testing.T) {
	c := start(t, sandbox.Config{Faults: &Plan{Faults: []Fault{{At: []int{2}, Kind: "same-guid"}}}})
	_, first := c.do("POST", "/v1/singletrip", c.trip("T-1001"))
	_, second := c.do("POST", "/v1/singletrip", c.trip("T-2"))
	var a, b struct {
		GUID string `json:"trip_guid"`
	}
	if err := errors.Join(json.Unmarshal([]byte(first), &a), json.Unmarshal([]byte(second), &b)); err != nil {
		t.Fatal(err)
	}
	if booked := c.sandbox.Trips(); a.GUID != b.GUID || booked[0].GUID == booked[1].GUID {
		t.Errorf("answered with %s and %s, booked as %+v", a.GUID, b.GUID, booked)
	}
}

func TestRetryAfterForms(t *testing.T) {
	for text, want := range map[string]string{"7": "7", "-5": "-5", "86400": "86400", "soon": "soon", "": ""} {
		resp, _, _, err := injectOne(t, Fault{Kind: "429", RetryAfter: text})
		if err != nil || resp.StatusCode != 429 || resp.Header.Get("Retry-After") != want {
			t.Errorf("%q: %v %v", text, resp, err)
		}
	}
	resp, _, _, err := injectOne(t, Fault{Kind: "429", RetryAfter: "date+60"})
	if err != nil {
		t.Fatal(err)
	}
	at, err := http.ParseTime(resp.Header.Get("Retry-After"))
	if wait := time.Until(at); err != nil || wait < 50*time.Second || wait > time.Minute {
		t.Errorf("a date 60 s from now is %s away (%v)", wait, err)
	}
}

func TestRedirectToAnotherHost(t *testing.T) {
	resp, _, _, err := injectOne(t, Fault{Kind: "307", To: "https://other.example.com/x"})
	if err != nil || resp.Header.Get("Location") != "https://other.example.com/x" {
		t.Errorf("%v %v", resp, err)
	}
}

func TestInformationalAnswers(t *testing.T) {
	c := start(t, sandbox.Config{Faults: &Plan{Faults: []Fault{{Kind: "103"}}}})
	var hints atomic.Int32
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		Got1xxResponse: func(code int, _ textproto.MIMEHeader) error { hints.Store(int32(code)); return nil },
	})
	resp, err := http.DefaultTransport.RoundTrip(c.request(ctx, "POST", "/v1/singletrip", c.trip("T-1001")))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 200 || hints.Load() != 103 {
		t.Errorf("%d after %d", resp.StatusCode, hints.Load())
	}
}

// Responses without end stop when the client gives up.
func TestInjectionsWithoutEnd(t *testing.T) {
	for _, kind := range []string{"timeout", "endless", "slow"} {
		c := start(t, sandbox.Config{Faults: &Plan{Faults: []Fault{{Kind: kind, Delay: 10 * time.Millisecond, Commit: "after"}}}})
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		resp, err := http.DefaultTransport.RoundTrip(c.request(ctx, "POST", "/v1/singletrip", c.trip("T-1001")))
		n := int64(0)
		if err == nil {
			n, err = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		if !errors.Is(err, context.DeadlineExceeded) || kind == "endless" && n < 1<<20 || kind == "slow" && (n == 0 || n > 120) {
			t.Errorf("%s: %d bytes, then %v", kind, n, err)
		}
		cancel()
	}
}

func TestSlowAnswerComesToItsEnd(t *testing.T) {
	resp, text, _, err := injectOne(t, Fault{Kind: "slow", Delay: time.Microsecond})
	if err != nil || resp.StatusCode != 200 || !json.Valid([]byte(text)) {
		t.Errorf("%v %s %v", resp, text, err)
	}
}

func TestGzipBomb(t *testing.T) {
	c := start(t, sandbox.Config{Faults: &Plan{Faults: []Fault{{Kind: "gzip-bomb"}}}})
	req := c.request(t.Context(), "POST", "/v1/singletrip", c.trip("T-1001"))
	req.Header.Set("Accept-Encoding", "gzip") // so that the transport does not decompress
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	packed := &counter{r: resp.Body}
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, z)
	if err != nil || n < 256<<20 || packed.n > 4<<20 {
		t.Errorf("%d bytes unpack to %d: %v", packed.n, n, err)
	}
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// With many workers every trip is booked once and has two lines in the log, in
// the right order.
func TestConcurrentRequests(t *testing.T) {
	var log entryLog
	c := start(t, sandbox.Config{Log: log.add, Faults: &Plan{Faults: []Fault{{Every: 10, Kind: "500", Commit: "after"}}}})
	const workers, each = 8, 50
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				status, _ := c.do("POST", "/v1/singletrip", c.trip(fmt.Sprintf("T-%d-%d", w, i)))
				if status != 200 && status != 500 {
					t.Errorf("answered with %d", status)
				}
			}
		})
	}
	wg.Wait()
	received, committed := map[int64]sandbox.Entry{}, map[string]int{}
	for _, e := range log.all() {
		switch e.Phase {
		case sandbox.Received:
			received[e.Request] = e
		case sandbox.Committed:
			committed[e.TripID]++
			if r := received[e.Request]; r.TripID != e.TripID || r.Provider != "Lakeshore Transit" {
				t.Errorf("%+v was committed, %+v received", e, r)
			}
		}
	}
	if len(received) != workers*each || len(committed) != workers*each || len(c.sandbox.Trips()) != workers*each {
		t.Errorf("%d received, %d committed, %d booked", len(received), len(committed), len(c.sandbox.Trips()))
	}
}
