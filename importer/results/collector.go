package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tripimport/importer"
)

// maxItems limits each kind of row that needs a person in a Summary, so that a file full of faults does not fill the memory.
const maxItems = 1000

// The kinds of rows that need a person, the most urgent first.
const (
	halfBooked  = iota
	mayBeBooked // the service's answer was lost
	byHand      // to cancel, to change or to look at in the service
	other       // for another reason, such as too late
	listed      // only in the course of the day
	kinds
)

// A collector gathers a Summary from rows as they pass.
type collector struct {
	sum      Summary
	urgent   [kinds][]Item
	rows     map[need]int
	totals   importer.Totals
	row      int // the number of the row that is counted
	problems problemKinds
	notices  problemKinds
}

// problemKinds are kinds of problem by code.
type problemKinds map[string]*problemKind

// A problemKind is a group, with the last row that has such a problem.
type problemKind struct {
	Group
	row int
}

func newCollector(start importer.RunStart) *collector {
	run := &start.Run
	s := Summary{
		Version: 1, Kind: run.Command, Rehearsal: start.Rehearsal, Check: start.Check,
		Run: run.ID, Ledger: start.Ledger, Program: run.Version, Started: run.Started,
		Mapping: importer.InputInfo{Name: run.Mapping, Hash: run.MappingHash}, Files: []string{},
		Input: run.Input,
	}
	return &collector{sum: s, rows: map[need]int{}, problems: problemKinds{}, notices: problemKinds{}}
}

// add counts a row.
func (c *collector) add(r *importer.RowResult, shown *shownRow) {
	c.totals.Add(r)
	c.row++
	c.rows[shown.needs]++
	if shown.needs == needsPerson || shown.needs == needsList {
		c.addUrgent(r, shown)
	}

	for i := range r.Problems {
		p := &r.Problems[i]
		into := c.problems
		if p.Severity == importer.Notice {
			into = c.notices
		}
		c.addProblem(into, p.Code, r.Listed(p.Message), r.Listed(p.Fix), p.At(&r.Row))
	}

	for i := range r.Trips {
		t := &r.Trips[i]
		c.addOutcome(r, t)
		c.sum.toUpdate += importer.One(t.Outcome.Why == importer.WhyUnsent && !t.Outcome.Edited && !importer.Faulty(r.Problems))
	}
}

// addGone counts a trip that is in no row.
func (c *collector) addGone(r *importer.RowResult, shown *shownRow) {
	c.totals.AddTrip(&r.Trips[0])
	c.sum.Gone++
	c.addUrgent(r, shown)
}

// addOutcome adds what the service or the run said about a trip. The findings of local
// rules are among the row's problems.
func (c *collector) addOutcome(r *importer.RowResult, t *importer.TripResult) {
	var code string
	text, fix := explain(t, nil)
	switch o := &t.Outcome; {
	case o.State == importer.Refused:
		code = "refused"
	case o.State == importer.NotSent && o.TooLate:
		code, text = "too-late", tooLate
	case o.State == importer.NotSent:
		code = "not-sent"
	default:
		return
	}
	c.addProblem(c.problems, code, r.Listed(text), fix, r.Row.Ref(0))
}

func (c *collector) addProblem(into problemKinds, code, text, fix string, where importer.Ref) {
	k := into[code]
	if k == nil {
		k = &problemKind{Group: Group{Code: code, Message: Inert(text), Fix: Inert(fix), Cell: where.String()}}
		into[code] = k
	}
	if k.row != c.row {
		k.row = c.row
		k.Rows++
	}
}

// addUrgent adds a row that needs a person, with the leg that is the cause, or a trip that is in no row.
func (c *collector) addUrgent(r *importer.RowResult, shown *shownRow) {
	kind := other
	switch {
	case shown.needs == needsList:
		kind = listed
	case r.HalfBooked:
		kind = halfBooked
	case r.State == importer.Unknown:
		kind = mayBeBooked
	case r.State.NeedsPerson():
		kind = byHand
	}

	if len(c.urgent[kind]) >= maxItems {
		return
	}
	item := Item{
		Where: r.Row.Ref(0).String(), Code: r.State.Code(),
		Why: cmp.Or(r.Listed(strings.Join(shown.problem, "; ")), shown.status), Do: r.Listed(strings.Join(shown.fix, "; ")),
	}
	cause := slices.MaxFunc(r.Trips, func(a, b importer.TripResult) int { return cmp.Compare(a.Outcome.Due, b.Outcome.Due) })
	item.TripID, item.GUID, item.Time = Inert(cause.Trip.ListedID()), Inert(cause.Outcome.GUID), cause.Trip.Time().Listed()
	if r.Row.Num == 0 {
		item.Where = "trip " + item.TripID
	}
	c.urgent[kind] = append(c.urgent[kind], item)
}

// summary completes the Summary once the run has ended.
func (c *collector) summary(e importer.RunResult) Summary {
	rows, trips := e.Totals.Sum()
	s := c.sum
	s.Rows = tallyOf(e.Totals.RowsRead, rows, e.Totals.Rows)
	s.Trips = tallyOf(e.Totals.TripsRead+e.Totals.OffRow, trips, e.Totals.Trips)
	// The collector has counted what the results show. The run's own totals must agree with that.
	s.Balanced = e.Totals.Balanced() && c.totals.Rows == e.Totals.Rows && c.totals.Trips == e.Totals.Trips
	s.HalfBooked = c.totals.HalfBooked
	s.UrgentRows, s.ListedRows = c.rows[needsPerson]+c.rows[needsList]+s.Gone, c.rows[needsList]
	s.WaitingRows, s.FixRows, s.AgainRows = c.rows[needsAnswer], c.rows[needsFixing], c.rows[needsRun]
	s.Problems, s.Notices, s.Urgent = c.problems.sorted(), c.notices.sorted(), slices.Concat(c.urgent[:]...)
	s.Interrupted, s.Stopped = e.Interrupted, e.Stop
	s.Sentence = s.sentence()
	if !s.Balanced {
		s.Alarm = fmt.Sprintf("THE CONTROL TOTAL DOES NOT BALANCE: %d rows and %d trips were read, %d rows and %d trips have an outcome. "+
			"Do not rely on these results: compare them with the input before the first pickup",
			s.Rows.Read, s.Trips.Read, s.Rows.Sum, s.Trips.Sum)
	}
	return s
}

// sorted returns the kinds, the one with the most rows first.
func (kinds problemKinds) sorted() []Group {
	all := slices.SortedFunc(maps.Values(kinds), func(a, b *problemKind) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Code, b.Code))
	})
	return append([]Group{}, importer.Each(all, func(k *problemKind) Group { return k.Group })...)
}
