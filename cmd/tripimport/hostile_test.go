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

// A hostile is a service that puts what it was sent, and a word of its own, into
// every part of its answers.
type hostile struct {
	// mode is "" for a good answer and a bad one in turn, or one bad way.
	mode    atomic.Value
	arrived atomic.Int64
	booked  atomic.Int64
}

func (h *hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // what is cut off is echoed as far as it came
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
		h.spoil(w, mode, echo)
	case n%2 == 0:
		h.book(w, body, echo)
	default:
		ways := hostileWays()
		h.spoil(w, ways[n/2%len(ways)], echo)
	}
}

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

// book answers well.
func (h *hostile) book(w http.ResponseWriter, body []byte, echo string) {
	var trip map[string]any
	_ = json.Unmarshal(body, &trip) // it is the program's own
	trip["trip_guid"] = fmt.Sprintf("5d0c3f5e-0000-4000-8000-%012d", h.booked.Add(1))
	trip["echo"] = echo
	w.Header().Set("Server", "Zephyrine")
	_ = json.NewEncoder(w).Encode(trip) // who does not listen any more misses it
}

// hostileWays are those after which a run goes on.
func hostileWays() []string {
	return []string{
		"400", "500", "half", "status line", "header", "unsolicited", "422", "guid", "409", "early", "length", "chunk", "page 500", "retry-after",
	}
}

func (h *hostile) spoil(w http.ResponseWriter, way, echo string) {
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

// sendRaw sends bytes past net/http, the second lot a little later, and hangs
// up.
func sendRaw(w http.ResponseWriter, lots ...string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	for _, lot := range lots {
		_, _ = io.WriteString(conn, lot) // who does not listen any more misses it
		time.Sleep(10 * time.Millisecond)
	}
	_ = conn.Close()
}
