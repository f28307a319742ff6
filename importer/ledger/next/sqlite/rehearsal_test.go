package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/next/ledgertest"
)

// synchronous returns how a ledger's writing connection waits for the disk: 2 is FULL, 0
// is OFF.
func synchronous(t *testing.T, l *Ledger) (n int) {
	t.Helper()
	if err := l.engine.conn.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRehearsal holds that only a file that was made for rehearsals does without waiting
// for the disk, and that it is never taken for the office's own ledger.
func TestRehearsal(t *testing.T) {
	rehearsal := ledger.Options{Rehearsal: true}
	path := filepath.Join(t.TempDir(), "rehearsal", "ledger.db")
	l, err := create(t.Context(), path, options{Options: rehearsal})
	if err != nil {
		t.Fatal(err)
	}
	ledgertest.Begin(t, l, "run-1")
	ledgertest.Book(t, l, "run-1", ledgertest.Row("1"), "g1")
	if n := synchronous(t, l); n != 0 {
		t.Errorf("a new ledger of rehearsals has synchronous %d", n)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	s := Store{}
	dest := filepath.Join(t.TempDir(), "copy.db")
	for name, refused := range map[string]func() error{
		"open":   func() error { _, err := s.Open(t.Context(), path, ledger.Options{}); return err },
		"read":   func() error { _, err := s.Open(t.Context(), path, ledger.Options{ReadOnly: true}); return err },
		"adopt":  func() error { _, err := s.Adopt(t.Context(), path, ledger.Options{}, nil); return err },
		"backup": func() error { return s.Backup(t.Context(), path, dest) },
	} {
		t.Run(name, func(t *testing.T) { ledgertest.WantError(t, refused(), "ledger-rehearsal") })
	}

	l, err = openAt(path, rehearsal)
	if err != nil {
		t.Fatal(err)
	}
	if n := synchronous(t, l); n != 0 {
		t.Errorf("a ledger of rehearsals that was there has synchronous %d", n)
	}
	if r := find(t, l, "1"); r.State != importer.TripBooked {
		t.Errorf("it has the trip as %s", r.State.Code())
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestRehearsalLeavesOfficeDurable opens ledgers that were not made for rehearsals.
func TestRehearsalLeavesOfficeDurable(t *testing.T) {
	path := closedLedger(t)
	for _, o := range []ledger.Options{{}, {Rehearsal: true}} {
		l, err := openAt(path, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkDurable(context.Background(), l.engine.conn); err != nil {
			t.Errorf("with %+v: %v", o, err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
