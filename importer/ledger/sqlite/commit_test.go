package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/tables"
)

// TestGrouped holds the turn to commit until many jobs wait. They must go into a commit
// together, and each refused one must get its own error.
func TestGrouped(t *testing.T) {
	l := begun(t)
	ledgertest.Book(t, l, ledgertest.Claim("run-1", ledgertest.Trip("booked"), 1000), "g")
	before := l.engine.commits.Load()
	turn, free := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		must(t, l.Write(func(context.Context, *tables.Writer) error { turn <- struct{}{}; <-free; return nil }))
	})
	<-turn
	const goroutines = 50
	errs := make([]error, goroutines)
	var began atomic.Int32
	for i := range goroutines {
		all.Go(func() {
			trip := ledgertest.Trip(fmt.Sprint(i))
			if i%10 == 0 {
				trip = ledgertest.Trip("booked")
			}
			began.Add(1)
			_, errs[i] = l.Claim(context.Background(), ledgertest.Claim("run-1", trip, i))
		})
	}

	for began.Load() < goroutines {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond) // for hashing, after which they wait

	close(free)
	all.Wait()
	// One for the job that had the turn, and for those that waited one, or another few
	// on a machine that let some of them be late.
	if n := l.engine.commits.Load() - before; n > 5 {
		t.Errorf("%d commits for the jobs that waited, want 2", n)
	}

	for i, err := range errs {
		if refused := errors.Is(err, importer.ErrClaimed); refused != (i%10 == 0) || err != nil && !refused {
			t.Errorf("claim %d: %v", i, err)
		}
	}
}

// breakCommit makes every later commit fail: SQLite refuses to COMMIT while a
// deferred constraint is violated.
func breakCommit(t *testing.T, l *Ledger) {
	t.Helper()
	ctx := context.Background()
	for _, statement := range []string{
		"PRAGMA foreign_keys = 1",
		"CREATE TEMP TABLE parents (id INTEGER PRIMARY KEY)",
		"CREATE TEMP TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)",
		"CREATE TEMP TRIGGER orphan AFTER UPDATE ON main.meta BEGIN INSERT INTO children VALUES (1); END",
	} {
		if _, err := l.engine.conn.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFailedCommit breaks the COMMIT itself: no job is told that it was written,
// and nothing is written from then on.
func TestFailedCommit(t *testing.T) {
	l := begun(t)
	ctx := context.Background()
	sent, err := l.Claim(ctx, ledgertest.Claim("run-1", ledgertest.Trip("sent"), 1))
	if err != nil {
		t.Fatal(err)
	}

	breakCommit(t, l)
	ledgertest.WantError(t, l.Settle(ctx, sent, ledgertest.Settlement(importer.Created, "g1")), "ledger-write-failed")
	_, err = l.Claim(ctx, ledgertest.Claim("run-1", ledgertest.Trip("next"), 2))
	ledgertest.WantError(t, err, "ledger-write-failed")

	if _, err := l.engine.conn.ExecContext(ctx, "DROP TRIGGER temp.orphan"); err != nil {
		t.Fatal(err)
	}

	_, err = l.Claim(ctx, ledgertest.Claim("run-1", ledgertest.Trip("next"), 2))
	ledgertest.WantError(t, err, "ledger-write-failed") // the disk is in order again: still nothing is written
	if r := ledgertest.Find(t, l, ledgertest.Trip("sent")); r.State != importer.Unknown || !r.InFlight {
		t.Errorf("in the run that failed: %+v", r)
	}

	crash(t, l)
	again := reopen(t, l.path)
	if r := ledgertest.Find(t, again, ledgertest.Trip("sent")); r.State != importer.Unknown || r.InFlight {
		t.Errorf("in the next run: %+v", r)
	}

	if _, ok, err := again.Find(ctx, ledgertest.Lakeshore(), ledgertest.Trip("next")); ok || err != nil {
		t.Errorf("a claim that failed was written, %v", err)
	}
}

// TestFailedChange breaks the COMMIT of a claimed change and of a settlement: neither
// is ever taken for done.
func TestFailedChange(t *testing.T) {
	ctx := context.Background()
	now := ledgertest.Trip("1")
	now.SpaceType = "WCH"
	for _, settling := range []bool{false, true} {
		l := begun(t)
		ledgertest.Book(t, l, ledgertest.Claim("run-1", ledgertest.Trip("1"), 1), "g1")
		change := ledgertest.Change("run-1", ledgertest.Find(t, l, now).Attempt, now, "space_type")
		var claimed importer.ClaimedChange
		if settling {
			var err error
			claimed, err = l.ClaimChange(ctx, change)
			must(t, err)
		}

		breakCommit(t, l)
		_, err := l.ClaimChange(ctx, change)
		if settling {
			err = l.SettleChange(ctx, claimed, ledgertest.ChangeSettlement(importer.Updated))
		}
		ledgertest.WantError(t, err, "ledger-write-failed")
		for _, of := range []string{"in the run that failed", "in the next run"} {
			r := ledgertest.Find(t, l, now)
			if len(r.Differs) != 1 || (r.Change != nil) != settling || settling && (r.Change.State != importer.ChangeUnknown || r.Change.InFlight != (of == "in the run that failed")) {
				t.Errorf("%s, settling %v: differs in %v, %+v", of, settling, r.Differs, r.Change)
			}
			if of == "in the run that failed" {
				crash(t, l)
				l = reopen(t, l.path)
			}
		}
	}
}

// TestDiskFull lets SQLite run out of room. Every claim that was granted must
// be there in the next run, and no other.
func TestDiskFull(t *testing.T) {
	l := begun(t)
	ctx := context.Background()
	var pages int
	if err := l.engine.conn.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}

	if _, err := l.engine.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages+8)); err != nil {
		t.Fatal(err)
	}

	var granted []string
	var full error
	for i := 0; full == nil; i++ {
		trip := ledgertest.Trip(fmt.Sprint(i))
		if _, full = l.Claim(ctx, ledgertest.Claim("run-1", trip, i)); full == nil {
			granted = append(granted, trip.ID)
		}
		if i > 10_000 {
			t.Fatal("the disk never filled up")
		}
	}

	ledgertest.WantError(t, full, "ledger-disk-full")
	_, err := l.Claim(ctx, ledgertest.Claim("run-1", ledgertest.Trip("small"), 99_999))
	ledgertest.WantError(t, err, "ledger-disk-full")

	crash(t, l)
	again := reopen(t, l.path)
	for _, id := range granted {
		if r := ledgertest.Find(t, again, ledgertest.Trip(id)); r.State != importer.Unknown {
			t.Errorf("%s: %+v", id, r)
		}
	}

	var trips, attempts int
	row := again.Readers.QueryRowContext(ctx, "SELECT (SELECT COUNT(*) FROM trips), (SELECT COUNT(*) FROM attempts)")
	if err := row.Scan(&trips, &attempts); err != nil || trips != len(granted) || attempts != len(granted) {
		t.Errorf("%d trips and %d attempts, want %d: %v", trips, attempts, len(granted), err)
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
	_, err := l.Claim(context.Background(), ledgertest.Claim("run-1", ledgertest.Trip("1"), 2))
	ledgertest.WantError(t, err, "ledger-write-failed")
}

// TestFailedCommitHoldsNoRows breaks the COMMIT of a trip full of names.
func TestFailedCommitHoldsNoRows(t *testing.T) {
	l := begun(t)
	trip, words := ledgertest.PrivateTrip()
	breakCommit(t, l)
	_, err := l.Claim(context.Background(), ledgertest.Claim("run-1", trip, 3))
	ledgertest.WantError(t, err, "ledger-write-failed")
	ledgertest.WantNone(t, err, append(words, trip.ID))
}

// TestPowerCut copies the files after each step of a small run, as a power cut
// leaves them, and opens the copies: whatever was durable is in them.
func TestPowerCut(t *testing.T) {
	l := begun(t)
	ctx := context.Background()
	claimed, err := l.Claim(ctx, ledgertest.Claim("run-1", ledgertest.Trip("1"), 2))
	if err != nil {
		t.Fatal(err)
	}

	sentImage := image(t, l.path)
	if err := l.Settle(ctx, claimed, ledgertest.Settlement(importer.Created, "g1")); err != nil {
		t.Fatal(err)
	}

	bookedImage := image(t, l.path)

	for path, want := range map[string]importer.State{sentImage: importer.Unknown, bookedImage: importer.Created} {
		if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
			t.Errorf("there is no -wal to go on from: %v", err)
		}
		for _, o := range []ledger.Options{{ReadOnly: true}, {}} {
			after, err := openAt(path, o)
			if err != nil {
				t.Fatal(err)
			}
			if r := ledgertest.Find(t, after, ledgertest.Trip("1")); r.State != want || r.InFlight {
				t.Errorf("got %+v, want %s", r, want.Code())
			}
			if err := after.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestWALLost removes the -wal file of a crashed run, as a person may do who tidies up.
// The mark shows that its commits are missing.
func TestWALLost(t *testing.T) {
	o := atDesk("dana", "m1", t.TempDir())
	l, err := create(context.Background(), filepath.Join(t.TempDir(), "ledger.db"), options{Options: o})
	must(t, err)
	defer func() { _ = l.Close() }()
	ledgertest.Begin(t, l, "run-1")
	ledgertest.Book(t, l, ledgertest.Claim("run-1", ledgertest.Trip("1"), 2), "g1")
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
