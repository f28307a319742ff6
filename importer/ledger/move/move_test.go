package move

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/ledger/sqlite"
)

func TestMain(m *testing.M) {
	if at := os.Getenv(killVariable); at != "" {
		o := office{path: os.Getenv("MOVE_PATH"), url: os.Getenv("MOVE_URL"), folder: os.Getenv("MOVE_FOLDER")}
		mover := o.mover()
		mover.at = killAt(step(at))
		_, err := mover.Move(context.Background(), o.path, o.url)
		fmt.Println(err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(pgtest.Main(m))
}

// killVariable names the step at which a process that a test started kills itself.
const killVariable = "MOVE_KILL"

func killAt(last step) func(step) {
	return func(now step) {
		if now == last {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			time.Sleep(time.Minute)
		}
	}
}

// An office has a ledger in a file, a database for it, and a folder for keys and marks.
type office struct{ path, url, folder string }

func (o office) options() ledger.Options {
	return ledger.Options{
		Who: "dana", Host: "FRONT-DESK", Command: "ledger move", Machine: "machine-1",
		Folder: filepath.Join(o.folder, "keys"), Marks: []string{filepath.Join(o.folder, "marks")},
	}
}

func (o office) mover() Mover { return Mover{Options: o.options()} }

// move moves the ledger, which has to succeed.
func (o office) move(t *testing.T) *Moved {
	t.Helper()
	moved, err := o.mover().Move(t.Context(), o.path, o.url)
	must(t, err)
	return moved
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
	l, err := postgres.Store{}.Open(t.Context(), o.url, o.options())
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
	o := newOffice(t)
	l := o.openFile(t, true)
	want, number, identity := pictureOf(t, l), l.Number(), l.Identity()
	if len(want.Histories) == 0 || len(want.Verified.Wrong) > 0 || want.Stamp.IsZero() || len(want.Slots) == 0 {
		t.Fatalf("the ledger is no good sample: %+v", want)
	}
	must(t, l.Close())

	moved := o.move(t)
	for table, rows := range moved.Rows {
		if rows == 0 {
			t.Errorf("the sample has no rows of the table %s", table)
		}
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

// TestMoveKilled kills the process after each step. The file is the ledger before it is
// closed, and nobody can use it after that before another move has settled what came of the
// first one.
func TestMoveKilled(t *testing.T) {
	for _, c := range []struct {
		step     step
		code     string // with which the file is refused then
		finishes bool   // the next move finds the ledger in the database
	}{
		{stepBegun, "", false},
		{stepCopied, "", false},
		{stepDeparted, "ledger-moving", false},
		{stepCommitted, "ledger-moving", true},
		{stepArrived, "ledger-moved", false},
	} {
		t.Run(string(c.step), func(t *testing.T) {
			o := newOffice(t)
			reader := o.openFile(t, true)
			want := pictureOf(t, reader)
			must(t, reader.Close())

			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), killVariable+"="+string(c.step), "MOVE_PATH="+o.path, "MOVE_URL="+o.url, "MOVE_FOLDER="+o.folder)
			if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.Exited() {
				t.Fatalf("the process was not killed: %v %s", err, out)
			}

			there := hasLedger(t, o)
			if c.code == "" {
				must(t, o.openFile(t, false).Close())
			} else {
				wantClosed(t, o, c.code)
			}
			if usable := c.code == ""; usable && there {
				t.Error("both can be used")
			}
			if c.step == stepArrived {
				if !there {
					t.Error("none can be used")
				}
				_, err := o.mover().Move(t.Context(), o.path, o.url)
				ledgertest.WantError(t, err, "ledger-moved")
			} else if moved := o.move(t); (moved.Rows == nil) != c.finishes {
				t.Errorf("the next move gave %+v", moved)
			}
			wantClosed(t, o, "ledger-moved")
			l := o.openDatabase(t)
			defer func() { must(t, l.Close()) }()
			wantPicture(t, want, pictureOf(t, l))
		})
	}
}

// hasLedger reports whether the database has a ledger that can be used.
func hasLedger(t *testing.T, o office) bool {
	t.Helper()
	options := o.options()
	options.ReadOnly = true
	l, err := postgres.Store{}.Open(t.Context(), o.url, options)
	if err != nil {
		ledgertest.WantError(t, err, "ledger-missing")
		return false
	}
	must(t, l.Close())
	return true
}

// TestMoveStops breaks moves off without killing the process: the file stays the ledger,
// and nothing is left in the database or beside it.
func TestMoveStops(t *testing.T) {
	t.Run("interrupted", func(t *testing.T) {
		o := newOffice(t)
		ctx, cancel := context.WithCancel(t.Context())
		mover := o.mover()
		mover.at = func(step) { cancel() }
		_, err := mover.Move(ctx, o.path, o.url)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		wantUntouched(t, o)
	})
	t.Run("interrupted once all is copied", func(t *testing.T) { // it goes on to its end
		o := newOffice(t)
		ctx, cancel := context.WithCancel(t.Context())
		mover := o.mover()
		mover.at = func(s step) {
			if s == stepCopied {
				cancel()
			}
		}
		_, err := mover.Move(ctx, o.path, o.url)
		must(t, err)
		wantClosed(t, o, "ledger-moved")
	})
	t.Run("a row that the database refuses", func(t *testing.T) {
		o := newOffice(t)
		execFile(t, o.path, "UPDATE slot_events SET kind = 'x' || char(0) || 'y'", "slot_events_stay")
		_, err := o.mover().Move(t.Context(), o.path, o.url)
		ledgertest.WantError(t, err, "ledger-failed")
		wantUntouched(t, o)
	})
	t.Run("not sound", func(t *testing.T) {
		o := newOffice(t)
		execFile(t, o.path, "UPDATE trips SET taken = 0", "")
		_, err := o.mover().Move(t.Context(), o.path, o.url)
		ledgertest.WantError(t, err, "ledger-unsound")
		wantUntouched(t, o)
	})
	t.Run("a copy that differs", func(t *testing.T) {
		o := newOffice(t)
		pgtest.Shared(t).Exec(t, o.url, `CREATE FUNCTION sam() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN NEW.who = ''sam''; RETURN NEW; END';
			CREATE FUNCTION spoil() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
				IF EXISTS (SELECT 1 FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'tripimport.holds') THEN
					CREATE TRIGGER spoiled BEFORE INSERT ON tripimport.holds FOR EACH ROW EXECUTE FUNCTION public.sam();
				END IF;
			END $$;
			CREATE EVENT TRIGGER spoil ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION spoil()`)
		_, err := o.mover().Move(t.Context(), o.path, o.url)
		ledgertest.WantError(t, err, "ledger-copy-differs")
		wantUntouched(t, o)
	})
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

// wantUntouched wants the file to be the ledger, and nothing made of it.
func wantUntouched(t *testing.T, o office) {
	t.Helper()
	if hasLedger(t, o) {
		t.Error("the database has a ledger")
	}
	if left, _ := filepath.Glob(filepath.Join(o.options().Folder, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	must(t, o.openFile(t, false).Close())
}

// TestMoveRefuses refuses to move what an import refuses, a ledger in use, and a database
// that has a ledger. Each time the file stays as it is.
func TestMoveRefuses(t *testing.T) {
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
			l, err := postgres.Store{}.Create(t.Context(), o.url, o.options())
			must(t, errors.Join(err, l.Close()))
		}, "ledger-exists"},
		"another key is there": {func(t *testing.T, o office) {
			leaving, err := sqlite.Store{}.Leave(t.Context(), o.path, o.options())
			must(t, err)
			must(t, leaving.Close())
			must(t, os.MkdirAll(o.options().Folder, 0o700))
			must(t, keyfile.New(leaving.Key().Identity).Write(postgres.KeyPath(o.options().Folder, leaving.Key().Identity)))
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

// TestMoveElsewhere settles a move that was broken off only with its own database.
func TestMoveElsewhere(t *testing.T) {
	o := newOffice(t)
	there := departed(t, o)
	elsewhere := o
	elsewhere.url = pgtest.Shared(t).NewDatabase(t)
	_, err := elsewhere.mover().Move(t.Context(), o.path, elsewhere.url)
	if e := ledgertest.AsError(t, err, "ledger-moving"); !strings.Contains(e.Fix, there) {
		t.Errorf("%q does not name %s", e.Fix, there)
	}
	o.move(t)
}

// departed breaks a move off after the file was closed, and gives where to.
func departed(t *testing.T, o office) string {
	t.Helper()
	leaving, err := sqlite.Store{}.Leave(t.Context(), o.path, o.options())
	must(t, err)
	arriving, err := postgres.Store{}.Arrive(t.Context(), o.url)
	must(t, err)
	transaction, err := arriving.Begin(t.Context(), leaving.Key(), o.options().Folder)
	must(t, err)
	must(t, leaving.Depart(t.Context(), sqlite.Departure{To: arriving.Location(), Transaction: transaction}))
	must(t, errors.Join(leaving.Close(), arriving.Close()))
	return arriving.Location()
}

// TestMoveWhileCommitting begins a move while the transaction of one that was broken off may
// still be committed: nothing is decided before that has ended.
func TestMoveWhileCommitting(t *testing.T) {
	o := newOffice(t)
	leaving, err := sqlite.Store{}.Leave(t.Context(), o.path, o.options())
	must(t, err)
	arriving, err := postgres.Store{}.Arrive(t.Context(), o.url)
	must(t, err)
	transaction, err := arriving.Begin(t.Context(), leaving.Key(), o.options().Folder)
	must(t, err)
	must(t, leaving.Depart(t.Context(), sqlite.Departure{To: arriving.Location(), Transaction: transaction}))
	must(t, leaving.Close())
	_, err = o.mover().Move(t.Context(), o.path, o.url)
	ledgertest.WantError(t, err, "ledger-moving")
	must(t, arriving.Close())
	o.move(t)
}

// TestMoveTwice lets two moves of one ledger begin at once, to two databases: one wins.
func TestMoveTwice(t *testing.T) {
	o := newOffice(t)
	other := o
	other.url = pgtest.Shared(t).NewDatabase(t)
	errs := make(chan error)
	for _, one := range []office{o, other} {
		go func() {
			_, err := one.mover().Move(context.Background(), one.path, one.url)
			errs <- err
		}()
	}
	lost := 0
	for range 2 {
		var e *ledger.Error
		switch err := <-errs; {
		case err == nil:
		case errors.As(err, &e) && (e.Locked || e.Code == "ledger-moved"):
			lost++
		default:
			t.Error(err)
		}
	}
	if lost != 1 || hasLedger(t, o) == hasLedger(t, other) {
		t.Errorf("%d moves were refused", lost)
	}
}

// TestMoveTogether moves two ledgers to one database at once: one wins, and the other file
// stays its office's ledger.
func TestMoveTogether(t *testing.T) {
	first, second := newOffice(t), newOffice(t)
	second.url = first.url
	errs := make(chan error, 2)
	for _, one := range []office{first, second} {
		go func() {
			_, err := one.mover().Move(context.Background(), one.path, one.url)
			errs <- err
		}()
	}
	all := []error{<-errs, <-errs}
	failed := slices.IndexFunc(all, func(err error) bool { return err != nil })
	if failed < 0 || all[1-failed] != nil {
		t.Fatalf("got %v", all)
	}
	ledgertest.WantError(t, all[failed], "ledger-exists")
	usable := 0
	for _, one := range []office{first, second} {
		if l, err := (sqlite.Store{}).Open(t.Context(), one.path, one.options()); err == nil {
			must(t, l.Close())
			usable++
		}
	}
	if usable != 1 {
		t.Errorf("%d files can be used", usable)
	}
}

// TestMoveLosesServer loses the server at the commit. The file is refused until the server
// tells what came of it.
func TestMoveLosesServer(t *testing.T) {
	o := newOffice(t)
	cluster := pgtest.Start(t, "fsync=on")
	o.url = cluster.NewDatabase(t)
	mover := o.mover()
	mover.at = func(s step) {
		if s == stepDeparted {
			cluster.Stop(t, pgtest.Immediate)
		}
	}
	if _, err := mover.Move(t.Context(), o.path, o.url); err == nil {
		t.Fatal("moved to a server that is away")
	}
	wantClosed(t, o, "ledger-moving")
	cluster.Restart(t)
	if moved := o.move(t); moved.Rows == nil {
		t.Error("a move that was lost is taken for finished")
	}
}

// TestMoveLosesAnswer loses the server's answer to the commit, which was done. If the server
// can be asked at once, the move is finished at once, and by the next one otherwise.
func TestMoveLosesAnswer(t *testing.T) {
	for name, away := range map[string]bool{"for a moment": false, "for a while": true} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			direct := o.url
			network := newRelay(t, pgtest.Shared(t))
			o.url = strings.Replace(o.url, url.QueryEscape(pgtest.Shared(t).Dir), url.QueryEscape(network.dir), 1)
			if o.url == direct {
				t.Fatalf("%s does not go through the relay", o.url)
			}
			mover := o.mover()
			mover.at = func(s step) {
				if s == stepDeparted {
					network.loseAnswer(away)
				}
			}

			moved, err := mover.Move(t.Context(), o.path, o.url)
			if away {
				ledgertest.WantError(t, err, "ledger-unreachable")
				wantClosed(t, o, "ledger-moving")
				network.away.Store(false)
				moved = o.move(t)
			} else {
				must(t, err)
			}
			if (moved.Rows == nil) != away {
				t.Errorf("moved %+v", moved)
			}
			wantClosed(t, o, "ledger-moved")
			if !hasLedger(t, o) {
				t.Error("the database has no ledger")
			}
		})
	}
}

// A relay is a network between a program and the server.
type relay struct {
	dir    string // where its socket is
	server string
	away   atomic.Bool // it takes no connections
	losing atomic.Bool // it cuts the connection before the server's next answer

	mu    sync.Mutex
	conns []net.Conn
	all   sync.WaitGroup
}

func newRelay(t *testing.T, cluster *pgtest.Cluster) *relay {
	t.Helper()
	dir, err := os.MkdirTemp("", "net") // a socket's path is short
	must(t, err)
	name := fmt.Sprintf(".s.PGSQL.%d", cluster.Port)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(dir, name))
	must(t, err)
	r := &relay{dir: dir, server: filepath.Join(cluster.Dir, name)}
	r.all.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			r.all.Go(func() { r.carry(client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		r.cut()
		r.all.Wait()
		must(t, os.RemoveAll(dir))
	})
	return r
}

// carry carries what a client and the server send.
func (r *relay) carry(client net.Conn) {
	server, err := (&net.Dialer{}).Dial("unix", r.server)
	if err != nil || r.away.Load() {
		_ = client.Close()
		return
	}
	r.mu.Lock()
	r.conns = append(r.conns, client, server)
	r.mu.Unlock()
	r.all.Go(func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	})
	buffer := make([]byte, 64*1024)
	for {
		n, err := server.Read(buffer)
		if err != nil || r.losing.Swap(false) {
			_ = client.Close()
			return
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// loseAnswer cuts the connection before the server's next answer. After that the network
// may be away.
func (r *relay) loseAnswer(away bool) {
	r.away.Store(away)
	r.losing.Store(true)
}

// cut ends all connections.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		_ = c.Close()
	}
}

// TestMoveWithoutMark moves a ledger of which no mark can be left at last: it is moved, and
// that is said beside the error.
func TestMoveWithoutMark(t *testing.T) {
	o := newOffice(t)
	mover := o.mover()
	mover.at = func(s step) {
		if s == stepArrived {
			marks := o.options().Marks[0]
			must(t, errors.Join(os.RemoveAll(marks), os.WriteFile(marks, nil, 0o600)))
		}
	}
	moved, err := mover.Move(t.Context(), o.path, o.url)
	ledgertest.WantError(t, err, "ledger-mark")
	if moved == nil || len(moved.Rows) == 0 || !hasLedger(t, o) {
		t.Errorf("moved %+v", moved)
	}
	wantClosed(t, o, "ledger-moved")
}

// TestOldSnapshot puts the file back as it was before it was moved: this machine knows of a
// newer one.
func TestOldSnapshot(t *testing.T) {
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

// TestSameTables compares the tables of the two engines: what is new in one has to be in the
// other, or named here.
func TestSameTables(t *testing.T) {
	// In a file meta has what is in state; one process at a time writes to it, and asks the
	// service.
	alone := regexp.MustCompile(`^(state|sessions|rates|budgets)\.|^runs\.leased_until$`)
	o := newOffice(t)
	leaving, err := sqlite.Store{}.Leave(t.Context(), o.path, o.options())
	must(t, err)
	columns, err := leaving.Columns(t.Context())
	must(t, errors.Join(err, leaving.Close()))
	var inFile, inDatabase []string
	for table, names := range columns {
		for _, name := range names {
			inFile = append(inFile, table+"."+name)
		}
	}

	o.move(t)
	db, err := sql.Open("pgx", o.url)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	rows, err := db.QueryContext(t.Context(), "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'tripimport'")
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		if !alone.MatchString(name) {
			inDatabase = append(inDatabase, name)
		}
	}
	must(t, rows.Err())
	slices.Sort(inFile)
	slices.Sort(inDatabase)
	if diff := cmp.Diff(inFile, inDatabase); diff != "" || len(inFile) == 0 {
		t.Errorf("(-file +database):\n%s", diff)
	}
}

// TestTotal: rows that differ anywhere have another total, in whatever order they come.
func TestTotal(t *testing.T) {
	of := func(rows ...[]any) (all total) {
		for _, row := range rows {
			must(t, all.add(row))
		}
		return all
	}
	a, b := []any{int64(1), "x", nil}, []any{int64(2), "", []byte("x")}
	if of(a, b) != of(b, a) {
		t.Error("the order matters")
	}
	seen := map[total]bool{}
	for _, rows := range [][][]any{
		{},
		{a},
		{b},
		{a, b},
		{a, a},
		{a, a, b},
		{{int64(1), "x", ""}},
		{{int64(1), []byte("x"), nil}},
		{{int64(1), "", "x"}},
		{{int64(1), "xn"}},
		{{"1", "x", nil}},
		{{int64(-1), "x", nil}},
	} {
		sum := of(rows...)
		if seen[sum] {
			t.Errorf("%v has the total of other rows", rows)
		}
		seen[sum] = true
	}
	if err := new(total).add([]any{1.5}); err == nil {
		t.Error("a value of an unknown type was counted")
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
