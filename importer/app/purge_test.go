package app_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/sandbox/inject"
)

// TestPurgeKeepsWhatIsOpen imports schedules over a quarter, made up to ten weeks ahead, with
// rows that are booked, may be booked, or can't be, and purges every ten days. Results and
// schedules stay while something of them is listed; all others go once they are past their time.
func TestPurgeKeepsWhatIsOpen(t *testing.T) {
	var faults []inject.Fault
	for n := 4; n < 30; n += 5 {
		faults = append(faults, inject.Fault{Trip: fmt.Sprintf("P%02d-1", n), Kind: "500", Commit: "after"})
	}
	o := newMonthOffice(t, faults)
	done := filepath.Join(o.folder, "done")
	o.must(os.Mkdir(done, 0o700))
	o.env["TRIPIMPORT_KEEP"] = "31d"

	type made struct {
		at            time.Time
		open          importer.Date // the last day of a trip that may be booked, or can't be
		results, done string
	}
	var all []made
	rng := rand.New(rand.NewPCG(16, 3))
	first := time.Date(2026, 12, 1, 18, 0, 0, 0, time.UTC)
	kept, gone := 0, 0
	for n := range 30 {
		at := first.AddDate(0, 0, 3*n)
		o.clock.now = at
		m := made{at: at, done: filepath.Join(done, fmt.Sprintf("night-%02d.csv", n))}
		text := header
		for i := range 3 {
			ahead := 1 + rng.IntN(3)
			if rng.IntN(4) == 0 {
				ahead = rng.IntN(70) + 1
			}
			day := importer.DateOf(at).AddDays(ahead)
			row := strings.NewReplacer("T-3,R-3,", fmt.Sprintf("P%02d-%d,R-%02d-%d,", n, i, n, i), "12/2/2026", fmt.Sprintf("%d/%d/%d", day.Month, day.Day, day.Year))
			text += row.Replace(map[bool]string{true: faultyRow, false: strings.Replace(faultyRow, "Gurney", "AMB", 1)}[i == 2 || n%7 == 6])
			open := day
			if i == 1 && n%5 == 4 {
				open = day.AddDays(3) // lists have it for three days more
			} else if i != 2 && n%7 != 6 {
				continue
			}
			if m.open.IsZero() || open.Compare(m.open) > 0 {
				m.open = open
			}
		}
		name := fmt.Sprintf("night-%02d.csv", n)
		o.write(name, text)
		o.urgent, o.lists, o.causes = map[string]int{}, map[string]importer.RowResult{}, noCauses()
		if s := app.StatusOf(o.monthApp().Import(context.Background(), app.Options{}, o, name)); s != app.FixRows && s != app.NeedsPerson {
			t.Fatalf("import %d: status %d", n, s)
		}
		m.results = name + at.UTC().Format(".20060102T150405Z") + ".results.csv"
		if n%2 == 1 { // somebody gave it another name
			o.must(os.Rename(m.results, fmt.Sprintf("to fix %d.csv", n)))
			m.results = fmt.Sprintf("to fix %d.csv", n)
		}
		o.must(os.Chtimes(m.results, at, at))
		o.must(os.Rename(name, m.done))
		o.must(os.Chtimes(m.done, at, at))
		all = append(all, m)
		if n%3 != 2 {
			continue
		}

		o.clock.now = at.Add(time.Hour)
		p, err := o.monthApp().Purge(context.Background(), func(*app.Purge) bool { return true }, app.PurgeFolders{Results: []string{"."}, Done: []string{done}})
		if err != nil || len(p.Failed) > 0 {
			t.Fatalf("%+v, %v", p, err)
		}
		for _, m := range all {
			today := importer.DateOf(o.clock.now)
			open := m.open.Compare(today) >= 0
			for _, path := range []string{m.results, m.done} {
				_, err := os.Stat(path)
				if there, stays := err == nil, open || o.clock.now.Sub(m.at) < 31*24*time.Hour; there != stays {
					t.Errorf("%s: %s is there: %v, want %v (open until %s)", o.clock.now.Format(time.DateOnly), path, there, stays, m.open)
				} else if there {
					kept++
				} else {
					gone++
				}
			}
		}
	}
	if kept == 0 || gone == 0 {
		t.Errorf("%d kept, %d gone: the test shows nothing", kept, gone)
	}
}

// TestPurgeLeavesOthersFiles purges a folder of put-away schedules in which somebody keeps files of their own.
func TestPurgeLeavesOthersFiles(t *testing.T) {
	o := newMonthOffice(t, nil)
	o.env["TRIPIMPORT_KEEP"] = "31d"
	done := filepath.Join(o.folder, "done")
	o.must(os.Mkdir(done, 0o700))
	o.clock.now = time.Date(2026, 12, 1, 18, 0, 0, 0, time.UTC)
	o.write("night.csv", header+strings.Replace(faultyRow, "Gurney", "AMB", 1))
	o.must(o.monthApp().Import(context.Background(), app.Options{}, o, "night.csv"))
	o.must(os.Rename("night.csv", filepath.Join(done, "night.csv")))
	files := map[string]string{"unreadable.csv": "half a sched", "minutes.csv": "of the meeting", "contacts.xlsx": "phone numbers"}
	for name, text := range files {
		o.write(filepath.Join("done", name), text)
	}
	note := fmt.Sprintf(`{"kind":"file","input":"%x"}`, sha256.Sum256([]byte(files["unreadable.csv"])))
	o.must(o.monthApp().NoteSlots(context.Background(), 0, app.SlotNote{At: o.clock.now, Text: note}))
	for _, name := range []string{"night.csv", "unreadable.csv", "minutes.csv", "contacts.xlsx"} {
		o.must(os.Chtimes(filepath.Join(done, name), o.clock.now, o.clock.now))
	}

	o.clock.now = o.clock.now.AddDate(0, 2, 0)
	p, err := o.monthApp().Purge(context.Background(), func(*app.Purge) bool { return true }, app.PurgeFolders{Done: []string{done}})
	if err != nil {
		t.Fatal(err)
	}
	var removed, kept []string
	for _, path := range p.Removed {
		removed = append(removed, filepath.Base(path))
	}
	for _, k := range p.Kept {
		path, _, _ := strings.Cut(k, ":")
		kept = append(kept, filepath.Base(path))
	}
	if !slices.Equal(removed, []string{"night.csv", "unreadable.csv"}) || !slices.Equal(kept, []string{"contacts.xlsx", "minutes.csv"}) {
		t.Errorf("removed %q, kept %q", removed, kept)
	}
}
