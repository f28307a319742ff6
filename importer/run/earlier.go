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
	if e == nil {
		return nil
	}
	for _, mark := range e.Ledger.RowMarks(m.Key) {
		p.notePresent(mark, m)
	}
	if m.LeftOut != "" || len(m.Trips) == 0 {
		return nil
	}

	found, err := e.Ledger.RowTrips(ctx, e.Address, m)
	if err != nil {
		return err
	}

	otherDay := false
	for i := range m.Trips {
		rec := found.Matched[i]
		switch {
		case rec == nil:
			p.New++
		case m.Key.IDs == importer.UnsaidIDs && rec.Date != m.Trips[i].Date():
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
