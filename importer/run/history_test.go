package run_test

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/run"
)

// A history is a simulated schedule for which the same command is run again until
// nothing is left to do.
type history struct {
	*environment
	t       *testing.T
	file    *file
	workers int
	// never are the trips that must never be sent.
	never map[string]bool
	runs  int
	tally tally
	// changes say what the runs do about booked trips; nil for runs that only say so.
	changes *run.Changes
	mapping string // its hash
}

// A tally counts what happened in histories.
type tally struct {
	histories, runs, crashes, posts, unknowns, twice, lost, unaccounted int
}

func (a *tally) add(b tally) {
	a.histories += b.histories
	a.runs += b.runs
	a.crashes += b.crashes
	a.posts += b.posts
	a.unknowns += b.unknowns
	a.twice += b.twice
	a.lost += b.lost
	a.unaccounted += b.unaccounted
}

func (a tally) String() string {
	return fmt.Sprintf("%d nights, %d runs, %d crashes, %d posts, %d unknown to resolve: %d created twice, %d lost, %d unaccounted",
		a.histories, a.runs, a.crashes, a.posts, a.unknowns, a.twice, a.lost, a.unaccounted)
}

func newHistory(t *testing.T, seed uint64, workers int, rowTexts ...string) *history {
	h := &history{
		t: t, file: newFile("night.csv", rowTexts...), workers: workers, never: map[string]bool{},
		environment: &environment{
			seed: seed, ledger: newMemory(), truth: newTruth(), refused: map[string]bool{},
			outboundOf: map[string]string{}, untilOf: map[string]time.Time{}, renewed: &atomic.Bool{},
		},
	}
	invalid := map[string]bool{}
	for i := range h.file.mapped {
		m := &h.file.mapped[i]
		for j := range m.Trips {
			trip := &m.Trips[j]
			// The clock of synctest begins in the year 2000.
			trip.Pickup.PickupTime, trip.Dropoff.Appt = at("2000-01-09 09:00"), at("2000-01-09 10:00")
			if j > 0 {
				h.outboundOf[trip.ID] = m.Trips[j-1].ID
			}
			if m.LeftOut != "" || m.Faulty() {
				h.never[trip.ID] = true
			}
			if m.LeftOut == "" && m.Faulty() && trip.Together {
				invalid[trip.Link] = true
			}
		}
	}
	for i := range h.file.mapped {
		for _, trip := range h.file.mapped[i].Trips {
			if trip.Together && invalid[trip.Link] {
				h.never[trip.ID] = true
			}
		}
	}
	return h
}

// An ending says how a process ends early, if it does.
type ending struct {
	crashAt   int           // a step
	interrupt time.Duration // after the start
}

// run runs the program once, and compares its results with what happened.
func (h *history) run(e ending, alone bool) (*process, *reporter) {
	p, r := h.runOnce(e, nil)
	if p.crashed() {
		return p, r
	}
	if alone {
		time.Sleep(15 * time.Minute) // for what the service is still working on
		h.compare(r)
	}
	return p, r
}

// runOnce runs the program once. earlier may be nil.
func (h *history) runOnce(e ending, earlier *run.Earlier) (*process, *reporter) {
	h.runs++
	p := h.process(h.runs, e.crashAt)
	id := "run-" + strconv.Itoa(h.runs)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if e.interrupt > 0 {
		timer := time.AfterFunc(e.interrupt, cancel)
		defer timer.Stop()
	}
	f := *h.file
	inputs := []run.Input{{Source: &f, Mapper: &f, MappingHash: cmp.Or(h.mapping, "mapping")}}
	check := checker(func(*importer.Mapped) {})
	plan, err := run.MakePlan(ctx, inputs, check, nil, earlier)
	if err != nil {
		h.t.Fatal(err)
	}
	if h.changes != nil && !h.changes.Confirmed {
		h.changes.Withheld = cmp.Or(h.changes.Withheld, earlier.Planned.Suspicious())
	}
	info := importer.RunInfo{ID: id, Started: time.Now(), Command: "import"}
	_ = h.ledger.Begin(ctx, info) // a memory never fails
	r := &reporter{}
	run := run.Run{
		Info: info, Inputs: inputs, Plan: plan, Checker: check, Reporter: r, Clock: importer.SystemClock{},
		Accounts: run.NewAccountResolver("https://trips.example", lakeshore(), plan.Pairs),
		Service:  p, Gate: p, Ledger: p, Address: "https://trips.example", Workers: h.workers, Changes: h.changes,
	}
	end, err := run.Do(ctx, importer.RunStart{Run: info})
	if err != nil {
		h.t.Fatalf("seed %d, run %d: %v", h.seed, h.runs, err)
	}
	r.verify(h.t, end, err)
	_ = h.ledger.End(ctx, id, end.Totals, time.Now(), "")
	if n := h.ledger.pendingOf(id); n > h.workers {
		h.truth.wrong("%d unknown after a crash, with %d workers", n, h.workers)
	}
	if p.crashed() {
		h.tally.crashes++
		return p, r
	}
	if len(r.rows) != len(h.file.mapped) {
		h.unaccounted("%d of %d rows reported", len(r.rows), len(h.file.mapped))
	}
	return p, r
}

// compare compares the outcomes of a run with what the service has.
func (h *history) compare(r *reporter) {
	for _, row := range r.rows {
		for _, trip := range row.Trips {
			id, o := trip.Trip.ID, trip.Outcome
			guid := h.truth.guid(id)
			switch o.State {
			case importer.Created, importer.AlreadyCreated:
				if o.GUID != guid && (!o.GUIDMissing || guid == "") {
					h.unaccounted("%s is reported as %s with %q; the service has %q", id, o.State.Code(), o.GUID, guid)
				}
			case importer.Unknown:
			default:
				if guid != "" {
					h.unaccounted("%s is reported as %s, and the service has booked it", id, o.State.Code())
				}
			}
		}
	}
}

func (h *history) unaccounted(format string, args ...any) {
	h.tally.unaccounted++
	h.truth.wrong(format, args...)
}

// done reports whether another run would change nothing.
func (h *history) done(r *reporter) bool {
	for _, row := range r.rows {
		for _, trip := range row.Trips {
			switch o := trip.Outcome; o.State {
			case importer.Unknown, importer.Created:
				return false
			case importer.NotSent:
				if !o.TooLate {
					return false
				}
			case importer.Refused:
				if !h.refused[trip.Trip.ID] {
					return false
				}
			}
		}
	}
	return true
}

// resolve is a person who looks up in the service each trip that may be booked.
func (h *history) resolve() {
	time.Sleep(15 * time.Minute)
	for _, id := range h.ledger.unknown() {
		h.tally.unknowns++
		if guid := h.truth.guid(id); guid != "" {
			h.ledger.resolve(id, importer.Created, guid)
		} else {
			h.ledger.resolve(id, importer.NotSent, "")
		}
	}
}

// finish runs the same command until nothing is left to do, and checks that each
// trip is booked once, or has an outcome that says why not.
func (h *history) finish(endings func(run int) ending) {
	const enough = 60
	for {
		p, r := h.run(endings(h.runs+1), true)
		if !p.crashed() && h.done(r) {
			h.evaluate(r)
			return
		}
		if h.runs == enough {
			h.truth.wrong("not done after %d runs: %v", enough, r.lines())
			h.evaluate(r)
			return
		}
		if h.draw("resolve", "", h.runs) < 0.5 {
			h.resolve()
		}
		h.faults *= 0.8
	}
}

func (h *history) evaluate(r *reporter) {
	h.tally.histories, h.tally.runs = 1, h.runs
	for _, row := range r.rows {
		for _, trip := range row.Trips {
			h.compareTrip(trip.Trip.ID, trip.Outcome)
		}
	}
	for _, n := range h.truth.received {
		h.tally.posts += n
	}
	h.tally.twice += h.truth.report(h.t, h.seed)
}

func (h *history) compareTrip(id string, last importer.Outcome) {
	guid := h.truth.guid(id)
	state, known := h.ledger.has(id)
	switch {
	case h.never[id] && h.truth.received[id] > 0:
		h.truth.wrong("sent, though it must not be: %s", id)
	case guid != "" && (state != importer.Created || last.State != importer.AlreadyCreated):
		h.unaccounted("booked, and reported as %s, in the ledger %s: %s", last.State.Code(), state.Code(), id)
	case guid == "" && (known && state == importer.Created || last.State.Booked()):
		h.tally.lost++
		h.truth.wrong("reported as %s, in the ledger %s, and not booked: %s", last.State.Code(), state.Code(), id)
	case guid == "" && last.State == importer.Held && !h.never[id] && !h.stranded(id):
		h.tally.lost++
		h.truth.wrong("held for nothing: %s", id)
	}
}

// stranded reports whether an earlier leg of the trip can't be booked.
func (h *history) stranded(id string) bool {
	before := h.outboundOf[id]
	return before != "" && h.truth.guid(before) == ""
}
