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

// ServeHTTP handles one request: it checks path, method and token, reads the
// body, logs that it was received, and then processes the request or lets it fail.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	operation, refused := route(r)
	if refused == nil {
		refused = s.authorize(r)
	}
	if refused != nil {
		refused.Write(w)
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

// route returns the operation of a request, or a refusal if the request is not one of the
// operations.
func route(r *http.Request) (Operation, *Response) {
	var operation Operation
	method := http.MethodPost
	switch r.URL.Path {
	case "/v1/access":
		operation, method = Access, http.MethodGet
	case "/v1/singletrip":
		operation = Insert
	case "/v1/singletrip/withProperties":
		operation = Change
	default:
		return "", Refusal(http.StatusNotFound, "there is nothing at this path")
	}

	if r.Method != method {
		no := Refusal(http.StatusMethodNotAllowed, "this path takes only "+method)
		no.Header.Set("Allow", method)
		return "", no
	}
	if method == http.MethodPost && !isJSON(r.Header.Get("Content-Type")) {
		return "", Refusal(http.StatusUnsupportedMediaType, "the request is not declared to be application/json")
	}
	return operation, nil
}

func isJSON(contentType string) bool {
	media, params, err := mime.ParseMediaType(contentType)
	charset, given := params["charset"]
	return err == nil && media == "application/json" && (!given || strings.EqualFold(charset, "utf-8"))
}

// authorize refuses a request whose Authorization header is not the word
// bearer, one space and the token.
func (s *Sandbox) authorize(r *http.Request) *Response {
	given := r.Header.Values("Authorization")
	if len(given) != 1 || given[0] != "bearer "+s.config.Token {
		return Refusal(http.StatusUnauthorized, "you have no access to this resource: the token is missing, wrong or expired, or the word bearer before it")
	}
	return nil
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
