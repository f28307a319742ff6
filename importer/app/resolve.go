package app

import (
	"context"
	"errors"
	"slices"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
)

// A Resolver takes people's answers about trips that may be booked. It holds the
// ledger until it is closed. It is not safe for concurrent use.
type Resolver struct {
	app    *App
	ledger ledger.Ledger
	open   []importer.Standing
	trips  map[int64]importer.Trip
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
	if r.open, err = unresolved(ctx, l); err == nil {
		r.trips, err = a.tripsOf(l, r.open, schedule, workbook)
	}

	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return r, nil
}

// unresolved returns the ledger's Unresolved without the trips that are being sent or changed
// at this moment, which need no answer.
func unresolved(ctx context.Context, l ledger.Ledger) ([]importer.Standing, error) {
	open, err := l.Unresolved(ctx)
	return slices.DeleteFunc(open, func(s importer.Standing) bool {
		return s.State == importer.TripSending || s.Change != nil && s.Change.State == importer.ChangeSending
	}), err
}

// Close closes the ledger, so that other jobs can open it.
func (r *Resolver) Close() error { return r.ledger.Close() }

// Open lists the trips that were open when the Resolver was made, the earliest service date
// first.
func (r *Resolver) Open() []importer.Standing { return r.open }

// Trip returns an open trip as its file has it. It returns false if no file was named, or the
// file does not have the trip.
func (r *Resolver) Trip(s *importer.Standing) (importer.Trip, bool) {
	trip, ok := r.trips[s.Number]
	return trip, ok
}

// Answer records a person's answer about an open trip. If the answer is not taken, note says
// why, and the trip stays open.
func (r *Resolver) Answer(ctx context.Context, s *importer.Standing, v importer.Verdict, guid string) (taken bool, note string, err error) {
	o := openOutcome(s)
	if _, fits := v.RuleOf(&o); !fits {
		return false, unclearAnswer(&o), nil
	}
	by := r.app.thisPerson()
	refusal, err := recordAnswer(ctx, r.ledger, importer.Answer{
		Trip: s.Number, Row: s.Row, Leg: s.Leg, Saw: s.Event, Shown: o.State, Verdict: v, GUID: guid,
		Who: by.Who, Host: by.Host, Where: "terminal", At: by.When,
	})
	if refusal != nil {
		note = refusal.Reason
	}
	return refusal == nil && err == nil, note, err
}

// openOutcome returns the outcome of a trip about which a person is asked.
func openOutcome(s *importer.Standing) importer.Outcome {
	o := judge.Recorded(s, nil)
	if o.State == importer.AlreadyCreated && !s.GUIDMissing && s.Change != nil && s.Change.State == importer.ChangeUnclear {
		o.State, o.Changed = importer.ChangeUnknown, s.Change.Keys
	}
	return o
}

// recordAnswer records what an answer does, as the judge decides. It returns why the answer is not
// taken, or nil. What happens to its trip or its row meanwhile is judged anew.
func recordAnswer(ctx context.Context, l ledger.Ledger, given importer.Answer) (*judge.Refusal, error) {
	const tries = 5
	for range tries {
		known, err := knownOf(ctx, l, &given)
		if err != nil {
			return nil, err
		}
		effects, refusal := judge.Take(given, &known)
		if len(effects) > 0 {
			err = l.Record(ctx, effects...)
		}
		switch {
		case errors.Is(err, importer.ErrMeanwhile):
			continue
		case errors.Is(err, importer.ErrGUIDTaken):
			return &judge.Refusal{Reason: guidTaken}, nil
		case err != nil:
			return nil, err
		}
		return refusal, nil
	}
	return &judge.Refusal{Reason: "something else happens to the trip at this moment: answer again"}, nil
}

// knownOf returns what the ledger knows of the subject of an answer, and of the trip that its
// question named.
func knownOf(ctx context.Context, l ledger.Ledger, given *importer.Answer) (known importer.Known, err error) {
	if given.Trip != 0 {
		known, _, err = l.Trip(ctx, given.Trip)
		return known, err
	}
	known, _, err = l.Row(ctx, given.Row)
	if err != nil || given.Other == 0 || slices.ContainsFunc(known.Trips, func(s importer.Standing) bool { return s.Number == given.Other }) {
		return known, err
	}
	other, _, err := l.Trip(ctx, given.Other)
	known.Trips = append(known.Trips, other.Trips...)
	for _, word := range other.Words {
		if known.WordOf(word.Row) == nil {
			known.Words = append(known.Words, word)
		}
	}
	return known, err
}
