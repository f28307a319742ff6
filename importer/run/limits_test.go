package run_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

func TestLimit(t *testing.T) {
	tests := []struct {
		name  string
		limit int
		rows  []string
		want  []string
	}{
		{"the first rows", 2, []string{"A", "B", "C"}, []string{"A booked", "B booked", "C not_sent"}},
		{"a row that was begun is finished", 1, []string{"A+B", "C"}, []string{"A booked, B booked", "C not_sent"}},
		{"rows that can't be sent do not count", 1, []string{"A!", "-B", "C", "D"}, []string{"A fix", "B left_out", "C booked", "D not_sent"}},
		{"nor do those that are too late", 1, []string{"early", "B", "C"}, []string{"early not_sent (too late)", "B booked", "C not_sent"}},
		{"more than there are", 9, []string{"A", "B"}, []string{"A booked", "B booked"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := newFixture(tt.rows...)
			n.workers, n.limit = 8, tt.limit
			for i := range n.file.mapped {
				for j := range n.file.mapped[i].Trips {
					if trip := &n.file.mapped[i].Trips[j]; trip.ID == "early" {
						trip.Pickup.PickupTime = at("2026-12-01 19:59")
					}
				}
			}
			if _, err := n.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, n.reporter.lines()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			next := n.again()
			next.limit = 0
			if _, err := next.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			for id, posts := range next.service.attempts {
				if n.service.attempts[id] > 0 || posts > 1 {
					t.Errorf("%s is posted again", id)
				}
			}
		})
	}
}

// A limited run sends the same rows with any number of workers. If an admitted row is not
// sent after all, the next row takes its place.
func TestLimitWithWorkers(t *testing.T) {
	t.Run("the first ones", func(t *testing.T) {
		for seed := range uint64(200) {
			random := rand.New(rand.NewPCG(seed, 1))
			rows := manyRows(40)
			refused := map[string]bool{}
			for i := range rows {
				switch random.IntN(6) {
				case 0:
					rows[i] += "!"
				case 1:
					rows[i] = "-" + rows[i]
				case 2:
					rows[i] += "+" + rows[i] + "r"
				case 3:
					refused[rows[i]] = true // by the ledger, once it is to be sent
				}
			}
			limit := 1 + random.IntN(12)
			run := func(workers int) []string {
				n := newFixture(rows...)
				n.workers, n.limit = workers, limit
				n.gate.wait = runtime.Gosched
				second := n.plan(t)
				second.Ledger = refusing{n.ledger.(*memoryLedger), refused}
				end, err := second.Do(t.Context(), importer.RunStart{Run: second.Info, Plan: second.Plan.PlanSummary})
				n.reporter.verify(t, end, err)
				return n.reporter.lines()
			}
			if diff := cmp.Diff(run(1), run(8)); diff != "" {
				t.Fatalf("seed %d: (-one worker +eight)\n%s", seed, diff)
			}
		}
	})
}

// A row that is linked to one within the limit waits for the next run, as any other.
func TestLimitWithLinks(t *testing.T) {
	for _, workers := range []int{1, 8} {
		n := newFixture("1@a", "2@b", "3", "4@a", "5", "6@b", "7@c", "8@c")
		n.workers, n.limit = workers, 2
		if _, err := n.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		var sent []string
		for id := range n.service.attempts {
			sent = append(sent, id)
		}
		slices.Sort(sent)
		if got := strings.Join(sent, " "); got != "1 2" {
			t.Errorf("%d workers: %s were sent", workers, got)
		}
	}
}

// A refusing ledger refuses the claims of some trips for good.
type refusing struct {
	*memoryLedger
	trips map[string]bool
}

func (r refusing) Claim(ctx context.Context, s importer.Step) (importer.Ticket, error) {
	if r.trips[s.Row.Trips[s.Leg].ID] {
		return importer.Ticket{}, importer.ErrMeanwhile
	}
	return r.memoryLedger.Claim(ctx, s)
}

// Another run may be sending a trip when this one is about to: what comes of it is waited for.
func TestOvertaken(t *testing.T) {
	n := newFixture("A")
	run := n.plan(t)
	run.Ledger = &overtaken{memoryLedger: n.ledger.(*memoryLedger)}
	end, err := run.Do(t.Context(), importer.RunStart{Run: run.Info, Plan: run.Plan.PlanSummary})
	n.reporter.verify(t, end, err)
	if got := n.reporter.lines()[0]; got != "A booked_earlier" {
		t.Errorf("got %s", got)
	}
	if len(n.service.attempts) > 0 {
		t.Errorf("it was sent as well: %v", n.service.attempts)
	}
}

// An overtaken ledger has another run send the first trip just before its claim, which takes a while.
type overtaken struct {
	*memoryLedger
	once sync.Once
}

func (o *overtaken) Claim(ctx context.Context, s importer.Step) (importer.Ticket, error) {
	o.once.Do(func() {
		other := s
		other.Run = "of another machine"
		if ticket, err := o.memoryLedger.Claim(ctx, other); err == nil {
			time.AfterFunc(300*time.Millisecond, func() {
				_ = o.Settle(context.WithoutCancel(ctx), ticket, importer.Settled{State: importer.TripBooked, GUID: "8e0b6f64-5a3a-4a0e-9a53-2b1f6b1d7f10"})
			})
		}
	})
	return o.memoryLedger.Claim(ctx, s)
}

// A trip whose pickup time passes while the run waits is not sent any more.
func TestTooLate(t *testing.T) {
	tests := []struct {
		name string
		now  string
		want string
	}{
		{"in time", "2026-12-02 08:59", "A booked, B booked"},
		{"to the minute", "2026-12-02 09:00", "A booked, B booked"},
		{"late", "2026-12-02 09:01", "A not_sent (too late), B held"},
		{"next day", "2026-12-03 01:00", "A not_sent (too late), B held"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := newFixture("A+B")
			n.gate.wait = func() { n.clock.(*clock).set(tt.now) }
			if _, err := n.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			if got := n.reporter.lines()[0]; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	t.Run("between two attempts", func(t *testing.T) {
		n := newFixture("A")
		n.service.insert = func(string, int) importer.Reply {
			n.clock.(*clock).set("2026-12-02 09:01")
			return importer.Reply{Kind: importer.ReplyThrottled, Status: 429}
		}
		if _, err := n.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		o := n.reporter.outcome(t, "A")
		if !o.TooLate || o.Attempts != 1 || o.HTTPStatus != 429 {
			t.Errorf("the outcome is %+v", o)
		}
	})
	t.Run("while the run was stopped", func(t *testing.T) {
		n := newFixture("A")
		n.gate.wait = func() { n.clock.(*clock).set("2026-12-02 09:01") }
		n.gate.Stop(&importer.Stop{Code: "service-down", Reason: "the service is down"})
		if _, err := n.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		if o := n.reporter.outcome(t, "A"); !o.TooLate {
			t.Errorf("the outcome is %+v", o)
		}
	})
}

// Each attempt waits at the gate once, and is reported to it once.
func TestGateIsAskedForEachAttempt(t *testing.T) {
	n := newFixture("A", "B+C", "D!", "-E")
	n.workers = 8
	n.service.insert = func(id string, attempt int) importer.Reply {
		if id == "A" && attempt == 1 {
			return importer.Reply{Kind: importer.ReplyThrottled, Status: 429}
		}
		return booked(id)
	}
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	if n.gate.waits != 4 || len(n.gate.reports) != 4 {
		t.Errorf("%d waits and %d reports, want 4 of each", n.gate.waits, len(n.gate.reports))
	}
}
