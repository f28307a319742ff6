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

// geocode sends one request, and returns what protocol.read returns. If that fails, it says why, in words
// that follow the geocoder's name and contain no part of any address.
func (g *Geocoder) geocode(ctx context.Context, queries []Unplaced) (answers map[int][]match, failure string) {
	const maxReply = 64 << 20 // bytes: enough for ten thousand of the longest answers
	req, err := g.newRequest(ctx, g.ask(g.key, queries))
	if err != nil {
		return nil, "can't be asked"
	}
	resp, err := g.http.Do(req) // the error may have the address of the request, which may have the key
	if err != nil {
		return nil, "can't be reached, or does not answer in time"
	}
	defer func() { _ = resp.Body.Close() }() // it has been read, or is of no use

	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	answers, ok := g.read(body)
	switch code := resp.StatusCode; {
	case err != nil:
		return nil, "broke off its answer"
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return nil, "does not accept the key"
	case code != http.StatusOK:
		return nil, "answers with status " + strconv.Itoa(code)
	case !ok:
		return nil, "answers with something other than addresses"
	}
	return answers, ""
}

// newRequest makes a request.
func (g *Geocoder) newRequest(ctx context.Context, r request) (*http.Request, error) {
	u := g.base.JoinPath(r.path)
	u.RawQuery = r.params.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "tripimport")
	if r.body != nil {
		req.Method = http.MethodPost
		req.Header.Set("Content-Type", r.contentType)
	}
	return req, nil
}
