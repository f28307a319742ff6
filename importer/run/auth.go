package run

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"tripimport/importer"
)

// auth finds out what a 401 or 403 means, by asking the access operation once
// for all workers. It is safe for concurrent use.
type auth struct {
	service importer.Service
	// newToken says how to get another token, and end ends the sending.
	newToken string
	end      func(*importer.Stop)

	// lock is held while the access operation is asked, for as long as the
	// service takes to answer. It guards everything below.
	lock   chan struct{}
	rounds int // how often access was asked
	pairs  map[importer.Pair]pairDenials
	// last says why the last question does not tell what a denial means, such as that there is another token now; ""
	// if it does. access is the list that it returned.
	last   string
	access importer.Access
	// renewed reports that the token was read again once already.
	renewed bool
}

// maxDenials is the number of denials in a row after which a provider and funding source
// are closed although access lists them.
const maxDenials = 3

// A pairDenials counts the denials of a provider and funding source in a row.
// Denials that share an answer of the access operation count once.
type pairDenials struct {
	inARow, round int
	closed        bool
	unlisted      bool // closed because access does not list it
}

// acquire takes the lock and returns what releases it.
func (a *auth) acquire() (release func()) {
	a.lock <- struct{}{}
	return func() { <-a.lock }
}

// round returns the number of the round in which an attempt begins. While
// access is being asked it waits for the answer, so that nothing more is sent
// without it.
func (a *auth) round() int {
	defer a.acquire()()
	return a.rounds
}

// isClosed reports whether the provider and funding source are closed.
func (a *auth) isClosed(p importer.Pair) bool {
	defer a.acquire()()
	return a.pairs[p].closed
}

// accepted notes that the service did not deny a trip.
func (a *auth) accepted(p importer.Pair) {
	defer a.acquire()()
	if !a.pairs[p].closed {
		delete(a.pairs, p)
	}
}

// explain finds the cause of a denial of an attempt that began in round. If access was asked since then, that answer holds
// for this attempt too. It returns the reason for which the trip was not sent, whatever access lists; or else whether nothing
// more may be sent for the provider and funding source.
func (a *auth) explain(ctx context.Context, p importer.Pair, round int) (reason string, closed bool) {
	defer a.acquire()()
	if round == a.rounds {
		a.last = a.ask(ctx)
		a.rounds++
	}
	if a.last != "" {
		return a.last, false
	}
	known := a.pairs[p]
	if known.round != a.rounds {
		known.round = a.rounds
		known.inARow++
	}

	provider, _ := a.access.Provider(p.Provider)
	_, listed := provider.FundingSource(p.FundingSource)
	known.unlisted = !listed
	known.closed = known.closed || !listed || known.inARow >= maxDenials
	a.pairs[p] = known
	return "", known.closed
}

// ask asks the access operation, and reads the token again once if it is refused. Without an answer it ends the sending.
func (a *auth) ask(ctx context.Context) (reason string) {
	var err error
	a.access, err = a.service.Access(ctx)
	switch refused, ok := errors.AsType[*importer.AccessError](err); {
	case err == nil:
		return ""
	case !ok || !refused.Denied():
		a.end(&importer.Stop{
			Code: "access-down", Reason: "the service refused a trip and does not say what the token may do", Fix: "do the same again later", Later: true,
		})
		return "the service refused it and does not say what the token may do"
	case !a.renewed:
		a.renewed = true
		if another, err := a.service.Renew(ctx); err == nil && another {
			return cmp.Or(a.ask(ctx), "the token was not accepted")
		}
	}
	const dead = "the service no longer accepts the token"
	a.end(&importer.Stop{Code: "token-refused", Reason: dead, Fix: a.newToken + ", then do the same again"})
	return dead
}

// stop returns the reason for which trips of closed pairs were not sent, or nil if no
// pair is closed. A later run does not help those that access does not list any more.
func (a *auth) stop() *importer.Stop {
	defer a.acquire()()
	var closed []string
	later := true
	for p, known := range a.pairs {
		if known.closed {
			closed = append(closed, p.Provider+" / "+p.FundingSource)
			later = later && !known.unlisted
		}
	}
	if closed == nil {
		return nil
	}
	slices.Sort(closed)
	return &importer.Stop{
		Code: "pair-closed", Reason: "the service refuses trips of " + strings.Join(closed, ", ") + ", so no more of them were sent",
		Fix: "ask the service for access to it, then " + a.newToken + " and do the same again", Later: later,
	}
}

// denied returns what a reply 401 or 403 means, and reports whether another attempt may be made.
func (g *gate) denied(ctx context.Context, t *tripTask, round int) (verdict, bool) {
	t.denials++
	switch reason, closed := g.auth.explain(ctx, t.pair(), round); {
	case reason != "":
		return notSent(reason), g.Pace.Stopped() == nil
	case !closed && t.denials < maxAttempts:
		return notSent("the service refused this provider and funding source"), true
	}
	return verdict{importer.TripRefused, "the service refused this provider and funding source"}, false
}

// pair returns the provider and funding source with the names that the service uses.
func (t *tripTask) pair() importer.Pair {
	return importer.Pair{Provider: t.account.Provider, FundingSource: t.trip.FundingSource}
}
