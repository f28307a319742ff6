package netfailure

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 12, 1, 22, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"":                                   0,
		"0":                                  0,
		"7":                                  7 * time.Second,
		" 7 ":                                7 * time.Second,
		"86400":                              24 * time.Hour,
		"99999999999999999999999":            (1<<31 - 1) * time.Second,
		"-5":                                 0,
		"1.5":                                0,
		"soon":                               0,
		"Tue, 01 Dec 2026 22:00:30 GMT":      30 * time.Second,
		"Tuesday, 01-Dec-26 22:00:30 GMT":    30 * time.Second,
		"Tue Dec  1 22:00:30 2026":           30 * time.Second,
		"Tue, 01 Dec 2026 21:00:00 GMT":      0,
		"2026-12-01T22:00:30Z":               0,
		"Wed, 01 Dec 2027 22:00:00 GMT":      365 * 24 * time.Hour,
		"Wed, 01 Dec 2037 22:00:00 GMT":      96432 * time.Hour,
		"\u0661\u0662":                       0,
		"7, 9":                               0,
		"Tue, 01 Dec 2026 22:00:30 GMT; x=y": 0,
	} {
		h := http.Header{"Date": {now.Format(http.TimeFormat)}}
		h.Set("Retry-After", text)
		if got := RetryAfter(h); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	// Without the service's own clock, this computer's.
	h := http.Header{"Retry-After": {time.Now().Add(time.Minute).UTC().Format(http.TimeFormat)}}
	if got := RetryAfter(h); got < 58*time.Second || got > time.Minute {
		t.Errorf("a minute from now is %v", got)
	}
}
