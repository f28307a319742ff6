package run_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
	run "tripimport/importer/run"
)

// A fixture is a schedule with fakes of all that a run needs. As newFixture makes
// it, the checker finds nothing, the gate is open, the service books everything,
// the ledger is empty, and there is one worker.
type fixture struct {
	file     *file
	check    func(*importer.Mapped)
	placer   importer.Placer
	service  *service
	gate     *gate
	ledger   run.Ledger
	clock    importer.Clock
	reporter *reporter
	workers  int
	paused   func(time.Duration)
	limit    int
	run      string
	options  judge.Options
	mapping  string // another than the usual one
	checks   bool   // nothing is sent, and the ledger is asked
	edited   bool   // the rows come from a workbook
	whole    bool   // the file has all trips of its days
	stamp    time.Time
	abandon  context.Context //nolint:containedctx // as in run.Run
}

// newFixture returns a fixture with one file of the rows that newFile describes.
func newFixture(rowTexts ...string) *fixture {
	return &fixture{
		file:     newFile("night.csv", rowTexts...),
		check:    func(*importer.Mapped) {},
		service:  newService(),
		gate:     &gate{},
		ledger:   &memoryLedger{},
		clock:    newClock(),
		reporter: &reporter{},
		workers:  1,
		run:      "run-1",
	}
}

// do runs both passes, and checks what every run promises: the rows come in order,
// and the control total balances unless there is an error.
func (n *fixture) do(ctx context.Context, t *testing.T) (importer.RunResult, error) {
	t.Helper()
	run := n.plan(t)
	end, err := run.Do(ctx, importer.RunStart{Run: run.Info, Plan: run.Plan.PlanSummary})
	n.reporter.verify(t, end, err)
	return end, err
}

// plan makes the first pass, and returns the run for the second one.
func (n *fixture) plan(t *testing.T) *run.Run {
	t.Helper()
	input := run.Input{Source: n.file, Mapper: n.file, MappingHash: cmp.Or(n.mapping, "mapping"), Edited: n.edited, Arrival: importer.Arrival{
		Stamp: n.stamp, Read: n.clock.Now(), Whole: n.whole,
	}}
	input.Arrival.Settle()
	checker := checker(n.check)
	options := func() *judge.Options {
		o := n.options
		o.Rules, o.Now, o.At = n.file.Rules(), n.clock.Wall(time.UTC), n.clock.Now()
		return &o
	}
	const address = "https://trips.example"
	r := &run.Run{
		Info: importer.RunInfo{ID: n.run, Started: n.clock.Now(), Command: "import"}, Input: input,
		Checker: checker, Placer: n.placer, Reporter: n.reporter, Options: options,
		Accounts: &run.AccountResolver{Service: address, Access: lakeshore()}, Workers: n.workers, Limit: n.limit, Clock: n.clock, Abandon: n.abandon, Paused: n.paused,
	}
	if n.service != nil {
		r.Service, r.Pace, r.Ledger, r.Address = n.service, n.gate, n.ledger, address
	}
	if n.checks {
		r.Service, r.Pace = nil, nil
	}
	if err := r.MakePlan(t.Context()); err != nil {
		t.Fatalf("plan: %v", err)
	}
	return r
}

// again returns the same command in a new process, with the same ledger and a
// service that books everything.
func (n *fixture) again() *fixture {
	next := *n
	next.service, next.gate, next.reporter, next.run = newService(), &gate{}, &reporter{}, n.run+"+"
	return &next
}

// lakeshore returns what the token may use.
func lakeshore() importer.Access {
	return importer.Access{Providers: []importer.Provider{
		{Name: "Lakeshore Transit", Key: importer.NewSecret("key-l"), FundingSources: []importer.FundingSource{{ID: 1, Name: "Lakeshore Plan"}, {ID: 2, Name: "Harbor Plan"}}},
		{Name: "Prairie Rides", Key: importer.NewSecret("key-p"), FundingSources: []importer.FundingSource{{ID: 3, Name: "Prairie Plan"}}},
	}}
}

// A checker calls itself for each row.
type checker func(*importer.Mapped)

func (checker) Note(*importer.Mapped)                         {}
func (c checker) Check(m *importer.Mapped, _ *importer.Rules) { c(m) }

// A clock is set by hand.
type clock struct{ now atomic.Pointer[time.Time] }

func newClock() *clock {
	c := &clock{}
	c.set("2026-12-01 20:00")
	return c
}

func (c *clock) set(s string) {
	when, err := time.Parse("2006-01-02 15:04", s)
	if err != nil {
		panic(err)
	}
	c.now.Store(&when)
}

func (c *clock) Now() time.Time { return *c.now.Load() }

func (c *clock) Wall(loc *time.Location) importer.DateTime {
	return importer.DateTimeOf(c.Now().In(loc))
}

// A gate lets everything through until it is stopped.
type gate struct {
	wait   func()               // what happens while an attempt waits
	deaf   bool                 // to the context
	rest   func() time.Duration // of a pause
	stopOn importer.ReplyKind

	mu      sync.Mutex
	waits   int
	reports []importer.ReplyKind
	reason  *importer.Stop
}

func (g *gate) Wait(ctx context.Context) error {
	if g.wait != nil {
		g.wait()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waits++
	if g.reason != nil {
		return g.reason
	}
	if g.deaf {
		return nil
	}
	return ctx.Err()
}

func (g *gate) Report(a importer.Reply) {
	g.mu.Lock()
	g.reports = append(g.reports, a.Kind)
	g.mu.Unlock()
	if g.stopOn != importer.ReplyUnclear && a.Kind == g.stopOn {
		g.Stop(&importer.Stop{Code: a.Kind.String(), Reason: "the service answers badly"})
	}
}

func (g *gate) Pause() time.Duration {
	if g.rest == nil {
		return 0
	}
	return g.rest()
}

func (g *gate) Stop(s *importer.Stop) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.reason == nil {
		g.reason = s
	}
}

func (g *gate) Stopped() *importer.Stop {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.reason
}

// A service answers as its functions say.
type service struct {
	// insert returns the answer to the nth attempt at a trip, counted from 1.
	insert func(id string, n int) importer.Reply
	access func(n int) error
	// change returns the answer to the nth change of a trip, counted from 1.
	change func(c importer.TripChange, n int) importer.Reply
	// unlisted takes Lakeshore Transit from the access list.
	unlisted bool
	renew    func() (bool, error)

	mu                sync.Mutex
	posts             []string
	attempts, changed map[string]int
	changes           []string // "id: key, key"
	asked, renewals   int
}

func newService() *service {
	return &service{
		insert: func(id string, _ int) importer.Reply { return booked(id) },
		access: func(int) error { return nil },
		renew:  func() (bool, error) { return false, nil },
		change: func(importer.TripChange, int) importer.Reply {
			return importer.Reply{Kind: importer.ReplyChanged, Status: 200}
		},
		attempts: map[string]int{}, changed: map[string]int{},
	}
}

func (s *service) Change(ctx context.Context, key importer.Secret, c importer.TripChange) importer.Reply {
	if ctx.Err() != nil {
		return importer.Reply{Message: "given up on the way"}
	}
	if key.Empty() {
		panic("a change without a key")
	}
	s.mu.Lock()
	s.changed[c.Trip.ID]++
	n := s.changed[c.Trip.ID]
	s.changes = append(s.changes, c.Trip.ID+": "+strings.Join(c.Keys, ", "))
	s.mu.Unlock()
	return s.change(c, n)
}

func booked(id string) importer.Reply {
	return importer.Reply{Kind: importer.ReplyCreated, Status: 200, GUID: "guid-" + id}
}

func (s *service) Insert(ctx context.Context, key importer.Secret, t *importer.Trip) importer.Reply {
	if ctx.Err() != nil {
		return importer.Reply{Message: "given up on the way"}
	}
	s.mu.Lock()
	s.attempts[t.ID]++
	n := s.attempts[t.ID]
	s.posts = append(s.posts, t.ID)
	s.mu.Unlock()
	if key.Empty() {
		panic("a trip without a key")
	}
	return s.insert(t.ID, n)
}

func (s *service) Access(context.Context) (importer.Access, error) {
	s.mu.Lock()
	s.asked++
	n := s.asked
	s.mu.Unlock()
	list := lakeshore()
	if s.unlisted {
		list.Providers = list.Providers[1:]
	}
	return list, s.access(n)
}

func (s *service) Renew(context.Context) (bool, error) {
	s.mu.Lock()
	s.renewals++
	s.mu.Unlock()
	return s.renew()
}

// A reporter keeps the results that it is given.
type reporter struct {
	fail   func(row int) error // of the nth row, counted from 0
	rows   []importer.RowResult
	starts int
	ends   int
}

func (r *reporter) Start(importer.RunStart) error { r.starts++; return nil }

func (r *reporter) Row(row importer.RowResult) error {
	row.Row, row.Trips = row.Row.Clone(), slices.Clone(row.Trips)
	r.rows = append(r.rows, row)
	if r.fail != nil {
		return r.fail(len(r.rows) - 1)
	}
	return nil
}

func (r *reporter) End(importer.RunResult) error { r.ends++; return nil }

// verify checks what every run promises its Reporter.
func (r *reporter) verify(t *testing.T, end importer.RunResult, err error) {
	t.Helper()
	if r.starts == 0 {
		return // the run never began
	}
	if r.starts != 1 || r.ends != 1 {
		t.Errorf("%d starts and %d ends, want one of each", r.starts, r.ends)
	}
	var totals importer.Totals
	for i, row := range r.rows {
		totals.Add(&row)
		if i > 0 && row.Row.File == r.rows[i-1].Row.File && row.Row.Num <= r.rows[i-1].Row.Num {
			t.Errorf("row %d is reported after row %d", row.Row.Num, r.rows[i-1].Row.Num)
		}
		if len(row.Trips) > 0 && len(row.Row.Cells) == 1 && row.Row.Cells[0].Text != ids(row) {
			t.Errorf("row %d has the cells of another row: %q", row.Row.Num, row.Row.Cells[0].Text)
		}
	}
	if err != nil {
		return
	}
	for _, trip := range end.Gone {
		totals.AddTrip(&trip)
	}
	totals.RowsRead, totals.TripsRead = end.Totals.RowsRead, end.Totals.TripsRead
	if totals != end.Totals {
		t.Errorf("the totals are %+v, the rows add up to %+v", end.Totals, totals)
	}
	if !end.Totals.Balanced() {
		t.Errorf("the totals do not balance: %+v", end.Totals)
	}
}

func ids(row importer.RowResult) string {
	var all []string
	for _, trip := range row.Trips {
		if !trip.OffRow {
			all = append(all, trip.Trip.ID)
		}
	}
	return strings.Join(all, "+")
}

// lines returns a line for each row: its trips with their states, and what else is
// of interest.
func (r *reporter) lines() []string {
	var lines []string
	for _, row := range r.rows {
		var b strings.Builder
		for i, trip := range row.Trips {
			if i > 0 {
				b.WriteString(", ")
			}
			o := trip.Outcome
			fmt.Fprintf(&b, "%s %s", trip.Trip.ID, o.State.Code())
			if o.Question != importer.NoQuestion {
				b.WriteString(" " + o.Question.Code())
			}
			if o.TooLate {
				b.WriteString(" (too late)")
			}
			if o.GUIDMissing {
				b.WriteString(" (no GUID)")
			}
			if len(o.Changed) > 0 {
				fmt.Fprintf(&b, " (%s)", strings.Join(o.Changed, " "))
			}
		}
		if len(row.Trips) == 0 {
			b.WriteString(row.State.Code())
		}
		if row.HalfBooked {
			b.WriteString(": half booked")
		}
		lines = append(lines, b.String())
	}
	return lines
}

// outcome returns the outcome of a trip.
func (r *reporter) outcome(t *testing.T, id string) importer.Outcome {
	t.Helper()
	for _, row := range r.rows {
		for _, trip := range row.Trips {
			if trip.Trip.ID == id {
				return trip.Outcome
			}
		}
	}
	t.Fatalf("no trip %s in the results", id)
	return importer.Outcome{}
}

// manyRows returns n rows of one trip.
func manyRows(n int) []string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf("T%d", i)
	}
	return rows
}
