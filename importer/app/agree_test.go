package app_test

import (
	"context"

	"tripimport/importer/app"
)

// importAgreed imports files after a yes to everything that the plan asks.
func importAgreed(a *app.App, o app.Options, e app.Events, paths ...string) error {
	p, err := a.PlanImport(context.Background(), o, e, paths...)
	if err != nil {
		return err
	}
	return a.Import(context.Background(), agreeing(o, p), e, paths...)
}

// retryAgreed retries results after a yes to everything that the plan asks.
func retryAgreed(a *app.App, o app.Options, e app.Events, path string) error {
	p, err := a.PlanRetry(context.Background(), o, e, path)
	if err != nil {
		return err
	}
	return a.Retry(context.Background(), agreeing(o, p), e, path)
}

func agreeing(o app.Options, p *app.Plan) app.Options {
	o.Plan = p.ID
	for _, ask := range p.Asks {
		o.Agreed = append(o.Agreed, ask.ID)
	}
	return o
}
