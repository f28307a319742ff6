package importer

import (
	"context"
	"errors"
	"sync"
)

// denials settles what a 401 or 403 means (design, section 4): the access
// operation is asked once for all workers.
type denials struct {
	service Service

	mu    sync.Mutex
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

func newDenials(s Service) *denials { return &denials{service: s, shut: map[Pair]bool{}} }

// asked is the round in which an attempt begins: a denial that comes back when
// a later round has been asked shares its answer.
func (d *denials) asked() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.round
}

// closed reports whether the provider and funding source were refused before.
func (d *denials) closed(a Account, fundingSource string) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut[Pair{a.Provider, fundingSource}] {
		return "the service refused this provider and funding source in this run", true
	}
	return "", false
}

// resolve finds out what is behind a denial.
func (d *denials) resolve(ctx context.Context, p Pair, asked int) denial {
	d.mu.Lock()
	defer d.mu.Unlock()
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
	if err == nil {
		return pairClosed
	}
	var denied *AccessError
	if !errors.As(err, &denied) || !denied.Denied() {
		return accessDown
	}
	if d.renewed {
		return tokenDead
	}
	d.renewed = true
	if another, err := d.service.Renew(ctx); err != nil || !another {
		return tokenDead
	}
	if _, err := d.service.Access(ctx); err != nil {
		return tokenDead
	}
	return tokenRenewed
}

// denied decides a trip that was answered with 401 or 403.
func (p *pass) denied(ctx context.Context, t *Trip, account Account, asked int) (Outcome, bool) {
	switch p.denials.resolve(ctx, Pair{account.Provider, t.FundingSource}, asked) {
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
