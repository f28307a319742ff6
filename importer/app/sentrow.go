package app

import (
	"context"
	"iter"
	"slices"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
	"tripimport/importer/run"
)

// A sentRow is a row of edited results as its cells are now, with the trips that the results
// show and what the ledger has that shares a key with it.
type sentRow struct {
	mapped  *importer.Mapped
	mapping string
	sent    []returned.SentTrip
	known   importer.Known
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
