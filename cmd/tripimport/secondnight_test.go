package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/sandbox"
)

// A secondNight is the committed schedule as it is exported a second time: some rows
// changed, cancelled, gone and new, in another order. The ids are those of the trips.
type secondNight struct {
	rows                            []plainRow
	changed, cancelled, gone, added []string
}

// makeSecondNight changes 30 rows of the schedule, cancels 10, drops 5 and adds 20.
func makeSecondNight() secondNight {
	day, _ := importer.NewDate(2026, 12, 2)
	n := secondNight{}
	change := func(i int, row plainRow) {
		switch {
		case i < 10:
			for _, header := range []string{"Pickup Time", "Appointment Time"} {
				if row[header] != nil {
					row[header] = minutesAfter(row[header], 5+i)
				}
			}
		case i < 20:
			row["Pickup Address"] = strconv.Itoa(9001+i) + " Larkgate St"
			row["Pickup Latitude"] = round(row["Pickup Latitude"].(float64)+0.002, 4)
		case i < 25:
			row["Space Type"] = map[any]string{"AMB": "WCH", "WCH": "STR", "STR": "WCH"}[row["Space Type"]]
		default:
			row["Pickup Phone"] = fmt.Sprintf("(414) 555-01%d", 60+i)
		}
	}

	seen := 0
	for _, old := range makeSchedule(scheduleSeed) {
		row := maps.Clone(old)
		timed := row["Will Call"] == nil && row["Date"] == day
		if timed {
			seen++
		}
		switch {
		case !timed || seen > 45:
		case seen <= 30:
			moved := tripIDs([]plainRow{row})
			if seen <= 10 { // the times of the way back are its own
				moved = moved[:1]
			}
			n.changed = append(n.changed, moved...)
			change(seen-1, row)
		case seen <= 40:
			n.cancelled = append(n.cancelled, tripIDs([]plainRow{row})...)
			row["Cancelled"] = "yes"
		default:
			n.gone = append(n.gone, tripIDs([]plainRow{row})...)
			continue
		}
		n.rows = append(n.rows, row)
		if timed && seen > 45 && seen <= 65 {
			added := maps.Clone(row)
			added["Trip ID"], added["Rider ID"] = "NEW-"+strconv.Itoa(seen), "0077000"+strconv.Itoa(100+seen)
			n.added = append(n.added, tripIDs([]plainRow{added})...)
			n.rows = append(n.rows, added)
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(n.rows), func(i, k int) { n.rows[i], n.rows[k] = n.rows[k], n.rows[i] })
	return n
}

// TestSecondNight books the schedule of 200 rows from the workbook. The CSV file of the
// same schedule changes nothing. A later export books what is new and says what else
// is different; the update sends exactly that, and then only the list is left. All of it
// is rehearsed first.
func TestSecondNight(t *testing.T) {
	t.Parallel()
	o, box := newOfficeWith(t, nil, nil, sandbox.Config{})
	box.Allow("Lakeshore Transit", "Private Pay")
	box.Allow("Prairie Wheels", "County Medicaid Plan")
	box.Allow("Prairie Wheels", "Harborview Health")
	box.Allow("Prairie Wheels", "Private Pay")
	mapping := filepath.Join(o.folder, "plain.yaml")
	plain, err := os.ReadFile(repoPath("templates", "plain.yaml"))
	o.must(err)
	writeFile(t, mapping, slices.Concat(plain, []byte("complete: day\nids: unique\n")))
	n := makeSecondNight()
	o.write(o.schedule, n.rows)

	run := func(status int, lines []string, args ...string) {
		t.Helper()
		s := o.run(append(args, "-m", mapping, "--today", "2026-12-01", "--results", filepath.Join(o.folder, "results.csv"))...)
		var got []string
		for line := range strings.Lines(s.out) {
			if count, words, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && strings.HasSuffix(strings.TrimRight(count, "s"), " trip") && !strings.HasPrefix(line, "!") {
				got = append(got, count+": "+words)
			}
		}
		if s.status != status || !slices.Equal(got, lines) {
			t.Fatalf("%v: status %d, want %d; %q, want %q\n%s%s", args, s.status, status, got, lines, s.out, s.err)
		}
	}
	list := []string{
		importer.Counted(len(n.cancelled)+len(n.gone), "trip", "trips") + ": cancel by hand",
	}
	with := func(list []string, counted ...any) []string {
		list = slices.Clone(list)
		for i := 0; i < len(counted); i += 2 {
			list = append(list, importer.Counted(counted[i].(int), "trip", "trips")+": "+counted[i+1].(string))
		}
		return list
	}
	kept := 290 - len(n.gone) - len(n.cancelled)

	run(exitDone, with(nil, 290, "booked"), "import", "--sandbox", repoPath("testdata", "schedule.xlsx"))
	run(8, with(list, len(n.changed), "changed", len(n.added), "booked", kept-len(n.changed), "booked earlier"), "import", "--changes", "send", "--sandbox", o.schedule)

	run(exitDone, with(nil, 290, "booked"), "import", repoPath("testdata", "schedule.xlsx"))
	run(exitDone, with(nil, 290, "booked earlier"), "import", repoPath("testdata", "schedule.csv"))
	run(8, with(list, len(n.changed), "change by hand", len(n.added), "booked", kept-len(n.changed), "booked earlier"), "import", o.schedule)

	// What the mapping makes of a row is the same with a comment more.
	writeFile(t, mapping, slices.Concat([]byte("# another comment\n"), plain, []byte("complete: day\nids: unique\nfiles: \"*.csv\"\n")))
	run(8, with(list, len(n.changed), "changed", kept-len(n.changed)+len(n.added), "booked earlier"), "import", "--changes", "send", o.schedule)
	run(8, with(list, kept+len(n.added), "booked earlier"), "import", "--changes", "send", o.schedule)
	run(8, with(list, kept+len(n.added), "booked earlier"), "import", o.schedule)

	var changed []string
	for _, e := range o.entries() {
		if e.Phase == sandbox.Committed && e.Operation == sandbox.Change {
			changed = append(changed, e.TripID)
		}
	}
	slices.Sort(changed)
	slices.Sort(n.changed)
	if !slices.Equal(changed, n.changed) || len(box.Trips()) != 290+len(n.added) {
		t.Errorf("the service has %d trips and changed %v, want %d and %v", len(box.Trips()), changed, 290+len(n.added), n.changed)
	}
	t.Logf("%d rows, %d trips changed, %d cancelled, %d gone, %d new", len(n.rows), len(n.changed), len(n.cancelled), len(n.gone), len(n.added))
}
