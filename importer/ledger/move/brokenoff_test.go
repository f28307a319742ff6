package move

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
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

// TestMoveKilled kills the process after each step. The file is the ledger before it is
// closed, and nobody can use it after that before another move has settled what came of the
// first one.
func TestMoveKilled(t *testing.T) {
	t.Parallel()
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
	l, err := o.database().Open(t.Context(), o.url, options)
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
	t.Parallel()
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

// wantUntouched wants the file to be the ledger, and nothing made of it.
func wantUntouched(t *testing.T, o office) {
	t.Helper()
	if hasLedger(t, o) {
		t.Error("the database has a ledger")
	}
	if left, _ := filepath.Glob(filepath.Join(o.database().Folder, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	must(t, o.openFile(t, false).Close())
}

// TestMoveElsewhere settles a move that was broken off only with its own database, which may
// be connected to in another way.
func TestMoveElsewhere(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	there := departed(t, o)
	elsewhere := o
	elsewhere.url = pgtest.Shared(t).NewDatabase(t)
	_, err := elsewhere.mover().Move(t.Context(), o.path, elsewhere.url)
	if e := ledgertest.AsError(t, err, "ledger-moving"); !strings.Contains(e.Fix, there) {
		t.Errorf("%q does not name %s", e.Fix, there)
	}
	o.url += "&connect_timeout=9"
	o.move(t)
}

// departed breaks a move off after the file was closed, and gives where to.
func departed(t *testing.T, o office) string {
	t.Helper()
	leaving, err := sqlite.Store{}.Leave(t.Context(), o.path, o.options())
	must(t, err)
	arriving, err := o.database().Arrive(t.Context(), o.url)
	must(t, err)
	transaction, err := arriving.Begin(t.Context(), leaving.Key())
	must(t, err)
	must(t, leaving.Depart(t.Context(), sqlite.Departure{To: arriving.Location(), Transaction: transaction}))
	must(t, errors.Join(leaving.Close(), arriving.Close()))
	return arriving.Location()
}

// TestMoveWhileCommitting begins a move while the transaction of one that was broken off may
// still be committed: nothing is decided before that has ended.
func TestMoveWhileCommitting(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	leaving, err := sqlite.Store{}.Leave(t.Context(), o.path, o.options())
	must(t, err)
	arriving, err := o.database().Arrive(t.Context(), o.url)
	must(t, err)
	transaction, err := arriving.Begin(t.Context(), leaving.Key())
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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

// TestMoveWithoutMark moves a ledger of which no mark can be left at last: it is moved, and
// that is said beside the error.
func TestMoveWithoutMark(t *testing.T) {
	t.Parallel()
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
