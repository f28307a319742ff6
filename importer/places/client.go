package places

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"tripimport/importer"
)

// A Geocoder asks a service on the web where addresses are. It sends parts of addresses, and no
// names, ids or times. It follows no redirects,
// because an address must go only where the office meant it to go, and it reads
// replies of a bounded size.
type Geocoder struct {
	protocol

	name string // shown beside its answers, such as "census"
	base *url.URL
	key  importer.Secret
	http *http.Client
}

// A protocol is how geocoders of a kind are asked.
type protocol struct {
	url      string // where the geocoder is; empty for one of an office's own
	batch    int    // the largest number of queries in one request
	needsKey bool
	// ask makes the request for queries.
	ask func(key importer.Secret, queries []Unplaced) request
	// read returns the places that a reply has for each query, by the query's index: none for an
	// address that the geocoder does not know. A query that is not in the map has no answer and may
	// be sent again. It reports false for a reply that does not have the documented form, such as
	// the page of a proxy.
	read func(reply []byte) (map[int][]match, bool)
}

// A request is a POST request, or a GET request if it has no body.
type request struct {
	path        string // below the geocoder's address
	params      url.Values
	contentType string
	body        []byte
}

// A geocoderError is the failure of a request to a geocoder.
type geocoderError struct {
	// reason is in words for a dispatcher. It contains no part of any address.
	reason string
	// retry reports whether the same request may succeed later.
	retry bool
}

// Error returns the reason.
func (e *geocoderError) Error() string { return e.reason }

// geocode sends one request, and returns what protocol.read returns. The error is a *geocoderError,
// or that of the context.
func (g *Geocoder) geocode(ctx context.Context, queries []Unplaced) (map[int][]match, error) {
	reply, err := g.send(ctx, g.ask(g.key, queries))
	if err != nil {
		return nil, err
	}
	answers, ok := g.read(reply)
	if !ok {
		return nil, g.failure("answers with something other than addresses", true)
	}
	return answers, nil
}

// send sends a request and returns the body of the reply.
func (g *Geocoder) send(ctx context.Context, r request) ([]byte, error) {
	method := http.MethodGet
	if r.body != nil {
		method = http.MethodPost
	}
	u := g.base.JoinPath(r.path)
	u.RawQuery = r.params.Encode()
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(r.body))
	if err != nil {
		return nil, g.failure("can't be asked", false)
	}
	req.Header.Set("User-Agent", "tripimport")
	if r.body != nil {
		req.Header.Set("Content-Type", r.contentType)
	}
	return g.do(req)
}

// do sends the request. The error is a *geocoderError, or that of the request's
// context. It never holds the address of the request, which may hold a key.
func (g *Geocoder) do(req *http.Request) ([]byte, error) {
	const maxReply = 64 << 20 // bytes: enough for ten thousand of the longest answers
	resp, err := g.http.Do(req)
	if err != nil {
		if cause := req.Context().Err(); cause != nil {
			return nil, cause
		}
		return nil, g.failure("can't be reached, or does not answer in time", true)
	}
	defer func() { _ = resp.Body.Close() }() // it has been read, or is of no use

	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err != nil {
		return nil, g.failure("broke off its answer", true)
	}
	switch code := resp.StatusCode; code {
	case http.StatusOK:
		return body, nil
	case http.StatusUnauthorized, http.StatusForbidden:
		return nil, g.failure("does not accept the key", false)
	default:
		return nil, g.failure("answers with status "+strconv.Itoa(code), code == http.StatusTooManyRequests || code >= 500)
	}
}

func (g *Geocoder) failure(what string, retry bool) *geocoderError {
	return &geocoderError{reason: "the geocoder " + g.name + " " + what, retry: retry}
}
