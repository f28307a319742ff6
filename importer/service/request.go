package service

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"time"

	"tripimport/importer"
	"tripimport/importer/netfailure"
)

// maxBody is the number of bytes that are read of a reply's body: 1 MB. A trip has about
// 1 kB.
const maxBody = 1 << 20

// errTooLong means that a body is longer than maxBody.
var errTooLong = errors.New("the answer is longer than 1 MB")

// A reply is the outcome of one request.
type reply struct {
	// sent reports that a byte of the request may have been sent, because there was a
	// connection for it.
	sent bool
	// late reports that the request was kept back because its time was over.
	late bool
	// err says why there is no response. The fields below are then zero.
	err    error
	status int
	header http.Header
	body   []byte
	// openEnded reports that the reply does not say where its body ends, so that an
	// empty one may have been cut off.
	openEnded bool
	// bodyErr says why body is incomplete.
	bodyErr error
}

// A call describes one request.
type call struct {
	method, path string
	body         []byte
	// by is when the request must have begun to leave, by the wall clock; zero for no
	// limit.
	by time.Time
}

// post returns a call that books or changes something. It must begin to leave within
// importer.StartWithin from now.
func (c *Client) post(path string, body []byte) call {
	return call{method: http.MethodPost, path: path, body: body, by: c.now().Round(0).Add(importer.StartWithin)}
}

// do makes exactly one request, on a connection of its own. It uses the transport
// directly, because an http.Client would follow redirects.
func (c *Client) do(ctx context.Context, token importer.Secret, what call) reply {
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()

	sent, late := false, false
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) { // before the first byte
			if late = !what.by.IsZero() && c.now().Round(0).After(what.by); late {
				_ = info.Conn.Close() // so that no byte leaves
			}
			sent = !late
		},
	})
	req, err := c.request(ctx, token, what)
	if err != nil {
		return reply{err: err}
	}

	resp, err := cmp.Or[http.RoundTripper](c.config.Transport, c.transport).RoundTrip(req) //nolint:bodyclose // readBody closes it
	if err != nil {
		return reply{err: err, sent: sent, late: late}
	}

	r := reply{sent: true, status: resp.StatusCode, header: resp.Header}
	r.openEnded = resp.ContentLength < 0 && resp.TransferEncoding == nil
	r.body, r.bodyErr = readBody(resp.Body)
	return r
}

// request makes a new request. A request that was sent is never reused.
func (c *Client) request(ctx context.Context, token importer.Secret, what call) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, what.method, c.config.BaseURL+what.path, bytes.NewReader(what.body))
	if err != nil {
		return nil, err
	}

	// Without GetBody the transport can't rewind the body, so it can't repeat
	// the POST by itself.
	req.GetBody = nil

	req.Header.Set("Authorization", "bearer "+token.Reveal())
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.config.UserAgent)
	if what.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

// readBody reads a body up to maxBody bytes, without a byte order mark, and closes it.
func readBody(body io.ReadCloser) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	_ = body.Close() // the body was read, or reading it failed
	if err == nil && len(text) > maxBody {
		text, err = text[:maxBody], errTooLong
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), err
}

// classifyError returns the answer for a request that got no response. It is certain that
// nothing was sent only if no connection was made.
func (c *Client) classifyError(r reply) importer.Reply {
	switch {
	case r.late:
		return importer.NotInTime()
	case r.sent:
		return importer.Reply{Kind: importer.ReplyUnclear, Message: "no answer came: " + c.reason(r.err)}
	case netfailure.IsCertificate(r.err):
		return importer.Reply{Kind: importer.ReplyBadCertificate, Message: c.reason(r.err)}
	}
	return importer.Reply{Kind: importer.ReplyNotSent, Message: "no connection could be made: " + c.reason(r.err)}
}

// reason describes an error of the connection for a dispatcher.
func (c *Client) reason(err error) string {
	switch {
	case netfailure.IsCertificate(err):
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("nothing came within %v", c.config.Timeout)
	case errors.Is(err, errTooLong):
		return "it is longer than 1 MB"
	}
	return netfailure.Reason(err, "the service")
}
