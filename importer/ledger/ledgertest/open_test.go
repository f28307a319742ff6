package ledgertest

import (
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

func testIdentityAndKeys(t *testing.T, f fixture) {
	l := f.Ledger
	identity, key, other := l.Identity(), l.Key("results"), l.Key("something else")
	if identity == "" || l.Location() == "" {
		t.Errorf("the ledger has the identity %q and is at %q", identity, l.Location())
	}

	if string(key) == string(other) || len(key) != 32 {
		t.Errorf("keys for two purposes: %x and %x", key, other)
	}

	again := f.Crash(t)
	if again.Identity() != identity || string(again.Key("results")) != string(key) {
		t.Error("the ledger came back as another one")
	}
}

// testReadOnly reads a ledger beside a process that writes to it.
func testReadOnly(t *testing.T, f fixture) {
	ctx := t.Context()
	claimed := take(t, f.Ledger, Claim("run-1", Trip("1"), 2))
	reader := f.ReadOnly(t)
	if r := Find(t, reader, Trip("1")); !r.InFlight {
		t.Errorf("what the run sends just now: %+v", r)
	}

	if runs, err := reader.Runs(ctx, 0); err != nil || len(runs) != 1 || !runs[0].Live {
		t.Errorf("the run that goes on: %+v, %v", runs, err)
	}

	must(t, f.Ledger.Settle(ctx, claimed, Settlement(importer.Created, "g1")))
	wantState(t, reader, "what the run has sent", "1", importer.Created, "g1")
	for name, try := range map[string]func() error{
		"begin": func() error { return reader.Begin(ctx, Run("run-2")) },
		"end":   func() error { return reader.End(ctx, "run-1", importer.Totals{}, Noon(), "") },
		"claim": func() error {
			_, err := reader.Claim(ctx, Claim("run-1", Trip("2"), 3))
			return err
		},
		"settle": func() error { return reader.Settle(ctx, claimed, Settlement(importer.Created, "g2")) },
		"resolve": func() error {
			return reader.Resolve(ctx, ledger.Resolution{Attempt: claimed.Attempt, Verdict: importer.There})
		},
		"claim a change": func() error {
			_, err := reader.ClaimChange(ctx, Change("run-1", claimed.Attempt, Trip("1"), pickupTime))
			return err
		},
		"settle a change": func() error {
			return reader.SettleChange(ctx, importer.ClaimedChange{Number: 1}, ChangeSettlement(importer.Updated))
		},
		"note a schedule":   func() error { return reader.NoteSchedule(ctx, importer.RowKey{Broker: "Alpha", ID: "1"}, Trip("1")) },
		"hold":              func() error { return reader.Hold(ctx, claimed.Attempt, true, ledger.Person{}) },
		"rekey":             func() error { return reader.Rekey(ctx, Lakeshore(), "", ledger.Person{}) },
		"link":              func() error { return reader.Link(ctx, Lakeshore().Service, movedTo, ledger.Person{}) },
		"separate":          func() error { return reader.Separate(ctx, movedTo, ledger.Person{}) },
		"separate provider": func() error { return reader.SeparateProvider(ctx, Lakeshore(), ledger.Person{}) },
	} {
		t.Run(name, func(t *testing.T) { WantError(t, try(), "ledger-only-looked-at") })
	}
}

func testClosed(t *testing.T, f fixture) {
	must(t, f.Ledger.Close())
	_, err := f.Ledger.Claim(t.Context(), Claim("run-1", Trip("1"), 2))
	WantError(t, err, "ledger-closed")
}

// conformStore tests that a store does what ledger.Store promises. newStore returns the
// store of an office that has no ledger yet, newLocation a location where there is
// nothing yet, and backupName a path for a backup, or an empty text for a store that
// makes no backups.
func conformStore(t *testing.T, newStore func(testing.TB) ledger.Store, newLocation, backupName func(testing.TB) string) {
	ctx, store := t.Context(), newStore(t)
	location := newLocation(t)
	for name, open := range map[string]func() (ledger.Ledger, error){
		"open":  func() (ledger.Ledger, error) { return store.Open(ctx, location, ledger.Options{}) },
		"read":  func() (ledger.Ledger, error) { return store.Open(ctx, location, ledger.Options{ReadOnly: true}) },
		"adopt": func() (ledger.Ledger, error) { return store.Adopt(ctx, location, ledger.Options{}, nil) },
	} {
		if _, err := open(); !AsError(t, err, "ledger-missing").Missing {
			t.Errorf("%s: the error does not say that the ledger is missing", name)
		}
	}

	l, err := store.Create(ctx, location, ledger.Options{})
	must(t, err)
	identity := l.Identity()
	other, err := newStore(t).Create(ctx, newLocation(t), ledger.Options{})
	must(t, err)
	if other.Identity() == identity || string(other.Key("results")) == string(l.Key("results")) {
		t.Error("two ledgers have one identity or one key")
	}
	must(t, other.Close())
	Begin(t, l, "run-1")
	Book(t, l, Claim("run-1", Trip("1"), 2), "g1")
	must(t, l.Close())
	_, err = store.Create(ctx, location, ledger.Options{})
	WantError(t, err, "ledger-exists")
	again := func(location string, o ledger.Options) {
		t.Helper()
		l, err := store.Open(ctx, location, o)
		must(t, err)
		if r := Find(t, l, Trip("1")); l.Identity() != identity || r.State != importer.Created {
			t.Errorf("the ledger came back as %s, with %+v", l.Identity(), r)
		}
		must(t, l.Close())
	}

	again(location, ledger.Options{})
	again(location, ledger.Options{ReadOnly: true})

	dest := backupName(t)
	if dest == "" {
		return
	}

	must(t, store.Backup(ctx, location, dest))
	WantError(t, store.Backup(ctx, location, dest), "ledger-backup-exists")
	_, err = store.Open(ctx, dest, ledger.Options{})
	WantError(t, err, "ledger-backup")
	again(dest, ledger.Options{ReadOnly: true})
	l, err = store.Adopt(ctx, dest, ledger.Options{Who: "dana"}, nil)
	must(t, err)
	must(t, l.Close())
	again(dest, ledger.Options{})
	testMachines(t, store, dest)
}

// testMachines opens a ledger on the machine to which it is bound, on another one,
// and there again once it is adopted. What is entered before it is adopted stays.
func testMachines(t *testing.T, store ledger.Store, location string) {
	ctx := t.Context()
	here, there := ledger.Options{Machine: "m1", Marks: []string{t.TempDir()}}, ledger.Options{Machine: "m2", Marks: []string{t.TempDir()}}
	open := func(o ledger.Options) ledger.Ledger {
		t.Helper()
		l, err := store.Open(ctx, location, o)
		must(t, err)
		return l
	}
	for range 2 {
		must(t, open(here).Close())
	}

	_, err := store.Open(ctx, location, there)
	WantError(t, err, "ledger-other-machine")
	const seen = 5000
	l, err := store.Adopt(ctx, location, there, func(l ledger.Ledger) (int64, error) {
		before := l.Number()
		Begin(t, l, "run-2")
		Book(t, l, Claim("run-2", Trip("2"), 3), "g2")
		if l.Number() <= before {
			t.Errorf("the number went from %d to %d", before, l.Number())
		}
		return seen, nil
	})
	must(t, err)
	if r := Find(t, l, Trip("2")); r.State != importer.Created || l.Number() <= seen {
		t.Errorf("it goes on from %d with %+v", l.Number(), r)
	}

	number := l.Number()
	must(t, l.Close())
	_, err = store.Open(ctx, location, here)
	WantError(t, err, "ledger-other-machine")
	l = open(there)
	if l.Number() < number {
		t.Errorf("the number went from %d back to %d", number, l.Number())
	}
	must(t, l.Close())
}
