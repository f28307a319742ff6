// Package ping tells a monitoring service that a night has begun, finished or failed. It
// follows the convention of healthchecks.io: the service raises an alarm when no ping comes.
package ping

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"tripimport/importer/netfailure"
)

// patience is how long a ping may take, from connecting to the status.
const patience = 5 * time.Second

// A Client sends pings to one address. Its methods take 5 seconds at most, return early when
// ctx is done, and are safe for concurrent use. An error is a sentence for a dispatcher. It
// does not contain the address, because anyone who has the address can send pings in the
// office's name.
type Client struct {
	base *url.URL
	http *http.Client
}

// UnmarshalText makes c a client for the address that the monitoring service assigned to this check, such
// as https://hc-ping.com/UUID. It does not connect.
func (c *Client) UnmarshalText(address []byte) error {
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(string(address)), "/"))
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !netfailure.IsLoopback(u.Hostname())) {
		return fmt.Errorf("the address for pings is not an https address, such as https://hc-ping.com/…")
	}

	*c = Client{base: u, http: &http.Client{
		Timeout:       patience,
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	return nil
}

// Send reports that a night has begun ("start"), has finished, whatever it found ("success"), or
// has failed ("fail"). night is the same in all pings of one night. Only a 2xx answer means that the
// ping was taken. Send does not try again; the next wake of the night does.
func (c *Client) Send(ctx context.Context, signal string, night uuid.UUID) error {
	if signal == "success" { // the ping for success has no name
		signal = ""
	}
	address := c.base.JoinPath(signal)
	query := address.Query()
	query.Set("rid", night.String())
	address.RawQuery = query.Encode()

	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address.String(), http.NoBody)
	if err != nil {
		return errors.New("the address for pings can't be used")
	}
	request.Header.Set("User-Agent", "tripimport")
	answer, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("the ping was not taken: %s", netfailure.Reason(err, "the monitoring service"))
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.CopyN(io.Discard, answer.Body, 1<<10)

	switch code := answer.StatusCode; {
	case code/100 == 2:
		return nil
	case code == http.StatusNotFound:
		return errors.New("the ping was not taken: the monitoring service has no such check (404)")
	default:
		return fmt.Errorf("the ping was not taken: the monitoring service answered %d", code)
	}
}
