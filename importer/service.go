package importer

import (
	"context"
	"strconv"
	"time"
)

// A Service is the transportation service. Access, Insert and Change make one request
// each, without retrying or pacing. It is safe for concurrent use.
type Service interface {
	// Access asks which providers and funding sources the token may use. The
	// error is an *AccessError if the service refused or could not be reached,
	// and of another type if the request could not be made.
	Access(context.Context) (Access, error)
	// Insert sends one trip under the provider's key. The answer says what happened; it
	// is ReplyUnclear if nothing is proved. The request of Insert, and of Change, does
	// not begin to leave later than StartWithin after the call.
	Insert(ctx context.Context, key Secret, trip *Trip) Reply
	// Change changes properties of a booked trip. The answer is ReplyChanged if the
	// service took all of them, and ReplyUnclear if nothing is proved.
	Change(ctx context.Context, key Secret, c TripChange) Reply
	// Renew reads the token again from its source, and reports whether it has changed.
	Renew(context.Context) (bool, error)
}

// UnderWay is how long after a claim its request may still arrive at the service. It is
// well over the time-out of a request.
const UnderWay = 15 * time.Minute

// StartWithin limits, by the wall clock, the time from a claim to the call of the
// Service, and the time from that call until the request begins to leave. A request that
// is later, for example because the computer slept, is not sent: with a shared ledger,
// another office may have found meanwhile that the trip is not in the service, and sent
// it.
const StartWithin = time.Minute

// A ReplyKind says what an attempt to insert or change a trip proved. The zero value is
// ReplyUnclear.
type ReplyKind uint8

// The kinds of answers.
const (
	// ReplyUnclear proves nothing: the trip may have been created. It must not
	// be sent again automatically.
	ReplyUnclear ReplyKind = iota
	// ReplyCreated is status 200 and a JSON object with a GUID.
	ReplyCreated
	// ReplyCreatedNoGUID is status 200 and a JSON object that repeats the trip
	// id and has no GUID. The trip was created.
	ReplyCreatedNoGUID
	// ReplyRefused is status 400, 413 or 422. The trip was not created.
	ReplyRefused
	// ReplyDenied is status 401 or 403. The trip was not created. The access
	// operation tells whether the token is refused or the provider and funding
	// source.
	ReplyDenied
	// ReplyThrottled is status 429. The trip was not created, and may be sent
	// again after a wait.
	ReplyThrottled
	// ReplyMisdirected is status 404, 405 or 415. The trip was not created. The
	// run must stop, since the address is wrong.
	ReplyMisdirected
	// ReplyRedirected is a status 3xx, which is not followed. The run must stop,
	// and the trip may have been created.
	ReplyRedirected
	// ReplyPage is a status 2xx with a page instead of JSON, from a proxy or a
	// sign-in page. The run must stop, and the trip may have been created.
	ReplyPage
	// ReplyNotSent is an attempt without a connection. The trip may be sent
	// again.
	ReplyNotSent
	// ReplyForeign is about another trip: it names another trip or another rider,
	// or has the GUID of another trip. The run must stop, and the trip may have been
	// created.
	ReplyForeign
	// ReplyChanged is status 200 to a change of properties, unless the answer says
	// that it failed.
	ReplyChanged
	// ReplyBadCertificate is an attempt whose connection was not made because
	// the service's certificate was not accepted. Sending again does not help.
	ReplyBadCertificate
)

// replyKinds are the kinds in words. It is never written to.
var replyKinds = []string{
	ReplyUnclear: "unclear", ReplyCreated: "created", ReplyCreatedNoGUID: "created without a GUID", ReplyRefused: "refused",
	ReplyDenied: "denied", ReplyThrottled: "throttled", ReplyMisdirected: "misdirected", ReplyRedirected: "redirected",
	ReplyPage: "a page", ReplyNotSent: "not sent", ReplyForeign: "foreign", ReplyChanged: "changed", ReplyBadCertificate: "bad certificate",
}

// String returns the kind in words, for logs.
func (k ReplyKind) String() string { return codeOf(replyKinds, k) }

// A TripChange is a change of properties of a booked trip.
type TripChange struct {
	// GUID is the trip's, as the service wrote it.
	GUID string
	// TripID is the id as which the trip was booked, which its row may call otherwise by now, and RiderID that of the rider for
	// whom it was booked; empty if it is not known, because a person fixed it and the schedule still has another one.
	TripID, RiderID string
	// Trip has the new values.
	Trip *Trip
	// Keys are the keys (Property.Key) of the properties to change. Each is
	// Changeable and has a value in Trip.
	Keys []string
}

// A Reply is the result of one attempt to insert or to change a trip.
type Reply struct {
	Kind ReplyKind
	// Status is the HTTP status, 0 without an answer.
	Status int
	// GUID is the GUID of a created trip, as the service wrote it.
	GUID string
	// Pickup and Dropoff are the positions that the service gave to changed addresses, if
	// the answer has them.
	Pickup, Dropoff Position
	// Message is the text of the service, or says what failed before the service
	// answered. It has at most 500 characters, without control characters and secrets. It
	// may have row content, so it is only for results.
	Message string
	// RetryAfter is how long the service asked to wait, 0 if it did not.
	RetryAfter time.Duration
}

// NotInTime returns the answer for a request that was kept back because more than
// StartWithin had passed.
func NotInTime() Reply {
	return Reply{Kind: ReplyNotSent, Message: "it was kept back because more than a minute passed before it could be sent, for example while the computer slept"}
}

// Code returns the status and the kind, without row content, for logs and the
// ledger: "400 refused", "unclear".
func (r Reply) Code() string {
	if r.Status == 0 {
		return r.Kind.String()
	}
	return strconv.Itoa(r.Status) + " " + r.Kind.String()
}

// A Gate paces the attempts of all workers and decides when a run must stop. It is
// safe for concurrent use.
type Gate interface {
	// Wait is called before each attempt and returns when the attempt may be made. It
	// returns the *Stop if the gate is closed, or the context's error.
	Wait(context.Context) error
	// Report is called after each attempt with its answer.
	Report(Reply)
	// Stop closes the gate. If it is closed already, the first reason stays.
	Stop(*Stop)
	// Pause returns how long all attempts still have to wait because the service asked for it or
	// can't be reached; 0 for no pause.
	Pause() time.Duration
	// Stopped returns the reason for which the gate is closed, or nil while it is open.
	Stopped() *Stop
}

// A Stop is an error that says why a run ends early. Requests that were sent are answered
// and recorded; no other trip is sent.
type Stop struct {
	// Code is the kind of reason and never changes: "service-down".
	Code string `json:"code"`
	// Reason says what happened and Fix what to do, for a dispatcher.
	Reason string `json:"reason"`
	Fix    string `json:"fix,omitempty"`
	// Later reports that the same command may succeed later. Otherwise a person
	// must change something first.
	Later bool `json:"later"`
}

// Error returns the Reason.
func (s *Stop) Error() string { return s.Reason }
