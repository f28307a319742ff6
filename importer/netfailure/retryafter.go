package netfailure

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter returns how long the sender of the headers asks to wait, by the Retry-After header in
// either of its forms. A date is
// compared with the Date header, since the sender's clock may differ from this
// computer's; without that header, with this computer's clock. RetryAfter returns 0
// if there is no Retry-After header, if it can't be read, or if its date is
// past.
func RetryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0
	}
	// A number that is out of range is the largest one.
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(seconds) * time.Second //nolint:gosec // it has 31 bits
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(0, until.Sub(now))
}
