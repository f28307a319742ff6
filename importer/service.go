package importer

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// A Service is the transportation service. One call is one request; it neither
// retries nor waits. It is safe for concurrent use.
type Service interface {
	// Access asks which providers and funding sources the token may use. An
	// error is an *AccessError where the service answered or could not be
	// reached, anything else where the request could not be made at all.
	Access(context.Context) (Access, error)
	// Insert sends one trip under the provider's key. Whatever happens is in
	// the answer; an answer that proves nothing is AnswerUnclear.
	Insert(ctx context.Context, key Secret, trip *Trip) Answer
	// Renew reads the token again from where it came and reports whether it is
	// another one.
	Renew(context.Context) (bool, error)
	// CloseIdle drops connections that wait for their next request: after a
	// pause, a stale one would make an attempt unclear.
	CloseIdle()
}

// Access is what the token may use (contract, section 4.1).
type Access struct{ Providers []Provider }

// A Provider is a transportation provider with its funding sources.
type Provider struct {
	Name           string
	Key            Secret
	FundingSources []FundingSource
}

// A FundingSource is a payer of a provider's trips.
type FundingSource struct {
	ID   int
	Name string
}

// Provider finds a provider by its name: letters' case and runs of spaces
// disregarded. It reports false where none or more than one has it.
func (a Access) Provider(name string) (Provider, bool) {
	var found Provider
	n := 0
	for _, p := range a.Providers {
		if sameName(p.Name, name) {
			found = p
			n++
		}
	}
	return found, n == 1
}

// FundingSource finds a funding source by its name, as Provider does.
func (p Provider) FundingSource(name string) (FundingSource, bool) {
	var found FundingSource
	n := 0
	for _, f := range p.FundingSources {
		if sameName(f.Name, name) {
			found = f
			n++
		}
	}
	return found, n == 1
}

func sameName(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// An AccessError says that the access operation did not answer with the list.
type AccessError struct {
	// Status is the HTTP status, 0 where there was no answer.
	Status int
	// Reason says what is wrong, for a dispatcher; no row content, no secrets.
	Reason string
	// Certificate reports that the service's certificate was not accepted.
	Certificate bool
}

func (e *AccessError) Error() string { return e.Reason }

// Denied reports whether the service refused the token.
func (e *AccessError) Denied() bool { return e.Status == 401 }

// An AnswerKind is what an attempt to insert a trip proved. The zero kind is
// AnswerUnclear: the default of everything that is not clear.
type AnswerKind uint8

const (
	// AnswerUnclear: the request may have been carried out. Never sent again
	// by itself.
	AnswerUnclear AnswerKind = iota
	// AnswerCreated: 200, a JSON object with a GUID.
	AnswerCreated
	// AnswerCreatedNoGUID: 200, a JSON object that repeats our trip id and has
	// no GUID.
	AnswerCreatedNoGUID
	// AnswerRefused: 400, 413, 422. The trip was not created.
	AnswerRefused
	// AnswerDenied: 401 or 403. Whether the token, the provider or this trip
	// is meant, the access operation tells.
	AnswerDenied
	// AnswerThrottled: 429. Not created; wait, then send again.
	AnswerThrottled
	// AnswerMisdirected: 404, 405, 415. The address is wrong: stop; this trip
	// was not created.
	AnswerMisdirected
	// AnswerRedirected: 3xx, not followed. Stop; this trip is unknown.
	AnswerRedirected
	// AnswerPage: 2xx with a page instead of JSON: a proxy or a sign-in page
	// stands between. Stop; this trip is unknown.
	AnswerPage
	// AnswerNotSent: the connection never came about. Safe to send again.
	AnswerNotSent
	// AnswerBadCertificate: as AnswerNotSent, and sending again will not help.
	AnswerBadCertificate
)

// String names the kind for logs.
func (k AnswerKind) String() string {
	switch k {
	case AnswerCreated:
		return "created"
	case AnswerCreatedNoGUID:
		return "created without a GUID"
	case AnswerRefused:
		return "refused"
	case AnswerDenied:
		return "denied"
	case AnswerThrottled:
		return "throttled"
	case AnswerMisdirected:
		return "misdirected"
	case AnswerRedirected:
		return "redirected"
	case AnswerPage:
		return "a page"
	case AnswerNotSent:
		return "not sent"
	case AnswerBadCertificate:
		return "bad certificate"
	}
	return "unclear"
}

// An Answer is what came of one attempt to insert a trip.
type Answer struct {
	Kind AnswerKind
	// Status is the HTTP status, 0 where there was no answer.
	Status int
	// GUID is the trip's, as the service wrote it.
	GUID string
	// Message is the service's own text, or what happened on the way, in
	// words: at most 500 characters, no control characters, no secrets. It may
	// hold row content: for results only.
	Message string
	// RetryAfter is how long the service asked to wait; 0 where it did not say.
	RetryAfter time.Duration
}

// Code says what happened without any row content, for logs and the ledger:
// "400 refused", "unclear".
func (a Answer) Code() string {
	if a.Status == 0 {
		return a.Kind.String()
	}
	return strconv.Itoa(a.Status) + " " + a.Kind.String()
}

// A Gate paces attempts for all workers and decides when a run must stop. It
// is safe for concurrent use.
type Gate interface {
	// Wait returns when the next attempt may be made: once for each attempt. It
	// returns the *Stop once the run is to stop, or the context's error.
	Wait(context.Context) error
	// Report tells the gate what came of an attempt, in order of completion.
	Report(Answer)
	// Stop closes the gate; the first reason holds.
	Stop(*Stop)
	// Stopped gives the reason, nil while the gate is open.
	Stopped() *Stop
}

// A Stop is the reason why a run ends before its time. What is in flight is
// finished and recorded; trips not yet sent are not sent.
type Stop struct {
	// Code is stable and for machines: "service-down".
	Code string
	// Reason says what happened and Fix what to do, for a dispatcher.
	Reason, Fix string
	// Later reports that the same command may succeed later (exit 5); otherwise
	// someone must change something first (exit 6).
	Later bool
}

func (s *Stop) Error() string { return s.Reason }
