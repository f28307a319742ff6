package app

import (
	"cmp"
	"context"
	"iter"
	"path/filepath"
	"slices"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
	"tripimport/importer/run"
)

// ledgerNumber returns a function that returns the number of the job's ledger; nil if the job
// has no ledger.
func (j *job) ledgerNumber() func() int64 {
	switch {
	case j.target != nil:
		return j.target.ledger.Number
	case j.rewritten != nil: // the results of a broken-off run have what was known when it broke off
		return func() int64 { return cmp.Or(j.rewritten.BrokenOffAt, j.ledger.Number()) }
	}
	return nil
}

// refuseLost returns the error for a ledger that lacks what the results at the paths show as
// sent. It returns nil if there are no paths.
func refuseLost(l ledger.Ledger, paths []string) error {
	if len(paths) == 0 {
		return nil
	}

	shown := filepath.Base(paths[0])
	if more := len(paths) - 1; more > 0 {
		shown += " and " + importer.Counted(more, "other file", "other files")
	}
	return usageStep(importer.Do("put the newest ledger in its place; if it is lost, enter what these results prove", importer.AdoptLedger, paths...), "the ledger %s is an older copy: it lacks what was sent according to %s, and would book it again; nothing was sent now",
		l.Location(), shown)
}

// confirmSent refuses edited results that show a trip as booked or maybe booked which the
// ledger does not have at all.
func (j *job) confirmSent(ctx context.Context) error {
	if j.edited == nil || j.target == nil || j.fromRehearsal(j.edited) {
		return nil
	}

	l := j.target.ledger
	return eachSent(ctx, l, j.target.address, j.inputs, j.edited, func(row *sentRow) error {
		for i := range row.sent {
			sent := &row.sent[i]
			if sent.Left() || sent.Cancelled() || sent.State.Missing() {
				continue // it is not booked any more, or never was: its row may be sent
			}
			stands, err := row.find(ctx, l, sent)
			if err == nil && stands == nil {
				err = refuseLost(l, []string{j.path})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// A sentRow is a row of edited results as its cells are now, with the trips that the results
// show and what the ledger has that shares a key with it.
type sentRow struct {
	mapped  *importer.Mapped
	mapping string
	sent    []returned.SentTrip
	known   importer.Known
}

// eachSent calls do for each row of the results that shows a trip of r.Sent. It asks the ledger
// for many rows at once.
func eachSent(ctx context.Context, l ledger.Ledger, address string, inputs []run.Input, r *returned.Results, do func(*sentRow) error) error {
	for rows, err := range run.InBatches(sentRows(inputs, r)) {
		if err != nil {
			return err
		}
		mapped := make([]*importer.Mapped, len(rows))
		for i := range rows {
			mapped[i] = rows[i].mapped
		}
		known, err := l.Look(ctx, address, mapped)
		if err != nil {
			return err
		}
		for i := range rows {
			rows[i].known = known[i]
			if err := do(rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// sentRows yields the rows of the results that show a trip of r.Sent.
func sentRows(inputs []run.Input, r *returned.Results) iter.Seq2[*sentRow, error] {
	sent := map[returned.RowAt][]returned.SentTrip{}
	for _, t := range r.Sent() {
		sent[t.RowAt] = append(sent[t.RowAt], t)
	}
	return func(yield func(*sentRow, error) bool) {
		for _, in := range inputs {
			for row, err := range in.Source.Rows() {
				if err != nil {
					yield(nil, err)
					return
				}
				shown := sent[returned.RowAt{Input: in.Source.Hash(), Sheet: row.Sheet, Row: row.Num}]
				if len(shown) == 0 {
					continue
				}
				mapped := in.Mapper.Map(row.Clone(), nil)
				run.Identify(&mapped)
				if !yield(&sentRow{mapped: &mapped, mapping: in.MappingHash, sent: shown}, nil) {
					return
				}
			}
		}
	}
}

// find returns a trip that the results show, as it stands in the ledger: the one with the same
// GUID, or else the row's own with the same leg. It returns nil if the ledger has none. The
// number alone proves nothing, because a ledger that was restored gives it again.
func (r *sentRow) find(ctx context.Context, l ledger.Ledger, sent *returned.SentTrip) (*importer.Standing, error) {
	same := func(s importer.Standing) bool { return importer.SameGUID(s.GUID, sent.GUID) }
	if i := slices.IndexFunc(r.known.Trips, same); i >= 0 {
		return &r.known.Trips[i], nil
	}
	if sent.GUID != "" && sent.Attempt != 0 { // the row may have made other trips when it was sent
		other, _, err := l.Trip(ctx, sent.Attempt)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(other.Trips, same); i >= 0 {
			return &other.Trips[i], nil
		}
	}
	i := slices.IndexFunc(r.known.Trips, func(s importer.Standing) bool {
		return s.Leg == sent.Leg && judge.IsOfRow(r.mapped, &r.known, &s)
	})
	if i < 0 {
		return nil, nil
	}
	return &r.known.Trips[i], nil
}

// trip returns the row's trip with the leg, or nil if the row does not make it any more.
func (r *sentRow) trip(leg importer.Leg) (index int, trip *importer.Trip) {
	for i := range r.mapped.Trips {
		if r.mapped.Trips[i].Leg == leg {
			return i, &r.mapped.Trips[i]
		}
	}
	return -1, nil
}
