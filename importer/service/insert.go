package service

import (
	"bytes"
	"context"
	"net/http"
	"strings"

	"tripimport/importer"
	"tripimport/importer/retryafter"
)

// Insert sends one trip under the provider's key. The answer says what happened.
// AnswerUnclear means that nothing is proved: the trip may be booked or not. The answer's
// message contains neither token nor key.
//
// An answer is believed only if it is about the trip: if it repeats the trip's id,
// or no other request was sent on its connection. A connection is kept only after
// a booked answer that repeats the trip's id.
func (c *Client) Insert(ctx context.Context, key importer.Secret, trip *importer.Trip) importer.Reply {
	body, err := encode(trip, key)
	if err != nil {
		return importer.Reply{Kind: importer.ReplyRefused, Message: err.Error()}
	}

	post := c.post("/v1/singletrip", body)
	token, err := c.Token(ctx)
	if err != nil {
		return importer.Reply{Kind: importer.ReplyNotSent, Message: "there is no usable token to sign in to the service with"}
	}

	conn, r := c.send(ctx, token, post)
	a, whose := c.classify(r, trip)
	switch {
	case whose == anothers:
		a = importer.Reply{Kind: importer.ReplyForeign, Status: a.Status, Message: "the service's answer is about another trip or another rider"}
		c.CloseIdle()
	case whose == unnamed && r.reused && !c.inOrder(ctx, conn, token, a.Kind):
		a = importer.Reply{Status: a.Status, Message: "the service's answer may be about another trip: it names none, and others were sent before on its connection"}
		c.echo.distrust()
	}

	about := a.Kind == importer.ReplyCreated && whose == ours
	if about {
		c.echo.learn()
	}
	if about && !r.closing && c.keeps() {
		c.keep(conn)
	} else {
		conn.close()
	}
	a.Message = sanitize(a.Message, token, key)
	return a
}

// send makes a request on a kept connection or on a new one. If it turns out that the
// service had closed the kept connection before anything was sent, it makes the request
// on a new one.
func (c *Client) send(ctx context.Context, token importer.Secret, post call) (*connection, reply) {
	conn := c.takeConnection()
	r := c.do(ctx, conn, token, post)
	if r.err == nil || !r.reused || r.sent || r.late {
		return conn, r
	}
	conn.close()
	conn = c.newConnection()
	return conn, c.do(ctx, conn, token, post)
}

// inOrder reports whether an answer that names no trip belongs to the trip that was sent
// last on the connection. It makes one more request on the connection, which books
// nothing. Answers come in order: if the first one belonged to an earlier request, the
// answer to the trip would come now. So this answer must be the list of providers, or a
// refusal, which proves that nothing was booked.
func (c *Client) inOrder(ctx context.Context, conn *connection, token importer.Secret, kind importer.ReplyKind) bool {
	switch kind {
	case importer.ReplyCreated:
		return false // a service that repeats our trip ids does so in each such answer
	case importer.ReplyRefused, importer.ReplyDenied, importer.ReplyThrottled, importer.ReplyMisdirected:
	default:
		return true // the answer proves nothing, whichever trip it is about
	}

	r := c.do(ctx, conn, token, get("/v1/access"))
	if r.err != nil || !r.reused {
		return false
	}
	if r.status == http.StatusOK {
		_, err := readAccess(r.body)
		return err == nil && r.bodyErr == nil
	}
	return refusalKind(r.status) != importer.ReplyUnclear
}

// classify returns what a reply proves if it is about the trip, and whose trip it is
// about. A status that is not listed in refusalKind, such as 409 or 5xx, proves nothing,
// and neither does a refusal that names a trip GUID.
func (c *Client) classify(r reply, trip *importer.Trip) (importer.Reply, whose) {
	if r.err != nil {
		return c.classifyError(r), unnamed
	}

	a := importer.Reply{Status: r.status, RetryAfter: retryafter.Parse(r.header)}
	fields, err := parseObject(r.body)
	body := parsedBody(fields)
	of := c.echo.whose(body, trip, r.status)
	if r.status >= 200 && r.status < 300 {
		return c.classifySuccess(a, r, body, err, of), of
	}
	a.Kind, a.Message = classifyFailure(r)
	if guid := body.guid(c.guidField); guid != "" {
		switch a.Kind {
		case importer.ReplyRefused, importer.ReplyDenied, importer.ReplyThrottled, importer.ReplyMisdirected: // it would be sent again
			a.Kind, a.Message = importer.ReplyUnclear, "the service refuses the trip and names the trip GUID "+guid+", as if it had it: "+a.Message
		}
	}
	return a, of
}

// classifyFailure classifies a reply that is no 2xx.
func classifyFailure(r reply) (importer.ReplyKind, string) {
	if r.status >= 300 && r.status < 400 {
		return importer.ReplyRedirected, "the service redirects to another address, which was not followed"
	}
	return refusalKind(r.status), errorText(r)
}

// refusalKind returns the kind of an answer whose status proves that nothing was booked,
// or AnswerUnclear for any other status.
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

// isPage reports whether a reply is HTML or XML, by its Content-Type or by its
// first character.
func isPage(r reply) bool {
	if strings.Contains(strings.ToLower(r.header.Get("Content-Type")), "html") {
		return true
	}
	text := bytes.TrimPrefix(r.body, []byte("\ufeff"))
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("<"))
}
