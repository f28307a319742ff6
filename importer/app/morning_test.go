package app_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
	"tripimport/templates"
)

// A morningOffice is an office whose staff answer in morning workbooks alone. What is open
// is judged by the log of the service, by the exports, and by what was answered.
type morningOffice struct {
	*monthOffice
	complete bool // each export has all trips of its day
	day      importer.Date
	export   int
	rows     []*monthRow
	trips    map[string]*judgedTrip
	unclear  map[string]bool // the service's answer to these is lost, or has no GUID
	words    map[string]bool // the new words that were answered
}

// A judgedTrip is what the judge knows of a trip.
type judgedTrip struct {
	day       importer.Date
	begins    int    // the minute at which the schedule has it; 24*60 if that can't be read
	booked    int    // the minute at which it is booked; -1 if it is not
	content   string // what a `leave it` holds for
	in        bool   // the export has it, live
	cancelled bool   // the export has it, cancelled
	gone      bool   // a whole export did not have it
	waits     string // the new word that it has; empty for none
	found     bool   // a person answered that it is there
	done      bool   // a person cancelled it
	left      string // the content for which a person left it
}

// TestMorningIsWhatIsOpen simulates days of a normal office with five exports each, and
// compares the morning list after each of them with what is open by the log of the service.
// Once everything in the workbook is answered, the list is empty. TRIPIMPORT_LONG=1
// simulates a month, or TRIPIMPORT_DAYS.
func TestMorningIsWhatIsOpen(t *testing.T) {
	for _, complete := range []bool{false, true} {
		t.Run(fmt.Sprintf("complete=%v", complete), func(t *testing.T) {
			days := []int{monthHoliday - 1, monthHoliday} // small ones
			if testing.Short() {
				days = days[:1]
			}
			if os.Getenv("TRIPIMPORT_LONG") != "" {
				month := monthDays
				if text := os.Getenv("TRIPIMPORT_DAYS"); text != "" {
					month, _ = strconv.Atoi(text)
				}
				days = nil
				for n := range month {
					days = append(days, n)
				}
			}
			o := newMorningOffice(t, complete, days)
			rng := rand.New(rand.NewPCG(15, 4))
			for _, n := range days {
				o.live(rng, n)
			}
		})
	}
}

func newMorningOffice(t *testing.T, complete bool, days []int) *morningOffice {
	var faults []inject.Fault
	unclear := map[string]bool{}
	for _, n := range days { // rows with even numbers are round trips
		id := func(i int, leg string) string { return fmt.Sprintf("D%02d-%03d%s", n+1, i, leg) }
		for _, lost := range []string{id(5, ""), id(6, "-A"), id(8, "-B")} {
			faults = append(faults, inject.Fault{Trip: lost, Kind: "500", Commit: "after"})
			unclear[lost] = true
		}
		faults = append(faults, inject.Fault{Trip: id(7, ""), Kind: "no-guid"}, inject.Fault{Trip: id(9, ""), Kind: "400"})
		unclear[id(7, "")] = true
	}
	o := &morningOffice{monthOffice: newMonthOffice(t, faults), complete: complete, unclear: unclear, trips: map[string]*judgedTrip{}, words: map[string]bool{}}
	text := ""
	for _, template := range templates.List() {
		if template.Name == "plain" {
			text = template.Text
		}
	}
	if complete {
		text = strings.Replace(text, "mapping: 1\n", "mapping: 1\ncomplete: day\n", 1)
	}
	o.write("broker.yaml", text)
	o.env["MAPPING"] = filepath.Join(o.folder, "broker.yaml")
	return o
}

// live lives through a day.
func (o *morningOffice) live(rng *rand.Rand, n int) {
	o.day = importer.Date{Year: 2026, Month: 12, Day: 1}.AddDays(n)
	o.rows = o.schedule(rng, o.day, n)
	if os.Getenv("TRIPIMPORT_LONG") == "" {
		o.rows = o.rows[:40]
	}
	o.rows[0].cancelled, o.rows[1].cancelled = "HOLD", "HOLD"
	o.rows[0].cancelAt, o.rows[1].cancelAt = 9, 9
	for i, r := range o.rows {
		if !o.complete || i%2 == 0 || i < 14 || r.renameAt == 1 { // a question names what would be gone
			r.renameAt = 9
		}
	}
	if o.complete {
		for _, r := range o.rows[10:14] {
			r.dropAt = 1
		}
	}
	for e, at := range exports {
		on := o.day
		if e == 0 {
			on = on.AddDays(-1)
		}
		o.export, o.clock.now = e, time.Date(on.Year, on.Month, on.Day, at.hour, at.minute, 0, 0, time.UTC)
		o.write("night.csv", monthText(o.rows, o.day, e))
		o.must(os.Chtimes(filepath.Join(o.folder, "night.csv"), o.clock.now, o.clock.now))
		o.urgent, o.lists, o.causes = map[string]int{}, map[string]importer.RowResult{}, noCauses()
		status := app.StatusOf(o.monthApp().Import(context.Background(), app.Options{}, o, "night.csv"))
		if status != app.Done && status != app.FixRows && status != app.NeedsPerson && status != app.Listed {
			o.Fatalf("export %d: status %d", e, status)
		}
		o.judge()
		o.compare("after the import")
		if e%2 == 1 { // what other exports list is answered after the next one
			o.clock.now = o.clock.now.Add(10 * time.Minute)
			o.answerAll()
		}
	}
}

// judge records the export and the service's log.
func (o *morningOffice) judge() {
	for _, t := range o.trips {
		if t.day == o.day {
			t.in, t.cancelled = false, false
		}
	}
	for _, r := range o.rows {
		if o.export < r.from || o.export >= r.dropAt {
			continue
		}
		id, minute := r.id, r.minute
		if o.export >= r.moveAt && minute < 21*60 && exports[o.export].hour*60 < minute && o.export > 0 {
			minute += 20
		}
		if o.export >= r.renameAt {
			id += "X"
		}
		legs := map[string]int{id: minute}
		if r.returnTime != "" {
			back := 24 * 60
			if at, err := time.Parse("15:04", r.returnTime); err == nil {
				back = at.Hour()*60 + at.Minute()
			}
			legs = map[string]int{id + "-A": minute, id + "-B": back}
		}
		for leg, minute := range legs {
			if o.trips[leg] == nil {
				o.trips[leg] = &judgedTrip{day: o.day, booked: -1}
			}
			t := o.trips[leg]
			t.begins, t.content = minute, fmt.Sprint(minute) // what is left is listed again only if its time moves
			t.cancelled = o.export >= r.cancelAt
			t.waits = r.cancelled
			t.in = !t.cancelled
			t.gone = false
		}
	}
	o.readLog()
	if o.complete && o.export == 1 { // once the first trips have begun, nothing is listed as gone
		for _, t := range o.trips {
			t.gone = t.gone || t.day == o.day && t.booked >= 0 && !t.in && !t.cancelled && !t.done
		}
	}
}

// readLog records what the service has booked.
func (o *morningOffice) readLog() {
	o.logging.Lock()
	defer o.logging.Unlock()
	for _, e := range o.logged {
		if t := o.trips[e.TripID]; t != nil && e.Phase == sandbox.Committed && t.booked < 0 {
			t.booked = t.begins
		}
	}
}

// open returns the trips that are open by what the judge knows, and how many were open when
// they began in the last three days.
func (o *morningOffice) open() (open []string, neverAnswered int) {
	today := importer.DateOf(o.clock.now)
	for id, t := range o.trips {
		var is bool
		switch {
		case t.booked < 0:
			is = t.in && t.left != t.content && !o.words[t.waits]
		case o.unclear[id] && !t.found:
			is = true
		case t.cancelled || t.gone:
			is = !t.done
		default:
			is = t.in && t.booked != t.begins
		}
		now := t.day.DaysUntil(today)*24*60 + o.clock.now.Hour()*60 + o.clock.now.Minute()
		switch {
		case is && max(t.begins, t.booked) >= now:
			open = append(open, id)
		case is && t.day.DaysUntil(today) <= 3:
			neverAnswered++
		}
	}
	slices.Sort(open)
	return open, neverAnswered
}

// morning makes the list, with the workbook.
func (o *morningOffice) morning() *results.Morning {
	o.Helper()
	m, _, err := o.monthApp().Morning(context.Background(), app.MorningOptions{Folder: o.folder})
	o.must(err)
	if len(m.Lost) > 0 {
		o.Fatalf("lost: %+v", m.Lost)
	}
	return m
}

// compare compares the list with what is open.
func (o *morningOffice) compare(when string) {
	o.Helper()
	m := o.morning()
	var listed []string
	for _, item := range slices.Concat(m.Urgent, m.Listed) {
		listed = append(listed, item.Trip.ID)
	}
	slices.Sort(listed)
	o.Logf("%s, export %d, %s: %d urgent, %d listed, %d never answered", o.day, o.export, when, len(m.Urgent), len(m.Listed), m.NeverAnswered)
	open, neverAnswered := o.open()
	if m.NeverAnswered != neverAnswered {
		o.Errorf("%s, export %d, %s: %d were never answered, the list says %d", o.day, o.export, when, neverAnswered, m.NeverAnswered)
	}
	if diff := cmp.Diff(open, listed); diff != "" {
		o.Fatalf("%s, export %d, %s (-open by the service's log +listed):\n%s", o.day, o.export, when, diff)
	}
	for i, item := range m.Urgent[:max(0, len(m.Urgent)-1)] {
		if next := m.Urgent[i+1]; !next.Begins().IsZero() && item.Begins().Compare(next.Begins()) > 0 {
			o.Errorf("%s is before %s", item.Trip.ID, next.Trip.ID)
		}
	}
}

// answerAll answers everything in the workbook as staff do, and takes the answers. A trip that
// is there after all may have to be cancelled or changed; that is the next question.
func (o *morningOffice) answerAll() {
	for range 3 {
		m := o.morning()
		n := len(m.Urgent) + len(m.Listed)
		if n == 0 {
			return
		}
		o.fill(m)
		taken, err := o.monthApp().TakeMorning(context.Background(), o.folder)
		o.must(err)
		if taken.Answers != n || len(taken.Notes) > 0 {
			o.Fatalf("%d of %d answers were taken: %q", taken.Answers, n, taken.Notes)
		}
		o.readLog()
		o.compare("answered")
	}
	if open, _ := o.open(); len(open) > 0 {
		o.Fatalf("open by the judge although everything was answered: %v", open)
	}
}

// fill writes an answer beside each trip of the workbook.
func (o *morningOffice) fill(m *results.Morning) {
	answers := map[string]string{}
	for _, item := range slices.Concat(m.Urgent, m.Listed) {
		t, out := o.trips[item.Trip.ID], &item.Outcome
		switch {
		case out.State == importer.Unknown, out.GUIDMissing:
			answers[item.Trip.ID], t.found = "there", true
		case out.State == importer.CancelByHand:
			answers[item.Trip.ID], t.done = "done by hand", true
		case out.State.Booked():
			answers[item.Trip.ID], t.booked = "done by hand", t.begins
		case out.Question == importer.AskWord:
			answers[item.Trip.ID], o.words[t.waits] = "leave out", true
		case out.Question == importer.AskReplaced:
			answers[item.Trip.ID] = "meant"
		default:
			answers[item.Trip.ID], t.left = "leave it", t.content
		}
	}

	resultstest.AnswerMorning(o, m.Written, answers)
}

// answeredList returns an office with a faulty row, and its list, in which `leave it` is answered and which was edited then.
func answeredList(t *testing.T, edit func(*excelize.File) error) (*morningOffice, *results.Morning) {
	o := newMorningOffice(t, false, nil)
	o.clock.now = time.Date(2026, 12, 1, 21, 30, 0, 0, time.UTC)
	o.write("night.csv", header+goodRows+faultyRow)
	if status := app.StatusOf(o.monthApp().Import(context.Background(), app.Options{}, app.Silent{}, "night.csv")); status != app.FixRows {
		t.Fatalf("status %d", status)
	}
	m := o.morning()
	resultstest.AnswerMorning(t, m.Written, map[string]string{"T-3": "leave it"})
	book, err := excelize.OpenFile(m.Written)
	o.must(err)
	o.must(errors.Join(edit(book), book.Save(), book.Close()))
	return o, m
}

// TestAnswersThatCannotBeFound has a morning workbook come back in which the rows can't be
// told any more. It is named, and stays as it is with what people wrote in it.
func TestAnswersThatCannotBeFound(t *testing.T) {
	const sheet = "Through the day" // row 2 has the headers, row 3 the trip
	for name, c := range map[string]struct {
		edit func(f *excelize.File) error
		says string
	}{
		"as it was": {func(*excelize.File) error { return nil }, ""},
		"headers sorted with the rows": {func(f *excelize.File) error {
			return errors.Join(f.DuplicateRowTo(sheet, 3, 2), f.RemoveRow(sheet, 4))
		}, "were sorted with the rows"},
		"headers deleted":      {func(f *excelize.File) error { return f.RemoveRow(sheet, 2) }, "are gone"},
		"keys deleted":         {func(f *excelize.File) error { return f.RemoveCol(sheet, "M") }, "beside no trip"},
		"hidden sheet deleted": {func(f *excelize.File) error { return f.DeleteSheet("tripimport") }, "the hidden sheet was deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			o, m := answeredList(t, c.edit)
			before, err := os.ReadFile(m.Written)
			o.must(err)

			taken, err := o.monthApp().TakeMorning(context.Background(), o.folder)
			o.must(err)
			if c.says == "" {
				if taken.Answers != 1 || len(taken.Notes) > 0 {
					t.Errorf("%+v", taken)
				}
				return
			}
			if taken.Answers != 0 || len(taken.Notes) != 1 || !strings.Contains(taken.Notes[0], c.says) {
				t.Errorf("%d answers were taken: %q, want %q", taken.Answers, taken.Notes, c.says)
			}
			o.morning()
			if after, err := os.ReadFile(m.Written); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the workbook with the answers did not stay: %v", err)
			}
		})
	}
}

// TestNotesInLists: a text in the column for answers, in a row of its own or in a line that lost its key, is named, and no
// answer of the list is taken: nobody knows its trip.
func TestNotesInLists(t *testing.T) {
	const sheet = "Through the day"
	for name, c := range map[string]struct {
		edit    func(f *excelize.File) error
		answers int
		says    string
	}{
		"a note below the lines": {func(f *excelize.File) error { return f.SetCellStr(sheet, "I5", "ask Dana") }, 0, "I5: an answer stands beside no trip"},
		"a note in no column":    {func(f *excelize.File) error { return f.SetCellStr(sheet, "G6", "ask Dana") }, 1, ""},
		"a line without its key": {func(f *excelize.File) error { return f.SetCellStr(sheet, "M3", "") }, 0, "an answer stands beside no trip"},
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := answeredList(t, c.edit)
			taken, err := o.monthApp().TakeMorning(context.Background(), o.folder)
			o.must(err)
			if said := strings.Join(taken.Notes, "\n"); taken.Answers != c.answers || (said == "") != (c.says == "") || !strings.Contains(said, c.says) {
				t.Errorf("%d answers were taken: %q, want %q", taken.Answers, said, c.says)
			}
		})
	}
}

// TestMorningWorkbookOfAnotherKind has the morning workbook saved as OpenDocument: that is
// said, with what to do.
func TestMorningWorkbookOfAnotherKind(t *testing.T) {
	o := newMorningOffice(t, false, nil)
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	mimetype, err := archive.CreateHeader(&zip.FileHeader{Name: "mimetype"})
	o.must(err)
	_, err = mimetype.Write([]byte("application/vnd.oasis.opendocument.spreadsheet"))
	o.must(errors.Join(err, archive.Close(), os.WriteFile(filepath.Join(o.folder, "morning.ods"), b.Bytes(), 0o600)))
	taken, err := o.monthApp().TakeMorning(context.Background(), o.folder)
	o.must(err)
	if len(taken.Notes) != 1 || !strings.Contains(taken.Notes[0], "morning.ods") || !strings.Contains(taken.Notes[0], "save it as an .xlsx workbook") {
		t.Errorf("%q", taken.Notes)
	}
}

// TestMorningForgets lists what is open until three days after its day. A row whose day is not
// known stays, and what is listed needs neither its results nor its mapping.
func TestMorningForgets(t *testing.T) {
	another := func(day string) string {
		return strings.NewReplacer("T-3", "T-4", "12/2/2026", day).Replace(faultyRow)
	}
	for _, test := range []struct {
		name, rows string
		open, past int
	}{
		{"of a past day", goodRows + faultyRow, 0, 1},
		{"of a day to come", faultyRow + another("12/9/2026"), 1, 1},
		{"of no day", faultyRow + another("soon"), 1, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newMorningOffice(t, false, nil)
			o.clock.now = time.Date(2026, 12, 1, 21, 30, 0, 0, time.UTC)
			o.write("night.csv", header+test.rows)
			if status := app.StatusOf(o.monthApp().Import(context.Background(), app.Options{}, app.Silent{}, "night.csv")); status != app.FixRows {
				t.Fatalf("status %d", status)
			}
			found, err := filepath.Glob("night.csv.*.results.csv")
			if err != nil || len(found) != 1 {
				t.Fatalf("results: %q, %v", found, err)
			}
			o.must(errors.Join(os.Remove(found[0]), os.Remove("broker.yaml")))
			for days, past := range map[int]int{3: test.past, 5: 0} {
				o.clock.now = time.Date(2026, 12, 1+days, 21, 30, 0, 0, time.UTC)
				m, _, err := o.monthApp().Morning(context.Background(), app.MorningOptions{})
				if err != nil || len(m.Urgent)+len(m.Listed) != test.open || m.NeverAnswered != past || len(m.Lost) > 0 {
					t.Errorf("after %d days: %d open, %d never answered, %v", days, len(m.Urgent)+len(m.Listed), m.NeverAnswered, err)
				}
			}
		})
	}
}

// TestUnsentByProvider reads the workbook from which unsent schedules are phoned: it has a sheet
// for each transportation provider, by pickup time, which also lists the trips to be cancelled. A trip
// that several schedules have is on it once, as the newest has it.
func TestUnsentByProvider(t *testing.T) {
	o := newFixture(t, goodRows)
	o.newLedger()
	if err := o.app().Import(context.Background(), app.Options{}, app.Silent{}, "schedule.csv"); err != nil {
		t.Fatal(err)
	}
	late := strings.Replace(goodRows, "T-1,", "L-1,", 1) // 8:30, not booked
	late += strings.Replace(strings.Replace(goodRows, "T-1,R-1,Lakeshore Transit", "L-2,R-9,Prairie/Wheels", 1), "8:30 AM", "7:15 AM", 1)
	rows := strings.Split(strings.TrimSuffix(header, "\n")+",Cancelled,Passenger Name\n"+late, "\n")
	for i, cancelled := range []string{"", "yes", "", "no"} { // T-2, a round trip, is booked
		rows[i+1] += "," + cancelled + fmt.Sprintf(",Person %d", i+1)
	}
	o.write("late.csv", strings.Join(append(rows[:4], faultyRow), "\n"))
	o.write("broken.csv", "no schedule\n")
	o.write("early.csv", strings.Split(header, "\n")[0]+"\n"+strings.Replace(strings.Split(late, "\n")[0], "8:30 AM", "8:10 AM", 1)+"\n")
	before := time.Now().Add(-time.Hour)
	o.must(os.Chtimes("early.csv", before, before))

	folder := filepath.Join(o.folder, "results [shared]")
	o.must(os.Mkdir(folder, 0o700))
	m, _, err := o.app().Morning(context.Background(), app.MorningOptions{Folder: folder, Unsent: []app.Unsent{
		{Path: "early.csv", Mapping: "plain"}, {Path: "late.csv", Mapping: "plain"}, {Path: "broken.csv", Mapping: "plain"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Lost) != 1 || m.Lost[0].File != "broken.csv" {
		t.Errorf("lost: %+v", m.Lost)
	}
	book, err := excelize.OpenFile(m.UnsentFile)
	o.must(err)
	defer func() { _ = book.Close() }()
	if diff := cmp.Diff([]string{"Phone 1", "Phone 2"}, book.GetSheetList()); diff != "" {
		t.Error(diff)
	}
	read := func(sheet string) (column []string) {
		rows, err := book.GetRows(sheet)
		o.must(err)
		for _, row := range rows {
			column = append(column, strings.Join(strings.Fields(strings.Join(row[:min(2, len(row))], " ")), " "))
		}
		return column
	}
	lakeshore := read("Phone 1")
	want := []string{
		"Pickup Passenger", "Wed Dec 2, 2026 08:30 Person 1 R-1", "Wed Dec 2, 2026 14:00 R-3", "CANCEL these:",
		"Wed Dec 2, 2026 09:00 Person 2 R-2", "Wed Dec 2, 2026 13:00 Person 2 R-2",
	}
	if diff := cmp.Diff(want, lakeshore[1:]); diff != "" || !strings.Contains(lakeshore[0], "2 trips to book, 2 trips to cancel") {
		t.Errorf("%s\n%s", lakeshore[0], diff)
	}
	if prairie := read("Phone 2"); len(prairie) != 3 || !strings.Contains(prairie[2], "07:15 Person 3 R-9") {
		t.Errorf("%q", prairie)
	}

	// Later lists leave the workbook.
	m, _, err = o.app().Morning(context.Background(), app.MorningOptions{Folder: folder})
	if err != nil || m.UnsentFile != "" {
		t.Errorf("%+v, %v", m, err)
	}
}
