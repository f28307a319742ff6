package move

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/ledger/sqlite"
)

// An office has a ledger in a file, a database for it, and a folder for keys and marks.
type office struct{ path, url, folder string }

func (o office) options() ledger.Options {
	return ledger.Options{
		Who: "dana", Host: "FRONT-DESK", Command: "ledger move", Machine: "machine-1",
		Marks: []string{filepath.Join(o.folder, "marks")},
	}
}

func (o office) database() postgres.Store {
	return postgres.Store{Folder: filepath.Join(o.folder, "keys")}
}

func (o office) mover() Mover { return Mover{To: o.database(), Options: o.options()} }

// move moves the ledger, which has to succeed. The server may notice the end of a program that was killed in the
// middle of a move a while later.
func (o office) move(t *testing.T) *Moved {
	t.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		moved, err := o.mover().Move(t.Context(), o.path, o.url)
		var failed *ledger.Error
		if errors.As(err, &failed) && failed.Code == "ledger-moving" && time.Since(began) < 20*time.Second {
			continue
		}
		must(t, err)
		return moved
	}
}

// newOffice has a ledger with every kind of row, and an empty database.
func newOffice(t *testing.T) office {
	t.Helper()
	o := office{filepath.Join(t.TempDir(), "office", "ledger.db"), pgtest.Shared(t).NewDatabase(t), t.TempDir()}
	l, err := sqlite.Store{}.Create(t.Context(), o.path, o.options())
	must(t, err)
	fill(t, l)
	must(t, l.Close())
	l = o.openFile(t, false) // which ends the run that was broken off
	must(t, l.Close())
	return o
}

func (o office) openFile(t *testing.T, readOnly bool) ledger.Ledger {
	t.Helper()
	options := o.options()
	options.ReadOnly = readOnly
	l, err := sqlite.Store{}.Open(t.Context(), o.path, options)
	must(t, err)
	return l
}

func (o office) openDatabase(t *testing.T) ledger.Ledger {
	t.Helper()
	l, err := o.database().Open(t.Context(), o.url, o.options())
	must(t, err)
	return l
}

// dana is the person who answers.
func dana(minute int) ledger.Person {
	return ledger.Person{Who: "dana", Host: "FRONT-DESK", When: ledgertest.Noon().Add(time.Duration(minute) * time.Minute)}
}

func rowKey(id string) importer.RowKey {
	return importer.RowKey{Broker: "Alpha", ID: id, TripID: id, Date: ledgertest.Night()}
}

func claim(id string, row int) importer.Claim {
	c := ledgertest.Claim("run-1", ledgertest.Trip(id), row)
	c.Key = rowKey(id)
	return c
}

// fill writes every kind of row, and leaves a run that was broken off.
func fill(t *testing.T, l ledger.Ledger) {
	t.Helper()
	ctx := t.Context()
	run := ledgertest.Run("run-1")
	run.RowIDs = importer.RowIDs{Broker: "Alpha", Columns: "Trip Number"}
	run.Schedules = []importer.Schedule{{
		Input: "aa11", Days: []importer.Date{ledgertest.Night()}, Stamp: ledgertest.Noon(),
		Pairs: []importer.Pair{{Provider: "Lakeshore Transit", FundingSource: "County Health"}},
	}}
	must(t, l.Begin(ctx, run))

	// Booked, changed, answered, held.
	for i, id := range []string{"booked", "changed", "by hand", "held"} {
		ledgertest.Book(t, l, claim(id, 2+i), "guid-"+id)
	}
	attempt := func(id string) int64 { return ledgertest.Find(t, l, ledgertest.Trip(id)).Attempt }
	later := ledgertest.Trip("changed")
	later.Pickup.PickupTime.Hour, later.Dropoff.Appt.Hour = 10, 11
	keys := []string{"pickup.pickup_time", "dropoff.appt_time"}
	ledgertest.SendChange(t, l, ledgertest.Change("run-1", attempt("changed"), later, keys...), importer.Updated)
	ledgertest.SendChange(t, l, ledgertest.Change("run-1", attempt("by hand"), ledgertest.Trip("by hand"), keys...), importer.ChangeUnknown)
	must(t, l.Hold(ctx, attempt("held"), true, dana(1)))

	// Refused, in doubt, answered.
	ledgertest.Send(t, l, claim("refused", 10), ledgertest.Settlement(importer.Refused, ""))
	ledgertest.Send(t, l, claim("doubtful", 11), ledgertest.Settlement(importer.Unknown, ""))
	ledgertest.Send(t, l, claim("found", 12), ledgertest.Settlement(importer.Unknown, ""))
	must(t, l.Resolve(ctx, ledger.Resolution{Attempt: attempt("found"), Verdict: importer.There, GUID: "guid-found", Who: "dana", When: dana(2).When, Note: "seen"}))
	must(t, l.Decide(ctx, importer.Decision{Key: rowKey("refused"), Trip: ledgertest.Trip("refused")}, importer.LeaveIt, dana(3)))
	must(t, l.Decide(ctx, importer.Decision{Other: attempt("booked")}, importer.LeaveIt, dana(3)))
	must(t, l.NoteSchedule(ctx, rowKey("refused"), ledgertest.Trip("refused")))
	must(t, l.NoteSlot(ctx, ledger.SlotEvent{At: ledgertest.Noon(), Slot: "2026-12-01T21:30 import", Kind: "begun", Detail: "night.csv"}))
	must(t, l.Separate(ctx, "https://staging.example.test/v1", dana(4)))
	raised := importer.Item{Kind: "unknown", Attempt: attempt("doubtful")}
	totals := importer.Totals{RowsRead: 7, TripsRead: 7}
	for state, n := range map[importer.State]int{importer.Created: 4, importer.Refused: 1, importer.Unknown: 2} {
		totals.Rows[state], totals.Trips[state] = n, n
	}
	must(t, l.End(ctx, "run-1", totals, dana(5).When, "finished", raised))

	// A broker with ids that tell the rider, and a run that is broken off.
	private := ledgertest.Run("run-2")
	private.RowIDs = importer.RowIDs{Broker: "Wrenfield", Columns: "member", Private: true}
	must(t, l.Begin(ctx, private))
	hidden := ledgertest.Trip("MBR-4471-0093-A")
	hidden.Alias = "row 20"
	c := ledgertest.Claim("run-2", hidden, 20)
	c.Key = importer.RowKey{Broker: "Wrenfield", ID: "A", Date: ledgertest.Night()}
	ledgertest.Book(t, l, c, "guid-hidden")
	left := ledgertest.Claim("run-2", ledgertest.Trip("left behind"), 21)
	_, err := l.Claim(ctx, left)
	must(t, err)
}

// A picture is what a ledger says of what it holds.
type picture struct {
	Histories  []ledger.History
	Unresolved []ledger.Entry
	Runs       []ledger.Run
	Slots      []ledger.SlotEvent
	Stamp      time.Time
	Raised     bool
	Verified   ledger.Verification
	Mark       []byte
}

func pictureOf(t *testing.T, l ledger.Ledger) picture {
	t.Helper()
	ctx := t.Context()
	var p picture
	for h, err := range l.Histories(ctx, ledger.Search{}) {
		must(t, err)
		p.Histories = append(p.Histories, h)
	}
	var err error
	p.Unresolved, err = l.Unresolved(ctx)
	must(t, err)
	p.Runs, err = l.Runs(ctx, 0)
	must(t, err)
	p.Slots, err = l.SlotEvents(ctx, time.Time{})
	must(t, err)
	info := ledgertest.Run("run-9")
	info.RowIDs, info.Inputs = importer.RowIDs{Broker: "Alpha"}, nil
	p.Stamp, err = l.LatestStamp(ctx, info, &importer.Schedule{
		Days: []importer.Date{ledgertest.Night()}, Pairs: []importer.Pair{{Provider: "Lakeshore Transit", FundingSource: "County Health"}},
	})
	must(t, err)
	p.Raised, err = l.Raised(ctx, importer.Item{Kind: "unknown", Attempt: p.Unresolved[0].Attempt})
	must(t, err)
	p.Verified, err = l.Verify(ctx)
	must(t, err)
	p.Mark = l.Key("mark of somebody")
	return p
}

func wantPicture(t *testing.T, want, got picture) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Errorf("(-file +database):\n%s", diff)
	}
}

// TestMove moves a ledger with every kind of row. The database then has the same ledger,
// which goes on where the file's ended, and nobody reads or writes the file any more.
func TestMove(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	l := o.openFile(t, true)
	want, number, identity := pictureOf(t, l), l.Number(), l.Identity()
	if len(want.Histories) == 0 || len(want.Verified.Wrong) > 0 || want.Stamp.IsZero() || len(want.Slots) == 0 {
		t.Fatalf("the ledger is no good sample: %+v", want)
	}
	must(t, l.Close())

	told, all := 0, 0
	mover := o.mover()
	mover.Progress = func(rows int) {
		if rows < told {
			t.Errorf("%d rows are copied, after %d", rows, told)
		}
		told = rows
	}
	moved, err := mover.Move(t.Context(), o.path, o.url)
	must(t, err)
	for table, rows := range moved.Rows {
		if rows == 0 {
			t.Errorf("the sample has no rows of the table %s", table)
		}
		all += rows
	}
	if told != all {
		t.Errorf("%d rows were told to be copied, of %d", told, all)
	}
	l = o.openDatabase(t)
	defer func() { must(t, l.Close()) }()
	if l.Identity() != identity || l.Number() <= number {
		t.Errorf("%s with number %d, was %s with %d", l.Identity(), l.Number(), identity, number)
	}
	if moved.To != l.Location() || !strings.HasPrefix(moved.Key, o.folder) {
		t.Errorf("moved to %s with the key %s", moved.To, moved.Key)
	}
	wantPicture(t, want, pictureOf(t, l))

	ledgertest.Begin(t, l, "run-3")
	for i, h := range want.Histories {
		c := ledgertest.Claim("run-3", ledgertest.Trip(h.TripID), 100+i)
		if _, err := l.Claim(t.Context(), c); errors.Is(err, importer.ErrClaimed) != h.Taken() {
			t.Errorf("claiming %s, which is %s: %v", h.TripID, h.State.Code(), err)
		}
	}
	ledgertest.Book(t, l, ledgertest.Claim("run-3", ledgertest.Trip("new"), 99), "guid-new")
	must(t, l.Decide(t.Context(), importer.Decision{Other: want.Histories[0].Attempt}, importer.LeaveIt, dana(9)))
	must(t, l.Rekey(t.Context(), importer.Account{Service: ledgertest.Lakeshore().Service, Provider: "Lakeshore Transit", Key: importer.NewSecret("new key")}, "", dana(9)))
	wantClosed(t, o, "ledger-moved", moved.To)
}

// wantClosed wants the file refused, by this program whatever it wants of it, and by one
// that knows nothing of moves.
func wantClosed(t *testing.T, o office, code string, words ...string) {
	t.Helper()
	store, ctx := sqlite.Store{}, t.Context()
	reading := o.options()
	reading.ReadOnly = true
	_, toWrite := store.Open(ctx, o.path, o.options())
	_, toRead := store.Open(ctx, o.path, reading)
	copied := store.Backup(ctx, o.path, filepath.Join(t.TempDir(), "copy.db"))
	for what, err := range map[string]error{"to write": toWrite, "to read": toRead, "to copy": copied} {
		e := ledgertest.AsError(t, err, code)
		for _, word := range words {
			if !strings.Contains(e.Reason+e.Fix, word) {
				t.Errorf("%s: %q, %q do not name %q", what, e.Reason, e.Fix, word)
			}
		}
	}
	if got := askFile(t, o.path, "PRAGMA user_version"); got < 1000 {
		t.Errorf("an earlier program takes the file, of schema %d", got)
	}
}

// askFile asks a SQLite file for a number.
func askFile(t *testing.T, path, query string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	must(t, db.QueryRowContext(t.Context(), query).Scan(&n))
	return n
}

// TestMoveUpgrades moves ledgers of earlier programs.
func TestMoveUpgrades(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1", "v7"} {
		t.Run(version, func(t *testing.T) {
			o := office{filepath.Join(t.TempDir(), "ledger.db"), pgtest.Shared(t).NewDatabase(t), t.TempDir()}
			data := filepath.Join("..", "sqlite", "testdata", version)
			text, err := os.ReadFile(data + ".sql")
			must(t, err)
			key, err := os.ReadFile(data + ".key")
			must(t, err)
			must(t, os.WriteFile(o.path+".key", key, 0o600))
			db, err := sql.Open("sqlite", o.path)
			must(t, err)
			// Their runs have totals of other runs: a run that was broken off has none.
			_, err = db.ExecContext(t.Context(), string(text)+"; UPDATE run_ends SET ended_at = '', totals = ''")
			must(t, errors.Join(err, db.Close()))

			before := o.openFile(t, true)
			want := pictureOfOld(t, before)
			must(t, before.Close())
			o.move(t)
			l := o.openDatabase(t)
			defer func() { must(t, l.Close()) }()
			if diff := cmp.Diff(want, pictureOfOld(t, l), cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" || len(want) == 0 {
				t.Errorf("(-file +database):\n%s", diff)
			}
			v, err := l.Verify(t.Context())
			if err != nil || v.Trips != len(want) {
				t.Errorf("%+v, %v", v, err)
			}
		})
	}
}

func pictureOfOld(t *testing.T, l ledger.Ledger) (all []ledger.History) {
	t.Helper()
	for h, err := range l.Histories(t.Context(), ledger.Search{}) {
		must(t, err)
		all = append(all, h)
	}
	return all
}

// execFile changes a SQLite file, without one of its triggers.
func execFile(t *testing.T, path, statement, trigger string) {
	t.Helper()
	if trigger != "" {
		statement = "DROP TRIGGER " + trigger + "; " + statement
	}
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.ExecContext(t.Context(), statement)
	must(t, errors.Join(err, db.Close()))
}

// TestMoveRefuses refuses to move what an import refuses, a ledger in use, and a database
// that has a ledger. Each time the file stays as it is.
func TestMoveRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(*testing.T, office)
		code   string
	}{
		"missing": {func(t *testing.T, o office) { must(t, os.Remove(o.path)) }, "ledger-missing"},
		"a backup": {func(t *testing.T, o office) {
			execFile(t, o.path, "INSERT INTO meta VALUES ('backup', '2026-12-01')", "")
		}, "ledger-backup"},
		"another machine's": {func(t *testing.T, o office) {
			execFile(t, o.path, "UPDATE meta SET value = 'x' WHERE name = 'machine'", "")
		}, "ledger-other-machine"},
		"an older copy": {func(t *testing.T, o office) {
			execFile(t, o.path, "UPDATE meta SET value = 3 WHERE name = 'commits'", "")
		}, "ledger-older-copy"},
		"a ledger is there": {func(t *testing.T, o office) {
			l, err := o.database().Create(t.Context(), o.url, o.options())
			must(t, errors.Join(err, l.Close()))
		}, "ledger-exists"},
		"another key is there": {func(t *testing.T, o office) {
			leaving, err := sqlite.Store{}.Leave(t.Context(), o.path, o.options())
			must(t, err)
			must(t, leaving.Close())
			must(t, os.MkdirAll(o.database().Folder, 0o700))
			must(t, keyfile.New(leaving.Key().Identity).Write(o.database().KeyPath(leaving.Key().Identity)))
		}, "ledger-key-other"},
		"a run goes on": {func(t *testing.T, o office) {
			l := o.openFile(t, false)
			t.Cleanup(func() { must(t, l.Close()) })
		}, "ledger-locked"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			c.before(t, o)
			_, err := o.mover().Move(t.Context(), o.path, o.url)
			if e := ledgertest.AsError(t, err, c.code); e.Locked != (c.code == "ledger-locked") {
				t.Errorf("locked: %v", e.Locked)
			}
			if slices.Contains([]string{"ledger-exists", "ledger-key-other"}, c.code) {
				must(t, o.openFile(t, false).Close())
			}
		})
	}
}

// TestOldSnapshot puts the file back as it was before it was moved: this machine knows of a
// newer one.
func TestOldSnapshot(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	before, err := os.ReadFile(o.path)
	must(t, err)
	o.move(t)
	must(t, os.WriteFile(o.path, before, 0o600))
	_, err = sqlite.Store{}.Open(t.Context(), o.path, o.options())
	ledgertest.WantError(t, err, "ledger-older-copy")
}

// TestAdoptMoved takes the file into use again after the database was lost for good, as any
// other older copy.
func TestAdoptMoved(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*testing.T, office){
		"moved":      func(t *testing.T, o office) { o.move(t) },
		"broken off": func(t *testing.T, o office) { departed(t, o) },
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			leave(t, o)
			l, err := sqlite.Store{}.Adopt(t.Context(), o.path, o.options(), nil)
			must(t, err)
			must(t, l.Close())
			l = o.openFile(t, false)
			ledgertest.Begin(t, l, "run-9")
			must(t, l.Close())
			o.url = pgtest.Shared(t).NewDatabase(t)
			o.move(t)
		})
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
