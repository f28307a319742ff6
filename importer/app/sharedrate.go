package app

import (
	"context"
	"errors"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/pace"
	"tripimport/importer/service"
)

// pace returns how fast this run may send requests to a service. With a shared ledger the run
// draws on the budget of all offices together, and a rate in its own settings limits it
// further.
func (a *App) pace(ctx context.Context, l ledger.Ledger, client *service.Client, address string) (pace.Config, error) {
	own := pace.Config{Rate: a.Settings.number("rate"), Burst: a.Settings.count("burst")}
	shared, ok := l.(*postgres.Ledger)
	if err := a.Settings.trusted("rate", "burst"); err != nil || !ok {
		return own, err
	}
	budget, err := a.budget(ctx, shared, client, address)
	if err != nil {
		return own, err
	}
	own.Budget = budget
	if a.Settings["rate"].Origin == "default" {
		own.Rate = 0
	}
	return own, nil
}

// budget opens the budget of all offices. It has the program's default rate until somebody
// sets another one.
func (a *App) budget(ctx context.Context, l *postgres.Ledger, client *service.Client, address string) (*postgres.Budget, error) {
	token, err := client.Token(ctx)
	if err != nil {
		return nil, Usage(a.NewToken(), "%s", err)
	}
	return l.Budget(ctx, address, token, postgres.Rate{PerSecond: 10, Burst: 10})
}

// A SharedRate is how fast all offices together may send requests to a service.
type SharedRate struct {
	// PerSecond and Burst are the rate that is set. Now is the rate that is allowed at this
	// moment.
	PerSecond float64
	Burst     int
	Now       float64
	// Pause is the rest of a pause that the service asked for; 0 for none.
	Pause time.Duration
}

// SharedRate sets how fast all offices together may send requests to the service, and returns
// the result. If perSecond is 0, it sets nothing. Only the user who made the ledger may set it.
func (a *App) SharedRate(ctx context.Context, perSecond float64, burst int) (rate SharedRate, err error) {
	client, address, err := a.client()
	if err != nil {
		return rate, err
	}
	l, err := a.openLedger("ledger rate", 0)
	if err != nil {
		return rate, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	shared, ok := l.(*postgres.Ledger)
	if !ok {
		return rate, Usage("set rate in tripimport.yaml, or give --rate", "the ledger %s is a file of this machine, and no other machine asks the service with it", l.Location())
	}
	if perSecond > 0 {
		if err := shared.SetRate(ctx, address, postgres.Rate{PerSecond: perSecond, Burst: burst}); err != nil {
			return rate, err
		}
	}
	budget, err := a.budget(ctx, shared, client, address)
	if err != nil {
		return rate, err
	}
	state, err := budget.State(ctx)
	return SharedRate{state.Rate.PerSecond, state.Rate.Burst, state.Now, state.Pause}, err
}
