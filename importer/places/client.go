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
	"tripimport/importer/retryafter"
)

// A client sends requests to a geocoder on the web. It follows no redirects,
// since an address must go where the office meant it to go or nowhere, and it
// reads replies of a bounded size.
type client struct {
	name   string
	base   *url.URL
	http   *http.Client
	header http.Header
}

// newClient returns a client for the geocoder at base. The address must be
// https, or http on this machine.
func newClient(name, base string, timeout time.Duration) (*client, error) {
	u, err := url.Parse(strings.TrimRight(base, "/"))
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		return nil, &importer.InputError{
			File: "configuration", Reason: "the address of the geocoder " + name + " is not an https address",
			Fix: "write it as https://…; http is for this machine alone",
		}
	}
	return &client{
		name: name, base: u, header: http.Header{"User-Agent": {"tripimport"}},
		http: &http.Client{
			Timeout:       timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

func isLoopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// get sends a GET request and returns the body of the reply.
func (c *client) get(ctx context.Context, path string, params url.Values) ([]byte, error) {
	u := c.base.JoinPath(path)
	u.RawQuery = params.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, c.failure("can't be asked", false)
	}
	return c.do(req)
}

// post sends a POST request and returns the body of the reply.
func (c *client) post(ctx context.Context, path, query, contentType string, body io.Reader) ([]byte, error) {
	u := c.base.JoinPath(path)
	u.RawQuery = query
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), body)
	if err != nil {
		return nil, c.failure("can't be asked", false)
	}
	req.Header.Set("Content-Type", contentType)
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
		e.RetryAfter = min(retryafter.Parse(resp.Header), 5*time.Minute)
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
