package run_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// One slow row delays the results, and at most a window of rows waits behind it.
func TestWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const window = 4096
		n := newFixture(manyRows(3 * window)...)
		n.workers = 8
		release := make(chan struct{})
		n.service.insert = func(id string, _ int) importer.Reply {
			if id == "T0" {
				<-release
			}
			return booked(id)
		}
		ended := make(chan error)
		go func() {
			_, err := n.do(t.Context(), t)
			ended <- err
		}()
		synctest.Wait()
		// Of thousands of riders a few share the slow one's place, and their rows wait for it.
		if got := len(n.service.posts); got < window-16 || got > window+n.workers+1 {
			t.Errorf("%d rows were sent past the slow one, want a window of %d", got, window)
		}
		if len(n.reporter.rows) != 0 {
			t.Errorf("%d rows were reported out of order", len(n.reporter.rows))
		}
		close(release)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if len(n.reporter.rows) != 3*window {
			t.Errorf("%d rows were reported", len(n.reporter.rows))
		}
	})
}

// The last of linked rows reports that they are half booked, however far apart they are, and no row waits for it.
func TestLinkedRowsFarApart(t *testing.T) {
	for _, distance := range []int{1, 4095, 4096} {
		for _, workers := range []int{1, 8} {
			t.Run(fmt.Sprintf("%d rows, %d workers", distance, workers), func(t *testing.T) {
				rows := manyRows(distance + 2)
				rows[0] += "@x"
				rows[distance] += "!@x"
				n := newFixture(rows...)
				n.workers = workers
				if _, err := n.do(t.Context(), t); err != nil {
					t.Fatal(err)
				}
				if n.reporter.rows[0].HalfBooked || !n.reporter.rows[distance].HalfBooked {
					t.Errorf("the first row reports %v, the last one %v", n.reporter.rows[0].HalfBooked, n.reporter.rows[distance].HalfBooked)
				}
			})
		}
	}
}

// The trips of many links, in any order, never block each other.
func TestManyLinks(t *testing.T) {
	links := []string{"@a", "@b", "@a", "@c", "@b", "@a", "@c", "@d"}
	var rows []string
	for i, row := range manyRows(5000) {
		rows = append(rows, row+links[i%len(links)])
	}
	rows[4000] = "X!@a"
	n := newFixture(rows...)
	n.workers = 8
	end, err := n.do(t.Context(), t)
	if err != nil {
		t.Fatal(err)
	}
	var of importer.Counts
	of[importer.Booked], of[importer.Fix] = 4999, 1
	if diff := cmp.Diff(of, end.Totals.Trips); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A check uses the memory of its rows again, batch by batch: each is reported as it was read, with its own trips, faults
// and outcomes, however many trips the row had that was there before.
func TestRowsOfACheckAreTheirOwn(t *testing.T) {
	rows := manyRows(5000)
	want := make([]string, len(rows))
	for i := range rows {
		want[i] = rows[i] + " ready"
		switch {
		case i%3 == 0:
			rows[i], want[i] = rows[i]+"+"+rows[i]+"b", rows[i]+" ready, "+rows[i]+"b ready"
		case i%7 == 0:
			rows[i], want[i] = rows[i]+"!", rows[i]+" fix"
		case i%11 == 0:
			rows[i], want[i] = "-"+rows[i], rows[i]+" left_out"
		}
	}
	for _, workers := range []int{1, 8} {
		n := newFixture(rows...)
		n.checks, n.workers = true, workers
		if _, err := n.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, n.reporter.lines()); diff != "" {
			t.Errorf("%d workers (-want +got)\n%s", workers, diff)
		}
		for i, row := range n.reporter.rows {
			if faulty := i%3 != 0 && i%7 == 0; importer.Faulty(row.Problems) != faulty {
				t.Fatalf("row %d has the problems %v", i, row.Problems)
			}
		}
	}
}
