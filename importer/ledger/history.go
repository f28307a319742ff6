package ledger

import (
	"context"

	"tripimport/importer"
)

// A History is a trip as it stands, with everything that happened to it, in order: also what persons answered about
// its row while it was not booked.
type History struct {
	Found
	Past []Happened
}

// A Happened is one thing that happened to a trip. A claim has what came of it, or nil if
// that is not known.
type Happened struct {
	Event
	Settled *Event
}

// Histories returns what a ledger knows about the trips that a search finds.
func Histories(ctx context.Context, l Ledger, s Search) (all []History, err error) {
	trips, err := l.Find(ctx, s)
	for _, found := range trips {
		events, err := l.Events(ctx, found.Number, found.Row)
		if err != nil {
			return nil, err
		}
		all = append(all, newHistory(found, events))
	}
	return all, err
}

// newHistory joins the claims among the events of a trip, and of its row, with what came of them.
func newHistory(found Found, events []Event) History {
	h := History{Found: found}
	claim := -1
	for i := range events {
		e := &events[i]
		ofRow := e.Trip == 0
		answered := e.Kind == EventAnswered || e.Kind == EventContradicted
		switch {
		case ofRow && (!answered || e.Leg != h.Leg):
		case e.Kind == EventSettled, e.Kind == EventChanged, e.Kind == EventEntered:
			if claim >= 0 {
				h.Past[claim].Settled, claim = e, -1
			}
		default:
			if e.Kind == EventClaimed || e.Kind == EventChanging {
				claim = len(h.Past)
			}
			h.Past = append(h.Past, Happened{Event: *e})
		}
	}
	return h
}

// Sent reports whether it is an attempt to book the trip, and Changed whether it is an
// attempt to change it.
func (h *Happened) Sent() bool { return h.Kind == EventClaimed }

// Changed is described with Sent.
func (h *Happened) Changed() bool { return h.Kind == EventChanging }

// State returns what came of an attempt.
func (h *Happened) State() importer.TripState {
	if h.Settled == nil {
		return importer.TripUnclear
	}
	state, _ := importer.ParseTripState(h.Settled.What)
	return state
}

// In returns what the run last did with the trip; nil if it did nothing.
func (h *History) In(run string) *Happened {
	return importer.Last(h.Past, func(e *Happened) bool { return (e.Sent() || e.Changed()) && e.Run == run })
}
