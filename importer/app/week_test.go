package app_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/sqlite"
	"tripimport/importer/run"
	"tripimport/mapping"
	"tripimport/templates"
)

// TestLegitimateWeek generates weeks as brokers schedule them, with nothing wrong in
// them, and imports their exports with the plain template, the checks and a ledger:
// 10,000 weeks with TRIPIMPORT_LONG=1. No row may have a fault, no ride may have two
// cars, none may be left standing, and each cancelled one has to be on the list. It
// logs how many questions a person was asked.
func TestLegitimateWeek(t *testing.T) {
	weeks := "8"
	if testing.Short() {
		weeks = "1"
	}
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		weeks = "10000"
	}
	before := flag.Lookup("rapid.checks").Value.String()
	if err := flag.Set("rapid.checks", weeks); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = flag.Set("rapid.checks", before) }()

	file, err := templates.Open("plain.yaml")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}

	n, imports, posts, rides := 0, 0, 0, 0
	asked := map[string]int{}
	ledgers := &weekLedger{T: t, dir: t.TempDir()}
	defer ledgers.close()
	rapid.Check(t, func(rt *rapid.T) {
		n++
		w := newWeek(rt, ledgers.ofNextWeek(), n, string(plain))
		w.live()
		imports += w.made
		posts += w.posts
		rides += len(w.everWanted)
		for question := range w.asked {
			kind, _, _ := strings.Cut(question, ": ")
			asked[kind]++
		}
	})
	t.Logf("%d weeks, %d imports, %d rides, %d trips sent", n, imports, rides, posts)
	for _, kind := range slices.Sorted(maps.Keys(asked)) {
		t.Logf("asked %s: %d, %.2f of 1,000 rides", kind, asked[kind], 1000*float64(asked[kind])/float64(rides))
	}
}

// A weekLedger is the ledger of a number of weeks, after which a new ledger is made. With one
// ledger for all weeks, each week would take longer than the one before.
type weekLedger struct {
	*testing.T
	dir     string
	weeks   int
	current ledger.Ledger
}

func (l *weekLedger) ofNextWeek() ledger.Ledger {
	const most = 50
	if l.weeks++; l.weeks%most == 1 {
		l.close()
		var err error
		l.current, err = sqlite.Store{}.Create(l.Context(), filepath.Join(l.dir, fmt.Sprint("ledger-", l.weeks, ".db")), ledger.Options{})
		if err != nil {
			l.Fatal(err)
		}
	}
	return l.current
}

func (l *weekLedger) close() {
	if l.current != nil {
		_ = l.current.Close()
	}
}

// A week is the schedule of a broker for one week, with the service and the office.
type week struct {
	*rapid.T
	l        ledger.Ledger
	n        int
	bound    *mapping.Bound
	complete bool
	oneDay   bool // an export has one day, since ids come again and nobody says so
	orders   []*order
	made     int // files
	ids      int

	bookings   []*booked
	byAttempt  map[int64]*booked // by the numbers of the ledger
	posts      int
	everWanted map[string]bool
	asked      map[string]bool
}

// A booked trip is one in the service.
type booked struct {
	ride, guid string
	cancelled  bool
}

func newWeek(rt *rapid.T, l ledger.Ledger, n int, plain string) *week {
	w := &week{T: rt, l: l, n: n, byAttempt: map[int64]*booked{}, everWanted: map[string]bool{}, asked: map[string]bool{}}
	repeat := rapid.Bool().Draw(rt, "ids repeat")
	w.complete = rapid.Bool().Draw(rt, "complete")
	text := strings.Replace(plain, "broker: The plain workbook that comes with tripimport\n", fmt.Sprintf("broker: Broker %d\n", n), 1)
	w.oneDay = repeat && rapid.Bool().Draw(rt, "ids unsaid")
	switch {
	case w.oneDay:
	case repeat:
		text += "ids: repeat\n"
	case rapid.Bool().Draw(rt, "ids unique"):
		text += "ids: unique\n"
	}
	if w.complete {
		text += "complete: day\n"
	}
	m, err := mapping.Parse("plain.yaml", []byte(text), templates.Open)
	if err != nil {
		rt.Fatal(err)
	}
	if w.bound, err = m.Bind([]importer.Row{rowOf(1, columns)}, "schedule.csv"); err != nil {
		rt.Fatal(err)
	}
	for rider := range rapid.IntRange(1, 3).Draw(rt, "riders") {
		w.addRider(rider, repeat)
	}
	return w
}

// id makes an id that no other trip has.
func (w *week) id() string {
	w.ids++
	return fmt.Sprintf("%d-%03d", w.n, w.ids)
}

func (s *schedule) Name() string { return "schedule.csv" }
func (s *schedule) Hash() string { return s.name }
func (s *schedule) Rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		for _, row := range s.rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// live goes through the week: in the evening before each day, and on the day before
// in between, the broker changes a little and exports, and the office imports.
func (w *week) live() {
	whole := !w.oneDay && rapid.Bool().Draw(w.T, "exports have the rest of the week")
	for day := range 5 {
		last := day
		if whole {
			last = 4
		}
		exports := rapid.IntRange(1, 3).Draw(w.T, "exports")
		for n := range exports {
			if day > 0 || n > 0 {
				w.edit(day, last)
			}
			w.importDays(day, last, n == exports-1)
		}
		w.settle(day, last)
	}
}

// edit changes a few orders of the days to come, as brokers do.
func (w *week) edit(first, last int) {
	var open []*order
	for _, o := range w.orders {
		if o.day >= first && o.day <= last && !o.cancelled && !o.gone {
			open = append(open, o)
		}
	}
	if len(open) == 0 {
		return
	}
	for range rapid.IntRange(0, 3).Draw(w.T, "edits") {
		o := rapid.SampledFrom(open).Draw(w.T, "order")
		kind := rapid.IntRange(0, 6).Draw(w.T, "edit")
		if o.replaces && (kind == 4 || kind == 5) {
			continue // what is booked from the row that is gone would be on nobody's list
		}
		switch kind {
		case 0:
			o.phone = "313-555-01" + strconv.Itoa(10+rapid.IntRange(0, 89).Draw(w.T, "phone"))
		case 1:
			if by := 5 * rapid.IntRange(-2, 4).Draw(w.T, "moved by"); o.pickup > 0 && o.appt > 0 {
				o.pickup, o.appt = o.pickup+by, o.appt+by
			}
		case 2: // the way back is not known yet, or is now
			if o.both && o.end > 0 {
				o.end = 0
			} else if o.both && o.appt > 0 {
				o.end = o.appt + 75
			}
		case 3:
			o.from.street = strings.ToUpper(o.from.street) + "."
		case 4:
			o.cancelled, o.bare = true, rapid.IntRange(0, 3).Draw(w.T, "only its id is left") == 0
		case 5: // cancelled, and booked again under a new id
			if o.cancelled {
				continue
			}
			again := *o
			again.id, again.note = w.id(), fmt.Sprintf("order %d", len(w.orders))
			o.cancelled = true
			o.gone = w.complete && rapid.Bool().Draw(w.T, "row gone") && !w.sibling(o)
			again.replaces = o.gone
			w.orders = append(w.orders, &again)
		case 6:
			o.provider = "Prairie Wheels"
		}
	}
}

// sibling reports whether a ride of the same rider and places is on the same day: it
// would not be told from a trip that came in the place of another.
func (w *week) sibling(o *order) bool {
	return slices.ContainsFunc(w.orders, func(other *order) bool { return other != o && other.rider == o.rider && other.day == o.day })
}

// importDays imports an export of the days.
func (w *week) importDays(first, last int, evening bool) *weekReporter {
	w.made++
	s := &schedule{name: fmt.Sprintf("export %d of week %d", w.made, w.n)}
	for _, o := range w.orders {
		if o.day >= first && o.day <= last && !o.gone {
			s.rows = append(s.rows, rowOf(len(s.rows)+2, o.texts()))
			for _, ride := range o.rides() {
				w.everWanted[ride] = true
			}
		}
	}
	if len(s.rows) == 0 {
		return nil
	}

	ctx := context.Background()
	today := monday.AddDays(first - 1)
	checker := check.New(today)
	arrived := weekBegan.Add(time.Duration(w.made) * time.Minute)
	input := run.Input{Source: s, Mapper: w.bound, MappingHash: "plain", Arrival: importer.Arrival{Stamp: arrived, Read: arrived, Whole: w.complete}}
	const address = "https://trips.example"
	options := func() *judge.Options {
		return &judge.Options{Rules: w.bound.Rules(), Now: importer.DateTime{Date: today}, At: arrived}
	}
	info := importer.RunInfo{ID: s.name, Started: arrived, Command: "import", RowIDs: w.bound.RowIDs(), Input: importer.InputInfo{Name: s.Name(), Hash: s.name}}
	if err := w.l.Begin(ctx, info); err != nil {
		w.Fatal(err)
	}
	r := &weekReporter{}
	pass := &run.Run{
		Info: info, Input: input, Checker: checker, Reporter: r, Clock: importer.SetClock{Today: today}, Options: options,
		Accounts: &run.AccountResolver{Service: address, Access: weekAccess()}, Service: w, Pace: openGate{}, Ledger: w.l, Address: address, Workers: 1,
	}
	if err := pass.MakePlan(ctx); err != nil {
		w.Fatal(err)
	}
	end, err := pass.Do(ctx, importer.RunStart{Run: info})
	if err != nil || end.Stop != nil {
		w.Fatalf("%v %v", err, end.Stop)
	}
	if err := w.l.End(ctx, info.ID, end.Totals, time.Now(), ""); err != nil {
		w.Fatal(err)
	}
	w.judge(r)
	if evening || rapid.Bool().Draw(w.T, "somebody works on the list") {
		w.work(r)
	}
	return r
}

// settle imports the last export of a day until no question is left, and compares what the
// service has with the schedule.
func (w *week) settle(first, last int) {
	for range 6 {
		r := w.importDays(first, last, true)
		if r == nil || !r.asks {
			break
		}
	}
	for _, o := range w.orders {
		if o.day < first || o.day > last {
			continue
		}
		for _, ride := range o.rides() {
			switch b := w.bookingOf(ride); {
			case o.cancelled && b != nil:
				w.Fatalf("%s is cancelled, and still booked", ride)
			case !o.cancelled && b == nil:
				w.Fatalf("%s (%+v) is not booked in the end", ride, o)
			}
		}
	}
}

func (w *week) bookingOf(ride string) *booked {
	for _, b := range w.bookings {
		if b.ride == ride && !b.cancelled {
			return b
		}
	}
	return nil
}

// judge compares the results of an import with what a legitimate schedule may give.
func (w *week) judge(r *weekReporter) {
	for _, row := range r.rows {
		for _, trip := range row.Trips {
			o := trip.Outcome
			for _, b := range w.bookings {
				if o.GUID != "" && b.guid == o.GUID {
					w.byAttempt[o.Attempt] = b
				}
			}
			if o.Asks() {
				kind := o.State.Code()
				if o.Asked() {
					kind = "question " + o.Question.Code()
				}
				w.asked[kind+": "+row.Row.Cell(13).Text+trip.Trip.Leg.Code()] = true
			}
			switch o.State {
			case importer.Booked, importer.BookedEarlier, importer.ChangeByHand:
				if ride := rideOf(&trip.Trip); w.bookingOf(ride) == nil {
					w.Fatalf("%s is reported as %s, and not booked", ride, o.State.Code())
				}
			case importer.CancelByHand:
			case importer.LeftOut:
				if row.LeftOut != "Cancelled says Yes" {
					w.Fatalf("left out: %s", row.LeftOut)
				}
			case importer.Held:
				if !o.Asked() && row.State != importer.Held {
					w.Fatalf("held for nothing: %s %+v", trip.Trip.ID, o)
				}
			default:
				w.Fatalf("%s is %s: %+v %v", trip.Trip.ID, o.State.Code(), o, row.Problems)
			}
		}
		for _, p := range row.Problems {
			if p.Severity == importer.Fault && p.Code != importer.CodeDoubleBooking {
				w.Fatalf("a false fault: %s %s", p.Code, p.Message)
			}
		}
	}
}

// work is a person who works through the list, and tells the ledger.
func (w *week) work(r *weekReporter) {
	for _, row := range r.rows {
		for _, trip := range row.Trips {
			o := trip.Outcome
			b := w.byAttempt[o.Attempt]
			switch o.State {
			case importer.CancelByHand:
				if w.isWanted(b.ride) {
					if !strings.Contains(o.Reason, "perhaps") {
						w.Fatalf("on the list to be cancelled, and wanted: %s", b.ride)
					}
					continue
				}
				b.cancelled, r.asks = true, true
				w.answer(&o, &trip.Trip, importer.DoneByHand)
			case importer.Held:
				if !o.Asked() {
					continue
				}
				r.asks = true
				if b != nil && !b.cancelled && (o.Question == importer.AskReassigned || !w.isWanted(b.ride)) {
					b.cancelled = true
					w.answer(&o, &trip.Trip, importer.CancelledThere)
					continue
				}
				w.answer(&o, &trip.Trip, importer.Meant)
			}
		}
	}
}

// answer takes an answer about a trip, or about a leg of a row that is not sent.
func (w *week) answer(o *importer.Outcome, trip *importer.Trip, v importer.Verdict) {
	given := importer.Answer{
		Row: o.RowNumber, Leg: trip.Leg, Question: o.Question, Saw: o.Saw, Shown: o.State, Verdict: v, Places: trip, Who: "dispatcher",
		At: weekBegan.Add(time.Duration(w.made) * time.Minute),
	}
	ctx := context.Background()
	var known importer.Known
	var err error
	if o.Asked() {
		given.Other = o.Attempt
		known, _, err = w.l.Row(ctx, o.RowNumber)
	} else {
		given.Trip = o.Attempt
		known, _, err = w.l.Trip(ctx, o.Attempt)
	}
	if err == nil && given.Other != 0 {
		var other importer.Known
		other, _, err = w.l.Trip(ctx, given.Other)
		known.Trips = append(known.Trips, other.Trips...)
		known.Words = append(known.Words, other.Words...)
	}
	if err != nil {
		w.Fatal(err)
	}
	effects, refusal := judge.Take(given, &known)
	if refusal != nil {
		w.Fatalf("%s: `%s` was refused: %s", trip.ID, v, refusal.Reason)
	}
	if err := w.l.Record(ctx, effects...); err != nil {
		w.Fatal(err)
	}
}

// weekBegan is when the first export of a week is made.
var weekBegan = time.Date(2026, 11, 29, 18, 0, 0, 0, time.UTC)

func (w *week) isWanted(ride string) bool {
	return slices.ContainsFunc(w.orders, func(o *order) bool { return !o.cancelled && slices.Contains(o.rides(), ride) })
}

func weekAccess() importer.Access {
	funding := []importer.FundingSource{{ID: 1, Name: "Harborview Health"}}
	return importer.Access{Providers: []importer.Provider{
		{Name: "Lakeshore Transit", Key: importer.NewSecret("key-l"), FundingSources: funding},
		{Name: "Prairie Wheels", Key: importer.NewSecret("key-p"), FundingSources: funding},
	}}
}

// Insert is the service: it books everything, and notices a second car.
func (w *week) Change(context.Context, importer.Secret, importer.TripChange) importer.Reply {
	return importer.Reply{Kind: importer.ReplyRefused}
}

func (w *week) Insert(_ context.Context, _ importer.Secret, t *importer.Trip) importer.Reply {
	ride := rideOf(t)
	if b := w.bookingOf(ride); b != nil {
		w.Fatalf("a second car: %s", ride)
	}
	if !w.isWanted(ride) {
		w.Fatalf("a car that nobody wants: %s", ride)
	}
	w.posts++
	b := &booked{ride: ride, guid: fmt.Sprintf("%08x-0000-4000-8000-%012x", w.n, w.posts)}
	w.bookings = append(w.bookings, b)
	return importer.Reply{Kind: importer.ReplyCreated, Status: 200, GUID: b.guid}
}

func (*week) Access(context.Context) (importer.Access, error) { return weekAccess(), nil }
func (*week) Renew(context.Context) (bool, error)             { return false, nil }

// An openGate lets everything through.
type openGate struct{}

func (openGate) Wait(context.Context) error { return nil }
func (openGate) Report(importer.Reply)      {}
func (openGate) Stop(*importer.Stop)        {}
func (openGate) Stopped() *importer.Stop    { return nil }
func (openGate) Pause() time.Duration       { return 0 }

// A weekReporter keeps the results of an import.
type weekReporter struct {
	rows []importer.RowResult
	asks bool // there was something to do for a person
}

func (*weekReporter) Start(importer.RunStart) error { return nil }
func (r *weekReporter) Row(row importer.RowResult) error {
	r.rows = append(r.rows, row)
	return nil
}
func (*weekReporter) End(importer.RunResult) error { return nil }
