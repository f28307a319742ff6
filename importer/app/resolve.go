package app

import (
	"context"
	"errors"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/pace"
	"tripimport/importer/run"
	"tripimport/importer/service"
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
// first. LookUp removes the trips that it closes from the list; Answer does not.
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

// LookUp asks the service for each open trip, if the settings say how. A GUID closes the trip;
// any other answer leaves it open. It returns how many trips were closed, and whether the
// service was asked at all.
func (r *Resolver) LookUp(ctx context.Context) (known int, asked bool, err error) {
	settings := r.app.Settings
	where, err := settings.lookup()
	if err != nil || where.Path == "" || len(r.open) == 0 {
		return 0, false, err
	}

	client, address, err := r.app.client()
	if err != nil {
		return 0, false, err
	}

	if address, err = r.ledger.Service(ctx, address); err != nil {
		return 0, false, err
	}

	speed, err := r.app.pace(ctx, r.ledger, client, address)
	if err != nil {
		return 0, false, err
	}
	gate := pace.New(speed)
	for _, e := range slices.Clone(r.open) {
		if e.Account.Service != address || run.OpenOutcome(e.Record).State == importer.ChangeUnknown {
			continue // it is another service's trip, or a look-up could not tell whether the change arrived
		}
		if err := gate.Wait(ctx); err != nil {
			return known, true, err
		}
		guid, err := client.LookUp(ctx, where, e.TripID, e.Date)
		if err != nil {
			return known, true, &Error{Later, err.Error(), "answer at the terminal (leave lookup_path empty), or run the same command again later"}
		}
		if guid == "" {
			continue
		}
		taken, _, err := r.Answer(ctx, e, importer.There, guid)
		if err != nil {
			return known, true, err
		}
		if taken {
			known++
			r.open = slices.DeleteFunc(r.open, func(o ledger.Entry) bool { return o.Attempt == e.Attempt })
		}
	}
	return known, true, nil
}

// lookup returns how the service can be asked for a trip. The path is empty if it can't be.
func (all Settings) lookup() (service.Lookup, error) {
	where := service.Lookup{Path: all.Text("lookup_path"), GUID: all.Text("lookup_guid")}
	if where.Path == "" {
		return where, nil
	}
	if err := where.Check(); err != nil {
		return where, Usage("", "%s", err)
	}
	return where, nil
}
