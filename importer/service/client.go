package service

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"

	"tripimport/importer"
)

// A TokenSource supplies the access token. The client calls it before its first
// request and in Renew, and never concurrently.
type TokenSource interface {
	// Token returns a token that a header can have.
	Token(ctx context.Context) (importer.Secret, error)
}

// A Config configures a client. BaseURL and Token are required.
type Config struct {
	// BaseURL is the service's address without the version, in any form that
	// CanonicalAddress accepts.
	BaseURL string
	// Token supplies the access token.
	Token TokenSource
	// Transport carries the requests in place of the network; nil for none.
	Transport http.RoundTripper
	// UserAgent is the User-Agent header; empty means "tripimport".
	UserAgent string
	// Timeout is the longest time for a whole request, from connecting to the
	// last byte of the reply; 0 means 60 seconds. If it is short, slow replies
	// become unclear answers.
	Timeout time.Duration
	// GUIDField is the field of a reply that has the trip's GUID, regardless of
	// letter case and underscores; empty means "trip_guid".
	GUIDField string
}

// A Client is an importer.Service over HTTP. It is safe for concurrent use.
type Client struct {
	config Config
	// transport makes a connection for each request.
	transport *http.Transport
	now       func() time.Time // the wall clock

	mu    sync.Mutex // guards token and calls of config.Token
	token importer.Secret
}

var _ importer.Service = (*Client)(nil)

// New makes a client. It does not connect yet. Its errors are sentences for a
// dispatcher.
func New(cfg Config) (*Client, error) {
	base, err := CanonicalAddress(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	cfg.BaseURL, cfg.UserAgent, cfg.Timeout = base, cmp.Or(cfg.UserAgent, "tripimport"), cmp.Or(cfg.Timeout, time.Minute)
	cfg.GUIDField = normalizeField(cmp.Or(cfg.GUIDField, "trip_guid"))
	return &Client{config: cfg, transport: newTransport(), now: time.Now}, nil
}

// newTransport makes a transport that uses no connection twice. There is deliberately no
// setting that disables the verification of certificates.
func newTransport() *http.Transport {
	http1 := new(http.Protocols)
	http1.SetHTTP1(true) // HTTP/2 repeats requests in more cases

	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 15 * time.Second}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(0)},
		TLSHandshakeTimeout:    15 * time.Second,
		Protocols:              http1,
		DisableKeepAlives:      true, // see the package comment
		DisableCompression:     true, // replies are small, and compressed ones could expand without limit
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// Renew gets the token from its source again and reports whether it has changed.
// If it fails, the client keeps the token that it has.
func (c *Client) Renew(ctx context.Context) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	read, err := c.config.Token.Token(ctx)
	if err != nil {
		return false, err
	}
	another := read != c.token
	c.token = read
	return another, nil
}

// Token returns the token. The first call gets it from its source.
func (c *Client) Token(ctx context.Context) (importer.Secret, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token.Empty() {
		read, err := c.config.Token.Token(ctx)
		if err != nil {
			return importer.Secret{}, err
		}
		c.token = read
	}
	return c.token, nil
}
