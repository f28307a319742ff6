package sandbox

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// inject makes a request fail. If the injection says so, it books the trip first.
func (s *Sandbox) inject(w http.ResponseWriter, r *http.Request, req request, inj Injection) {
	req.metres = inj.Metres
	normal := s.process(req, inj.commits())
	if inj.Kind != "slow" {
		s.wait(r, inj.Delay)
	}
	if status := statusOf(inj.Kind); status != 0 {
		s.injectStatus(w, normal, inj, status)
		return
	}

	switch inj.Kind {
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
	case "slow":
		s.sendSlowly(w, r, normal, inj.Delay)
	case "endless":
		s.sendEndlessly(w, r, normal)
	default:
		s.spoil(normal, inj.Kind).write(w)
	}
}

// spoil returns the response for a kind of failure that is sent as valid HTTP. It may
// change the normal response.
func (s *Sandbox) spoil(normal *response, kind string) *response {
	switch kind {
	case "unknown-guid":
		return unknownGUID()
	case "truncated":
		normal.body = []byte(firstHalf(normal))
		return normal
	case "empty":
		normal.body = nil
		return normal
	case "page":
		return signInPage()
	case "gzip-bomb":
		return gzipBomb(normal)
	}
	return s.spoilTrip(normal, kind)
}

// injectStatus sends a response with the status that the injection has.
func (s *Sandbox) injectStatus(w http.ResponseWriter, normal *response, inj Injection, status int) {
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
		a.header.Set("Location", cmp.Or(inj.To, "/v1/elsewhere"))
	}
	if inj.RetryAfter != "" {
		a.header.Set("Retry-After", retryAfterValue(inj.RetryAfter))
	}

	a.write(w)
}

// retryAfterValue returns the Retry-After header; see Injection.RetryAfter.
func retryAfterValue(text string) string {
	seconds, isDate := strings.CutPrefix(text, "date+")
	n, err := strconv.Atoi(seconds)
	if !isDate || err != nil {
		return text
	}
	return time.Now().Add(time.Duration(n) * time.Second).UTC().Format(http.TimeFormat)
}

// spoilTrip changes the trip in a response, if it has one.
func (s *Sandbox) spoilTrip(normal *response, kind string) *response {
	var t map[string]any
	_ = json.Unmarshal(normal.body, &t) // fails for a list
	guid, ok := t["trip_guid"].(string)
	if !ok {
		return normal
	}

	switch kind { // other kinds do not change the trip
	case "no-guid":
		delete(t, "trip_guid")
	case "bad-guid":
		t["trip_guid"] = "TRIP-" + guid[:8]
	case "zero-guid":
		t["trip_guid"] = "00000000-0000-0000-0000-000000000000"
	case "same-guid":
		t["trip_guid"] = s.Trips()[0].GUID
	case "other-trip":
		t["trip_guid"], t["trip_id"] = newGUID(""), "other-trip"
	case "no-position":
		delete(t, "pickup")
		delete(t, "dropoff")
	}
	return jsonResponse(http.StatusOK, t)
}

// signInPage returns the page that a hotel's or an office's network sends instead of a
// response.
func signInPage() *response {
	return &response{
		status: http.StatusOK,
		header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		body:   []byte("<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in to the network.</body></html>"),
	}
}

// sendSlowly sends a response one byte at a time.
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

// sendEndlessly sends a response and then spaces until the client closes the connection.
// Because JSON may be followed by spaces, a client that stops reading at some limit
// without noticing that the body is longer sees a valid response.
func (s *Sandbox) sendEndlessly(w http.ResponseWriter, r *http.Request, a *response) {
	a.write(w)
	spaces := bytes.Repeat([]byte(" "), 64<<10)
	for !s.abandoned(r) {
		if _, err := w.Write(spaces); err != nil {
			return
		}
	}
}

// abandoned reports whether the client is gone or the sandbox closes.
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

// gzipBomb compresses a response followed by 256 MB of spaces.
func gzipBomb(a *response) *response {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // fails only if the level is invalid
	_, _ = z.Write(a.body)                               // a buffer accepts everything

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

// rawHeader formats the status line and the headers of a response, with any
// Content-Length.
func rawHeader(a *response, length int) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
		a.status, http.StatusText(a.status), length)
}

// sendRaw writes a text to the connection, without net/http, and then calls end to end
// the connection.
func sendRaw(w http.ResponseWriter, text string, end func(http.ResponseWriter)) {
	conn := hijack(w)
	_, _ = conn.Write([]byte(text))   // fails only if the client is gone
	time.Sleep(20 * time.Millisecond) // a reset would overtake the text
	end(hijacked{w, conn})
}

// A hijacked is a ResponseWriter whose connection was already hijacked.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

// hijack takes over the connection from net/http.
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

// reset ends the connection with a TCP reset.
func reset(w http.ResponseWriter) {
	conn := hijack(w)
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// closeConn closes the connection normally, without a response.
func closeConn(w http.ResponseWriter) { _ = hijack(w).Close() }
