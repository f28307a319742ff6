package service

import (
	"bytes"
	"context"
	"net/http"
	"strings"

	"tripimport/importer"
	"tripimport/importer/retryafter"
)

// Insert sends one trip under the provider's key. Whatever happens is in the
// answer. AnswerUnclear means that nothing is proved: the trip may be booked or
// not. The answer's message contains neither token nor key.
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
	a := c.classify(r, trip.ID)
	a.Message = sanitize(a.Message, token, key)
	return a
}

// classify returns what a reply proves about the trip. A status that is not
// listed here, such as 409 or 5xx, proves nothing.
func (c *Client) classify(r reply, tripID string) importer.Answer {
	if r.err != nil {
		return c.classifyError(r)
	}

	a := importer.Answer{Status: r.status, RetryAfter: retryafter.Parse(r.header)}
	switch s := r.status; {
	case s >= 200 && s < 300:
		return c.classifySuccess(a, r, tripID)
	case s >= 300 && s < 400:
		a.Kind = importer.AnswerRedirected
		a.Message = "the service redirects to another address, which was not followed"
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

// classifySuccess classifies a 2xx. Only a 200 with a JSON object proves anything.
func (c *Client) classifySuccess(a importer.Answer, r reply, tripID string) importer.Answer {
	switch {
	case isPage(r):
		a.Kind = importer.AnswerPage
		a.Message = "a web page came back instead of the service's answer"
	case r.status != http.StatusOK:
		a.Message = "the service answered in a way that does not say whether it booked the trip"
	case r.bodyErr != nil:
		a.Message = "the service's answer did not arrive whole: " + c.reason(r.bodyErr)
	default:
		a.Kind, a.GUID, a.Message = c.readCreated(r.body, tripID)
	}
	return a
}

// isPage reports whether a reply is HTML or XML, by its Content-Type or by its
// first character.
func isPage(r reply) bool {
	if strings.Contains(strings.ToLower(r.header.Get("Content-Type")), "html") {
		return true
	}
	text := bytes.TrimPrefix(r.body, []byte("\ufeff"))
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("<"))
}
