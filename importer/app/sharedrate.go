package app

import (
	"context"

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
	if !ok {
		return own, nil
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

// budget opens the budget of all offices. It has the program's default rate if its
// ledger was made without one.
func (a *App) budget(ctx context.Context, l *postgres.Ledger, client *service.Client, address string) (*postgres.Budget, error) {
	token, err := client.Token(ctx)
	if err != nil {
		return nil, Usage(a.NewToken(), "%s", err)
	}
	return l.Budget(ctx, address, token, postgres.Rate{PerSecond: 10, Burst: 10})
}

// sharedRate returns a function that sets how fast all offices together may send requests to
// the service. The function does nothing if no flag gives a rate.
func (a *App) sharedRate() (set func(context.Context, ledger.Ledger) error, err error) {
	none := func(context.Context, ledger.Ledger) error { return nil }
	if !a.Settings["rate"].given() {
		return none, nil
	}
	switch {
	case !a.IsShared():
		return none, Usage("set rate in tripimport.yaml", "a ledger in a file is used by this machine alone, and has no rate")
	case a.Settings.number("rate") <= 0:
		return none, Usage("give requests a second, such as --rate 20", "offices that share a ledger need a rate above 0")
	}
	address, err := a.Settings.address()
	return func(ctx context.Context, l ledger.Ledger) error {
		shared, ok := l.(*postgres.Ledger)
		if !ok {
			return nil
		}
		return shared.SetRate(ctx, address, postgres.Rate{PerSecond: a.Settings.number("rate"), Burst: a.Settings.count("burst")})
	}, err
}
