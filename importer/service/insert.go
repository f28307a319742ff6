package service

import (
	"context"
	"net/http"

	"tripimport/importer"
	"tripimport/importer/netfailure"
)

// Insert sends one trip under the provider's key. The answer says what happened.
// ReplyUnclear means that nothing is proved: the trip may be booked or not. The answer's
// message contains neither token nor key.
//
// An answer that names another trip or another rider is not believed: it is ReplyForeign.
func (c *Client) Insert(ctx context.Context, key importer.Secret, trip *importer.Trip) importer.Reply {
	body, err := encode(trip, key)
	if err != nil {
		return importer.Reply{Kind: importer.ReplyRefused, Message: err.Error()}
	}
	return c.send(ctx, key, c.post("/v1/singletrip", body), func(r reply) importer.Reply { return c.classify(r, trip) })
}

// send makes a request under the key of a provider, and returns what its reply proves. A reply
// without a response is the same for all requests.
func (c *Client) send(ctx context.Context, key importer.Secret, post call, classify func(reply) importer.Reply) importer.Reply {
	token, err := c.Token(ctx)
	if err != nil {
		return importer.Reply{Kind: importer.ReplyNotSent, Message: "there is no usable token to sign in to the service with"}
	}
	r := c.do(ctx, token, post)
	if r.err != nil {
		classify = c.classifyError
	}
	a := classify(r)
	a.Status, a.Message = r.status, sanitize(a.Message, token, key)
	return a
}

// classify returns what a reply proves about the trip. A status that is not listed in refusalKind, such as 409 or 5xx, proves nothing,
// and neither does a refusal that names a trip GUID.
func (c *Client) classify(r reply, trip *importer.Trip) importer.Reply {
	a := importer.Reply{RetryAfter: netfailure.RetryAfter(r.header)}
	fields, err := parseObject(r.body)
	body := parsedBody(fields)
	of := body.whose(trip.ID, trip.RiderID, r.status)
	if of == anothers {
		return importer.Reply{Kind: importer.ReplyForeign, Message: "the service's answer is about another trip or another rider"}
	}
	if r.status >= 200 && r.status < 300 {
		return c.classifySuccess(a, r, body, err, of)
	}
	a.Kind, a.Message = classifyFailure(r)
	if guid := body.guid(c.guidField); guid != "" {
		switch a.Kind {
		case importer.ReplyRefused, importer.ReplyDenied, importer.ReplyThrottled, importer.ReplyMisdirected: // it would be sent again
			a.Kind, a.Message = importer.ReplyUnclear, "the service refuses the trip and names the trip GUID "+guid+", as if it had it: "+a.Message
		}
	}
	return a
}

// classifyFailure classifies a reply that is no 2xx.
func classifyFailure(r reply) (importer.ReplyKind, string) {
	if r.status >= 300 && r.status < 400 {
		return importer.ReplyRedirected, "the service redirects to another address, which was not followed"
	}
	return refusalKind(r.status), errorText(r)
}

// refusalKind returns the kind of an answer whose status proves that nothing was booked,
// or ReplyUnclear for any other status.
func refusalKind(status int) importer.ReplyKind {
	switch status {
	case 400, 413, 422:
		return importer.ReplyRefused
	case 401, 403:
		return importer.ReplyDenied
	case 404, 405, 415:
		return importer.ReplyMisdirected
	case 429:
		return importer.ReplyThrottled
	}
	return importer.ReplyUnclear
}

// classifySuccess classifies a 2xx. Only a 200 with a JSON object proves anything.
func (c *Client) classifySuccess(a importer.Reply, r reply, body levels, notObject error, of whose) importer.Reply {
	switch {
	case isPage(r):
		a.Kind = importer.ReplyPage
		a.Message = "a web page came back instead of the service's answer"
	case r.status != http.StatusOK:
		a.Message = "the service answered in a way that does not say whether it booked the trip"
	case r.bodyErr != nil:
		a.Message = "the service's answer did not arrive whole: " + c.reason(r.bodyErr)
	case notObject != nil:
		a.Message = "the service's answer is not the trip it should have sent back"
	default:
		a.Kind, a.GUID, a.Message = c.readCreated(body, of)
	}
	return a
}
