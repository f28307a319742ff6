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

// A web is how all geocoders are reached: one request at a time, no redirects
// (an address goes where it was meant to go or nowhere), answers of a bounded
// size.
type web struct {
	name   string
	base   *url.URL
	client *http.Client
	header http.Header
}

// newWeb wants https, or http to this machine.
func newWeb(name, base string, timeout time.Duration) (*web, error) {
	u, err := url.Parse(strings.TrimRight(base, "/"))
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return nil, &importer.InputError{
			File: "configuration", Reason: "the address of the geocoder " + name + " is not an https address",
			Fix: "write it as https://…; http is for this machine alone",
		}
	}
	return &web{
		name: name, base: u, header: http.Header{"User-Agent": {"tripimport"}},
		client: &http.Client{
			Timeout:       timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

func loopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// get asks with parameters.
func (w *web) get(ctx context.Context, path string, params url.Values) ([]byte, error) {
	u := w.base.JoinPath(path)
	u.RawQuery = params.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, w.refusal("can't be asked", false)
	}
	return w.do(req)
}

// post asks with a body.
func (w *web) post(ctx context.Context, path, query, contentType string, body io.Reader) ([]byte, error) {
	u := w.base.JoinPath(path)
	u.RawQuery = query
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), body)
	if err != nil {
		return nil, w.refusal("can't be asked", false)
	}
	req.Header.Set("Content-Type", contentType)
	return w.do(req)
}

func (w *web) do(req *http.Request) ([]byte, error) {
	const most = 64 << 20 // bytes: ten thousand answers of the wordiest kind
	for k, v := range w.header {
		req.Header[k] = v
	}
	resp, err := w.client.Do(req)
	if err != nil {
		if cause := req.Context().Err(); cause != nil {
			return nil, cause
		}
		var timeout interface{ Timeout() bool }
		if errors.As(err, &timeout) && timeout.Timeout() {
			return nil, w.refusal("did not answer in time", true)
		}
		return nil, w.refusal("can't be reached", true)
	}
	defer func() { _ = resp.Body.Close() }() // it was read, or is of no use
	body, err := io.ReadAll(io.LimitReader(resp.Body, most))
	if err != nil {
		return nil, w.refusal("broke off its answer", true)
	}
	return body, w.status(resp)
}

// status makes a refusal of every answer but 200.
func (w *web) status(resp *http.Response) error {
	code := resp.StatusCode
	switch {
	case code == http.StatusOK:
		return nil
	case code == http.StatusTooManyRequests:
		r := w.refusal("wants fewer requests", true)
		r.After = min(retryafter.Parse(resp.Header), 5*time.Minute)
		return r
	case code >= 500:
		return w.refusal("fails with status "+strconv.Itoa(code), true)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return w.refusal("does not accept the key", false)
	}
	return w.refusal("answers with status "+strconv.Itoa(code), false)
}

func (w *web) refusal(what string, again bool) *Refusal {
	return &Refusal{Reason: "the geocoder " + w.name + " " + what, Again: again}
}

// notUnderstood is an answer that is not of the documented form, such as a
// page of a proxy.
func (w *web) notUnderstood() *Refusal { return w.refusal("answers something else than places", true) }
