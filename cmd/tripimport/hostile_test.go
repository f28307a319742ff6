package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// A hostile is a service that puts what it received, and a canary word, into every
// part of its answers.
type hostile struct {
	// mode is how it answers. With "" good answers and bad ones alternate.
	mode    atomic.Value
	arrived atomic.Int64
	booked  atomic.Int64
}

func (h *hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // an incomplete body is echoed as well
	echo := "Zephyrine " + r.Header.Get("Authorization") + " " + canaryKey + " " + string(body)
	mode, _ := h.mode.Load().(string)
	if r.URL.Path == "/v1/access" {
		h.access(w, mode, echo)
		return
	}

	n := int(h.arrived.Add(1)) - 1
	switch {
	case mode == "slow":
		time.Sleep(20 * time.Second)
	case mode != "":
		h.answerBadly(w, mode, echo)
	case n%2 == 0:
		h.book(w, body, echo)
	default:
		ways := hostileWays()
		h.answerBadly(w, ways[n/2%len(ways)], echo)
	}
}

// access answers the access operation.
func (h *hostile) access(w http.ResponseWriter, mode, echo string) {
	switch mode {
	case "access-500":
		http.Error(w, echo, http.StatusInternalServerError)
	case "access-401", "401":
		http.Error(w, echo, http.StatusUnauthorized)
	case "access-garbled":
		sendRaw(w, echo+"\r\n\r\n")
	case "access-json":
		_, _ = fmt.Fprintf(w, `[{"APIKey": %q, "TranportationProviderName": 7, "note": %q}]`, canaryKey, echo)
	default:
		_, _ = fmt.Fprintf(w, `[{"APIKey": %q, "TranportationProviderName": "Lakeshore Transit", "note": %q,
			"FundingSources": [{"FundingSourceId": 7, "FundingSourceName": "County Medicaid Plan"}]}]`, canaryKey, echo)
	}
}

// book books the trip and answers with its GUID.
func (h *hostile) book(w http.ResponseWriter, body []byte, echo string) {
	var trip map[string]any
	_ = json.Unmarshal(body, &trip) // the program made it
	trip["trip_guid"] = fmt.Sprintf("5d0c3f5e-0000-4000-8000-%012d", h.booked.Add(1))
	trip["echo"] = echo
	w.Header().Set("Server", "Zephyrine")
	_ = json.NewEncoder(w).Encode(trip) // the client may be gone
}

// hostileWays returns the bad answers after which a run goes on.
func hostileWays() []string {
	return []string{
		"400", "500", "half", "status line", "header", "unsolicited", "422", "guid", "409", "early", "length", "chunk", "page 500", "retry-after",
	}
}

// answerBadly answers in one of the bad ways.
func (h *hostile) answerBadly(w http.ResponseWriter, way, echo string) {
	flat := strings.NewReplacer("\r", " ", "\n", " ").Replace(echo)
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
	switch way {
	case "half":
		_, _ = fmt.Fprintf(w, `{"trip_id": %q, "trip`, echo)
	case "status line":
		sendRaw(w, flat+"\r\n\r\n")
	case "header":
		sendRaw(w, "HTTP/1.1 200 OK\r\n"+flat+"\r\n\r\n")
	case "unsolicited":
		guid := fmt.Sprintf(`{"trip_guid": "5d0c3f5e-0000-4000-8000-%012d"}`, h.booked.Add(1))
		sendRaw(w, head+strconv.Itoa(len(guid))+"\r\n\r\n"+guid, flat)
	case "guid":
		_, _ = fmt.Fprintf(w, `{"trip_guid": %q}`, echo)
	case "early":
		w.Header().Set("Link", flat)
		w.WriteHeader(http.StatusEarlyHints)
		http.Error(w, echo, http.StatusBadRequest)
	case "length":
		sendRaw(w, head+flat+"\r\n\r\n"+flat)
	case "chunk":
		sendRaw(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+flat)
	case "page 500":
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = fmt.Fprintf(w, "<html><h1>%s</h1>", echo)
	case "retry-after":
		w.Header().Set("Retry-After", "Zephyrine")
		http.Error(w, echo, http.StatusServiceUnavailable)
	case "page":
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<html><h1>%s</h1>", echo)
	case "redirect":
		w.Header().Set("Location", "http://zephyrine.example/Zephyrine?"+canaryKey)
		http.Error(w, echo, http.StatusTemporaryRedirect)
	default: // a status
		status, _ := strconv.Atoi(way)
		w.Header().Set("WWW-Authenticate", flat)
		w.Header().Set("Set-Cookie", "a="+flat)
		http.Error(w, echo, status)
	}
}

// sendRaw writes texts to the connection without net/http, with a pause after each,
// and closes it.
func sendRaw(w http.ResponseWriter, texts ...string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}

	for _, text := range texts {
		_, _ = io.WriteString(conn, text) // the client may be gone
		time.Sleep(10 * time.Millisecond)
	}
	_ = conn.Close()
}
