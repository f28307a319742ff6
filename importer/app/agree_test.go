package app_test

import (
	"context"

	"tripimport/importer/app"
)

// importAgreed imports files after a yes to everything that the plan asks.
func importAgreed(a *app.App, o app.Options, e app.Events, path string) error {
	p, err := planImport(a, o, e, path)
	if err != nil {
		return err
	}
	return a.Import(context.Background(), agreeing(o, p), e, path)
}

// retryAgreed retries results after a yes to everything that the plan asks.
func retryAgreed(a *app.App, o app.Options, e app.Events, path string) error {
	p, err := planRetry(a, o, e, path)
	if err != nil {
		return err
	}
	return a.Retry(context.Background(), agreeing(o, p), e, path)
}

// planImport plans an import.
func planImport(a *app.App, o app.Options, e app.Events, path string) (*app.Plan, error) {
	o.Planning = &app.Plan{}
	return o.Planning, a.Import(context.Background(), o, e, path)
}

// planRetry plans a retry.
func planRetry(a *app.App, o app.Options, e app.Events, path string) (*app.Plan, error) {
	o.Planning = &app.Plan{}
	return o.Planning, a.Retry(context.Background(), o, e, path)
}

func agreeing(o app.Options, p *app.Plan) app.Options {
	o.Plan = p.ID
	for _, ask := range p.Asks {
		o.Agreed = append(o.Agreed, ask.ID)
	}
	return o
}
