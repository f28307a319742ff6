package sandbox

import (
	"bytes"
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

// ServeHTTP handles one request, or lets it fail.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req, refused := s.receive(r)
	if refused != nil {
		refused.Write(w)
		return
	}
	attempt := &Attempt{s, req.operation, s.tripIDs(req.body), func(commit bool) *Response { return s.process(req, commit) }}
	if s.config.Faults == nil || !s.config.Faults.Serve(w, r, attempt) {
		attempt.Process(true).Write(w)
	}
}

// RoundTrip implements http.RoundTripper: a rehearsal sends its requests without a network.
func (s *Sandbox) RoundTrip(r *http.Request) (*http.Response, error) {
	req, answer := s.receive(r)
	if answer == nil {
		answer = s.process(req, true)
	}
	return &http.Response{
		StatusCode: answer.Status, Header: answer.Header, Request: r,
		Body: io.NopCloser(bytes.NewReader(answer.Body)), ContentLength: int64(len(answer.Body)),
	}, nil
}

// receive checks the form and the token of a request, reads its body, and logs that it was received. It returns
// the answer to one that it refuses.
func (s *Sandbox) receive(r *http.Request) (req request, refused *Response) {
	operation, method := operationAt(r.URL.Path)
	given := r.Header.Values("Authorization")
	switch {
	case operation == "":
		return req, Refusal(http.StatusNotFound, "there is nothing here")
	case r.Method != method:
		return req, Refusal(http.StatusMethodNotAllowed, "only "+method+" is allowed here")
	case operation != Access && !isJSON(r.Header.Get("Content-Type")):
		return req, Refusal(http.StatusUnsupportedMediaType, "the request is not declared to be application/json")
	case len(given) != 1 || given[0] != "bearer "+s.config.Token:
		return req, Refusal(http.StatusUnauthorized, "you have no access to this resource: the token is missing, wrong or expired, or the word bearer before it")
	}

	text, err := io.ReadAll(io.LimitReader(r.Body, maxRequest+1))
	if err != nil || len(text) > maxRequest {
		return req, Refusal(http.StatusRequestEntityTooLarge, "the request is too long, or did not arrive whole")
	}

	req = request{number: s.requests.Add(1), operation: operation}
	if operation != Access {
		req.body = parse(text)
		if s.config.OnRequest != nil {
			s.config.OnRequest(operation, text)
		}
	}
	time.Sleep(s.config.Delay)
	s.logReceived(req)
	return req, nil
}

// operationAt returns the operation at a path, with its method; empty if there is none.
func operationAt(path string) (operation Operation, method string) {
	switch path {
	case "/v1/access":
		return Access, http.MethodGet
	case "/v1/singletrip":
		return Insert, http.MethodPost
	case "/v1/singletrip/withProperties":
		return Change, http.MethodPost
	}
	return "", ""
}

func isJSON(contentType string) bool {
	media, params, err := mime.ParseMediaType(contentType)
	charset, given := params["charset"]
	return err == nil && media == "application/json" && (!given || strings.EqualFold(charset, "utf-8"))
}

// logReceived logs that a request was received.
func (s *Sandbox) logReceived(req request) {
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
	s.log(e)
}
