package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/next/ledgertest"
	"tripimport/importer/ledger/next/tables"
)

// TestGrouped holds the turn to commit until many jobs wait. They must go into a commit
// together, and each refused one must get its own error.
func TestGrouped(t *testing.T) {
	l := begun(t)
	var steps []importer.Step
	for i := range 50 {
		steps = append(steps, ledgertest.Step(t, l, "run-1", ledgertest.Row(fmt.Sprint(i-i%2)), 0)) // each row comes twice
	}
	ledgertest.Book(t, l, "run-1", ledgertest.Row("44"), "g")
	commits := countCommits(t, l)
	turn, free := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		must(t, l.Write(func(context.Context, *tables.Writer) error { turn <- struct{}{}; <-free; return nil }))
	})
	<-turn
	granted := map[string]*atomic.Int32{}
	for i := range 50 {
		granted[steps[i].Row.Key.ID] = &atomic.Int32{}
	}
	var began atomic.Int32
	for _, s := range steps {
		all.Go(func() {
			began.Add(1)
			_, err := l.Claim(context.Background(), s)
			if err == nil {
				granted[s.Row.Key.ID].Add(1)
			} else if !errors.Is(err, importer.ErrMeanwhile) {
				t.Error(err)
			}
		})
	}
	for int(began.Load()) < len(steps) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond) // for hashing, after which they wait
	close(free)
	all.Wait()
	// One for the job that had the turn, and for those that waited one, or another few
	// on a machine that let some of them be late.
	if n := commits(); n > 5 {
		t.Errorf("%d commits for the jobs that waited, want 2", n)
	}
	for id, n := range granted {
		if want := int32(1); id == "44" && n.Load() != 0 || id != "44" && n.Load() != want {
			t.Errorf("the row %s was granted %d times", id, n.Load())
		}
	}
}

// countCommits counts the commits from now on.
func countCommits(t *testing.T, l *Ledger) (count func() int) {
	t.Helper()
	ctx := context.Background()
	_, err := l.engine.conn.ExecContext(ctx, `CREATE TEMP TABLE commits (n INTEGER);
		CREATE TEMP TRIGGER counted AFTER UPDATE ON main.meta BEGIN INSERT INTO commits VALUES (1); END`)
	must(t, err)
	return func() (n int) {
		must(t, l.engine.conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM commits").Scan(&n))
		return n
	}
}

// breakCommit makes every later commit fail: SQLite refuses to COMMIT while a deferred
// constraint is violated.
func breakCommit(t *testing.T, l *Ledger) {
	t.Helper()
	for _, statement := range []string{
		"PRAGMA foreign_keys = 1",
		"CREATE TEMP TABLE parents (id INTEGER PRIMARY KEY)",
		"CREATE TEMP TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)",
		"CREATE TEMP TRIGGER orphan AFTER UPDATE ON main.meta BEGIN INSERT INTO children VALUES (1); END",
	} {
		_, err := l.engine.conn.ExecContext(context.Background(), statement)
		must(t, err)
	}
}

// TestFailedCommit breaks the COMMIT itself: no job is told that it was written, nothing is
// written from then on, and the next run finds what was durable.
func TestFailedCommit(t *testing.T) {
	l, ctx := begun(t), context.Background()
	sent := ledgertest.Claim(t, l, ledgertest.Step(t, l, "run-1", ledgertest.Row("sent"), 0))
	ledgertest.Book(t, l, "run-1", ledgertest.Row("booked"), "g1")
	step, number := ledgertest.Step(t, l, "run-1", ledgertest.Row("Zebulon Thistlewick"), 0), l.Number()
	breakCommit(t, l)
	_, err := l.Claim(ctx, step)
	ledgertest.WantError(t, err, "ledger-write-failed")
	if strings.Contains(fmt.Sprintf("%v %v", err, errors.Unwrap(err)), "Zebulon") {
		t.Errorf("the error has row content: %v", err)
	}
	ledgertest.WantError(t, l.Settle(ctx, sent, ledgertest.Settled(importer.TripBooked, "g2")), "ledger-write-failed")
	_, err = l.Arrive(ctx, "run-1", ledgertest.Arrival(0), ledgertest.Rows(ledgertest.Row("1")))
	ledgertest.WantError(t, err, "ledger-write-failed")
	if l.Number() != number {
		t.Errorf("the number went from %d to %d", number, l.Number())
	}
	crash(t, l)

	again := reopen(t, l.path)
	if a, b := find(t, again, "sent"), find(t, again, "booked"); a.State != importer.TripUnclear || b.State != importer.TripBooked || b.GUID != "g1" {
		t.Errorf("the next run finds %+v and %+v", a, b)
	}
	if k := ledgertest.Look(t, again, step.Row); len(k.Trips)+len(k.Words) > 0 {
		t.Errorf("it finds a claim that was not granted: %+v", k)
	}
}

// TestDiskFull lets SQLite run out of room. Every claim that was granted must be there in
// the next run, and no other.
func TestDiskFull(t *testing.T) {
	l, ctx := begun(t), context.Background()
	var pages int
	must(t, l.engine.conn.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages))
	_, err := l.engine.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages+8))
	must(t, err)
	var granted []string
	var full error
	for i := 0; full == nil && i < 10_000; i++ {
		row := ledgertest.Row(fmt.Sprint(i))
		if _, full = l.Claim(ctx, ledgertest.Step(t, l, "run-1", row, 0)); full == nil {
			granted = append(granted, row.Key.ID)
		}
	}
	ledgertest.WantError(t, full, "ledger-disk-full")
	_, err = l.Claim(ctx, ledgertest.Step(t, l, "run-1", ledgertest.Row("small"), 0))
	ledgertest.WantError(t, err, "ledger-disk-full")
	crash(t, l)

	again := reopen(t, l.path)
	for _, id := range granted {
		if s := find(t, again, id); s.State != importer.TripUnclear {
			t.Errorf("%s: %+v", id, s)
		}
	}
	if v, err := again.Verify(ctx); err != nil || v.Trips != len(granted) || len(granted) == 0 || len(v.Wrong) > 0 {
		t.Errorf("%+v for %d claims, %v", v, len(granted), err)
	}
}

// TestPanicFailsTheGroup lets a job panic: the other jobs must not wait for ever.
func TestPanicFailsTheGroup(t *testing.T) {
	l := begun(t)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = l.Write(func(context.Context, *tables.Writer) error { panic("an error of the program") })
	}()
	_, err := l.Claim(context.Background(), ledgertest.Step(t, l, "run-1", ledgertest.Row("1"), 0))
	ledgertest.WantError(t, err, "ledger-write-failed")
}

// TestPowerCut copies the files after each step of a small run, as a power cut leaves them,
// and opens the copies: whatever was durable is in them.
func TestPowerCut(t *testing.T) {
	l, row := begun(t), ledgertest.Row("1")
	ledgertest.Arrive(t, l, "run-1", ledgertest.Arrival(0), row)
	arrived := image(t, l.path)
	claimed := ledgertest.Claim(t, l, ledgertest.Step(t, l, "run-1", row, 0))
	sent := image(t, l.path)
	must(t, l.Settle(context.Background(), claimed, ledgertest.Settled(importer.TripBooked, "g1")))
	booked := image(t, l.path)

	for path, want := range map[string]importer.TripState{arrived: importer.TripRefused, sent: importer.TripUnclear, booked: importer.TripBooked} {
		if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
			t.Errorf("there is no -wal to go on from: %v", err)
		}
		for _, o := range []ledger.Options{{ReadOnly: true}, {}} {
			after, err := openAt(path, o)
			must(t, err)
			known := ledgertest.Look(t, after, row)
			if known.Word() == nil || (len(known.Trips) == 0) != (path == arrived) || len(known.Trips) > 0 && known.Trips[0].State != want {
				t.Errorf("got %+v, want %s", known, want.Code())
			}
			must(t, after.Close())
		}
	}
}

// TestWALLost removes the -wal file of a crashed run, as a person may do who tidies up. The
// mark shows that its commits are missing.
func TestWALLost(t *testing.T) {
	o := atDesk("dana", "m1", t.TempDir())
	l, err := create(context.Background(), filepath.Join(t.TempDir(), "ledger.db"), options{Options: o})
	must(t, err)
	defer func() { _ = l.Close() }()
	ledgertest.Begin(t, l, "run-1")
	ledgertest.Book(t, l, "run-1", ledgertest.Row("1"), "g1")
	path := image(t, l.path)
	remove(t, path+"-wal")
	_, err = openAt(path, o)
	ledgertest.WantError(t, err, "ledger-older-copy")
}

// image copies a ledger's files as they are.
func image(t *testing.T, path string) string {
	t.Helper()
	folder := t.TempDir()
	files, err := filepath.Glob(path + "*")
	must(t, err)
	for _, file := range files {
		if filepath.Ext(file) == ".db-shm" {
			continue // shared memory is gone after a power cut
		}
		content, err := os.ReadFile(file)
		must(t, err)
		write(t, filepath.Join(folder, filepath.Base(file)), content)
	}
	return filepath.Join(folder, filepath.Base(path))
}
