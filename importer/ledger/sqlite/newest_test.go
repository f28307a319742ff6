package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
)

// atDesk are the options of a user of a machine that keeps its marks in a folder.
func atDesk(who, machine, marks string) ledger.Options {
	return ledger.Options{Who: who, Machine: machine, Marks: []string{marks}}
}

// TestOlderCopies puts the ledger back to an earlier state in every way in which
// that happens, and opens it. The ledger of that night has one more trip.
func TestOlderCopies(t *testing.T) {
	dana := func(marks string) ledger.Options { return atDesk("dana", "m1", marks) }
	for name, c := range map[string]struct {
		restore func(t *testing.T, path, older, backup string) // what is put in the ledger's place
		open    func(marks string) ledger.Options
		code    string
	}{
		"nothing":                       {func(*testing.T, string, string, string) {}, dana, ""},
		"another user":                  {func(*testing.T, string, string, string) {}, func(m string) ledger.Options { return atDesk("sam", "m1", m) }, ""},
		"another machine":               {func(*testing.T, string, string, string) {}, func(m string) ledger.Options { return atDesk("dana", "m2", m) }, "ledger-other-machine"},
		"the ledger alone":              {func(t *testing.T, p, older, _ string) { replace(t, p, older, "", "-wal") }, dana, "ledger-older-copy"},
		"the whole folder":              {func(t *testing.T, p, older, _ string) { replace(t, p, older, "", "-wal", ".key", ".lock") }, dana, "ledger-older-copy"},
		"the folder, then another user": {func(t *testing.T, p, older, _ string) { replace(t, p, older, "", "-wal") }, func(m string) ledger.Options { return atDesk("sam", "m1", m) }, "ledger-older-copy"},
		"a backup":                      {func(t *testing.T, p, _, backup string) { replace(t, p, backup, "", "-wal") }, dana, "ledger-older-copy"},
		"a backup, on another machine":  {func(t *testing.T, p, _, backup string) { replace(t, p, backup, "", "-wal") }, func(m string) ledger.Options { return atDesk("dana", "m2", m) }, "ledger-backup"},
	} {
		t.Run(name, func(t *testing.T) {
			path, marks := filepath.Join(t.TempDir(), "ledger.db"), t.TempDir()
			l, err := create(context.Background(), path, options{Options: dana(marks)})
			must(t, err)
			ledgertest.Begin(t, l, "run-1")
			ledgertest.Book(t, l, ledgertest.Claim("run-1", ledgertest.Trip("1"), 2), "g1")
			older, backup := image(t, path), filepath.Join(t.TempDir(), "copy.db")
			must(t, l.backup(context.Background(), backup))
			ledgertest.Book(t, l, ledgertest.Claim("run-1", ledgertest.Trip("2"), 3), "g2")
			number := l.Number()
			must(t, l.Close())
			c.restore(t, path, older, backup)

			o := c.open(marks)
			again, err := openAt(path, o)
			if c.code == "" {
				must(t, err)
				must(t, again.Close())
				return
			}
			ledgertest.WantError(t, err, c.code)
			reader, err := openAt(path, ledger.Options{ReadOnly: true})
			must(t, err)
			must(t, reader.Close())

			failed := errors.New("not entered")
			_, err = Store{}.Adopt(context.Background(), path, o, func(ledger.Ledger) (int64, error) { return 0, failed })
			if !errors.Is(err, failed) {
				t.Errorf("got %v", err)
			}
			if _, err := openAt(path, o); err == nil {
				t.Error("it is taken although adopting it failed")
			}

			adopted, err := Store{}.Adopt(context.Background(), path, o, nil)
			must(t, err)
			if o.Machine == "m1" && adopted.Number() <= number {
				t.Errorf("it goes on from %d, the lost one came to %d", adopted.Number(), number)
			}
			must(t, adopted.Close())
			reopened, err := openAt(path, o)
			must(t, err)
			defer func() { _ = reopened.Close() }()
			// Results of the lost ledger tell attempts by their numbers.
			ledgertest.Begin(t, reopened, "run-9")
			claimed, err := reopened.Claim(context.Background(), ledgertest.Claim("run-9", ledgertest.Trip("9"), 9))
			must(t, err)
			if claimed.Attempt <= 1000 {
				t.Errorf("an attempt has the number %d, which one of the lost ledger may have", claimed.Attempt)
			}
			if r := ledgertest.Find(t, reopened, ledgertest.Trip("1")); r.State != importer.Created {
				t.Errorf("got %+v", r)
			}
			var who string
			if err := reopened.Readers.QueryRowContext(context.Background(), "SELECT who FROM changes").Scan(&who); err != nil || who != o.Who {
				t.Errorf("the record says %q, %v", who, err)
			}
		})
	}
}

// TestAskedAgain adopts a copy in which people said of trips that they are there, that
// they are not there, and that one was booked by hand: they may have corrected each of
// these since. What the service proved, and what they cancelled, stays.
func TestAskedAgain(t *testing.T) {
	ctx, path, o := context.Background(), filepath.Join(t.TempDir(), "ledger.db"), atDesk("dana", "m1", t.TempDir())
	l, err := create(ctx, path, options{Options: o})
	must(t, err)
	ledgertest.Begin(t, l, "run-1")
	ledgertest.Book(t, l, ledgertest.Claim("run-1", ledgertest.Trip("proved"), 2), "g1")
	answered := map[importer.Verdict]int64{}
	for i, v := range []importer.Verdict{importer.There, importer.NotThere, importer.BookedByHand} {
		claim := ledgertest.Claim("run-1", ledgertest.Trip(v.String()), 3+i)
		answered[v] = ledgertest.Send(t, l, claim, ledgertest.Settlement(importer.Unknown, "")).Attempt
		must(t, l.Resolve(ctx, ledger.Resolution{Attempt: answered[v], Verdict: v, When: claim.At.Add(time.Hour)}))
	}
	must(t, l.Close())

	adopted, err := Store{}.Adopt(ctx, path, o, nil)
	must(t, err)
	defer func() { _ = adopted.Close() }()
	ledgertest.Begin(t, adopted, "run-2")
	if r := ledgertest.Find(t, adopted, ledgertest.Trip("proved")); r.State != importer.Created {
		t.Errorf("got %+v", r)
	}
	for v, attempt := range answered {
		if r := ledgertest.Find(t, adopted, ledgertest.Trip(v.String())); r.State != importer.Unknown || !r.Taken() {
			t.Errorf("%s: %+v", v, r)
		}
		must(t, adopted.Resolve(ctx, ledger.Resolution{Attempt: attempt, Verdict: importer.There, GUID: "g-" + v.String()[:1] + v.String()[4:5]}))
		if r := ledgertest.Find(t, adopted, ledgertest.Trip(v.String())); r.State != importer.Created {
			t.Errorf("%s, answered again: %+v", v, r)
		}
	}
}

// rollBackUnseen has one user's run taken back, and another user go on who does not see
// the first one's mark.
func rollBackUnseen(t *testing.T, path string, first, other ledger.Options) {
	l, err := create(context.Background(), path, options{Options: first})
	must(t, err)
	older := image(t, path)
	ledgertest.Begin(t, l, "run-1")
	must(t, l.Close())
	replace(t, path, older, "", "-wal")

	l, err = openAt(path, other)
	must(t, err)
	for _, run := range []string{"run-2", "run-3"} {
		ledgertest.Begin(t, l, run)
	}
	must(t, l.Close())
}

// TestMarkOfAnotherUser rolls the ledger back, and lets another user go on who does not
// see the first user's mark. When the first user comes back, the ledger has a greater
// number, and still lacks the run of the mark.
func TestMarkOfAnotherUser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	dana, sam := atDesk("dana", "m1", t.TempDir()), atDesk("sam", "m1", t.TempDir())
	rollBackUnseen(t, path, dana, sam)
	_, err := openAt(path, dana)
	ledgertest.WantError(t, err, "ledger-older-copy")
	l, err := openAt(path, sam)
	must(t, err)
	must(t, l.Close())
}

// TestMarksOfAllUsers rolls the ledger back while its mark is out of sight: another
// user's mark names a run that the ledger has, and a greater number. Each mark counts,
// until the copy is adopted.
func TestMarksOfAllUsers(t *testing.T) {
	path, shared := filepath.Join(t.TempDir(), "ledger.db"), t.TempDir()
	dana, sam := atDesk("dana", "m1", t.TempDir()), atDesk("sam", "m1", shared)
	rollBackUnseen(t, path, dana, sam)
	dana.Marks = append(dana.Marks, shared)
	_, err := openAt(path, dana)
	ledgertest.WantError(t, err, "ledger-older-copy")

	// Sam, who still does not see it, adopts it for another reason; and then Dana.
	for _, o := range []ledger.Options{sam, dana} {
		adopted, err := Store{}.Adopt(context.Background(), path, o, nil)
		must(t, err)
		ledgertest.Begin(t, adopted, "adopted-by-"+o.Who)
		must(t, adopted.Close())
		for _, user := range []ledger.Options{sam, dana} {
			l, err := openAt(path, user)
			must(t, err)
			must(t, l.Close())
		}
	}

	// An older copy is noticed by either.
	l, err := openAt(path, sam)
	must(t, err)
	newer := image(t, path)
	ledgertest.Begin(t, l, "run-4")
	must(t, l.Close())
	replace(t, path, newer, "", "-wal")
	for _, user := range []ledger.Options{sam, dana} {
		_, err := openAt(path, user)
		ledgertest.WantError(t, err, "ledger-older-copy")
	}
}

// TestMarkDamaged spoils the mark, which then says nothing, and takes away the
// folder in which it could be.
func TestMarkDamaged(t *testing.T) {
	path, marks := filepath.Join(t.TempDir(), "ledger.db"), filepath.Join(t.TempDir(), "new")
	o := atDesk("dana", "m1", marks)
	l, err := create(context.Background(), path, options{Options: o})
	must(t, err)
	must(t, l.Close())
	files, err := filepath.Glob(filepath.Join(marks, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the marks are %v, %v", files, err)
	}

	for _, content := range []string{"", "9999 run-1 0000000000000000\n", "9999"} {
		write(t, files[0], []byte(content))
		l, err := openAt(path, o)
		must(t, err)
		must(t, l.Close())
	}

	file := filepath.Join(t.TempDir(), "no folder")
	write(t, file, nil)
	_, err = openAt(path, atDesk("dana", "m1", file))
	ledgertest.WantError(t, err, "ledger-mark")
	o.Marks = append(o.Marks, file)
	l, err = openAt(path, o) // one of two is enough
	must(t, err)
	must(t, l.Close())
}

// TestReadingChangesNothing reads a ledger of an older schema and a backup of
// one: neither is upgraded, locked or bound.
func TestReadingChangesNothing(t *testing.T) {
	path := oldLedger(t)
	before, err := os.ReadFile(path)
	must(t, err)
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR")) // Windows's name for it
	l, err := openAt(path, ledger.Options{ReadOnly: true})
	must(t, err)
	if r, ok, err := l.Find(context.Background(), renewedAccount(), oldTrips()["only"]); err != nil || !ok || r.Differs != nil {
		t.Errorf("it has %+v, %v, %v", r, ok, err)
	}
	must(t, l.Close())

	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) || schemaOf(t, path) != 1 {
		t.Errorf("reading changed the ledger, %v", err)
	}
	if left, err := filepath.Glob(path + ".*"); err != nil || len(left) != 1 {
		t.Errorf("beside it are %v, %v", left, err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) != 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// replace puts files of the copy in the place of the ledger's, by their endings.
func replace(t *testing.T, path, copied string, endings ...string) {
	t.Helper()
	for _, ending := range endings {
		_ = os.Remove(path + ending)
		content, err := os.ReadFile(copied + ending)
		if os.IsNotExist(err) {
			continue
		}
		must(t, err)
		write(t, path+ending, content)
	}
}

// TestUpgradeBinds upgrades a ledger of an older schema: it belongs to this machine
// from then on, and its number goes on.
func TestUpgradeBinds(t *testing.T) {
	path, marks := oldLedger(t), t.TempDir()
	reader, err := openAt(path, ledger.Options{ReadOnly: true})
	must(t, err)
	number := reader.Number()
	must(t, reader.Close())
	for range 2 {
		l, err := openAt(path, atDesk("dana", "m1", marks))
		must(t, err)
		if l.Number() != number {
			t.Errorf("its number went from %d to %d", number, l.Number())
		}
		must(t, l.Close())
	}
	_, err = openAt(path, atDesk("dana", "m2", marks))
	ledgertest.WantError(t, err, "ledger-other-machine")
}
