package run_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// Nothing is sent but by the gate.
func TestOnlyTheGateSends(t *testing.T) {
	call := regexp.MustCompile(`\b([Ss]ervice|client|target|[a-z])\.(Insert|Change)\(`)
	var senders []string
	for _, root := range []string{"..", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if call.Match(text) {
				senders = append(senders, filepath.ToSlash(path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(senders, []string{"../run/gate.go"}) {
		t.Errorf("the service is called in %v, want gate.go alone", senders)
	}
}

// The first interrupt finishes the rows under way with both legs, and sends no new row: none is half booked.
func TestInterruptFinishesBothLegs(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 7))
		var rows []string
		for i := range 300 {
			rows = append(rows, fmt.Sprintf("T%dA+T%dB", i, i))
		}
		n := newFixture(rows...)
		n.workers = 8
		ctx, cancel := context.WithCancel(t.Context())
		at, calls, interrupted := int64(1+random.IntN(500)), atomic.Int64{}, make(chan struct{})
		n.service.insert = func(id string, _ int) importer.Reply {
			switch call := calls.Add(1); {
			case call == at:
				cancel()
				close(interrupted)
			case call > at:
				<-interrupted
			}
			return booked(id)
		}
		end, err := n.do(ctx, t)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if end.Totals.HalfBooked != 0 || !end.Interrupted {
			t.Errorf("seed %d: %d rows are half booked", seed, end.Totals.HalfBooked)
		}
		most := int(at) + 2*n.workers
		if got := end.Totals.Trips[importer.Booked]; got != len(n.service.posts) || got < int(at) || got > most || got%2 != 0 {
			t.Errorf("seed %d: %d booked and %d posted after an interrupt at %d", seed, got, len(n.service.posts), at)
		}
	}
}

// The second interrupt stops at once, and the result says which returns are left.
func TestAbandon(t *testing.T) {
	for _, tt := range []struct{ rows, want []string }{
		{[]string{"A+B", "C+D", "E+F"}, []string{"A booked, B booked", "C booked, D not_sent: half booked", "E not_sent, F held"}},
		{[]string{"A@x", "B@x", "C@y", "E", "D@y"}, []string{"A booked", "B booked", "C booked", "E not_sent", "D not_sent: half booked"}},
	} {
		n := newFixture(tt.rows...)
		ctx, interrupt := context.WithCancel(t.Context())
		now, abandon := context.WithCancel(t.Context())
		n.abandon = now
		n.service.insert = func(id string, _ int) importer.Reply {
			if id == "C" {
				interrupt()
				abandon()
			}
			return booked(id)
		}
		end, err := n.do(ctx, t)
		interrupt()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, n.reporter.lines()); diff != "" || end.Totals.HalfBooked == 0 {
			t.Errorf("%d rows are half booked (-want +got)\n%s", end.Totals.HalfBooked, diff)
		}
	}
}

// A rider with several trips a day: whatever the number of workers, none of them is held by what
// the run itself has written.
func TestSeveralTripsOfOneRider(t *testing.T) {
	n := newFixture(manyRows(60)...)
	n.workers = 8
	for i := range n.file.mapped {
		trip := &n.file.mapped[i].Trips[0]
		trip.RiderID = fmt.Sprint("R-", i/6)
		trip.Pickup.PickupTime = at(fmt.Sprintf("2026-12-02 %02d:00", 9+i%6))
		trip.Dropoff.Appt = at(fmt.Sprintf("2026-12-02 %02d:40", 9+i%6))
	}
	end, err := n.do(t.Context(), t)
	if err != nil || end.Totals.Trips[importer.Booked] != 60 {
		t.Errorf("%v: %d of 60 are booked: %v", err, end.Totals.Trips[importer.Booked], n.reporter.lines())
	}
}

// schedules imports files one after the other, each with its stamp, and returns the lines of the
// last one.
func schedules(t *testing.T, n *fixture, files ...func(*fixture)) []string {
	t.Helper()
	for i, prepare := range files {
		next := n.again()
		next.run = fmt.Sprint("run-", i)
		next.service = n.service
		prepare(next)
		if _, err := next.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		n = next
	}
	return n.reporter.lines()
}

// from returns a file of the rows with the stamp.
func from(stamp string, whole bool, rows ...string) func(*fixture) {
	return func(n *fixture) {
		n.file = newFile("file of "+stamp, rows...)
		n.stamp, n.whole = parsed("2026-12-01 "+stamp), whole
	}
}

// later makes the trips of a file begin later than those of other files.
func later(file func(*fixture)) func(*fixture) {
	return func(n *fixture) {
		file(n)
		for i := range n.file.mapped {
			n.file.mapped[i].Trips[0].Dropoff.Appt = at("2026-12-02 10:30")
		}
	}
}

func parsed(text string) time.Time {
	when, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return when
}

// A row that is not the last word is not sent, whatever file it comes from and whether or not it
// was ever booked.
func TestNewest(t *testing.T) {
	sends := func(file func(*fixture)) func(*fixture) {
		return func(n *fixture) { file(n); n.options.SendChanges = true }
	}
	tests := []struct {
		name  string
		files []func(*fixture)
		want  []string
		posts string
	}{
		{"cancelled in a newer one", []func(*fixture){from("18:00", false, "A", "~B"), from("17:00", false, "A", "B")}, []string{"A booked_earlier", "B held"}, "A"},
		{"not in a newer whole one", []func(*fixture){from("18:00", true, "A"), from("17:00", true, "A", "B")}, []string{"A booked_earlier", "B held"}, "A"},
		{"not in a newer one that has not all rows", []func(*fixture){from("18:00", false, "A"), from("17:00", false, "A", "B")}, []string{"A booked_earlier", "B booked"}, "A B"},
		{"moved in a newer one", []func(*fixture){from("17:00", false, "A!"), later(from("18:00", false, "A!")), from("17:30", false, "A")}, []string{"A held"}, ""},
		{"the same in a newer one", []func(*fixture){from("18:00", false, "A!"), from("17:00", false, "A")}, []string{"A booked"}, "A"},
		{"reinstated by the bytes of the first", []func(*fixture){from("17:00", true, "A", "B"), from("18:00", true, "A", "~B"), from("19:00", true, "A", "B")}, []string{"A booked_earlier", "B change_by_hand"}, "A B"},
		{"cancelled before it was booked, and back", []func(*fixture){from("17:00", true, "A", "B!"), from("18:00", true, "A", "~B"), from("19:00", true, "A", "B")}, []string{"A booked_earlier", "B booked"}, "A B"},
		{"taken back", []func(*fixture){from("17:00", true, "A"), later(sends(from("18:00", true, "A"))), sends(from("19:00", true, "A"))}, []string{"A changed"}, "A"},
		{"gone from a whole one", []func(*fixture){from("17:00", true, "A", "B"), from("18:00", true, "A")}, []string{"A booked_earlier"}, "A B"},
		{"the same file again", []func(*fixture){from("17:00", true, "A", "B"), from("17:00", true, "A", "B")}, []string{"A booked_earlier", "B booked_earlier"}, "A B"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := newFixture()
			lines := schedules(t, n, tt.files...)
			for i := range lines {
				lines[i], _, _ = strings.Cut(lines[i], " (")
			}
			if diff := cmp.Diff(tt.want, lines); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got := strings.Join(n.service.posts, " "); got != tt.posts {
				t.Errorf("posted %q, want %q", got, tt.posts)
			}
		})
	}
}

// What a whole schedule does not have any more is listed, with the rows or apart from them.
func TestGoneIsListed(t *testing.T) {
	n := newFixture()
	schedules(t, n, from("17:00", true, "A", "B"))
	next := n.again()
	from("18:00", true, "A")(next)
	end, err := next.do(t.Context(), t)
	if err != nil || len(end.Gone) != 1 || end.Gone[0].Trip.ID != "B" || end.Gone[0].Outcome.State != importer.CancelByHand {
		t.Errorf("%v: gone are %+v", err, end.Gone)
	}
}

// A plan that is not carried out leaves no word behind.
func TestPlanWritesNothing(t *testing.T) {
	n := newFixture("A", "B")
	n.plan(t)
	if l := n.ledger.(*memoryLedger); len(l.words)+len(l.arrivals)+len(l.trips) > 0 || l.event != 0 {
		t.Errorf("the ledger has %d rows and %d arrivals", len(l.words), len(l.arrivals))
	}
}

// A ledger that fails stops the run before anything is sent without it, and what was answered and
// could not be recorded is unclear. It is not asked any more for what is gone.
func TestLedgerFails(t *testing.T) {
	n := newFixture("A", "B", "C")
	n.whole = true
	l := n.ledger.(*memoryLedger)
	n.service.insert = func(id string, _ int) importer.Reply {
		l.mu.Lock()
		l.fails = errDisk
		l.mu.Unlock()
		return booked(id)
	}
	end, err := n.do(t.Context(), t)
	if err != nil || end.Stop == nil || end.Stop.Code != "ledger-failed" || !end.Stop.Later {
		t.Fatalf("%v: the stop is %+v", err, end.Stop)
	}
	if diff := cmp.Diff([]string{"A unknown", "B not_sent", "C not_sent"}, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if o := n.reporter.outcome(t, "A"); !strings.Contains(o.Reason, "guid-A") {
		t.Errorf("the reason is %q", o.Reason)
	}
	if l.askedInVain > 0 {
		t.Error("it was asked after it had failed")
	}
}

// A crash at every step: before each writing of the ledger, before each request, and between a
// request and its reply. The next run creates no trip again, and lists each that it can't prove.
func TestEveryStep(t *testing.T) {
	for _, workers := range []int{1, 3} {
		for at := 1; ; at++ {
			n := newFixture("A", "B1+B2", "C", "D1+D2", "E@x", "F@x")
			l, created := n.ledger.(*memoryLedger), map[string]int{}
			insert := func(id string, _ int) importer.Reply {
				l.mu.Lock()
				defer l.mu.Unlock()
				if l.step() {
					return importer.Reply{Kind: importer.ReplyUnclear}
				}
				created[id]++
				if l.step() {
					return importer.Reply{Kind: importer.ReplyUnclear}
				}
				return booked(id)
			}
			n.workers, n.service.insert, l.dieAt = workers, insert, at
			_, err := n.do(t.Context(), t)
			crashed := l.fails != nil
			if err != nil && !crashed {
				t.Fatal(err)
			}

			l.die()
			next := n.again()
			next.service.insert = insert
			if _, err := next.do(t.Context(), t); err != nil {
				t.Fatalf("after a crash at step %d: %v", at, err)
			}
			judgeNight(t, fmt.Sprintf("a crash at step %d with %d workers", at, workers), next.reporter.rows, created)
			if !crashed {
				t.Logf("%d workers: %d steps", workers, at-1)
				break
			}
		}
	}
}

// judgeNight fails if a trip was created twice, or is neither created nor listed.
func judgeNight(t *testing.T, when string, rows []importer.RowResult, created map[string]int) {
	t.Helper()
	for _, row := range rows {
		waits := slices.ContainsFunc(row.Trips, func(o importer.TripResult) bool { return o.Outcome.State == importer.Unknown }) || row.HalfBooked
		for _, trip := range row.Trips {
			state, times := trip.Outcome.State, created[trip.Trip.ID]
			known := state == importer.BookedEarlier || state == importer.Booked
			if times > 1 || known && times != 1 {
				t.Fatalf("%s: trip %s is %s and was created %d times", when, trip.Trip.ID, state.Code(), times)
			}
			if !known && state != importer.Unknown && !waits {
				t.Fatalf("%s: trip %s is lost: %s", when, trip.Trip.ID, state.Code())
			}
		}
	}
}

// Random nights: each is broken off at any step, with lost replies and refusals, and run again with
// the same ledger. No trip is created twice, and none is lost without being listed. TRIPIMPORT_LONG=1
// has 10,000 nights.
func TestRandomNights(t *testing.T) {
	nights := 100
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		nights = 10_000
	}
	if testing.Short() {
		nights = 30
	}
	for seed := range uint64(nights) {
		random := rand.New(rand.NewPCG(seed, 3))
		var rows []string
		for i := range 4 + random.IntN(12) {
			rows = append(rows, []string{fmt.Sprintf("T%d", i), fmt.Sprintf("T%dA+T%dB", i, i)}[random.IntN(2)])
		}
		created := map[string]int{}
		n := newFixture(rows...)
		l := n.ledger.(*memoryLedger)
		for try := range 40 {
			night := n.again()
			night.run = fmt.Sprint("run-", try)
			night.workers = 1 + random.IntN(4)
			steps := random.IntN(20)
			lucky := try >= 30
			var replies atomic.Int64
			kinds := make([]int, 64)
			for i := range kinds {
				kinds[i] = random.IntN(6)
			}
			night.service.insert = func(id string, _ int) importer.Reply {
				l.mu.Lock()
				defer l.mu.Unlock()
				i := int(replies.Add(1))
				if !lucky && i > steps {
					l.fails = errors.New("the process was killed")
				}
				if lucky || kinds[i%len(kinds)] < 3 {
					created[id]++
					return booked(id)
				}
				switch kinds[i%len(kinds)] {
				case 3:
					created[id]++
					return importer.Reply{Kind: importer.ReplyUnclear} // it was booked, and the reply is lost
				case 4:
					return importer.Reply{Kind: importer.ReplyRefused, Status: 400}
				}
				return importer.Reply{Kind: importer.ReplyNotSent}
			}
			if _, err := night.do(t.Context(), t); err != nil && !strings.Contains(err.Error(), "killed") {
				t.Fatalf("seed %d: %v", seed, err)
			}
			l.die()
			n = night
		}
		judgeNight(t, fmt.Sprintf("seed %d", seed), n.reporter.rows, created)
	}
}
