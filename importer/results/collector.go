package results

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
)

// The limits of what a Summary keeps, so that a file full of faults does not fill the
// memory.
const (
	maxItems    = 1000 // of each kind of row that needs a person
	maxGroups   = 500  // kinds of problem
	maxMessages = 100  // messages of one kind
	maxCells    = 3    // cells of one kind
)

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
	start     importer.RunStart
	urgent    [kinds][]Item
	rows      map[need]int
	gone      int // trips that are in no row
	toUpdate  int // trips of rows without a fault that changed since they were booked
	toResolve int // trips that may be booked and have no answer
	// updateRows and resentRows are as in Summary.
	updateRows, resentRows int
	totals                 importer.Totals
	problems               problemKinds
	notices                problemKinds
}

// problemKinds are kinds of problem by code.
type problemKinds map[string]*problemKind

// A problemKind counts the problems with one code and the rows that have one, and
// collects their messages.
type problemKind struct {
	code     string
	rows     int
	problems int
	messages map[string]*message
	cells    []string
}

// A message is a text of problems of one kind, with the address of the first one and the
// number of them.
type message struct {
	text, fix, at string
	n             int
}

func newCollector(start importer.RunStart) *collector {
	return &collector{
		start: start, rows: map[need]int{},
		problems: problemKinds{}, notices: problemKinds{},
	}
}

// add counts a row.
func (c *collector) add(r *importer.RowResult, shown *shownRow) {
	c.totals.Add(r)
	c.rows[shown.needs]++
	if shown.needs == needsPerson || shown.needs == needsList {
		c.addUrgent(r, shown)
		c.addWayOut(r)
	}

	counted := map[*problemKind]bool{} // the kinds that have counted the row
	for i := range r.Problems {
		p := &r.Problems[i]
		into := c.problems
		if p.Severity == importer.Notice {
			into = c.notices
		}
		where := r.Row.Ref(0)
		if len(p.Cells) > 0 {
			where = p.Cells[0]
		}
		c.addProblem(into, p.Code, r.Listed(p.Message), r.Listed(p.Fix), where, counted)
	}

	for i := range r.Trips {
		t := &r.Trips[i]
		c.addOutcome(r, &t.Outcome, counted)
		switch {
		case t.Outcome.Why == importer.WhyUnsent && !t.Outcome.Edited && !importer.Faulty(r.Problems):
			c.toUpdate++
		case t.Outcome.State == importer.Unknown && !t.Outcome.Answered:
			c.toResolve++
		}
	}
}

// addWayOut counts a row that needs a person if a command can do the work instead.
func (c *collector) addWayOut(r *importer.RowResult) {
	persons, changed := 0, 0
	for i := range r.Trips {
		o := &r.Trips[i].Outcome
		if o.Urgency() < importer.Listed {
			continue
		}
		persons++
		if o.Why == importer.WhyUnsent && !o.Edited && o.Question == importer.NoQuestion {
			changed++
		}
	}
	switch {
	case persons == 0:
		c.resentRows++
	case persons == changed && !r.HalfBooked && !importer.Faulty(r.Problems):
		c.updateRows++
	}
}

// addGone counts the trips that are in no row.
func (c *collector) addGone(gone []importer.TripResult, loc *time.Location) {
	for i := range gone {
		t := &gone[i]
		c.totals.AddTrip(t)
		c.gone++
		kind := listed
		if t.Outcome.Due == importer.ActNow {
			kind = byHand
		}
		if len(c.urgent[kind]) >= maxItems {
			continue
		}
		item := Item{
			Where: "trip " + Inert(t.Trip.ListedID()), Code: t.Outcome.State.Code(), Status: t.Outcome.State.String(),
			TripID: Inert(t.Trip.ListedID()), GUID: Inert(t.Outcome.GUID),
			Time: t.Outcome.Begins.String(), Why: t.Trip.Listed(tripProblem(t, loc)), Do: t.Trip.Listed(tripFix(t)),
		}
		c.urgent[kind] = append(c.urgent[kind], item)
	}
}

// addOutcome adds what the service or the run said about a trip. The findings of local
// rules are among the row's problems.
func (c *collector) addOutcome(r *importer.RowResult, o *importer.Outcome, counted map[*problemKind]bool) {
	where, reply := r.Row.Ref(0), r.Listed(replyOf(o))
	switch {
	case o.State == importer.Refused:
		c.addProblem(c.problems, "refused", because("the service refused it", reply), fixRefused, where, counted)
	case o.State == importer.NotSent && o.TooLate:
		c.addProblem(c.problems, "too-late", "too late: its pickup time has passed", fixTooLate, where, counted)
	case o.State == importer.NotSent:
		c.addProblem(c.problems, "not-sent", because("not sent", reply), fixNotSent, where, counted)
	}
}

func (c *collector) addProblem(into problemKinds, code, text, fix string, where importer.Ref, counted map[*problemKind]bool) {
	k := into[code]
	if k == nil {
		if len(into) >= maxGroups {
			return
		}
		k = &problemKind{code: code, messages: map[string]*message{}}
		into[code] = k
	}
	text, fix = Inert(text), Inert(fix)
	if !counted[k] {
		counted[k] = true
		k.rows++
	}
	k.problems++
	if m := k.messages[text]; m != nil {
		m.n++
	} else if len(k.messages) < maxMessages {
		k.messages[text] = &message{text, fix, where.String(), 1}
	}
	if len(k.cells) < maxCells {
		k.cells = append(k.cells, where.String())
	}
}

// addUrgent adds a row that needs a person, with the leg that is the cause.
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
		File: r.Row.File, Where: r.Row.Ref(0).String(), Row: r.Row.Num,
		Code: r.State.Code(), Status: shown.status, Half: r.HalfBooked,
		Why: r.Listed(strings.Join(shown.problem, "; ")), Do: r.Listed(strings.Join(shown.fix, "; ")),
	}

	for i := range r.Trips {
		t := &r.Trips[i]
		cause := t.Outcome.GUIDMissing || t.Outcome.TooLate
		if !cause && (t.Outcome.State != r.State || item.TripID != "") {
			continue
		}
		item.TripID, item.GUID, item.Time = Inert(t.Trip.ListedID()), Inert(t.Outcome.GUID), t.Trip.Time().String()
		if t.Outcome.GUIDMissing {
			item.Status = bookedNoGUID
		}
		if cause {
			break
		}
	}

	c.urgent[kind] = append(c.urgent[kind], item)
}

// summary makes the Summary once the run has ended.
func (c *collector) summary(e importer.RunResult) Summary {
	rows, trips := e.Totals.Sum()
	run := &c.start.Run
	s := Summary{
		Version: 1, Kind: run.Command, Rehearsal: c.start.Rehearsal, Check: c.start.Check,
		Run: run.ID, Ledger: c.start.Ledger, Program: run.Version,
		Started: run.Started, Interrupted: e.Interrupted,
		Mapping: File{run.Mapping, run.MappingHash}, Inputs: []File{},
		Rows:  tallyOf(e.Totals.RowsRead, rows, e.Totals.Rows),
		Trips: tallyOf(e.Totals.TripsRead+e.Totals.OffRow, trips, e.Totals.Trips),
		// The collector has counted what the results show. The run's own totals must
		// agree with that.
		Balanced:   e.Totals.Balanced() && c.totals.Rows == e.Totals.Rows && c.totals.Trips == e.Totals.Trips,
		HalfBooked: c.totals.HalfBooked, TooLate: c.totals.TooLate, GUIDMissing: c.totals.GUIDMissing,
		UrgentRows: c.rows[needsPerson] + c.rows[needsList] + c.gone, Gone: c.gone, ListedRows: c.rows[needsList],
		toUpdate: c.toUpdate, toResolve: c.toResolve, updateRows: c.updateRows, resentRows: c.resentRows,
		WaitingRows: c.rows[needsAnswer], FixRows: c.rows[needsFixing], AgainRows: c.rows[needsRun],
		Problems: c.problems.sorted(), Notices: c.notices.sorted(),
		Urgent: slices.Concat(c.urgent[:]...), Files: []string{}, Dates: []Day{},
	}

	for _, in := range run.Inputs {
		s.Inputs = append(s.Inputs, File(in))
	}

	for _, d := range c.start.Plan.Dates {
		s.Dates = append(s.Dates, Day{d.Date.String(), d.Trips})
	}

	if e.Stop != nil {
		s.Stopped = &Stopped{e.Stop.Code, e.Stop.Reason, e.Stop.Fix, e.Stop.Later}
	}
	s.Sentence = s.sentence()
	s.Alarm = s.alarm()
	return s
}

// sorted returns the kinds, the one with the most rows first.
func (kinds problemKinds) sorted() []Group {
	all := make([]Group, 0, len(kinds))
	for _, k := range kinds {
		top := k.topMessage()
		cells := append([]string{top.at}, slices.DeleteFunc(slices.Clone(k.cells), func(cell string) bool { return cell == top.at })...)
		all = append(all, Group{k.code, top.text, top.fix, k.rows, k.problems - top.n, first(cells, maxCells)})
	}
	slices.SortFunc(all, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Code, b.Code))
	})
	return all
}

// topMessage returns the most frequent message.
func (k *problemKind) topMessage() message {
	var top message
	for _, m := range k.messages {
		if m.n > top.n || m.n == top.n && m.text < top.text {
			top = *m
		}
	}
	return top
}
