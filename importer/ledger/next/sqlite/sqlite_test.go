package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/next"
	"tripimport/importer/ledger/next/ledgertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newLedger makes a ledger in a folder of its own.
func newLedger(tb testing.TB) *Ledger {
	tb.Helper()
	l, err := create(context.Background(), filepath.Join(tb.TempDir(), "office", "ledger.db"), options{Options: ledger.Options{Who: "dana", Host: "FRONT-DESK", Command: "import"}})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Close() })
	return l
}

// begun makes a ledger in which run-1 has begun.
func begun(tb testing.TB) *Ledger {
	tb.Helper()
	l := newLedger(tb)
	ledgertest.Begin(tb, l, "run-1")
	return l
}

func reopen(tb testing.TB, path string) *Ledger {
	tb.Helper()
	l, err := openAt(path, ledger.Options{Who: "sam", Host: "BACK-OFFICE", Command: "import"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Close() })
	return l
}

// crash closes the ledger's files as the operating system does when a process
// dies: the run has no end, and the lock file still names the holder.
func crash(tb testing.TB, l *Ledger) {
	tb.Helper()
	left := l.lock
	l.lock = nil
	if err := errors.Join(l.Close(), left.file.Close(), left.os.Unlock()); err != nil {
		tb.Fatal(err)
	}
}

func openAt(path string, o ledger.Options) (*Ledger, error) {
	return open(context.Background(), path, options{Options: o})
}

// find returns the trip of the row with the id as it stands.
func find(tb testing.TB, l next.Ledger, id string) importer.Standing {
	tb.Helper()
	known := ledgertest.Look(tb, l, ledgertest.Row(id))
	for _, t := range known.Trips {
		if t.RowID == known.ID {
			return t
		}
	}
	tb.Fatalf("the ledger has no trip of the row %s", id)
	return importer.Standing{}
}
