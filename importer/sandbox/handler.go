package sandbox

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"tripimport/importer"
)

// maxRequest is the largest body that is taken: 1 MB, a thousand times a trip.
const maxRequest = 1 << 20

// A request is one that was let in: its operation is known and its token good.
type request struct {
	number    int64
	operation Operation
	body      body
	// digest is the beginning of the body's SHA-256, empty where there is none.
	digest string
}

// trip gives the id that a fault plan knows the request by: for a change, the
// GUID.
func (r request) injectionKey() string {
	if r.operation == Change {
		return r.body.field("trip_guid")
	}
	return r.body.field("trip_id")
}

// ServeHTTP answers one request: the path and method, the token, the whole
// body, the log, and then either the contract or the fault that the plan has
// for it.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	operation, refused := route(r)
	if refused == nil {
		refused = s.authorize(r)
	}
	if refused != nil {
		refused.write(w)
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		refusal(http.StatusRequestEntityTooLarge, "the request is too long, or did not arrive whole").write(w)
		return
	}
	req := request{number: s.requests.Add(1), operation: operation}
	if operation != Access {
		req.body, req.digest = parse(text), digest(text)
		if s.onRequest != nil {
			s.onRequest(operation, text)
		}
	}
	s.wait(r, s.delay)
	injection := s.injector.next(operation, req.injectionKey())
	if injection == nil || injection.Kind != "reset-unread" {
		if err := s.logReceived(req, injection); err != nil {
			refusal(http.StatusInternalServerError, "unknown error: the log can't be written").write(w)
			return
		}
	}
	if injection == nil {
		s.process(req, true).write(w)
		return
	}
	s.inject(w, r, req, *injection)
}

// route finds the operation (contract, section 4), or says why there is none.
func route(r *http.Request) (Operation, *response) {
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
		return "", refusal(http.StatusNotFound, "there is nothing at this path")
	}
	if r.Method != method {
		no := refusal(http.StatusMethodNotAllowed, "this path takes "+method+" alone")
		no.header.Set("Allow", method)
		return "", no
	}
	if method == http.MethodPost && !isJSON(r.Header.Get("Content-Type")) {
		return "", refusal(http.StatusUnsupportedMediaType, "the request is not declared to be application/json")
	}
	return operation, nil
}

func isJSON(contentType string) bool {
	media, params, err := mime.ParseMediaType(contentType)
	charset, given := params["charset"]
	return err == nil && media == "application/json" && (!given || strings.EqualFold(charset, "utf-8"))
}

// authorize wants exactly the word bearer, one space and the token (contract,
// section 5).
func (s *Sandbox) authorize(r *http.Request) *response {
	given := r.Header.Values("Authorization")
	if len(given) != 1 || given[0] != "bearer "+s.token {
		return refusal(http.StatusUnauthorized, "you have no access to this resource: the token is missing, wrong or expired, or the word bearer before it")
	}
	return nil
}

// received writes the first line of a request in the log.
func (s *Sandbox) logReceived(req request, injection *Injection) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := Entry{
		Phase: Received, Request: req.number, Operation: req.operation, Digest: req.digest,
		TripID: req.body.field("trip_id"), GUID: req.body.field("trip_guid"),
	}
	if p := s.providerByKey(req.body.field("tp_api_key")); p != nil {
		e.Provider = p.Name
	}
	if injection != nil {
		e.Injection = injection.String()
	}
	return s.log.write(e)
}

func (s *Sandbox) providerByKey(key string) *importer.Provider {
	return s.findProvider(func(p importer.Provider) bool { return p.Key.Reveal() == key })
}

// hold keeps a request waiting, until its client is gone or the sandbox closes.
func (s *Sandbox) wait(r *http.Request, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	case <-s.closing:
	}
}

// A response is an answer that is ready to be sent, or to be spoilt.
type response struct {
	status int
	header http.Header
	body   []byte
	// trip is the trip of a successful insertion.
	trip *trip
}

// refuse makes an error answer. The structure of its body is not documented
// (contract, section 7); a message is the least it can hold.
func refusal(status int, message string) *response {
	return jsonResponse(status, map[string]string{"message": message})
}

func jsonResponse(status int, value any) *response {
	body, _ := json.Marshal(value) // texts and finite numbers can always be written
	return &response{
		status: status,
		header: http.Header{"Content-Type": {"application/json; charset=utf-8"}},
		body:   body,
	}
}

func (a *response) write(w http.ResponseWriter) {
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // a client that is gone has no use for it
}
