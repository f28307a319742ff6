package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/run"
)

// A failing ledger returns the errors of its functions.
type failing struct {
	*memory
	find, similar, claim, settle func(id string) error
	claimChange, settleChange    func() error
}

func (f *failing) ClaimChange(ctx context.Context, c importer.ChangeClaim) (importer.ClaimedChange, error) {
	if f.claimChange != nil {
		return importer.ClaimedChange{}, f.claimChange()
	}
	return f.memory.ClaimChange(ctx, c)
}

func (f *failing) SettleChange(ctx context.Context, c importer.ClaimedChange, s importer.Settlement) error {
	if f.settleChange != nil {
		return f.settleChange()
	}
	return f.memory.SettleChange(ctx, c, s)
}

func (f *failing) Find(ctx context.Context, a importer.Account, t *importer.Trip) (importer.Record, bool, error) {
	if f.find != nil {
		if err := f.find(t.ID); err != nil {
			return importer.Record{}, false, err
		}
	}
	return f.memory.Find(ctx, a, t)
}

func (f *failing) RowTrips(ctx context.Context, service string, m *importer.Mapped) (importer.RowTrips, error) {
	if f.find != nil {
		if err := f.find(m.Key.ID); err != nil {
			return importer.RowTrips{}, err
		}
	}
	return f.memory.RowTrips(ctx, service, m)
}

func (f *failing) Lacks(ctx context.Context, m *importer.Mapped, accounts []importer.Account, within int) (bool, error) {
	for _, fails := range []func(id string) error{f.find, f.similar} {
		if fails != nil {
			if err := fails(m.Key.ID); err != nil {
				return false, err
			}
		}
	}
	return f.memory.Lacks(ctx, m, accounts, within)
}

func (f *failing) TripsOfDay(ctx context.Context, service, broker string, day importer.Date, pairs []importer.Pair) ([]importer.Record, error) {
	if f.find != nil {
		if err := f.find(day.String()); err != nil {
			return nil, err
		}
	}
	return f.memory.TripsOfDay(ctx, service, broker, day, pairs)
}

func (f *failing) Similar(ctx context.Context, a importer.Account, t *importer.Trip, within int) ([]importer.Record, error) {
	if f.similar != nil {
		if err := f.similar(t.ID); err != nil {
			return nil, err
		}
	}
	return f.memory.Similar(ctx, a, t, within)
}

func (f *failing) Claim(ctx context.Context, c importer.Claim) (importer.Claimed, error) {
	if f.claim != nil {
		if err := f.claim(c.Trip.ID); err != nil {
			return importer.Claimed{}, err
		}
	}
	return f.memory.Claim(ctx, c)
}

func (f *failing) Settle(ctx context.Context, c importer.Claimed, s importer.Settlement) error {
	if f.settle != nil {
		f.mu.Lock()
		id := f.attempts[c.Attempt].TripID
		f.mu.Unlock()
		if err := f.settle(id); err != nil {
			return err
		}
	}
	return f.memory.Settle(ctx, c, s)
}

// A trip about which the ledger can't be asked again has the state that the plan found.
// Only a trip that this run or an earlier one may have sent is Unknown.
func TestLedgerFailsAfterThePlan(t *testing.T) {
	n := newFixture("A", "B+C", "early", "E", "F", "G+H", "I", "~J", "~K+L", "~M", "~N", "~O", "~P1", "Q")
	n.leave(13)
	n.whole = &run.Whole{Days: []importer.Date{at("2026-12-02 08:00").Date}}
	n.files[0].mapped[2].Trips[0].Pickup.PickupTime = at("2026-12-01 19:59")
	earlier := n.again()
	earlier.files = []*file{newFile("earlier.csv", "A", "B+C", "early", "E", "other", "G", "I", "K+L", "M", "N", "P-1")}
	earlier.files[0].mapped = earlier.files[0].mapped[3:]
	earlier.files[0].mapped[1] = newFile("", "F").mapped[0] // from another place
	last := earlier.files[0].mapped[len(earlier.files[0].mapped)-1]
	n.files[0].mapped[12].Trips[0].RiderID = last.Trips[0].RiderID // of P-1, which is P1
	earlier.run = "run-0"
	earlier.service.insert = func(id string, _ int) importer.Reply {
		if id == "I" || id == "M" {
			return importer.Reply{}
		}
		return booked(id)
	}
	if _, err := earlier.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	for _, e := range n.ledger.(*memory).attempts {
		if e != nil && e.TripID == "N" {
			n.ledger.(*memory).cancel(e, false)
		}
	}
	n.files[0].mapped[11].Key = importer.RowKey{Broker: "Lakeshore", TripID: "O"} // no row id to ask by

	second := n.plan(t)
	away := false
	second.Ledger = &failing{memory: n.ledger.(*memory), find: func(id string) error {
		if away = away || id == "B"; away {
			return errDisk
		}
		return nil
	}}
	end, err := second.Do(t.Context(), importer.RunStart{Run: second.Info, Plan: second.Plan.PlanSummary})
	n.reporter.verify(t, end, err)
	if err != nil || end.Stop == nil || !end.Stop.Later || !strings.Contains(end.Partial, "could not be asked") {
		t.Errorf("got %v and the stop %+v", err, end.Stop)
	}
	want := []string{
		"A created", "B not_sent, C not_sent", "early not_sent (too late)", "E already_created", "F changed",
		"G already_created, H not_sent: half booked", "I unknown",
		"J skipped", "K cancelled_created, L cancelled_created", "M unknown", "N skipped", "O unknown", "P1 unknown", "Q skipped",
	}
	if diff := cmp.Diff(want, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if o := n.reporter.outcome(t, "K"); o.GUID != "guid-K" || o.Attempt == 0 || !strings.Contains(o.Reason, "as it was when the run began") {
		t.Errorf("the outcome of K is %+v", o)
	}
}

// Once the ledger fails, nothing more is sent, and every outcome is true.
func TestLedgerFails(t *testing.T) {
	at := func(want string) func(string) error {
		return func(id string) error {
			if id == want {
				return errDisk
			}
			return nil
		}
	}
	tests := []struct {
		name   string
		ledger *failing
		want   []string
		posts  []string
		reason string // in the outcome of B
	}{
		{
			"asked for the record", &failing{find: at("B")},
			[]string{"A created", "B unknown, C unknown", "D not_sent"},
			[]string{"A"},
			"could not be asked whether it is booked",
		},
		{
			"asked for the return's record", &failing{find: at("C")},
			[]string{"A created", "B not_sent, C unknown", "D not_sent"},
			[]string{"A"},
			"",
		},
		{
			"asked for similar trips", &failing{similar: at("B")},
			[]string{"A created", "B not_sent, C held", "D not_sent"},
			[]string{"A"},
			"could not be asked for similar trips",
		},
		{
			"at the claim", &failing{claim: at("B")},
			[]string{"A created", "B not_sent, C held", "D not_sent"},
			[]string{"A"},
			"could not record that it was about to be sent",
		},
		{
			"at the settlement", &failing{settle: at("B")},
			[]string{"A created", "B unknown, C held", "D not_sent"},
			[]string{"A", "B"},
			"could not be recorded",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := newFixture("A", "B+C", "D")
			tt.ledger.memory = newMemory()
			n.ledger = tt.ledger
			end, err := n.do(t.Context(), t)
			if err != nil {
				t.Fatal(err)
			}
			if end.Stop == nil || end.Stop.Code != "ledger-failed" || !end.Stop.Later {
				t.Errorf("the stop is %+v", end.Stop)
			}
			if diff := cmp.Diff(tt.want, n.reporter.lines()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.posts, n.service.posts); diff != "" {
				t.Errorf("posts (-want +got)\n%s", diff)
			}
			if tt.reason != "" && !strings.Contains(n.reporter.outcome(t, "B").Reason, tt.reason) {
				t.Errorf("the reason is %q, want %q in it", n.reporter.outcome(t, "B").Reason, tt.reason)
			}
		})
	}
	t.Run("asked for similar trips of one that a person left", func(t *testing.T) {
		n := newFixture("A", "B", "C")
		n.leave(1)
		n.ledger = &failing{memory: n.ledger.(*memory), similar: at("B")}
		if _, err := n.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"A created", "B skipped", "C not_sent"}, n.reporter.lines()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
	t.Run("at the settlement of an attempt that may be repeated", func(t *testing.T) {
		for _, answer := range []importer.Reply{{Kind: importer.ReplyThrottled, Status: 429}, {Kind: importer.ReplyNotSent}} {
			n := newFixture("A+B", "C")
			n.ledger = &failing{memory: newMemory(), settle: at("A")}
			n.service.insert = func(string, int) importer.Reply { return answer }
			if _, err := n.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			// The ledger has the claim and not its settlement, so the trip is Unknown
			// to every later run, and has to be Unknown in this one.
			if diff := cmp.Diff([]string{"A unknown, B held", "C not_sent"}, n.reporter.lines()); diff != "" {
				t.Errorf("%s (-want +got)\n%s", answer.Kind, diff)
			}
			if o := n.reporter.outcome(t, "A"); o.Attempts != 1 || !strings.Contains(o.Reason, "could not be recorded") {
				t.Errorf("%s: the outcome is %+v", answer.Kind, o)
			}
		}
	})
	t.Run("the GUID is in the reason if it could not be recorded", func(t *testing.T) {
		n := newFixture("A")
		n.ledger = &failing{memory: newMemory(), settle: at("A")}
		if _, err := n.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		if o := n.reporter.outcome(t, "A"); o.GUID != "" || !strings.Contains(o.Reason, "guid-A") {
			t.Errorf("the outcome is %+v", o)
		}
	})
	t.Run("the run is stopped before the gate hears of the answer", func(t *testing.T) {
		n := newFixture("A", "B")
		stopped := false
		n.ledger = &failing{memory: newMemory(), settle: at("A")}
		n.service.insert = func(id string, _ int) importer.Reply {
			n.gate.wait = func() { stopped = n.gate.Stopped() != nil }
			return booked(id)
		}
		if _, err := n.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		if !stopped {
			t.Error("another trip could have left after the failed commit")
		}
	})
	t.Run("for a cancelled row", func(t *testing.T) {
		n := newFixture("~A", "B")
		n.ledger = &failing{memory: newMemory(), find: at("A")}
		if _, err := n.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"A unknown", "B not_sent"}, n.reporter.lines()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// A panic makes only the trip that was being sent unknown. The panic's text, which
// may have row content, is in no error.
func TestPanics(t *testing.T) {
	const secret = "Ada Example, 12 Elm Street"
	tests := []struct {
		name  string
		set   func(n *fixture)
		want  []string
		posts int
	}{
		{
			"while it is sent", func(n *fixture) {
				n.service.insert = func(id string, _ int) importer.Reply {
					if id == "B" {
						panic(secret)
					}
					return booked(id)
				}
			},
			[]string{"A created", "B unknown, C not_sent", "D not_sent"},
			2,
		},
		{
			"while the return is sent", func(n *fixture) {
				n.service.insert = func(id string, _ int) importer.Reply {
					if id == "C" {
						panic(secret)
					}
					return booked(id)
				}
			},
			[]string{"A created", "B created, C unknown", "D not_sent"},
			3,
		},
		{
			"in a check", func(n *fixture) {
				n.check = func(m *importer.Mapped) {
					if m.Row.Num == 3 {
						panic(secret)
					}
				}
			},
			[]string{"A created", "B unknown, C unknown", "D not_sent"},
			1,
		},
	}
	for _, tt := range tests {
		for _, workers := range []int{1, 8} {
			t.Run(fmt.Sprintf("%s/%d workers", tt.name, workers), func(t *testing.T) {
				n := newFixture("A", "B+C", "D")
				n.workers = workers
				tt.set(n)
				end, err := n.do(t.Context(), t)
				var fault *run.ProgramError
				if !errors.As(err, &fault) || strings.Contains(fault.Stack, "Ada") || !strings.Contains(fault.Stack, "_test.go") {
					t.Errorf("the error is %v: it must say where, and not what", err)
				}
				if end.Stop == nil || end.Stop.Code != "internal" {
					t.Errorf("the stop is %+v", end.Stop)
				}
				if !end.Totals.Balanced() {
					t.Errorf("the totals do not balance: %+v", end.Totals)
				}
				if workers > 1 {
					return // the others may have left before
				}
				if diff := cmp.Diff(tt.want, n.reporter.lines()); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				if len(n.service.posts) != tt.posts {
					t.Errorf("posted %v", n.service.posts)
				}
			})
		}
	}
	t.Run("in the mapping", func(t *testing.T) {
		n := newFixture("A@x", "B", "C@x", "D")
		run := n.plan(t)
		n.files[0].mapped = n.files[0].mapped[:2] // row 4 is out of range
		n.files[0].rowsOf = func(int) []importer.Mapped { return newFile("", "A", "B", "C", "D").mapped }
		end, err := run.Do(t.Context(), importer.RunStart{})
		if err == nil || end.Stop == nil {
			t.Errorf("got %v and %+v", err, end.Stop)
		}
		if len(n.reporter.rows) != 2 {
			t.Errorf("reported %v, want the rows before it", n.reporter.lines())
		}
	})
	t.Run("in the results", func(t *testing.T) {
		n := newFixture("A", "B")
		n.reporter.fail = func(int) error { panic(secret) }
		end, err := n.do(t.Context(), t)
		if err == nil || strings.Contains(err.Error(), "Ada") {
			t.Errorf("the error is %v", err)
		}
		if end.Stop == nil || end.Stop.Code != "results-failed" || n.reporter.ends != 1 {
			t.Errorf("the stop is %+v", end.Stop)
		}
	})
}

// A run whose results can't be written sends nothing more, and ends.
func TestReporterFails(t *testing.T) {
	for _, workers := range []int{1, 8} {
		n := newFixture(manyRows(10_000)...)
		n.workers = workers
		n.reporter.fail = func(row int) error {
			if row == 100 {
				return errDisk
			}
			return nil
		}
		end, err := n.do(t.Context(), t)
		if !errors.Is(err, errDisk) {
			t.Errorf("got %v", err)
		}
		if len(n.reporter.rows) != 101 || n.reporter.ends != 1 {
			t.Errorf("%d rows and %d ends", len(n.reporter.rows), n.reporter.ends)
		}
		if !end.Totals.Balanced() {
			t.Errorf("the totals do not balance: %+v", end.Totals)
		}
		if len(n.service.posts) == 10_000 {
			t.Error("the run went on although its results can't be written")
		}
	}
}

func manyRows(n int) []string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf("T%d", i)
	}
	return rows
}
