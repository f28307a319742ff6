package sandbox

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// strike fails a request as the plan says. Whether the trip is booked is
// settled before anything of the failure can be seen.
func (s *Sandbox) inject(w http.ResponseWriter, r *http.Request, req request, f Injection) {
	normal := s.process(req, f.commits())
	if f.Kind != "slow" {
		s.wait(r, f.Delay)
	}
	if status := statusOf(f.Kind); status != 0 {
		s.injectStatus(w, normal, f, status)
		return
	}
	switch f.Kind {
	case "timeout":
		s.wait(r, time.Hour)
		reset(w)
	case "reset-unread", "reset":
		reset(w)
	case "eof":
		closeConn(w)
	case "reset-headers":
		sendRaw(w, "HTTP/1.1 200 OK\r\nContent-Type: application/js", reset)
	case "reset-body":
		sendRaw(w, rawHeader(normal, len(normal.body))+firstHalf(normal), reset)
	case "wrong-length":
		sendRaw(w, rawHeader(normal, len(normal.body)+100)+string(normal.body), closeConn)
	case "truncated":
		normal.body = []byte(firstHalf(normal))
		normal.write(w)
	case "empty":
		normal.body = nil
		normal.write(w)
	case "page":
		signInPage().write(w)
	case "late":
		normal.write(w)
	case "slow":
		s.sendSlowly(w, r, normal, f.Delay)
	case "endless":
		s.sendEndlessly(w, r, normal)
	case "gzip-bomb":
		gzipBomb(normal).write(w)
	default:
		s.spoilGUID(normal, f.Kind).write(w)
	}
}

// strikeStatus answers with a status of the plan's.
func (s *Sandbox) injectStatus(w http.ResponseWriter, normal *response, f Injection, status int) {
	a := normal
	switch {
	case status < 200:
		w.WriteHeader(status)
	case status == http.StatusNoContent:
		a = &response{status: status, header: http.Header{}}
	case status < 300:
		a.status = status
	default:
		a = refusal(status, "the sandbox was told to answer so: "+http.StatusText(status))
	}
	if status >= 300 && status < 400 {
		a.header.Set("Location", cmp.Or(f.To, "/v1/elsewhere"))
	}
	if f.RetryAfter != "" {
		a.header.Set("Retry-After", retryAfterValue(f.RetryAfter))
	}
	a.write(w)
}

func retryAfterValue(text string) string {
	seconds, isDate := strings.CutPrefix(text, "date+")
	n, err := strconv.Atoi(seconds)
	if !isDate || err != nil {
		return text
	}
	return time.Now().Add(time.Duration(n) * time.Second).UTC().Format(http.TimeFormat)
}

// misname spoils the GUID of a right answer.
func (s *Sandbox) spoilGUID(normal *response, kind string) *response {
	if normal.trip == nil {
		return normal
	}
	t := *normal.trip
	switch kind {
	case "no-guid":
		t.GUID = ""
	case "bad-guid":
		t.GUID = "TRIP-" + t.GUID[:8]
	case "zero-guid":
		t.GUID = "00000000-0000-0000-0000-000000000000"
	case "same-guid":
		s.mu.Lock()
		t.GUID = s.store.first()
		s.mu.Unlock()
	}
	return tripResponse(&t)
}

func signInPage() *response {
	return &response{
		status: http.StatusOK,
		header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		body:   []byte("<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in to the network.</body></html>"),
	}
}

// drip sends an answer a byte at a time.
func (s *Sandbox) sendSlowly(w http.ResponseWriter, r *http.Request, a *response, every time.Duration) {
	flush := http.NewResponseController(w)
	body := a.body
	a.body = nil
	a.write(w)
	for i := range body {
		s.wait(r, cmp.Or(every, time.Second))
		if _, err := w.Write(body[i : i+1]); err != nil || flush.Flush() != nil || s.abandoned(r) {
			return
		}
	}
}

// flood sends an answer and then spaces, until the client has had enough. They
// are spaces because JSON may be followed by them: cut off anywhere, it is
// still a right answer to those who don't ask whether it came to its end.
func (s *Sandbox) sendEndlessly(w http.ResponseWriter, r *http.Request, a *response) {
	a.write(w)
	spaces := bytes.Repeat([]byte(" "), 64<<10)
	for !s.abandoned(r) {
		if _, err := w.Write(spaces); err != nil {
			return
		}
	}
}

// over reports whether nobody waits for an answer any more.
func (s *Sandbox) abandoned(r *http.Request) bool {
	select {
	case <-r.Context().Done():
		return true
	case <-s.closing:
		return true
	default:
		return false
	}
}

// bomb packs an answer with 256 MB of spaces behind it.
func gzipBomb(a *response) *response {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // the level is a valid one
	_, _ = z.Write(a.body)                               // a buffer takes everything
	spaces := bytes.Repeat([]byte(" "), 1<<20)
	for range 256 {
		_, _ = z.Write(spaces)
	}
	_ = z.Close()
	a.header.Set("Content-Encoding", "gzip")
	a.body = packed.Bytes()
	return a
}

func firstHalf(a *response) string { return string(a.body[:len(a.body)/2]) }

// head writes the headers of an answer whose length is whatever it claims.
func rawHeader(a *response, length int) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
		a.status, http.StatusText(a.status), length)
}

// raw sends a text as it is, past net/http, and then ends the connection.
func sendRaw(w http.ResponseWriter, text string, end func(http.ResponseWriter)) {
	flush, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_, _ = flush.Write([]byte(text))
	// A reset overtakes what was sent just before it.
	time.Sleep(20 * time.Millisecond)
	end(hijacked{w, flush})
}

// hijacked lets reset and hangUp end a connection that was taken over before.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

func hijack(w http.ResponseWriter) net.Conn {
	if h, ok := w.(hijacked); ok {
		return h.conn
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // ends the connection as well
	}
	return conn
}

// reset ends the connection with a reset: no answer, and no goodbye.
func reset(w http.ResponseWriter) {
	conn := hijack(w)
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// hangUp closes the connection in good order, without an answer.
func closeConn(w http.ResponseWriter) { _ = hijack(w).Close() }
