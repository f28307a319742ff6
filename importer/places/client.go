package places

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/netfailure"
)

// A client sends requests to a geocoder on the web. It follows no redirects,
// because an address must go only where the office meant it to go, and it reads
// replies of a bounded size.
type client struct {
	name   string
	batch  int // the largest number of queries in one request
	base   *url.URL
	http   *http.Client
	header http.Header
}

// newClient returns a client for the geocoder at base, whose answer to many queries
// in one request may take minutes. The address must be https, or http on this
// machine.
func newClient(name, base string, batch int) (*client, error) {
	u, err := url.Parse(strings.TrimRight(base, "/"))
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !netfailure.IsLoopback(u.Hostname())) {
		return nil, &importer.InputError{
			File: "configuration", Reason: "the address of the geocoder " + name + " is not an https address",
			Fix: "write it as https://…; http is for this machine alone",
		}
	}
	timeout := 30 * time.Second
	if batch > 1 {
		timeout = 15 * time.Minute
	}
	return &client{
		name: name, batch: batch, base: u, header: http.Header{"User-Agent": {"tripimport"}},
		http: &http.Client{
			Timeout:       timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Name implements Geocoder.
func (c *client) Name() string { return c.name }

// Batch implements Geocoder.
func (c *client) Batch() int { return c.batch }

// send sends a POST request, or a GET request if body is nil, and returns the body of
// the reply.
func (c *client) send(ctx context.Context, path string, params url.Values, contentType string, body io.Reader) ([]byte, error) {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	u := c.base.JoinPath(path)
	u.RawQuery = params.Encode()
	req, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return nil, c.failure("can't be asked", false)
	}
	if body != nil {
		req.Header.Set("Content-Type", contentType)
	}
	return c.do(req)
}

// do sends the request. The error is a *GeocoderError, or that of the request's
// context. It never holds the address of the request, which may hold a key.
func (c *client) do(req *http.Request) ([]byte, error) {
	const maxReply = 64 << 20 // bytes: enough for ten thousand of the longest answers
	for k, v := range c.header {
		req.Header[k] = v
	}

	resp, err := c.http.Do(req)
	if err != nil {
		if cause := req.Context().Err(); cause != nil {
			return nil, cause
		}
		var timeout interface{ Timeout() bool }
		if errors.As(err, &timeout) && timeout.Timeout() {
			return nil, c.failure("did not answer in time", true)
		}
		return nil, c.failure("can't be reached", true)
	}
	defer func() { _ = resp.Body.Close() }() // it has been read, or is of no use

	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err != nil {
		return nil, c.failure("broke off its answer", true)
	}
	return body, c.checkStatus(resp)
}

// checkStatus returns a *GeocoderError for every status but 200.
func (c *client) checkStatus(resp *http.Response) error {
	code := resp.StatusCode
	switch {
	case code == http.StatusOK:
		return nil
	case code == http.StatusTooManyRequests:
		e := c.failure("asks for fewer requests", true)
		e.RetryAfter = min(netfailure.RetryAfter(resp.Header), 5*time.Minute)
		return e
	case code >= 500:
		return c.failure("fails with status "+strconv.Itoa(code), true)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return c.failure("does not accept the key", false)
	}
	return c.failure("answers with status "+strconv.Itoa(code), false)
}

func (c *client) failure(what string, retry bool) *GeocoderError {
	return &GeocoderError{Reason: "the geocoder " + c.name + " " + what, Retry: retry}
}

// unexpectedReply is the error for a reply that does not have the documented
// form, such as the page of a proxy.
func (c *client) unexpectedReply() *GeocoderError {
	return c.failure("answers with something other than addresses", true)
}
