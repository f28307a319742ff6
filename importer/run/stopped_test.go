package run_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// After a difference from the plan no more of the file is sent, and the trips that were
// sent are reported.
func TestInputChanges(t *testing.T) {
	rows := []string{"A@x", "B", "C@x"}
	tests := []struct {
		name   string
		second []string // the second reading
		fail   error
		want   []string
		at     string
	}{
		{"a cell", []string{"A@x", "B2", "C@x"}, nil, []string{"A booked"}, "line 3"},
		{"a row less", []string{"A@x", "B"}, nil, []string{"A booked", "B booked"}, ""},
		{"a row more", []string{"A@x", "B", "C@x", "D"}, nil, []string{"A booked", "B booked", "C booked"}, "line 5"},
		{"unreadable", rows, errDisk, []string{"A booked", "B booked"}, ""},
	}
	for _, tt := range tests {
		for _, workers := range []int{1, 8} {
			t.Run(fmt.Sprintf("%s/%d workers", tt.name, workers), func(t *testing.T) {
				n := newFixture(rows...)
				n.workers = workers
				n.gate.wait = runtime.Gosched
				n.file.rowsOf = func(reading int) []importer.Mapped {
					if reading < 2 { // the plan, and the arrival
						return newFile("", rows...).mapped
					}
					return newFile("", tt.second...).mapped
				}
				n.file.fail = func(reading, row int) error {
					if reading == 2 && row == 2 {
						return tt.fail
					}
					return nil
				}
				end, err := n.do(t.Context(), t)
				var changed *importer.InputError
				switch {
				case tt.fail != nil:
					if !errors.Is(err, tt.fail) {
						t.Errorf("got %v", err)
					}
				case !errors.As(err, &changed):
					t.Errorf("got %v, want an *InputError", err)
				case changed.File != "night.csv" || changed.At.String() != tt.at:
					t.Errorf("it is reported in %s at %q, want night.csv at %q", changed.File, changed.At, tt.at)
				}
				if end.Stop == nil || end.Stop.Code != "input-changed" {
					t.Errorf("the stop is %+v", end.Stop)
				}
				if got := len(n.reporter.rows); got != len(tt.want) {
					t.Errorf("%d rows are reported, want %d", got, len(tt.want))
				}
				if workers == 1 && n.service.attempts["Z"] > 0 {
					t.Error("the file behind it was sent")
				}
			})
		}
	}
}

// Where the results can't be written any more, no other row is sent, and the Reporter is told of each.
func TestResultsDiskFull(t *testing.T) {
	n := newFixture(manyRows(5000)...)
	n.reporter.fail = func(row int) error {
		if row >= 10 {
			return errDisk
		}
		return nil
	}
	end, err := n.do(t.Context(), t)
	if !errors.Is(err, errDisk) || end.Stop == nil || end.Stop.Code != "results-failed" {
		t.Errorf("%v, the stop is %+v", err, end.Stop)
	}
	if rows := len(n.reporter.rows); rows != 5000 || len(n.service.posts) == 5000 {
		t.Errorf("%d rows are reported and %d sent", rows, len(n.service.posts))
	}
}

// An interrupted run sends nothing more, waits for the answers of what it sent, and
// still reports for every row what the ledger has.
func TestInterrupt(t *testing.T) {
	for _, workers := range []int{1, 8} {
		t.Run(fmt.Sprintf("%d workers", workers), func(t *testing.T) {
			n := newFixture(manyRows(2 * 4096)...)
			n.workers = workers
			n.gate.deaf = true
			earlier := n.again()
			earlier.file = &file{name: "earlier.csv", mapped: n.file.mapped[8000:], rules: n.file.rules}
			earlier.run = "run-0"
			if _, err := earlier.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var calls, atCancel atomic.Int64
			n.service.insert = func(id string, _ int) importer.Reply {
				calls.Add(1)
				if id == "T100" {
					cancel()
					atCancel.Store(calls.Load())
				}
				return booked(id)
			}
			end, err := n.do(ctx, t)
			if err != nil {
				t.Fatal(err)
			}
			if !end.Interrupted || end.Stop != nil {
				t.Errorf("the result is %+v", end)
			}
			posts := len(n.service.posts)
			if posts < 101-workers || posts > int(atCancel.Load())+workers {
				t.Errorf("%d trips were posted", posts)
			}
			if got := n.ledger.(*memoryLedger).sending(); got != 0 {
				t.Errorf("%d trips in flight were not recorded", got)
			}
			states := end.Totals.Trips
			if states[importer.Unknown] != 0 {
				t.Errorf("%d requests in flight were given up", states[importer.Unknown])
			}
			if states[importer.Booked] != posts || states[importer.BookedEarlier] != 192 {
				t.Errorf("%d created and %d already created; %d were posted, 192 earlier", states[importer.Booked], states[importer.BookedEarlier], posts)
			}
		})
	}
}

// A stop ends the sending and nothing else.
func TestStop(t *testing.T) {
	n := newFixture("A", "B+C", "D!", "-E", "F")
	n.gate.stopOn = importer.ReplyPage
	n.service.insert = func(id string, _ int) importer.Reply {
		if id == "B" {
			return importer.Reply{Kind: importer.ReplyPage, Status: 200}
		}
		return booked(id)
	}
	end, err := n.do(t.Context(), t)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"A booked", "B unknown, C held", "D fix", "E left_out", "F not_sent"}
	if diff := cmp.Diff(want, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if end.Stop == nil || end.Interrupted {
		t.Errorf("the result is %+v", end)
	}
	if o := n.reporter.outcome(t, "F"); !strings.Contains(o.Reason, end.Stop.Reason) {
		t.Errorf("the reason is %q", o.Reason)
	}
}
