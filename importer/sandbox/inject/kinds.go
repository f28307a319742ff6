package inject

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"tripimport/importer/sandbox"
)

// A kind is a way in which a request can fail.
type kind struct {
	when  when
	serve func(*failing)
}

// A when says when a kind of failure is possible. A response that proves a refusal cannot follow a
// booking, and a response with the trip needs a booking; otherwise the log would contradict the
// response.
type when uint8

const (
	before when = 1 << iota // before the trip is booked
	after                   // after it
	either = before | after
)

// A failing is a request that fails, with the right response to it.
type failing struct {
	*sandbox.Attempt

	w      http.ResponseWriter
	r      *http.Request
	normal *sandbox.Response
	fault  *Fault
}

// kinds returns the kinds of failures that are not HTTP statuses.
func kinds() map[string]kind {
	return map[string]kind{
		// No answer, until the client gives up.
		"timeout": {either, func(f *failing) { <-f.r.Context().Done(); reset(hijack(f.w)) }},
		// The connection is reset: after the request was read, in the middle of the answer's headers,
		// and in the middle of its body.
		"reset":         {either, func(f *failing) { reset(hijack(f.w)) }},
		"reset-headers": {either, func(f *failing) { sendRaw(f.w, "HTTP/1.1 200 OK\r\nContent-Type: application/js", reset) }},
		"reset-body": {either, func(f *failing) {
			sendRaw(f.w, rawHeader(f.normal, len(f.normal.Body))+string(firstHalf(f.normal)), reset)
		}},
		// The connection is closed without an answer.
		"eof": {either, func(f *failing) { closeConn(hijack(f.w)) }},
		// A whole answer whose JSON breaks off, and one that is shorter than its Content-Length says.
		"truncated": {either, func(f *failing) { f.answer(firstHalf(f.normal)) }},
		"wrong-length": {either, func(f *failing) {
			sendRaw(f.w, rawHeader(f.normal, len(f.normal.Body)+100)+string(f.normal.Body), closeConn)
		}},
		// 200 without a body, and with the page that a hotel's or an office's network sends.
		"empty": {either, func(f *failing) { f.answer(nil) }},
		"page": {either, func(f *failing) {
			f.normal.Status = http.StatusOK
			f.normal.Header.Set("Content-Type", "text/html; charset=utf-8")
			f.answer([]byte("<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in to the network.</body></html>"))
		}},
		// 200 with the trip: without its GUID, with one that does not have the shape of a GUID, one of
		// zeros, and that of the first trip ever booked.
		"no-guid":   {after, withTrip(func(_ *failing, t map[string]any) { delete(t, "trip_guid") })},
		"bad-guid":  {after, withTrip(func(_ *failing, t map[string]any) { t["trip_guid"] = "TRIP-" + t["trip_guid"].(string)[:8] })},
		"zero-guid": {after, withTrip(func(_ *failing, t map[string]any) { t["trip_guid"] = uuid.Nil.String() })},
		"same-guid": {after, withTrip(func(f *failing, t map[string]any) { t["trip_guid"] = f.Trips()[0].GUID })},
		// The right answer: late and one byte at a time, see Fault.Delay, followed by spaces without
		// end, and in a few kilobytes that unpack to 256 MB.
		"late":      {after, func(f *failing) { f.normal.Write(f.w) }},
		"slow":      {after, sendSlowly},
		"endless":   {either, sendEndlessly},
		"gzip-bomb": {either, sendGzipBomb},
		// The right answer with the addresses elsewhere, see Fault.Metres.
		"moved": {after, withTrip(func(f *failing, t map[string]any) { move(t, f.fault.Metres) })},
	}
}

// Kinds returns the kinds of failures that are not HTTP statuses.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds())) }

// kindOf returns a kind of failure: one of Kinds, or an HTTP status. It reports false if there is no
// such kind.
func kindOf(name string) (kind, bool) {
	if k, ok := kinds()[name]; ok {
		return k, true
	}
	status, err := strconv.Atoi(name)
	if err != nil || len(name) != 3 {
		return kind{}, false
	}
	answer := kind{either, func(f *failing) { f.fault.serveStatus(f.w, f.normal, status) }}
	switch status {
	case 100, 102, 103:
		answer.when = after
		return answer, true
	case 400, 401, 403, 404, 405, 413, 415, 422, 429:
		answer.when = before
	}
	return answer, status > 200 && status < 600
}

// serve answers a request with the failure. If the fault says so, it books the trip first.
func (inj *Fault) serve(w http.ResponseWriter, r *http.Request, a *sandbox.Attempt) {
	k, _ := kindOf(inj.Kind)
	f := &failing{a, w, r, a.Process(inj.Commit == "after" || inj.Commit == "" && k.when&before == 0), inj}
	if inj.Kind != "slow" {
		f.wait(inj.Delay)
	}
	k.serve(f)
}

// wait waits for d, or until the client is gone.
func (f *failing) wait(d time.Duration) {
	select {
	case <-time.After(d):
	case <-f.r.Context().Done():
	}
}

// answer sends the right response with another body.
func (f *failing) answer(body []byte) {
	f.normal.Body = body
	f.normal.Write(f.w)
}

// withTrip returns a function that sends the right response, with what edit does to its trip if it has
// one.
func withTrip(edit func(*failing, map[string]any)) func(*failing) {
	return func(f *failing) {
		var t map[string]any
		_ = json.Unmarshal(f.normal.Body, &t) // fails for a list
		if _, ok := t["trip_guid"].(string); !ok {
			f.normal.Write(f.w)
			return
		}
		edit(f, t)
		sandbox.JSONResponse(http.StatusOK, t).Write(f.w)
	}
}

// move moves the pickup and the dropoff of a trip to the north. A degree is 111,195 m.
func move(trip map[string]any, metres float64) {
	for _, event := range []string{"pickup", "dropoff"} {
		of, _ := trip[event].(map[string]any)
		place, _ := of["event_location"].(map[string]any)
		if latitude, ok := place["latitude"].(float64); ok {
			place["latitude"] = latitude + metres/111_195
		}
	}
}

// sendSlowly sends a response one byte at a time.
func sendSlowly(f *failing) {
	flush := http.NewResponseController(f.w)
	body := f.normal.Body
	f.answer(nil)
	for i := range body {
		f.wait(cmp.Or(f.fault.Delay, time.Second))
		if _, err := f.w.Write(body[i : i+1]); err != nil || flush.Flush() != nil || f.r.Context().Err() != nil {
			return
		}
	}
}

// sendEndlessly sends a response and then spaces until the client closes the connection.
// Because JSON may be followed by spaces, a client that stops reading at some limit
// without noticing that the body is longer sees a valid response.
func sendEndlessly(f *failing) {
	f.normal.Write(f.w)
	spaces := bytes.Repeat([]byte(" "), 64<<10)
	for f.r.Context().Err() == nil {
		if _, err := f.w.Write(spaces); err != nil {
			return
		}
	}
}

// sendGzipBomb sends a response followed by 256 MB of spaces, compressed.
func sendGzipBomb(f *failing) {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // fails only if the level is invalid
	_, _ = z.Write(f.normal.Body)                        // a buffer accepts everything

	spaces := bytes.Repeat([]byte(" "), 1<<20)
	for range 256 {
		_, _ = z.Write(spaces)
	}
	_ = z.Close()

	f.normal.Header.Set("Content-Encoding", "gzip")
	f.answer(packed.Bytes())
}
