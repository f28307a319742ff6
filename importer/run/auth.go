package run

import (
	"context"
	"errors"

	"tripimport/importer"
)

// auth finds out what a 401 or 403 means, by asking the access operation once
// for all workers. It is safe for concurrent use.
type auth struct {
	service importer.Service

	// lock is held while the access operation is asked, for as long as the
	// service takes to answer. It guards everything below.
	lock   chan struct{}
	rounds int // how often access was asked
	closed map[Pair]bool
	// last is what access answered the last time.
	last denial
	// renewed reports that the token was read again once already.
	renewed bool
}

// A denial is what is behind a 401 or 403.
type denial uint8

const (
	// pairClosed: the token is good, so this provider and funding source are
	// closed to it.
	pairClosed denial = iota
	// tokenRenewed: the token was dead; another one was read.
	tokenRenewed
	// tokenDead: the token is dead and there is no other.
	tokenDead
	// accessDown: the access operation gave no answer.
	accessDown
)

func newAuth(s importer.Service) *auth {
	return &auth{service: s, lock: make(chan struct{}, 1), closed: map[Pair]bool{}}
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

// isClosed reports whether the provider and funding source were refused before.
func (a *auth) isClosed(p Pair) bool {
	defer a.acquire()()
	return a.closed[p]
}

// explain finds out what is behind a denial of an attempt that began in round.
// Where access was asked since, that answer holds for this attempt too.
func (a *auth) explain(ctx context.Context, p Pair, round int) denial {
	defer a.acquire()()
	if round == a.rounds {
		a.last = a.ask(ctx)
		a.rounds++
	}
	if a.last == pairClosed {
		a.closed[p] = true
	}
	return a.last
}

func (a *auth) ask(ctx context.Context) denial {
	_, err := a.service.Access(ctx)
	switch {
	case err == nil:
		return pairClosed
	case !tokenRefused(err):
		return accessDown
	case a.renewed:
		return tokenDead
	}

	a.renewed = true
	if another, err := a.service.Renew(ctx); err != nil || !another {
		return tokenDead
	}

	_, err = a.service.Access(ctx)
	switch {
	case err == nil:
		return tokenRenewed
	case !tokenRefused(err):
		return accessDown
	}
	return tokenDead
}

func tokenRefused(err error) bool {
	var access *importer.AccessError
	return errors.As(err, &access) && access.Denied()
}

// denied decides a trip that was answered with 401 or 403, and whether another
// attempt may be made.
func (s *runState) denied(ctx context.Context, t *tripTask, round int) (importer.Outcome, bool) {
	switch s.auth.explain(ctx, t.pair(), round) {
	case tokenRenewed:
		return importer.Outcome{State: importer.NotSent, Reason: "the token was not accepted"}, true
	case tokenDead:
		s.stop(&importer.Stop{
			Code: "token-refused", Reason: "the service no longer accepts the token",
			Fix: "get a new token, store it with `tripimport token set`, then run the same command again",
		})
		return importer.Outcome{State: importer.NotSent, Reason: "the service no longer accepts the token"}, false
	case accessDown:
		s.stop(&importer.Stop{
			Code: "access-down", Reason: "the service refused a trip and does not say what the token may do",
			Fix: "run the same command again later", Later: true,
		})
		return importer.Outcome{State: importer.NotSent, Reason: "the service refused it and does not say what the token may do"}, false
	case pairClosed:
	}
	return importer.Outcome{State: importer.Refused, Reason: "the service refused this provider and funding source"}, false
}

// pair is the provider and funding source as the service writes them.
func (t *tripTask) pair() Pair { return Pair{t.account.Provider, t.trip.FundingSource} }
