package run

import (
	"context"
	"hash/maphash"
	"slices"

	"tripimport/importer"
)

// Earlier asks the ledger about each row during the first pass, and counts what it
// has.
type Earlier struct {
	Ledger importer.Ledger
	// Address is the canonical address of the service.
	Address string
	// NewBroker reports that the ledger does not know the broker of the rows. Their
	// trip ids are looked for among those of other brokers then.
	NewBroker bool

	// Changes say what is to be done about booked trips that differ; nil for nothing.
	Changes *Changes
	// Clock gives the wall clock in the rules' zone.
	Clock importer.Clock
	// Planned counts the changes. Of each booked trip it has what differs.
	Planned ChangePlan

	// OtherDay counts the rows whose id is booked on another day, where the mapping
	// does not say whether ids come again.
	OtherDay int
	// Renamed counts the trips that are booked from rows of another broker, with
	// the same id, rider and day: the broker seems to have a new name.
	Renamed int

	counted attemptSet
}

// An attemptSet is a set of attempts of the ledger, which are numbered from 1.
type attemptSet []uint64

// add adds an attempt, and reports whether the set had it.
func (s *attemptSet) add(attempt int64) bool {
	i, bit := int(attempt/64), uint64(1)<<(attempt%64)
	if i >= len(*s) {
		*s = append(*s, make([]uint64, i+1-len(*s))...)
	}
	had := (*s)[i]&bit != 0
	(*s)[i] |= bit
	return had
}

// askEarlier counts what the ledger has of a row's trips. Trips that are left out
// count as none of them.
func (p *Plan) askEarlier(ctx context.Context, e *Earlier, m *importer.Mapped, in Input) error {
	p.recorded = append(p.recorded, rowRecord{})
	if e == nil {
		return nil
	}
	record := &p.recorded[len(p.recorded)-1]
	for _, mark := range e.Ledger.RowMarks(m.Key) {
		p.notePresent(mark, m)
	}
	switch {
	case m.Cancelled:
		return p.askCancelled(ctx, e, m)
	case m.LeftOut != "", len(m.Trips) == 0:
		return nil
	}

	found, err := e.Ledger.RowTrips(ctx, e.Address, m)
	if err != nil {
		return err
	}

	record.dropped = len(found.Dropped) > 0
	otherDay := false
	for i := range m.Trips {
		rec := found.Matched[i]
		record.note(i, rec, found.Unclear[i])
		switch {
		case rec == nil:
			p.New++
		case isOtherDay(m, &m.Trips[i], rec):
			otherDay = true
		default:
			p.countSent(e, &m.Trips[i], rec, in)
		}
		if rec == nil && e.NewBroker {
			if err := e.findRenamed(ctx, m, &m.Trips[i]); err != nil {
				return err
			}
		}
	}
	if otherDay {
		e.OtherDay++
	}
	return nil
}

// askCancelled takes note of what the ledger has of a cancelled row. One without an id, and
// one that is booked under another id, is looked for once all rows are known.
func (p *Plan) askCancelled(ctx context.Context, e *Earlier, m *importer.Mapped) error {
	if m.Key.ID == "" {
		return nil
	}
	booked, err := bookedByRow(ctx, e.Ledger, e.Address, m)
	if err != nil {
		return err
	}
	row := len(p.recorded) - 1
	if len(booked) > 0 {
		p.cancelled[row] = booked
	} else if other, err := bookedOtherwise(ctx, e.Ledger, e.Address, m); err != nil || other {
		return err
	}
	p.recorded[row].cancelled = true
	return nil
}

// bookedOtherwise reports whether trips are booked by the ids of a row's trips, or from a
// row whose id differs in its spelling alone.
func bookedOtherwise(ctx context.Context, l importer.Ledger, address string, m *importer.Mapped) (bool, error) {
	booked, _, err := bookedByTripID(ctx, l, address, m)
	if err != nil || len(booked) > 0 {
		return err == nil, err
	}
	booked, err = bookedRespelt(ctx, l, address, m)
	return len(booked) > 0, err
}

// A rowRecord is what the ledger had of the trips of a row when the run was planned: sets
// of bits, by the numbers of the first eight. In none of them are trips about which it was
// not asked, and those that may be booked. Booked are those that were booked as they are
// now, and changed those that were booked otherwise. dropped reports that it had trips that
// the row does not make any more. cancelled reports that it was asked about a cancelled row:
// Plan.cancelled has all that is booked of it.
type rowRecord struct {
	lacked, booked, changed uint8
	dropped, cancelled      bool
}

// note takes note of what the ledger had of the trip number i.
func (r *rowRecord) note(i int, matched, unclear *importer.Record) {
	switch {
	case matched == nil && unclear == nil:
		r.lacked |= 1 << i
	case matched == nil || matched.State != importer.Created || matched.Cancelled:
	case importer.Informational(differsAtPlan(matched)):
		r.booked |= 1 << i
	default:
		r.changed |= 1 << i
	}
}

// hadNothing reports whether the ledger had nothing of a row with so many trips.
func (r rowRecord) hadNothing(trips int) bool {
	return !r.dropped && trips > 0 && trips <= 8 && int(r.lacked) == 1<<trips-1
}

// Differs reports whether the files have some of the trips that the ledger has, and differ
// from it: in a trip that it lacks, or has otherwise. Files that have none of them are other
// files, and those that say the same are no older ones.
func (p *Plan) Differs() bool {
	changed := slices.ContainsFunc(p.recorded, func(r rowRecord) bool { return r.changed != 0 })
	return p.Earlier+p.Unclear > 0 && (p.New > 0 || changed)
}

// countSent counts a trip that the ledger has, once: a copy of its row is left out.
func (p *Plan) countSent(e *Earlier, t *importer.Trip, rec *importer.Record, in Input) {
	switch {
	case e.counted.add(rec.Attempt):
		p.again++
	case rec.State == importer.Created:
		p.Earlier++
		e.noteChange(t, rec, in)
	default:
		p.Unclear++
	}
}

func (e *Earlier) findRenamed(ctx context.Context, m *importer.Mapped, t *importer.Trip) error {
	if t.ID == "" {
		return nil
	}
	booked, err := e.Ledger.TripsOfID(ctx, e.Address, t.ID)
	if slices.ContainsFunc(booked, func(rec importer.Record) bool {
		return rec.Date == t.Date() && otherBroker(rec, e.Ledger.RowMarks(m.Key))
	}) {
		e.Renamed++
	}
	return err
}

// otherBroker reports whether a booked trip is certainly of another broker than the
// row with these marks.
func otherBroker(rec importer.Record, marks []string) bool {
	return len(marks) > 0 && importer.OtherBroker(rec.RowMark, marks[0])
}

// notePresent takes note of a row that is in the files. One whose id may come again
// accounts for what is booked on its own days alone.
func (p *Plan) notePresent(mark string, m *importer.Mapped) {
	if m.Key.IDs == importer.UniqueIDs {
		p.present[maphash.String(p.seed, mark)] = struct{}{}
		return
	}
	dated := false
	for i := range m.Trips {
		if day := m.Trips[i].Date(); !day.IsZero() {
			p.present[maphash.String(p.seed, mark+day.String())] = struct{}{}
			dated = true
		}
	}
	if !dated {
		p.present[maphash.String(p.seed, mark+undated)] = struct{}{}
	}
}

// undated is what stands for the day of a row that has none.
const undated = "undated"

// mayHave reports whether the row of a booked trip is in the files, or one that may be
// it: its day can't be read.
func (p *Plan) mayHave(rec importer.Record) bool {
	_, may := p.present[maphash.String(p.seed, rec.RowMark+undated)]
	return may || p.has(rec)
}

// has reports whether the row of a booked trip is in the files.
func (p *Plan) has(rec importer.Record) bool {
	_, has := p.present[maphash.String(p.seed, rec.RowMark)]
	_, hasDay := p.present[maphash.String(p.seed, rec.RowMark+rec.Date.String())]
	return has || hasDay
}
