package places_test

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

// A fakeGeocoder is a web server with the protocols of all geocoders that package
// places can ask. It knows every address that begins with a house number, and
// always at the same position within its state. It is safe for concurrent use.
//
// Some words in a street bring answers that are not a plain match: Nowhere Ln is
// not known, Double Ln has two positions, Roughly Ln is found as another street,
// and Midway Ln as the middle of a street without the house.
type fakeGeocoder struct {
	// URL is the address of the server on this machine, without a slash at the
	// end. The Census geocoder is below /geocoder, the others below /.
	URL string

	http   *http.Server
	served chan struct{}

	mu        sync.Mutex
	injection fakeFailure
	requests  []fakeRequest
}

// A fakeFailure is a failure of the server for the next Times requests, or for all
// if Times is 0.
type fakeFailure struct {
	Times int
	// Slow is how long an answer takes.
	Slow time.Duration
	// Status is sent instead of an answer. With 429 goes a Retry-After of 0.
	Status int
	// HTML sends a page with status 200, as a proxy does.
	HTML bool
	// Half leaves every second address of a batch out of the answer.
	Half bool
	// Cut closes the connection in the middle of the answer.
	Cut bool
}

// A fakeRequest is a request that was received.
type fakeRequest struct {
	Method string
	// Target is the path and the parameters.
	Target string
	Header http.Header
	Body   []byte
	// Addresses is how many it asked about.
	Addresses int
}

// startFakeGeocoder starts a server on a free port of this machine, which other machines
// can't reach. close must be called.
func startFakeGeocoder() (*fakeGeocoder, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &fakeGeocoder{URL: "http://" + listener.Addr().String(), served: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /geocoder/locations/addressbatch", s.handle(census))
	mux.HandleFunc("GET /search", s.handle(nominatim))
	mux.HandleFunc("POST /v1.7/geocode", s.handle(geocodio))
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(listener) // it ends by close only
	}()
	return s, nil
}

// close stops the server and closes all connections.
func (s *fakeGeocoder) close() error {
	err := s.http.Close()
	<-s.served
	return err
}

// inject sets how the server fails from now on. The zero fakeFailure ends that.
func (s *fakeGeocoder) inject(i fakeFailure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.injection = i
}

// received returns the requests received so far.
func (s *fakeGeocoder) received() []fakeRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]fakeRequest(nil), s.requests...)
}

// A protocol answers a request as one geocoder does, and returns about how many
// addresses it was. half leaves every second address out of the answer.
type protocol func(r *http.Request, body []byte, half bool) (reply, contentType string, addresses, status int)

// handle returns a handler that records each request, and answers it unless a
// failure is injected.
func (s *fakeGeocoder) handle(answer protocol) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has gone
		}
		injection := s.next()
		reply, contentType, n, status := answer(r, body, injection.Half)
		s.record(fakeRequest{r.Method, r.URL.String(), r.Header.Clone(), bytes.Clone(body), n})

		select {
		case <-time.After(injection.Slow):
		case <-r.Context().Done():
			return
		}
		switch {
		case injection.Status != 0:
			w.Header().Set("Retry-After", "0")
			http.Error(w, http.StatusText(injection.Status), injection.Status)
			return
		case injection.HTML:
			reply, contentType, status = "<html><body>Please sign in</body></html>", "text/html", http.StatusOK
		case injection.Cut:
			w.Header().Set("Content-Length", "1000000")
		}
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.Copy(w, strings.NewReader(reply)) // a client that has gone needs no answer
	}
}

// next returns the injection for a request, and counts it.
func (s *fakeGeocoder) next() fakeFailure {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.injection
	switch i.Times {
	case 0:
	case 1:
		s.injection = fakeFailure{}
	default:
		s.injection.Times--
	}
	return i
}

func (s *fakeGeocoder) record(r fakeRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}

// addresses returns about how many addresses it was asked so far.
func (s *fakeGeocoder) addresses() (n int) {
	for _, r := range s.received() {
		n += r.Addresses
	}
	return n
}
