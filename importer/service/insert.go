package service

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"

	"tripimport/importer"
)

// Insert sends one trip. Whatever happens is in the answer, and an answer that
// proves nothing is AnswerUnclear.
func (c *Client) Insert(ctx context.Context, key importer.Secret, trip *importer.Trip) importer.Answer {
	body, err := encode(trip, key)
	if err != nil {
		return importer.Answer{Kind: importer.AnswerRefused, Message: err.Error()}
	}
	token, err := c.currentToken(ctx)
	if err != nil {
		return importer.Answer{Kind: importer.AnswerNotSent, Message: "there is no usable token to sign in to the service with"}
	}
	r := c.do(ctx, http.MethodPost, "/v1/singletrip", token, body)
	a := c.judge(r, trip.ID)
	a.Message = clean(a.Message, token, key)
	return a
}

// judge says what a reply proves about the trip (design, section 4, reply to
// outcome). Everything that is not named here is unclear.
func (c *Client) judge(r reply, tripID string) importer.Answer {
	if r.err != nil {
		return c.unanswered(r)
	}
	a := importer.Answer{Status: r.status, RetryAfter: retryAfter(r.header)}
	switch s := r.status; {
	case s >= 200 && s < 300:
		return c.success(a, r, tripID)
	case s >= 300 && s < 400:
		a.Kind = importer.AnswerRedirected
		a.Message = "the service points to another address, which was not followed"
		return a
	case s == 400 || s == 413 || s == 422:
		a.Kind = importer.AnswerRefused
	case s == 401 || s == 403:
		a.Kind = importer.AnswerDenied
	case s == 404 || s == 405 || s == 415:
		a.Kind = importer.AnswerMisdirected
	case s == 429:
		a.Kind = importer.AnswerThrottled
	}
	a.Message = errorText(r)
	return a
}

// success judges a 2xx. Only a 200 with a JSON object proves anything.
func (c *Client) success(a importer.Answer, r reply, tripID string) importer.Answer {
	switch {
	case isPage(r):
		a.Kind = importer.AnswerPage
		a.Message = "a web page came back instead of the service's answer"
	case r.status != http.StatusOK:
		a.Message = "the service answered in a way that does not say whether it booked the trip"
	case r.bodyErr != nil:
		a.Message = "the service's answer did not arrive whole: " + c.why(r.bodyErr)
	default:
		a.Kind, a.GUID, a.Message = c.created(r.body, tripID)
	}
	return a
}

// isPage reports whether a page (or anything else made of tags) came instead
// of JSON, whatever it was declared to be.
func isPage(r reply) bool {
	if strings.Contains(strings.ToLower(r.header.Get("Content-Type")), "html") {
		return true
	}
	text := bytes.TrimPrefix(r.body, []byte("\ufeff"))
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("<"))
}

// retryAfter reads how long the service asks to wait: in seconds, or until a
// date, which is measured against the service's own clock where it tells it.
// What it does not say, or says in a way that makes no sense, is 0.
func retryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0
	}
	if seconds, ok := wholeSeconds(text); ok {
		return seconds
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

// wholeSeconds reads digits alone; more than a year's worth is a year.
func wholeSeconds(text string) (time.Duration, bool) {
	const year = 365 * 24 * 60 * 60
	n := 0
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = min(n*10+int(c-'0'), year)
	}
	return time.Duration(n) * time.Second, true
}
