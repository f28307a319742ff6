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

// maxBody is how much of an answer is read: 1 MB. A trip object has a few
// hundred bytes.
const maxBody = 1 << 20

// errTooLong is the fault of a body that goes on past maxBody.
var errTooLong = errors.New("the answer is longer than 1 MB")

// A reply is what came of one request.
type reply struct {
	// connected says that a connection was there to send on. It divides what
	// was not sent from what is unclear: measured, it is never reported for a
	// refused connection or a bad certificate, and always in every later
	// failure. (That headers were written is no such divider: a server had read
	// 1,024 bytes before the transport said so.)
	connected bool
	// err is why there is no answer at all; the rest is unset then.
	err    error
	status int
	header http.Header
	body   []byte
	// bodyErr is why body is not whole.
	bodyErr error
}

// do makes one request, and exactly one. The transport is used bare: an
// http.Client on top of it would follow redirects.
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

// request builds a request afresh: one that was sent before must not be sent
// again.
func (c *Client) request(ctx context.Context, method, path string, token importer.Secret, body []byte) (*http.Request, error) {
	var r io.Reader
	if body != nil {
		r = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, r)
	if err != nil {
		return nil, err
	}
	// Without it the transport can't rewind the body, and so can't repeat the
	// POST by itself when a reused connection dies.
	req.GetBody = nil
	req.Header.Set("Authorization", "bearer "+token.Reveal())
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.userAgent)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

func readBody(body io.ReadCloser) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	_ = body.Close() // what matters has been read
	if err == nil && len(text) > maxBody {
		return text[:maxBody], errTooLong
	}
	return text, err
}
