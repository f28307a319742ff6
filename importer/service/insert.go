package service

import (
	"context"
	"net/http"
	"slices"

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
// and neither does a refusal that names a trip GUID. Of a 2xx only a 200 with a JSON object proves anything.
func (c *Client) classify(r reply, trip *importer.Trip) importer.Reply {
	fields, err := parseObject(r.body)
	body := parsedBody(fields)
	of := body.whose(trip.ID, trip.RiderID, r.status)
	a := c.classified(r, of == anothers, func(a *importer.Reply) {
		if a.Message = "the service's answer is not the trip it should have sent back"; err == nil {
			a.Kind, a.GUID, a.Message = c.readCreated(body, of)
		}
	})
	switch a.Kind {
	case importer.ReplyRefused, importer.ReplyDenied, importer.ReplyThrottled, importer.ReplyMisdirected: // it would be sent again
		if guid := body.guid(c.config.GUIDField); guid != "" {
			a.Kind, a.Message = importer.ReplyUnclear, "the service refuses the trip and names the trip GUID "+guid+", as if it had it: "+a.Message
		}
	}
	return a
}

// classified classifies a reply as far as it is the same for all requests. An answer about another
// trip is not believed. A whole 200 is left to accepted, which is given an unclear answer.
func (c *Client) classified(r reply, others bool, accepted func(*importer.Reply)) importer.Reply {
	a := importer.Reply{RetryAfter: netfailure.RetryAfter(r.header)}
	switch s := r.status; {
	case others:
		a.Kind, a.Message = importer.ReplyForeign, "the service's answer is about another trip or another rider"
	case s >= 300 && s < 400:
		a.Kind, a.Message = importer.ReplyRedirected, "the service redirects to another address, which was not followed"
	case s < 200 || s >= 300:
		a.Kind, a.Message = refusalKind(s), errorText(r)
	case isPage(r):
		a.Kind, a.Message = importer.ReplyPage, "a web page came back instead of the service's answer"
	case s != http.StatusOK:
		a.Message = "the service answered in a way that does not say whether it did what it was asked to do"
	case r.bodyErr != nil:
		a.Message = "the service's answer did not arrive whole: " + c.reason(r.bodyErr)
	default:
		accepted(&a)
	}
	return a
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

// readCreated classifies the JSON object of a 200. It is ReplyCreated with a GUID, and
// ReplyCreatedNoGUID with our trip id but no GUID. Anything else is ReplyUnclear, also
// an object that says that the request failed.
func (c *Client) readCreated(body levels, of whose) (kind importer.ReplyKind, guid, message string) {
	values, depth := body.find(c.config.GUIDField)
	guid, ok := agreedGUID(values)
	switch {
	case slices.ContainsFunc(body.downTo(depth), member.failed):
		return importer.ReplyUnclear, "", "the service's answer says that it failed, but not that the trip was not booked"
	case !ok:
		return importer.ReplyUnclear, "", "the service's answer has a trip GUID that is not a GUID"
	case guid != "":
		return importer.ReplyCreated, guid, ""
	case of == ours:
		return importer.ReplyCreatedNoGUID, "", "the service booked the trip without returning its GUID"
	}
	return importer.ReplyUnclear, "", "the service's answer has neither a trip GUID nor this trip's id"
}
