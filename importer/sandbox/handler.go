package sandbox

import (
	"cmp"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
)

// maxRequest is the largest body that is accepted: 1 MB. A trip has about 1 kB.
const maxRequest = 1 << 20

// tripIDs returns the ids by which a fault can name a request: the trip id, and for a change
// also the GUID.
func (s *Sandbox) tripIDs(b body) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed, _ := s.store.find(b.field("trip_guid"))
	return []string{cmp.Or(b.field("trip_id"), changed.TripID), b.field("trip_guid")}
}

// ServeHTTP handles one request.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handle().ServeHTTP(w, r) }

// handle returns the handlers of the operations by method and path.
func (s *Sandbox) handle() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern, operation := range map[string]Operation{
		"GET /v1/access": Access, "POST /v1/singletrip": Insert, "POST /v1/singletrip/withProperties": Change,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, operation) })
	}
	return mux
}

// serve handles one request of an operation: it checks its form and its token, reads the
// body, logs that it was received, and then processes the request or lets it fail.
func (s *Sandbox) serve(w http.ResponseWriter, r *http.Request, operation Operation) {
	given := r.Header.Values("Authorization")
	switch {
	case operation != Access && !isJSON(r.Header.Get("Content-Type")):
		Refusal(http.StatusUnsupportedMediaType, "the request is not declared to be application/json").Write(w)
		return
	case len(given) != 1 || given[0] != "bearer "+s.config.Token:
		Refusal(http.StatusUnauthorized, "you have no access to this resource: the token is missing, wrong or expired, or the word bearer before it").Write(w)
		return
	}

	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		Refusal(http.StatusRequestEntityTooLarge, "the request is too long, or did not arrive whole").Write(w)
		return
	}

	req := request{number: s.requests.Add(1), operation: operation}
	if operation != Access {
		req.body = parse(text)
		if s.config.OnRequest != nil {
			s.config.OnRequest(operation, text)
		}
	}

	s.wait(r, s.config.Delay)

	var fault Fault
	if s.fault != nil {
		fault = s.fault(operation, s.tripIDs(req.body)...)
	}
	if fault == nil || !fault.Unread() {
		s.logReceived(req, fault)
	}
	if fault == nil {
		s.process(req, true).Write(w)
		return
	}

	fault.Serve(w, &Attempt{
		Process: func(commit bool, metres float64) *Response {
			req.metres = metres
			return s.process(req, commit)
		},
		Wait:      func(d time.Duration) { s.wait(r, d) },
		Abandoned: func() bool { return s.isAbandoned(r) },
		Trips:     s.Trips,
	})
}

func isJSON(contentType string) bool {
	media, params, err := mime.ParseMediaType(contentType)
	charset, given := params["charset"]
	return err == nil && media == "application/json" && (!given || strings.EqualFold(charset, "utf-8"))
}

// logReceived logs that a request was received.
func (s *Sandbox) logReceived(req request, fault Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()

	e := Entry{
		Phase: Received, Request: req.number, Operation: req.operation,
		TripID: req.body.field("trip_id"), GUID: req.body.field("trip_guid"),
	}
	if p := s.providerByKey(req.body.field("tp_api_key")); p != nil {
		e.Provider = p.Name
	}
	if req.body.err == nil {
		e.Body = req.body.text
	}
	if fault != nil {
		e.Fault = fault.String()
	}
	s.log(e)
}

// isAbandoned reports whether the client is gone or the sandbox closes.
func (s *Sandbox) isAbandoned(r *http.Request) bool {
	return r.Context().Err() != nil || s.closing.Err() != nil
}

// wait waits for d, or until the client is gone or the sandbox closes.
func (s *Sandbox) wait(r *http.Request, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	case <-s.closing.Done():
	}
}
