package run_test

import (
	"strconv"
	"sync"
	"testing"

	"tripimport/importer"
)

// TestTwoRunsAtOnce starts the same command twice, 100 times, with nothing but
// the ledger between them.
func TestTwoRunsAtOnce(t *testing.T) {
	rows := []string{"A", "B+C", "D@x", "E@x", "F", "G+H+I", "J&y", "K&y", "L!", "M", "N", "O"}
	const trips = 14 // without L
	for race := range 100 {
		ledger := newMemory()
		posts := make([]*service, 2)
		var both sync.WaitGroup
		for i := range posts {
			n := newFixture(rows...)
			n.ledger, n.workers, n.run = ledger, 4, "run-"+strconv.Itoa(i)
			posts[i] = n.service
			run := n.plan(t)
			_ = ledger.Begin(t.Context(), run.Info) // a memory never fails
			both.Go(func() {
				end, err := run.Do(t.Context(), importer.RunStart{})
				n.reporter.verify(t, end, err)
				if err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		total := 0
		for _, s := range posts {
			for id, n := range s.attempts {
				total += n
				if n > 1 || posts[0].attempts[id]+posts[1].attempts[id] > 1 {
					t.Errorf("race %d: %s was posted twice", race, id)
				}
			}
		}
		// A return that one run holds while the other sends its outbound goes
		// with the next run.
		next := newFixture(rows...)
		next.ledger = ledger
		if _, err := next.do(t.Context(), t); err != nil {
			t.Fatal(err)
		}
		if total += len(next.service.posts); total != trips {
			t.Errorf("race %d: %d trips were posted in all, want %d", race, total, trips)
		}
	}
}
