package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/next/ledgertest"
)

func TestLocked(t *testing.T) {
	l := begun(t)
	_, err := openAt(l.path, ledger.Options{})
	f := ledgertest.AsError(t, err, "ledger-locked")
	if !f.Locked {
		t.Error("the error does not say that it is a lock")
	}

	for _, want := range []string{"dana", "FRONT-DESK", "import", fmt.Sprint(os.Getpid())} {
		if !strings.Contains(f.Reason, want) {
			t.Errorf("%q does not name %s", f.Reason, want)
		}
	}

	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	reopen(t, l.path)
}

// TestLockedByLink opens a ledger that is in use by a link to it. It opens it so once it is
// not.
func TestLockedByLink(t *testing.T) {
	l := begun(t)
	link := filepath.Join(t.TempDir(), "office.db")
	if err := os.Symlink(l.path, link); err != nil {
		t.Skip("this user may not make links")
	}
	_, err := openAt(link, ledger.Options{})
	ledgertest.AsError(t, err, "ledger-locked")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	reopen(t, link)
}

// TestLockWait opens the ledger while it is held, and gets it when the holder
// closes it.
func TestLockWait(t *testing.T) {
	l := begun(t)
	got := make(chan error, 1)
	go func() {
		second, err := openAt(l.path, ledger.Options{LockWait: time.Minute})
		if err == nil {
			err = second.Close()
		}
		got <- err
	}()
	time.Sleep(50 * time.Millisecond)
	if err := l.Close(); err != nil {
		t.Error(err)
	}

	if err := <-got; err != nil {
		t.Error(err)
	}
}

func TestLockWaitGivenUp(t *testing.T) {
	l := begun(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := open(ctx, l.path, options{Options: ledger.Options{LockWait: time.Hour}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestLockFree takes a lock that nobody holds on a machine so slow that the wait is over
// before the first try.
func TestLockFree(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	l := newLock(filepath.Join(t.TempDir(), "ledger.db"))
	if err := l.take(ctx, "ledger.db", 0); err != nil {
		t.Fatal(err)
	}
	if err := l.release(); err != nil {
		t.Error(err)
	}
}

// TestLockFileDamaged spoils the lock file: nothing in it is indispensable.
func TestLockFileDamaged(t *testing.T) {
	for _, content := range []string{"", "#", "#00000000000000000002", "#xyz\n{", strings.Repeat("\x00", 5000)} {
		path := closedLedger(t)
		write(t, lockPath(path), []byte(content))
		l := reopen(t, path)
		_, err := openAt(path, ledger.Options{})
		ledgertest.WantError(t, err, "ledger-locked")
		if got := l.lock.holder().Who; got != "sam" {
			t.Errorf("after %q the file names %q", content, got)
		}
	}
}

// TestHelperProcess is not a test: it is the process that TestKilled kills. It
// claims and settles trips, and prints what the ledger said is done.
func TestHelperProcess(t *testing.T) {
	path := os.Getenv("LEDGER_HELPER")
	if path == "" {
		t.Skip("this is the process that TestKilled starts and kills")
	}

	run := os.Getenv("LEDGER_HELPER_RUN")
	l, err := openAt(path, ledger.Options{Who: "dana", Command: "import", LockWait: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}

	ledgertest.Begin(t, l, run)
	done := make(chan string)
	for w := range 8 {
		go func() {
			for n := w; ; n += 8 {
				if err := sendAll(t, l, run, ledgertest.Row(fmt.Sprintf("%s.%d", run, n)), done); err != nil {
					done <- "failed " + err.Error()
					return
				}
			}
		}()
	}

	for line := range done {
		fmt.Println(line)
	}
}

// sendAll books and changes the trip of a row, and says what was done.
func sendAll(t *testing.T, l *Ledger, run string, row *importer.Mapped, done chan<- string) error {
	ctx, id := context.Background(), row.Key.ID
	ticket, err := l.Claim(ctx, ledgertest.Step(t, l, run, row, 0))
	if err != nil {
		return err
	}
	done <- "claimed " + id
	if err := l.Settle(ctx, ticket, ledgertest.Settled(importer.TripBooked, "g-"+id)); err != nil {
		return err
	}
	done <- "booked " + id
	row.Trips[0].SpaceType = "WCH"
	if ticket, err = l.Claim(ctx, ledgertest.Change(t, l, run, row, "space_type")); err != nil {
		return err
	}
	done <- "changing " + id
	if err := l.Settle(ctx, ticket, ledgertest.Settled(importer.TripBooked, "")); err != nil {
		return err
	}
	done <- "changed " + id
	return nil
}

// TestKilled kills a process that writes, again and again, and looks in the ledger for
// everything that the process printed. TRIPIMPORT_LONG makes it 200 kills.
func TestKilled(t *testing.T) {
	kills := 5
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		kills = 200
	}

	path := closedLedger(t)
	said := map[string]string{}
	for n := range kills {
		killOnce(t, path, fmt.Sprint("kill-", n), 30+n*37%200, said)
		l := reopen(t, path)
		inDoubt := 0
		for id, want := range said {
			s := find(t, l, id)
			row := ledgertest.Row(id)
			row.Trips[0].SpaceType = "WCH"
			differs := ledgertest.Look(t, l, row).Own[0].Values.Differs(s.Sent)
			unclear := s.Change != nil && s.Change.State == importer.ChangeUnclear
			switch {
			case s.State == importer.TripUnclear && want == "claimed":
				inDoubt++
			case s.State != importer.TripBooked || s.GUID != "g-"+id,
				want == "changed" && (len(differs) > 0 || s.Change != nil),
				want == "changing" && unclear != (len(differs) > 0):
				t.Errorf("kill %d: %s was said to be %s and is %+v, which differs in %v", n, id, want, s, differs)
			}
		}
		open, err := l.Unresolved(context.Background())
		must(t, err)
		if most := 8 * (n + 1); len(open) > most || inDoubt > most {
			t.Errorf("kill %d: %d trips in doubt, want %d at most", n, len(open), most)
		}
		v, err := l.Verify(context.Background())
		if err != nil || len(v.Wrong) > 0 {
			t.Errorf("kill %d: the ledger has %v, %v", n, v.Wrong, err)
		}
		must(t, l.Close())
	}

	t.Logf("%d kills, %d trips, none lost", kills, len(said))
}

// killOnce runs the helper until it has printed so many lines, and kills it. It
// adds what the helper printed to said.
func killOnce(t *testing.T, path, run string, lines int, said map[string]string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelperProcess$", "-test.v")
	cmd.Env = append(os.Environ(), "LEDGER_HELPER="+path, "LEDGER_HELPER_RUN="+run)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	heard := 0
	for s := bufio.NewScanner(out); s.Scan(); {
		switch word, id, _ := strings.Cut(s.Text(), " "); word {
		case "claimed", "booked", "changing", "changed":
			said[id] = word
		case "failed":
			t.Error(s.Text())
		default:
			continue
		}
		if heard++; heard == lines {
			must(t, cmd.Process.Kill())
		}
	}

	_ = cmd.Wait() // it was killed
	if heard < lines {
		t.Errorf("the process ended by itself after %d lines", heard)
	}

	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		t.Error(err)
	}
}
