package postgres

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
)

// TestStandbyTakesOver has a standby take over during a run: nothing more is claimed, and an
// answer that comes then leaves its trip unclear. The next run goes on, since nothing is lost.
func TestStandbyTakesOver(t *testing.T) {
	t.Parallel()
	primary := pgtest.Start(t)
	m := newMachine(t, primary.NewDatabase(t))
	standby := standbyOf(t, primary)
	m = m.at(eitherOf(m.location, primary, standby))
	l := m.begin(t, "run-1")
	must(t, bookOne(l, "run-1", 1))
	sent := ledgertest.Claim(t, l, step("run-1", 2))

	follow(t, standby, primary)
	primary.Stop(t, pgtest.Immediate)
	promote(t, standby)
	wantAway(t, l.Settle(t.Context(), sent, booked(2)))
	_, err := l.Claim(t.Context(), step("run-1", 3))
	wantAway(t, err)
	must(t, l.Close())

	expire(t, m.at(standby.URL(databaseOf(m))), "run-1")
	next := m.begin(t, "run-2")
	wantTrip(t, next, 1, importer.TripBooked)
	wantTrip(t, next, 2, importer.TripUnclear)
	must(t, bookOne(next, "run-2", 3))
	checkWhole(t, next)
}

// databaseOf returns the name of a location's database.
func databaseOf(m machine) string {
	path, _, _ := strings.Cut(m.location, "?")
	return path[strings.LastIndex(path, "/")+1:]
}

// TestStandbyThatLacksCommits has a standby take over that lacks the last commits: it is
// refused as an older copy.
func TestStandbyThatLacksCommits(t *testing.T) {
	t.Parallel()
	primary := pgtest.Start(t)
	m := newMachine(t, primary.NewDatabase(t))
	standby := standbyOf(t, primary)
	l := m.begin(t, "run-1")
	must(t, bookOne(l, "run-1", 1))
	follow(t, standby, primary)
	standby.Stop(t, pgtest.Fast)
	must(t, bookOne(l, "run-1", 2))
	must(t, l.Close())

	primary.Stop(t, pgtest.Immediate)
	standby.Restart(t)
	promote(t, standby)
	m = m.at(eitherOf(m.location, primary, standby))
	_, err := m.store.Open(t.Context(), m.location, m.options("run-2"))
	wantCode(t, err, "ledger-older-copy")
}

// TestOlderCopy puts the database back to an earlier state, in which other things happened
// since: it is refused, also if its number is as great, until it is adopted with what
// results prove. Trips that were booked, and answered about, before the copy was made are
// marked as copied.
func TestOlderCopy(t *testing.T) {
	t.Parallel()
	m := shared(t)
	c := pgtest.Shared(t)
	l := m.begin(t, "run-1")
	must(t, bookOne(l, "run-1", 1))
	ledgertest.Claim(t, l, step("run-1", 2))
	l.lease.stop()
	expire(t, m, "run-1")
	must(t, m.open(t, "next").Close()) // which ends the run
	unclear := wantTrip(t, l, 2, importer.TripUnclear)
	must(t, l.Record(t.Context(), importer.Effect{
		Answer: importer.Answer{Trip: unclear.Number, Verdict: importer.NotThere, Who: "dana", At: ledgertest.Noon()},
		Saw:    []importer.LastEvent{{Trip: unclear.Number, Event: unclear.Event}}, State: importer.TripNotSent,
	}))
	new(pgtest.Cluster).Exec(t, m.location, "UPDATE tripimport.trips SET day = '2126-12-02'") // its day is not past
	must(t, l.Close())
	copied := c.Copy(t, m.location)
	other := m.begin(t, "run-2")
	must(t, bookOne(other, "run-2", 3))
	number := other.Number()
	must(t, other.Close())

	again := m.at(copied)
	_, err := again.store.Open(t.Context(), again.location, again.options("run-3"))
	wantCode(t, err, "ledger-older-copy")
	elsewhere := again // a machine that knows of no newer state
	elsewhere.store.Folder = t.TempDir()
	must(t, elsewhere.store.Join(t.Context(), elsewhere.location, onlyKey(t, m)))
	_, err = elsewhere.store.Open(t.Context(), elsewhere.location, elsewhere.options("run-elsewhere"))
	wantCode(t, err, "ledger-older-copy")
	// The whole server was put back, which no machine but the first notices, and has as great a number since.
	c.Exec(t, again.location, "SET search_path = tripimport; UPDATE meta SET value = ("+placeSQL+") WHERE name = 'machine'")
	on := elsewhere.begin(t, "run-elsewhere")
	for n := range 8 {
		must(t, bookOne(on, "run-elsewhere", 20+n))
	}
	if on.Number() <= number {
		t.Fatal("the copy's number is smaller: the test shows nothing")
	}
	must(t, on.Close())
	_, err = again.store.Open(t.Context(), again.location, again.options("run-3"))
	wantCode(t, err, "ledger-older-copy")

	failed := errors.New("the results can't be read")
	if _, err := again.store.Adopt(t.Context(), again.location, again.options("dana"), func(ledger.Ledger) (int64, error) { return 0, failed }); !errors.Is(err, failed) {
		t.Errorf("adopting ended with %v", err)
	}
	_, err = again.store.Open(t.Context(), again.location, again.options("run-3"))
	wantCode(t, err, "ledger-older-copy")
	adopted, err := again.store.Adopt(t.Context(), again.location, again.options("dana"), func(l ledger.Ledger) (int64, error) {
		return number + 5_000_000, nil
	})
	must(t, err)
	if adopted.Number() <= number+5_000_000 {
		t.Errorf("it goes on with %d", adopted.Number())
	}
	must(t, adopted.Close())
	last := again.begin(t, "run-4")
	if !wantTrip(t, last, 1, importer.TripBooked).Copied {
		t.Error("a trip from before the copy is not marked")
	}
	if !wantTrip(t, last, 2, importer.TripNotSent).Copied {
		t.Error("an answer from before the copy is not marked")
	}
	checkWhole(t, last)
}

// onlyKey returns the path of the machine's one key.
func onlyKey(t *testing.T, m machine) string {
	t.Helper()
	keys, err := filepath.Glob(m.store.KeyPath("*"))
	must(t, err)
	if len(keys) != 1 {
		t.Fatalf("the machine has the keys %v", keys)
	}
	return keys[0]
}

// A machine needs the ledger's own key, which Join brings.
func TestJoin(t *testing.T) {
	t.Parallel()
	m, foreign := shared(t), shared(t)
	key, another := onlyKey(t, m), onlyKey(t, foreign)
	m.store.Folder = t.TempDir()
	_, err := m.store.Open(t.Context(), m.location, m.options("clerk"))
	wantCode(t, err, "ledger-key-missing")
	wantCode(t, m.store.Join(t.Context(), m.location, another), "ledger-key-other")
	wantCode(t, m.store.Join(t.Context(), m.location, m.store.Folder), "ledger-key-unreadable")
	for range 2 {
		must(t, m.store.Join(t.Context(), m.location, key))
	}
	must(t, bookOne(m.begin(t, "run-1"), "run-1", 1))
	if _, err := os.Stat(m.store.KeyPath(strings.TrimSuffix(filepath.Base(key), ".key"))); err != nil {
		t.Error(err)
	}
	wantCode(t, m.store.Backup(t.Context(), m.location, "copy"), "ledger-backup-elsewhere")
}

// Of several that make a ledger in one database at once, one makes it, and the key of no
// other is left.
func TestMakingAtOnce(t *testing.T) {
	t.Parallel()
	location := pgtest.Shared(t).NewDatabase(t)
	var wait sync.WaitGroup
	var folders, made []string
	var mu sync.Mutex
	for range 4 {
		folder := t.TempDir()
		folders = append(folders, folder)
		wait.Go(func() {
			l, err := Store{Folder: folder}.Create(t.Context(), location, ledger.Options{Who: "clerk", Machine: "machine", Marks: []string{folder}})
			if err != nil {
				wantCode(t, err, "ledger-exists")
				return
			}
			mu.Lock()
			made = append(made, folder)
			mu.Unlock()
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	keys := 0
	for _, folder := range folders {
		found, _ := filepath.Glob(filepath.Join(folder, "*.key"))
		keys += len(found)
	}
	if len(made) != 1 || keys != 1 {
		t.Errorf("%d ledgers were made, and %d keys", len(made), keys)
	}
}

// A ledger is made in a database of any other program's tables, but not in its schema, not
// by somebody who may not make tables, and not beside another one that the machine uses.
// Nothing of it is left then. One of another build is refused.
func TestMakingLedgers(t *testing.T) {
	clearEnvironment(t)
	c := pgtest.Shared(t)
	c.Exec(t, c.URL("postgres"), "CREATE ROLE making_clerk LOGIN")
	t.Cleanup(func() { c.Exec(t, c.URL("postgres"), "DROP ROLE making_clerk") })
	const older = "CREATE SCHEMA tripimport; CREATE TABLE tripimport.meta (name TEXT PRIMARY KEY, value TEXT); INSERT INTO tripimport.meta VALUES ('identity', 'x'), ('schema', '9')"
	for name, tt := range map[string]struct {
		statements, user, key string
		code, words           string // of the refusal; empty for none
	}{
		"other tables":              {statements: "CREATE TABLE meta (a int); CREATE TABLE trips (name text, value text)"},
		"another schema":            {statements: "CREATE SCHEMA tripimport; CREATE TABLE tripimport.meta (a int)", code: "ledger-failed", words: "42703"},
		"an empty schema":           {statements: "CREATE SCHEMA tripimport", code: "ledger-exists", words: "something else has a schema"},
		"an older ledger":           {statements: older, code: "ledger-older", words: "another build of tripimport"},
		"no right to make a schema": {user: "making_clerk", code: "ledger-access", words: "the right to do this"},
		"no right to the schema":    {statements: "CREATE SCHEMA tripimport", user: "making_clerk", code: "ledger-access", words: "the right to do this"},
		"beside another":            {key: "K7Q2XW.key", code: "ledger-second", words: "this machine has the key of another ledger"},
	} {
		t.Run(name, func(t *testing.T) {
			url, folder := c.NewDatabase(t), t.TempDir()
			if tt.statements != "" {
				c.Exec(t, url, tt.statements)
			}
			if tt.user != "" {
				url = strings.Replace(url, pgtest.Superuser+"@", tt.user+"@", 1)
			}
			kept := 0
			if tt.key != "" {
				kept = 1
				must(t, os.WriteFile(filepath.Join(folder, tt.key), nil, 0o600))
			}
			options := ledger.Options{Marks: []string{folder}, Machine: "machine", Who: "clerk", Host: "office", Command: "test"}
			l, err := Store{Folder: folder}.Create(t.Context(), url, options)
			if tt.code == "" {
				must(t, err)
				must(t, l.Close())
				return
			}
			if e := wantCode(t, err, tt.code); !strings.Contains(e.Reason, tt.words) {
				t.Errorf("%v, want %s", e, tt.words)
			}
			if keys, _ := filepath.Glob(filepath.Join(folder, "*.key")); len(keys) != kept {
				t.Errorf("keys are left: %v", keys)
			}
			if tt.statements != "" {
				_, err := Store{Folder: folder}.Open(t.Context(), url, options)
				wantCode(t, err, strings.ReplaceAll(tt.code, "ledger-exists", "ledger-missing"))
			}
		})
	}
}

// A folder without a socket has no server, and a database without a ledger is said to be one.
func TestNoLedger(t *testing.T) {
	clearEnvironment(t)
	_, err := at(t, "postgres://clerk@/trips?host=%s", t.TempDir()).connect(t.Context(), false, silence)
	if e := wantCode(t, err, "ledger-unreachable"); !e.Later {
		t.Errorf("got %v", err)
	}
	_, err = Store{Folder: t.TempDir()}.Open(t.Context(), pgtest.Shared(t).NewDatabase(t), ledger.Options{})
	if e := wantCode(t, err, "ledger-missing"); !e.Missing {
		t.Errorf("got %v", err)
	}
}
