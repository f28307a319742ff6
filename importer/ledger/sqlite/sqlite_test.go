package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConform(t *testing.T) { ledgertest.Conform(t, newFixture) }

func TestConformStore(t *testing.T) {
	newPath := func(tb testing.TB) string { return filepath.Join(tb.TempDir(), "office", "ledger.db") }
	inFolder := func(tb testing.TB) string { return filepath.Join(tb.TempDir(), "copy.db") }
	ledgertest.ConformStore(t, Store{}, newPath, inFolder)
}

// newFixture makes a ledger for the conformance tests. A crash of its process is
// imitated by dropping its connections and its lock without closing anything in
// order.
func newFixture(tb testing.TB) ledgertest.Fixture {
	l := newLedger(tb)
	path := l.path
	return ledgertest.Fixture{
		Ledger: l,
		Crash: func(tb testing.TB) ledger.Ledger {
			crash(tb, l)
			l = reopen(tb, path)
			return l
		},
		ReadOnly: func(tb testing.TB) ledger.Ledger {
			tb.Helper()
			reader, err := openAt(path, ledger.Options{ReadOnly: true})
			if err != nil {
				tb.Fatal(err)
			}
			tb.Cleanup(func() { _ = reader.Close() })
			return reader
		},
		Stored: func(tb testing.TB) map[string][]byte { return storedFiles(tb, path) },
	}
}

// storedFiles makes a backup of the ledger and reads all files in their folders.
func storedFiles(tb testing.TB, path string) map[string][]byte {
	tb.Helper()
	dest := filepath.Join(tb.TempDir(), "copy.db")
	if err := (Store{}).Backup(context.Background(), path, dest); err != nil {
		tb.Fatal(err)
	}

	contents := map[string][]byte{}
	for _, folder := range []string{filepath.Dir(path), filepath.Dir(dest)} {
		files, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil {
			tb.Fatal(err)
		}
		for _, file := range files {
			if contents[filepath.Base(file)], err = os.ReadFile(file); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return contents
}

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
