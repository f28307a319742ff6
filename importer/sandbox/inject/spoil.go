package inject

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

	"github.com/google/uuid"

	"tripimport/importer/sandbox"
)

// Unread implements sandbox.Fault.
func (inj *Fault) Unread() bool { return inj.Kind == "reset-unread" }

// Serve implements sandbox.Fault. If the fault says so, it books the trip first.
func (inj *Fault) Serve(w http.ResponseWriter, a *sandbox.Attempt) {
	normal := a.Process(inj.commits(), inj.Metres)
	if inj.Kind != "slow" {
		a.Wait(inj.Delay)
	}
	if status := statusOf(inj.Kind); status != 0 {
		inj.serveStatus(w, normal, status)
		return
	}

	switch inj.Kind {
	case "timeout":
		a.Wait(time.Hour)
		reset(w)
	case "reset-unread", "reset":
		reset(w)
	case "eof":
		closeConn(w)
	case "reset-headers":
		sendRaw(w, "HTTP/1.1 200 OK\r\nContent-Type: application/js", reset)
	case "reset-body":
		sendRaw(w, rawHeader(normal, len(normal.Body))+firstHalf(normal), reset)
	case "wrong-length":
		sendRaw(w, rawHeader(normal, len(normal.Body)+100)+string(normal.Body), closeConn)
	case "slow":
		sendSlowly(w, a, normal, inj.Delay)
	case "endless":
		sendEndlessly(w, a, normal)
	default:
		spoil(a, normal, inj.Kind).Write(w)
	}
}

// spoil returns the response for a kind of failure that is sent as valid HTTP. It may
// change the normal response.
func spoil(a *sandbox.Attempt, normal *sandbox.Response, kind string) *sandbox.Response {
	switch kind {
	case "unknown-guid":
		return sandbox.Refusal(http.StatusBadRequest, "there is no trip with this trip_guid")
	case "truncated":
		normal.Body = []byte(firstHalf(normal))
		return normal
	case "empty":
		normal.Body = nil
		return normal
	case "page":
		return signInPage()
	case "gzip-bomb":
		return gzipBomb(normal)
	}
	return spoilTrip(a, normal, kind)
}

// serveStatus sends a response with the status that the fault has.
func (inj *Fault) serveStatus(w http.ResponseWriter, normal *sandbox.Response, status int) {
	a := normal
	switch {
	case status < 200:
		w.WriteHeader(status)
	case status == http.StatusNoContent:
		a = &sandbox.Response{Status: status, Header: http.Header{}}
	case status < 300:
		a.Status = status
	default:
		a = sandbox.Refusal(status, "the sandbox was told to answer so: "+http.StatusText(status))
	}

	if status >= 300 && status < 400 {
		a.Header.Set("Location", cmp.Or(inj.To, "/v1/elsewhere"))
	}
	if inj.RetryAfter != "" {
		a.Header.Set("Retry-After", retryAfterValue(inj.RetryAfter))
	}

	a.Write(w)
}

// retryAfterValue returns the Retry-After header; see Fault.RetryAfter.
func retryAfterValue(text string) string {
	seconds, isDate := strings.CutPrefix(text, "date+")
	n, err := strconv.Atoi(seconds)
	if !isDate || err != nil {
		return text
	}
	return time.Now().Add(time.Duration(n) * time.Second).UTC().Format(http.TimeFormat)
}

// spoilTrip changes the trip in a response, if it has one.
func spoilTrip(a *sandbox.Attempt, normal *sandbox.Response, kind string) *sandbox.Response {
	var t map[string]any
	_ = json.Unmarshal(normal.Body, &t) // fails for a list
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
		t["trip_guid"] = a.Trips()[0].GUID
	case "other-trip":
		t["trip_guid"], t["trip_id"] = uuid.NewString(), "other-trip"
	case "no-position":
		delete(t, "pickup")
		delete(t, "dropoff")
	}
	return sandbox.JSONResponse(http.StatusOK, t)
}

// signInPage returns the page that a hotel's or an office's network sends instead of a
// response.
func signInPage() *sandbox.Response {
	return &sandbox.Response{
		Status: http.StatusOK,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body:   []byte("<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in to the network.</body></html>"),
	}
}

// sendSlowly sends a response one byte at a time.
func sendSlowly(w http.ResponseWriter, a *sandbox.Attempt, normal *sandbox.Response, every time.Duration) {
	flush := http.NewResponseController(w)
	body := normal.Body
	normal.Body = nil
	normal.Write(w)

	for i := range body {
		a.Wait(cmp.Or(every, time.Second))
		if _, err := w.Write(body[i : i+1]); err != nil || flush.Flush() != nil || a.Abandoned() {
			return
		}
	}
}

// sendEndlessly sends a response and then spaces until the client closes the connection.
// Because JSON may be followed by spaces, a client that stops reading at some limit
// without noticing that the body is longer sees a valid response.
func sendEndlessly(w http.ResponseWriter, a *sandbox.Attempt, normal *sandbox.Response) {
	normal.Write(w)
	spaces := bytes.Repeat([]byte(" "), 64<<10)
	for !a.Abandoned() {
		if _, err := w.Write(spaces); err != nil {
			return
		}
	}
}

// gzipBomb compresses a response followed by 256 MB of spaces.
func gzipBomb(a *sandbox.Response) *sandbox.Response {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // fails only if the level is invalid
	_, _ = z.Write(a.Body)                               // a buffer accepts everything

	spaces := bytes.Repeat([]byte(" "), 1<<20)
	for range 256 {
		_, _ = z.Write(spaces)
	}
	_ = z.Close()

	a.Header.Set("Content-Encoding", "gzip")
	a.Body = packed.Bytes()
	return a
}

func firstHalf(a *sandbox.Response) string { return string(a.Body[:len(a.Body)/2]) }

// rawHeader formats the status line and the headers of a response, with any
// Content-Length.
func rawHeader(a *sandbox.Response, length int) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
		a.Status, http.StatusText(a.Status), length)
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
