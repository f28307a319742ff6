package run

import (
	"context"
	"hash/maphash"
	"slices"

	"tripimport/importer"
)

// Earlier asks the ledger about each row during the first pass, and counts the trips that
// it has.
type Earlier struct {
	Ledger importer.Ledger
	// Address is the canonical address of the service.
	Address string
	// NewBroker reports that the ledger does not know the broker of the rows. Their trip
	// ids are then looked up among those of other brokers.
	NewBroker bool

	// Changes says what is to be done about booked trips that differ; nil for nothing.
	Changes *Changes
	// Clock gives the wall clock in the rules' zone.
	Clock importer.Clock
	// Planned lists the changes of the booked trips.
	Planned ChangePlan

	// OtherDay counts the rows whose id is booked on another day, if the mapping does not
	// say whether ids come again.
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

// askEarlier counts the trips of a row that the ledger has and those that are new. A row
// that is left out is not counted.
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

// askCancelled records which trips the ledger has of a cancelled row. A row without an
// id, or one that is booked under another id, is looked for in the second pass, when all
// rows are known.
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

// bookedOtherwise reports whether trips are booked under the row's trip ids, or from rows
// whose id differs from the row's only in its spelling.
func bookedOtherwise(ctx context.Context, l importer.Ledger, address string, m *importer.Mapped) (bool, error) {
	booked, _, err := bookedByTripID(ctx, l, address, m)
	if err != nil || len(booked) > 0 {
		return err == nil, err
	}
	booked, err = bookedRespelt(ctx, l, address, m)
	return len(booked) > 0, err
}

// A rowRecord is what the ledger had of a row's trips when the run was planned. lacked,
// booked and changed are sets of the first eight trips, one bit each: trips that the
// ledger did not have, trips booked as they are now, and trips booked with other values.
// A trip that may be booked, or about which the ledger was not asked, is in none of the
// sets. dropped reports that the ledger had trips that the row does not make any more.
// cancelled reports that the ledger was asked about a cancelled row; Plan.cancelled then
// has all of its booked trips.
type rowRecord struct {
	lacked, booked, changed uint8
	dropped, cancelled      bool
}

// note records what the ledger had of trip i.
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

// hadNothing reports whether the ledger had nothing of a row with that number of trips.
func (r rowRecord) hadNothing(trips int) bool {
	return !r.dropped && trips > 0 && trips <= 8 && int(r.lacked) == 1<<trips-1
}

// Differs reports whether the files may be an older version of a schedule that was
// imported before: they have trips that the ledger has, and differ from it in at least
// one trip that it lacks or has with other values.
func (p *Plan) Differs() bool {
	changed := slices.ContainsFunc(p.recorded, func(r rowRecord) bool { return r.changed != 0 })
	return p.Earlier+p.Unclear > 0 && (p.New > 0 || changed)
}

// countSent counts a trip that the ledger has. It counts the trip once, even if copies of
// its row follow.
func (p *Plan) countSent(e *Earlier, t *importer.Trip, rec *importer.Record, in Input) {
	switch {
	case e.counted.add(rec.Attempt):
		p.again++
	case rec.State == importer.Created:
		p.Earlier++
		e.addPlanned(t, rec, in)
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

// otherBroker reports whether a booked trip certainly belongs to another broker than the
// row with these marks.
func otherBroker(rec importer.Record, marks []string) bool {
	return len(marks) > 0 && importer.OtherBroker(rec.RowMark, marks[0])
}

// notePresent records that a row is in the files. If ids may come again, the row accounts
// only for trips that are booked on its own days.
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

// undated stands for the day of a row without a day.
const undated = "undated"

// mayHave reports whether the row of a booked trip is in the files, or may be there with
// a day that cannot be read.
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
