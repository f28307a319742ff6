package service

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"tripimport/importer"
)

// maxBody is how much of a reply's body is read: 1 MB. A trip has about 1 kB.
const maxBody = 1 << 20

// errTooLong means that a body is longer than maxBody.
var errTooLong = errors.New("the answer is longer than 1 MB")

// A reply is the outcome of one request.
type reply struct {
	// connected reports that the request got a connection. Without one, nothing
	// was sent; with one, any part of the request may have arrived. Tests show
	// that it is false if the connection was refused or the certificate was not
	// accepted, and true in every later failure. The trace event for written
	// headers would be too late: a server had already read 1,024 bytes of a
	// request before it came.
	connected bool
	// err is why there is no response; the fields below are zero then.
	err    error
	status int
	header http.Header
	body   []byte
	// bodyErr is why body is incomplete.
	bodyErr error
}

// do makes exactly one request. It uses the transport directly, because an
// http.Client would follow redirects.
func (c *Client) do(ctx context.Context, method, path string, token importer.Secret, body []byte) reply {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()

	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	req, err := c.request(ctx, method, path, token, body)
	if err != nil {
		return reply{err: err}
	}

	c.dropStaleConnections()
	defer func() { c.lastUse.Store(time.Now().UnixNano()) }()
	resp, err := c.transport.RoundTrip(req) //nolint:bodyclose // readBody closes it
	if err != nil {
		return reply{connected: connected.Load(), err: err}
	}

	r := reply{connected: true, status: resp.StatusCode, header: resp.Header}
	r.body, r.bodyErr = readBody(resp.Body)
	return r
}

// request makes a new request. A request that was sent is never reused.
func (c *Client) request(ctx context.Context, method, path string, token importer.Secret, body []byte) (*http.Request, error) {
	var r io.Reader
	if body != nil {
		r = bytes.NewReader(body)
	}

	req, err := http.NewRequestWithContext(ctx, method, c.base+path, r)
	if err != nil {
		return nil, err
	}

	// Without GetBody the transport can't rewind the body, so it can't repeat
	// the POST by itself if a reused connection breaks.
	req.GetBody = nil

	req.Header.Set("Authorization", "bearer "+token.Reveal())
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.userAgent)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

// readBody reads a body up to maxBody bytes and closes it.
func readBody(body io.ReadCloser) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	_ = body.Close() // the body was read, or reading it failed
	if err == nil && len(text) > maxBody {
		return text[:maxBody], errTooLong
	}
	return text, err
}
