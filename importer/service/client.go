package service

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tripimport/importer"
)

// A TokenSource is where the access token comes from. It is asked once, and
// again by Renew; never by two goroutines at the same time.
type TokenSource interface {
	Token(ctx context.Context) (importer.Secret, error)
}

// A Config says which service to speak to, and as whom.
type Config struct {
	// BaseURL is the service's address without the version: see
	// CanonicalAddress.
	BaseURL string
	Token   TokenSource
	// UserAgent names the program to the service; empty means tripimport.
	UserAgent string
	// Timeout bounds a request as a whole, from connecting to the last byte of
	// the answer; 0 means 60 seconds. A short one manufactures unclear answers.
	Timeout time.Duration
	// GUIDField is the field of an answer that holds the trip's GUID, letters'
	// case and underscores disregarded; empty means trip_guid.
	GUIDField string
	// Connections is how many connections may be kept open between requests:
	// as many as there are workers. 0 means 8.
	Connections int
}

// A Client is a service reached over HTTP. It implements importer.Service and
// is safe for concurrent use.
type Client struct {
	base      string
	userAgent string
	timeout   time.Duration
	guidField string
	transport *http.Transport
	source    TokenSource

	mu    sync.Mutex // guards token, and the source
	token importer.Secret

	// lastUse is the wall-clock time, in nanoseconds, at which a request last
	// began or ended.
	lastUse atomic.Int64
}

var _ importer.Service = (*Client)(nil)

// New makes a client. It connects to nothing yet. Its errors are sentences for
// a dispatcher.
//
// The program that uses it has to discard the standard logger (package log):
// net/http writes there, word for word, what a faulty service sends unasked,
// and offers no other place.
func New(cfg Config) (*Client, error) {
	base, err := CanonicalAddress(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	if cfg.Token == nil {
		return nil, errors.New("there is no token to sign in to the service with")
	}
	if cfg.Timeout < 0 {
		return nil, errors.New("the time-out for the service can't be negative")
	}
	return &Client{
		base:      base,
		userAgent: cmp.Or(cfg.UserAgent, "tripimport"),
		timeout:   cmp.Or(cfg.Timeout, time.Minute),
		guidField: normalizeField(cmp.Or(cfg.GUIDField, "trip_guid")),
		transport: newTransport(cmp.Or(max(cfg.Connections, 0), 8)),
		source:    cfg.Token,
	}, nil
}

// idleFor is how long a connection may wait for its next request. Servers and
// the boxes between drop waiting connections without a word, and a trip sent
// into a dead one is unclear.
const maxIdle = 2 * time.Second

// newTransport makes the one way out. There is deliberately no setting that
// turns the verification of certificates off.
func newTransport(connections int) *http.Transport {
	dialer := &net.Dialer{Timeout: 15 * time.Second}
	oneOnly := new(http.Protocols)
	oneOnly.SetHTTP1(true) // HTTP/2 has replays of its own
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    15 * time.Second,
		Protocols:              oneOnly,
		DisableCompression:     true, // answers are small, and a compressed one can be a bomb
		MaxIdleConns:           connections,
		MaxIdleConnsPerHost:    connections,
		IdleConnTimeout:        maxIdle,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// CloseIdle drops connections that wait for their next request.
func (c *Client) CloseIdle() { c.transport.CloseIdleConnections() }

// freshen drops waiting connections after a pause. The transport's own timer
// does not run while the computer sleeps, so the wall clock is asked; one that
// was set back tells nothing, and counts as a pause.
func (c *Client) dropStaleConnections() {
	now := time.Now().UnixNano()
	if past := time.Duration(now - c.lastUse.Swap(now)); past.Abs() > maxIdle {
		c.CloseIdle()
	}
}

// Renew reads the token again from where it came and reports whether it is
// another one.
func (c *Client) Renew(ctx context.Context) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.token
	if err := c.readToken(ctx); err != nil {
		return false, err
	}
	return c.token != before, nil
}

// currentToken gives the token, reading it the first time.
func (c *Client) currentToken(ctx context.Context) (importer.Secret, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token.Empty() {
		if err := c.readToken(ctx); err != nil {
			return importer.Secret{}, err
		}
	}
	return c.token, nil
}

func (c *Client) readToken(ctx context.Context) error {
	read, err := c.source.Token(ctx)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(read.Reveal())
	switch {
	case text == "":
		return errors.New("the token is empty")
	case strings.HasPrefix(strings.ToLower(text), "bearer "):
		return errors.New("the token begins with the word bearer: keep the token alone, the program adds the word")
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errors.New("the token holds a space, a line break or another character that no token has")
	}
	c.token = importer.NewSecret(text)
	return nil
}
