package importer

import (
	"context"
	"errors"
)

// denials settles what a 401 or 403 means (design, section 4): the access
// operation is asked once for all workers.
type denials struct {
	service Service

	// turn is held by whoever looks at the rest, for as long as the service
	// takes to answer.
	turn  chan struct{}
	round int // how often access was asked
	shut  map[Pair]bool
	// last is what access answered the last time.
	last denial
	// renewed reports that the token was read again once already.
	renewed bool
}

// A denial is what is behind a denied request.
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

func newDenials(s Service) *denials {
	return &denials{service: s, turn: make(chan struct{}, 1), shut: map[Pair]bool{}}
}

// lock waits for the turn and gives what ends it.
func (d *denials) lock() (unlock func()) {
	d.turn <- struct{}{}
	return func() { <-d.turn }
}

// asked is the round in which an attempt begins: a denial that comes back when
// a later round has been asked shares its answer. While access is being asked
// it waits for the answer, so that nothing more is sent without it.
func (d *denials) asked() int {
	defer d.lock()()
	return d.round
}

// closed reports whether the provider and funding source were refused before.
func (d *denials) closed(p Pair) bool {
	defer d.lock()()
	return d.shut[p]
}

// resolve finds out what is behind a denial.
func (d *denials) resolve(ctx context.Context, p Pair, asked int) denial {
	defer d.lock()()
	if asked == d.round {
		d.last = d.ask(ctx)
		d.round++
	}
	if d.last == pairClosed {
		d.shut[p] = true
	}
	return d.last
}

func (d *denials) ask(ctx context.Context) denial {
	_, err := d.service.Access(ctx)
	switch {
	case err == nil:
		return pairClosed
	case !tokenRefused(err):
		return accessDown
	case d.renewed:
		return tokenDead
	}
	d.renewed = true
	if another, err := d.service.Renew(ctx); err != nil || !another {
		return tokenDead
	}
	_, err = d.service.Access(ctx)
	switch {
	case err == nil:
		return tokenRenewed
	case !tokenRefused(err):
		return accessDown
	}
	return tokenDead
}

func tokenRefused(err error) bool {
	var denied *AccessError
	return errors.As(err, &denied) && denied.Denied()
}

// denied decides a trip that was answered with 401 or 403, and whether another
// attempt may be made.
func (p *pass) denied(ctx context.Context, b *booking, asked int) (Outcome, bool) {
	switch p.denials.resolve(ctx, b.pair(), asked) {
	case tokenRenewed:
		return Outcome{State: NotSent, Reason: "the token was not accepted"}, true
	case tokenDead:
		p.stop(&Stop{
			Code: "token-refused", Reason: "the service no longer accepts the token",
			Fix: "get a new token, store it with `tripimport token set`, then run the same command again",
		})
		return Outcome{State: NotSent, Reason: "the service no longer accepts the token"}, false
	case accessDown:
		p.stop(&Stop{
			Code: "access-down", Reason: "the service refused a trip and does not say what the token may do",
			Fix: "run the same command again later", Later: true,
		})
		return Outcome{State: NotSent, Reason: "the service refused it and does not say what the token may do"}, false
	case pairClosed:
	}
	return Outcome{State: Refused, Reason: "the service refused this provider and funding source"}, false
}

// pair is the provider and funding source as the service writes them.
func (b *booking) pair() Pair { return Pair{b.account.Provider, b.trip.FundingSource} }
