package tables

import (
	"context"
	"slices"

	"tripimport/importer"
)

// refuseOutdated refuses a claim if, since the ledger was asked, another run has booked a
// trip that may be the same, or a person has answered to leave the trip. If no other
// process writes, nothing can have changed.
func (l *Ledger) refuseOutdated(ctx context.Context, w *Writer, k *claim) error {
	if k.Look == nil || l.Alone {
		return nil
	}
	has, err := l.mayHave(ctx, w, append(l.askIdentities(k.beside), l.askNewDecisions())...)
	if err != nil || !slices.Contains(has, true) {
		return err
	}

	beside, err := l.findBeside(ctx, w, k)
	if err != nil {
		return err
	}
	marks := l.RowMarks(k.Key)
	for _, r := range beside {
		others := r.Run != k.Run && !slices.Contains(marks, r.RowMark)
		if others && !r.Cancelled && !slices.Contains(k.Look.Found, r.Attempt) {
			return refuse(importer.ErrOutdated)
		}
	}

	if err := l.readDecisions(ctx); err != nil {
		return err
	}
	if l.decision(importer.Decision{Key: k.Key, Trip: k.Trip}) == importer.LeaveIt {
		return refuse(importer.ErrOutdated)
	}
	return nil
}

// findBeside returns the trips that the Look of a claim would find now.
func (l *Ledger) findBeside(ctx context.Context, w *Writer, k *claim) ([]importer.Record, error) {
	beside, err := l.respelt(ctx, w, k.Account.Service, k.Key, k.Trip, k.Trip.Date())
	if err != nil || !k.Look.SameDay {
		return beside, err
	}
	found, err := l.findIdentities(ctx, w, k.Account.Service, k.account, k.Trip, l.sameDay(k.Trip), importer.Identity.SamePlaces)
	for _, r := range found {
		beside = append(beside, r.Record)
	}
	return beside, err
}
