package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
)

// What a Summary keeps at most, so that a file of faults does not fill the
// memory.
const (
	maxItems    = 1000 // of each kind of row that needs a person
	maxGroups   = 500  // kinds of problem
	maxMessages = 100  // messages of one kind
	maxCells    = 3    // cells of one kind
	maxLabels   = 200  // bars of one chart
)

// A collector gathers a Summary from rows as they pass.
type collector struct {
	redact   bool
	heading  importer.RunStart
	urgent   [4][]Item // half booked, may be booked, cancel or change, other
	rows     map[need]int
	totals   importer.Totals
	problems map[string]*group
	notices  map[string]*group
	hours    [24]int
	funding  map[string]int
	spaces   map[string]int
}

type group struct {
	code     string
	rows     int
	all      int
	messages map[string]*message
	cells    []string
}

type message struct {
	text, fix string
	n         int
}

func newCollector(h importer.RunStart, redact bool) *collector {
	return &collector{
		redact: redact, heading: h, rows: map[need]int{},
		problems: map[string]*group{}, notices: map[string]*group{},
		funding: map[string]int{}, spaces: map[string]int{},
	}
}

// add takes a row into account.
func (c *collector) add(r *importer.RowResult, l *line) {
	c.totals.Add(*r)
	c.rows[l.needs]++
	if l.needs == needsPerson {
		c.addUrgent(r, l)
	}
	seen := map[*group]bool{}
	for i := range r.Problems {
		p := &r.Problems[i]
		into := c.problems
		if p.Severity == importer.Notice {
			into = c.notices
		}
		c.count(into, p.Code, p.Message, p.Fix, cellsOf(r, p), seen)
	}
	for i := range r.Trips {
		t := &r.Trips[i]
		c.countTrip(r, t, seen)
		if h := t.Trip.Time(); !h.IsZero() && r.LeftOut == "" {
			c.hours[min(max(h.Hour, 0), 23)]++
		}
		if r.LeftOut == "" {
			addLabel(c.funding, t.Trip.FundingSource)
			addLabel(c.spaces, t.Trip.SpaceType)
		}
	}
}

// countTrip groups what the service or the run said about a trip.
func (c *collector) countTrip(r *importer.RowResult, t *importer.TripResult, seen map[*group]bool) {
	where := []string{r.Row.Ref(0).String()}
	o := &t.Outcome
	switch o.State {
	case importer.Refused:
		c.count(c.problems, "refused", joined("the service refused it", service(o)), "fix what the service names, then retry", where, seen)
	case importer.NotSent:
		if o.TooLate {
			c.count(c.problems, "too-late", "too late: its pickup time has passed", "phone now", where, seen)
			return
		}
		c.count(c.problems, "not-sent", joined("not sent", service(o)), "retry once the cause is gone", where, seen)
	default: // the row's problems say it
	}
}

func cellsOf(r *importer.RowResult, p *importer.Problem) []string {
	if len(p.Cells) == 0 {
		return []string{r.Row.Ref(0).String()}
	}
	return []string{p.Cells[0].String()}
}

func (c *collector) count(groups map[string]*group, code, text, fix string, cells []string, seen map[*group]bool) {
	g := groups[code]
	if g == nil {
		if len(groups) >= maxGroups {
			return
		}
		g = &group{code: code, messages: map[string]*message{}}
		groups[code] = g
	}
	if c.redact {
		text, fix = code, ""
	}
	text, fix = Inert(text), Inert(fix)
	if !seen[g] {
		seen[g] = true
		g.rows++
	}
	g.all++
	if m := g.messages[text]; m != nil {
		m.n++
	} else if len(g.messages) < maxMessages {
		g.messages[text] = &message{text, fix, 1}
	}
	if len(g.cells) < maxCells {
		g.cells = append(g.cells, cells...)
	}
}

func addLabel(counts map[string]int, label string) {
	label = Inert(label)
	if label == "" {
		label = "(none)"
	}
	if _, known := counts[label]; !known && len(counts) >= maxLabels {
		label = "(others)"
	}
	counts[label]++
}

// addUrgent keeps a row that needs a person, with the leg that is the cause.
func (c *collector) addUrgent(r *importer.RowResult, l *line) {
	kind := 3
	switch {
	case r.HalfBooked:
		kind = 0
	case r.State == importer.Unknown:
		kind = 1
	case r.State == importer.CancelledCreated, r.State == importer.Changed:
		kind = 2
	}
	if len(c.urgent[kind]) >= maxItems {
		return
	}
	item := Item{
		File: r.Row.File, Where: r.Row.Ref(0).String(), Row: r.Row.Num,
		Code: r.State.Code(), Status: l.status, Half: r.HalfBooked,
		Why: strings.Join(l.problem, "; "), Do: strings.Join(l.fix, "; "),
	}
	for i := range r.Trips {
		t := &r.Trips[i]
		if t.Outcome.State == r.State || t.Outcome.GUIDMissing || t.Outcome.TooLate {
			item.TripID, item.GUID = Inert(t.Trip.ID), Inert(t.Outcome.GUID)
			if !c.redact {
				item.Time = t.Trip.Time().String()
			}
			break
		}
	}
	c.urgent[kind] = append(c.urgent[kind], item)
}

// summary makes the Summary once the run has ended.
func (c *collector) summary(e importer.RunResult) Summary {
	rows, trips := e.Totals.Sum()
	s := Summary{
		Version: 1, Kind: c.heading.Run.Command, Rehearsal: c.heading.Rehearsal, Check: c.heading.Check,
		Run: c.heading.Run.ID, Ledger: c.heading.Ledger, Program: c.heading.Run.Version,
		Started: c.heading.Run.Started, Interrupted: e.Interrupted,
		Mapping:  File{c.heading.Run.Mapping, c.heading.Run.MappingHash},
		Inputs:   []File{},
		Rows:     tallyOf(e.Totals.RowsRead, rows, e.Totals.Rows),
		Trips:    tallyOf(e.Totals.TripsRead, trips, e.Totals.Trips),
		Balanced: e.Totals.Balanced() && c.totals.Rows == e.Totals.Rows && c.totals.Trips == e.Totals.Trips,
		// What came past is what the results show; the run's own count is held
		// against it above.
		HalfBooked: c.totals.HalfBooked, TooLate: c.totals.TooLate, GUIDMissing: c.totals.GUIDMissing,
		UrgentRows: c.rows[needsPerson], FixRows: c.rows[needsFixing], AgainRows: c.rows[needsAnother],
		Problems: grouped(c.problems), Notices: grouped(c.notices),
		Urgent: slices.Concat(c.urgent[:]...), Files: []string{}, Dates: []Bar{},
		Funding: bars(c.funding), Spaces: bars(c.spaces), Hours: hourBars(c.hours),
	}
	for _, in := range c.heading.Run.Inputs {
		s.Inputs = append(s.Inputs, File(in))
	}
	for _, d := range c.heading.Plan.Dates {
		s.Dates = append(s.Dates, Bar{d.Date.String(), d.Trips})
	}
	if e.Stop != nil {
		s.Stopped = &Stopped{e.Stop.Code, e.Stop.Reason, e.Stop.Fix, e.Stop.Later}
	}
	s.Sentence = s.sentence()
	s.Alarm = s.alarm()
	return s
}

func grouped(groups map[string]*group) []Group {
	all := make([]Group, 0, len(groups))
	for _, g := range groups {
		top := topMessage(g.messages)
		all = append(all, Group{g.code, top.text, top.fix, g.rows, g.all - top.n, g.cells})
	}
	slices.SortFunc(all, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Code, b.Code))
	})
	return all
}

func topMessage(messages map[string]*message) message {
	var top message
	for _, m := range messages {
		if m.n > top.n || m.n == top.n && m.text < top.text {
			top = *m
		}
	}
	return top
}

func bars(counts map[string]int) []Bar {
	all := make([]Bar, 0, len(counts))
	for label, n := range counts {
		all = append(all, Bar{label, n})
	}
	slices.SortFunc(all, func(a, b Bar) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Label, b.Label))
	})
	return all
}

func hourBars(hours [24]int) []Bar {
	all := make([]Bar, 0, 24)
	for h, n := range hours {
		all = append(all, Bar{fmt.Sprintf("%02d", h), n})
	}
	return all
}
