package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/next"
	"tripimport/importer/ledger/next/ledgertest"
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
			ledgertest.Book(t, l, "run-1", ledgertest.Row("1"), "g1")
			older, backup := image(t, path), filepath.Join(t.TempDir(), "copy.db")
			must(t, l.backup(context.Background(), backup))
			ledgertest.Book(t, l, "run-1", ledgertest.Row("2"), "g2")
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
			_, err = Store{}.Adopt(context.Background(), path, o, func(next.Ledger) (int64, error) { return 0, failed })
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
			// Results of the lost ledger tell events by their numbers.
			ledgertest.Begin(t, reopened, "run-9")
			claimed := ledgertest.Claim(t, reopened, ledgertest.Step(t, reopened, "run-9", ledgertest.Row("9"), 0))
			if claimed.Event <= number+1000 {
				t.Errorf("an event has the number %d, which one of the lost ledger may have", claimed.Event)
			}
			if r := find(t, reopened, "9"); r.Copied {
				t.Errorf("a trip that was claimed since is copied: %+v", r)
			}
			if r := find(t, reopened, "1"); r.State != importer.TripBooked || !r.Copied {
				t.Errorf("got %+v", r)
			}
			events, err := reopened.Events(context.Background(), 0, 0)
			must(t, err)
			if !slices.ContainsFunc(events, func(e next.Event) bool { return e.Kind == "ledger" && e.Who == o.Who }) {
				t.Errorf("nothing says who adopted it: %+v", events)
			}
		})
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

// TestAskedAgain adopts a copy in which people said of trips that they are there and that
// they are not there: they may have corrected each of these since. What the service proved,
// what they cancelled, and what is past stays.
func TestAskedAgain(t *testing.T) {
	ctx, path, o := context.Background(), filepath.Join(t.TempDir(), "ledger.db"), atDesk("dana", "m1", t.TempDir())
	l, err := create(ctx, path, options{Options: o})
	must(t, err)
	ledgertest.Begin(t, l, "run-1")
	rows := map[string]importer.TripState{
		"there": importer.TripBooked, "not there": importer.TripNotSent, "done by hand": importer.TripCancelled, "past": importer.TripBooked, "proved": importer.TripBooked,
	}
	for id, state := range rows {
		row := ledgertest.Row(id)
		row.Trips[0].Pickup.PickupTime.Year = 2199
		if id == "past" {
			row.Trips[0].Pickup.PickupTime.Year = 2001
		}
		row.Key.Date = row.Trips[0].Date()
		trip := ledgertest.Send(t, l, ledgertest.Step(t, l, "run-1", row, 0), ledgertest.Settled(importer.TripUnclear, "")).Trip
		verdict, _, _ := importer.ParseVerdict(id)
		if id == "past" {
			verdict = importer.There
		}
		must(t, l.Record(ctx, importer.Effect{Answer: importer.Answer{Trip: trip, Verdict: verdict, Who: "dana", At: ledgertest.Noon()}, State: state}))
	}
	must(t, l.Close())

	adopted, err := Store{}.Adopt(ctx, path, o, nil)
	must(t, err)
	defer func() { _ = adopted.Close() }()
	open, err := adopted.Unresolved(ctx)
	must(t, err)
	for _, s := range open {
		if s.TripID != "there" && s.TripID != "not there" || s.State != importer.TripUnclear || s.Answered {
			t.Errorf("it asks about %+v", s)
		}
	}
	if len(open) != 2 {
		t.Errorf("it asks about %d trips", len(open))
	}
}
