package app

import (
	"context"
	"errors"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/run"
)

// A Resolver takes people's answers about trips that may be booked. It holds the
// ledger until it is closed. It is not safe for concurrent use.
type Resolver struct {
	app    *App
	ledger ledger.Ledger
	open   []ledger.Entry
	trips  tripsBySource
}

// NewResolver opens the ledger and lists the trips that wait for a person, as the ledger's
// Unresolved returns them. schedule may name the schedule of their run, or workbook its
// results: Trip finds the trips there. Both may be empty.
func (a *App) NewResolver(ctx context.Context, schedule, workbook string) (*Resolver, error) {
	l, err := a.openLedger("resolve", 0)
	if err != nil {
		return nil, err
	}

	r := &Resolver{app: a, ledger: l}
	if r.open, err = l.Unresolved(ctx); err == nil {
		// A trip that is being sent at this moment needs no answer.
		r.open = slices.DeleteFunc(r.open, func(e ledger.Entry) bool { return e.InFlight })
		r.trips, err = a.tripsOf(l, r.open, schedule, workbook)
	}

	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return r, nil
}

// Close closes the ledger, so that other jobs can open it.
func (r *Resolver) Close() error { return r.ledger.Close() }

// Open lists the trips that were open when the Resolver was made, the earliest service date
// first.
func (r *Resolver) Open() []ledger.Entry { return r.open }

// Trip returns the trip of an entry as its file has it. It returns false if no file was named,
// or the file does not have the trip.
func (r *Resolver) Trip(e ledger.Entry) (importer.Trip, bool) { return r.trips.of(e) }

// Answer records a person's answer about an open trip. If the ledger does not take the answer,
// note says why, and the trip stays open. If the answer was taken but counts only later, note
// says when.
func (r *Resolver) Answer(ctx context.Context, e ledger.Entry, v importer.Verdict, guid string) (taken bool, note string, err error) {
	o := run.OpenOutcome(e.Record)
	if _, fits := v.RuleOf(&o); !fits {
		return false, unclearAnswer(&o), nil
	}
	return r.app.recordAnswer(ctx, r.ledger, e, o.State, v, guid, r.app.thisPerson())
}
