package app

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
)

// A History is a trip as it stands, with everything that happened to it, in order.
type History struct {
	ledger.Found
	Past []Happened
}

// A Happened is one thing that happened to a trip. A claim has what came of it, or nil if
// that is not known.
type Happened struct {
	ledger.Event
	Settled *ledger.Event
}

// newHistory joins the claims among the events of a trip with what came of them.
func newHistory(found ledger.Found, events []ledger.Event) History {
	h := History{Found: found}
	claim := -1
	for i := range events {
		switch e := &events[i]; e.Kind {
		case ledger.EventSettled, ledger.EventChanged, ledger.EventEntered:
			if claim >= 0 {
				h.Past[claim].Settled, claim = e, -1
			}
		case ledger.EventClaimed, ledger.EventChanging:
			claim = len(h.Past)
			h.Past = append(h.Past, Happened{Event: *e})
		default:
			h.Past = append(h.Past, Happened{Event: *e})
		}
	}
	return h
}

// Sent reports whether it is an attempt to book the trip, and Changed whether it is an
// attempt to change it.
func (h *Happened) Sent() bool { return h.Kind == ledger.EventClaimed }

// Changed is described with Sent.
func (h *Happened) Changed() bool { return h.Kind == ledger.EventChanging }

// State returns what came of an attempt.
func (h *Happened) State() importer.TripState {
	if h.Settled == nil {
		return importer.TripUnclear
	}
	state, _ := importer.ParseTripState(h.Settled.What)
	return state
}

// FindTrips returns the trips that a search finds, with what happened to them.
func FindTrips(ctx context.Context, l ledger.Ledger, s ledger.Search) (all []History, err error) {
	for found, err := range l.Find(ctx, s) {
		if err != nil {
			return nil, err
		}
		events, err := l.Events(ctx, found.Number, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, newHistory(found, events))
	}
	return all, nil
}

// Histories returns what the ledger knows about the trips that the search finds: also what persons
// answered about their rows while the trips were not booked. Search.Trip is a trip id or a GUID. runs
// has all runs of the ledger, by their ids.
func (a *App) Histories(ctx context.Context, s ledger.Search) (all []History, runs map[string]ledger.Run, err error) {
	runs, s.FundingSources = map[string]ledger.Run{}, a.knownNames().FundingSources
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		known, err := l.Runs(ctx, 0)
		if err != nil {
			return err
		}
		for _, r := range known {
			runs[r.ID] = r
		}
		if all, err = FindTrips(ctx, l, s); err != nil {
			return err
		}
		for i := range all {
			if err := all[i].addAnswers(ctx, l); err != nil {
				return err
			}
		}
		return nil
	})
	return all, runs, err
}

// addAnswers adds what persons answered about the row of the trip.
func (h *History) addAnswers(ctx context.Context, l ledger.Ledger) error {
	if h.Row == 0 {
		return nil
	}
	events, err := l.Events(ctx, 0, h.Row)
	for _, e := range events {
		if e.Leg == h.Leg && (e.Kind == ledger.EventAnswered || e.Kind == ledger.EventContradicted) {
			h.Past = append(h.Past, Happened{Event: e})
		}
	}
	slices.SortStableFunc(h.Past, func(a, b Happened) int { return cmp.Compare(a.Number, b.Number) })
	return err
}

// In returns what the run last did with the trip; nil if it did nothing.
func (h *History) In(run string) *Happened {
	return importer.Last(h.Past, func(e *Happened) bool { return (e.Sent() || e.Changed()) && e.Run == run })
}

// Report writes the trips of some days that are booked or may be booked, for billing, to a workbook at a path; empty
// for none. Both days are in it. It returns them with their totals, and what is wrong with the ledger: also that a run booked
// another number of trips than its control total says.
func (a *App) Report(ctx context.Context, from, to importer.Date, path string) (r results.Report, written string, v ledger.Verification, err error) {
	if from.IsZero() || to.IsZero() || to.Compare(from) < 0 {
		return r, "", v, Usage("give --from and --to as 2026-12-01; both days are in it", "the days of the report are not clear")
	}
	if path != "" && !strings.EqualFold(filepath.Ext(path), ".xlsx") {
		return r, "", v, Usage("end its name with .xlsx", "the report is a workbook, and can't be written to %s", filepath.Base(path))
	}

	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		for t, err := range l.Find(ctx, ledger.Search{From: from, To: to, FundingSources: a.knownNames().FundingSources}) {
			if err != nil {
				return err
			}
			r.Add(results.ReportLine{Date: t.Day, TripID: t.ListedID(), Leg: t.Leg, Provider: t.Account.Provider, FundingSource: t.FundingSource, State: t.State, GUID: t.GUID})
		}
		slices.SortFunc(r.Lines, func(a, b results.ReportLine) int {
			return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.TripID, b.TripID), cmp.Compare(a.Leg, b.Leg))
		})
		v, err = l.Verify(ctx)
		return err
	})
	if err == nil && path != "" {
		if written, err = r.Write(path); err != nil {
			err = Usage("see that its folder is there and may be written, and that the disk is not full", "the report can't be written to %s", path)
		}
	}
	return r, written, v, err
}
