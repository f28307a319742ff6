package app

import (
	"context"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
)

// A sentRow is a row of edited results as its cells are now, with what the ledger has that shares a key with it.
type sentRow struct {
	mapped *importer.Mapped
	known  importer.Known
}

// find returns a trip that the results show, as it stands in the ledger: the one with the same
// GUID, or else the row's own with the same leg. It returns nil if the ledger has none. The
// number alone proves nothing, because a ledger that was restored gives it again.
func (r *sentRow) find(ctx context.Context, l ledger.Ledger, sent *returned.SentTrip) (*importer.Standing, error) {
	same := func(s *importer.Standing) bool { return importer.SameGUID(s.GUID, sent.GUID) }
	if s := r.known.Trip(same); s != nil {
		return s, nil
	}
	if sent.GUID != "" && sent.Attempt != 0 { // the row may have made other trips when it was sent
		other, _, err := l.Trip(ctx, sent.Attempt)
		if err != nil {
			return nil, err
		}
		if s := other.Trip(same); s != nil {
			return s, nil
		}
	}
	return r.known.Trip(func(s *importer.Standing) bool { return s.Leg == sent.Leg && judge.IsOfRow(r.mapped, &r.known, s) }), nil
}
