// Package imitation imitates the geocoders that places can ask, each in the
// form that it documents, for tests and rehearsals. It knows every invented
// address: the same one is always at the same spot, within its state.
//
// Words in a street call for the answers that are no plain match: Nowhere Ln is
// not known, Twin Ln is there twice, Roughly Ln comes back as another street,
// Midway Ln as the middle of a street without the house.
package fakegeocoder

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A Server is one imitation of all geocoders, each under its own path. It is
// safe for concurrent use.
type Server struct {
	// URL is its address on this machine, without a slash at the end. The
	// Census geocoder is under /geocoder, the others under / itself.
	URL string

	http   *http.Server
	served chan struct{}

	mu       sync.Mutex
	fault    Fault
	requests []Request
}

// A Fault is what goes wrong, for the next Times requests; for all where Times
// is 0.
type Fault struct {
	Times int
	// Slow is how long the answer takes.
	Slow time.Duration
	// Status is given instead of an answer; with 429 goes a Retry-After of 0.
	Status int
	// HTML gives a page with status 200, as a proxy does.
	HTML bool
	// Half leaves every second address of a batch out of the answer.
	Half bool
	// Cut breaks the connection off in the middle of the answer.
	Cut bool
}

// A Request is one that was received, whole.
type Request struct {
	Method string
	// Target is the path and the parameters.
	Target string
	Header http.Header
	Body   []byte
	// Addresses is how many it asked about.
	Addresses int
}

// Start starts an imitation on a free port of this machine, which others can't
// reach. Close ends it.
func Start() (*Server, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + listener.Addr().String(), served: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /geocoder/locations/addressbatch", s.serve(census))
	mux.HandleFunc("GET /search", s.serve(nominatim))
	mux.HandleFunc("GET /v1/search/structured", s.serve(pelias))
	mux.HandleFunc("POST /v1.7/geocode", s.serve(geocodio))
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(listener) // it ends by Close alone
	}()
	return s, nil
}

// Close ends the imitation and cuts off whoever still asks.
func (s *Server) Close() error {
	err := s.http.Close()
	<-s.served
	return err
}

// Break sets what goes wrong from now on; the zero Fault mends everything.
func (s *Server) Break(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Requests gives what was received so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// An answerer answers in one geocoder's form. It reports how many addresses
// were asked about; half leaves every second one out.
type answerer func(r *http.Request, body []byte, half bool) (reply, contentType string, addresses, status int)

// serve records a request and answers it, or does what the fault says.
func (s *Server) serve(answer answerer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the asker went away
		}
		fault := s.next()
		reply, contentType, n, status := answer(r, body, fault.Half)
		s.record(Request{r.Method, r.URL.String(), r.Header.Clone(), bytes.Clone(body), n})
		select {
		case <-time.After(fault.Slow):
		case <-r.Context().Done():
			return
		}
		switch {
		case fault.Status != 0:
			w.Header().Set("Retry-After", "0")
			http.Error(w, http.StatusText(fault.Status), fault.Status)
			return
		case fault.HTML:
			reply, contentType, status = "<html><body>Please sign in</body></html>", "text/html", http.StatusOK
		case fault.Cut:
			w.Header().Set("Content-Length", "1000000")
		}
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.Copy(w, strings.NewReader(reply)) // an asker that went away needs no answer
	}
}

// next gives the fault for the request at hand.
func (s *Server) next() Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.fault
	switch f.Times {
	case 0:
	case 1:
		s.fault = Fault{}
	default:
		s.fault.Times--
	}
	return f
}

func (s *Server) record(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}
