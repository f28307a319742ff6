package app_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
)

// The rates of a normal office. The size, the exports, the cancellations, the comment
// edits and the holiday are what the program is designed for. When cancellations come
// has one source, and not from a broker: Paratransit, Inc. of Sacramento says that more
// than two thirds of its cancellations are given at least two hours before the trip
// ("Cancellation Policies, Practices & Results"). That a broker cancels, modifies and
// adds until the trip, that a lost answer leaves a trip that may be booked, and that
// rows are fixed in the results, is known of real brokers and services, how often is
// not. Those rates are assumptions, written down before the first run and never changed
// to please: the 4s are reported.
const (
	monthDays = 30
	// By design: 600 trips a night in 400 rows, half of them round trips; exports at
	// five times; 8 to 12 % cancelled; 20 to 60 comments edited a day; one holiday, on
	// which a tenth of the riders travel.
	monthRows                     = 400
	cancelledLeast, cancelledMost = 8, 12
	commentsLeast, commentsMost   = 20, 60
	monthHoliday                  = 26
	// Assumed, a day:
	monthMoved   = 8 // rows whose time is moved after they were booked
	monthAdded   = 6 // rows with new ids in the exports of the day
	monthRenamed = 1 // rows that come under another id
	monthFaulty  = 5 // rows with a fault, a fifth of them only in the return: half booked
	// Assumed: an answer is lost in one of 4,000 requests, a GUID is missing in one of
	// 9,000, and a rider is refused in one of 300.
	lostEvery, noGUIDEvery, refusedEvery = 4000, 9000, 300
	// Assumed: a new word appears on every tenth day. Cancellations are spread over the
	// day before the service, the night and the service day, a third each, so that about
	// a quarter come within three hours of the trip.
	newWordEvery = 10
)

// exports are the times of the exports, the first one on the evening before. Staff
// cancel, change, answer and fix what each of them lists half an hour later, what the
// first two list at 06:00, when the office opens: all of it, in the results of the last
// import, and they retry those.
var exports = []struct{ hour, minute int }{{21, 30}, {4, 30}, {8, 0}, {11, 0}, {14, 0}}

// A monthClock stands still until it is set.
type monthClock struct{ now time.Time }

func (c *monthClock) Now() time.Time                        { return c.now }
func (c *monthClock) Wall(*time.Location) importer.DateTime { return importer.DateTimeOf(c.now) }

// A monthRow is a row of the broker's schedule.
type monthRow struct {
	id, rider, space, street, returnTime, cancelled, notes string
	minute                                                 int
	from                                                   int // the export in which it appears
	cancelAt, moveAt, renameAt, dropAt                     int // the exports from which on; 9 for none
}

// A monthOffice counts what its runs raise.
type monthOffice struct {
	app.Silent
	*desk
	clock  *monthClock
	urgent map[string]int                // of this run
	causes map[app.Status]map[string]int // of this run: what makes a 3 and what makes an 8
	lists  map[string]importer.RowResult // rows that ask for a person, by their Trip ID

	logging sync.Mutex
	logged  []sandbox.Entry // what the service did
}

// log keeps an entry of the service.
func (o *monthOffice) log(e sandbox.Entry) {
	o.logging.Lock()
	defer o.logging.Unlock()
	o.logged = append(o.logged, e)
}

// Row implements app.Events.
func (o *monthOffice) Row(r importer.RowResult) {
	for i := range r.Trips {
		t := &r.Trips[i]
		switch state := t.Outcome.State; {
		case t.Outcome.Urgency() == importer.Listed:
			o.causes[app.Listed][state.Code()]++
		case state == importer.Fix, state == importer.Held, state == importer.Refused, state == importer.NotSent:
			o.causes[app.FixRows][state.Code()]++
		}
		if t.Outcome.Urgency() != importer.NoAction && len(r.Row.Cells) > 0 {
			o.lists[r.Row.Cells[0].Text] = r
		}
		if t.Outcome.Urgency() == importer.ActNow {
			o.urgent[t.Outcome.State.Code()+" "+t.Outcome.Question.Code()]++
		}
	}
}

func (o *monthOffice) monthApp() *app.App {
	a, err := app.New(app.Environment{Approved: true, Clock: o.clock, Spell: spelled, Lookup: func(name string) (string, bool) {
		value, ok := o.env[name]
		return value, ok
	}}, nil)
	o.must(err)
	a.Mapping = o.env["MAPPING"]
	return a
}

// TestMonth simulates a month of a normal office and prints how often each status
// ends an import or a retry, and what caused it. It judges nothing but that no status
// is out of place: the numbers are for reading. TRIPIMPORT_LONG=1 runs it.
func TestMonth(t *testing.T) {
	if os.Getenv("TRIPIMPORT_LONG") == "" {
		t.Skip("a month takes minutes: set TRIPIMPORT_LONG=1 to simulate it")
	}
	days := monthDays
	if text := os.Getenv("TRIPIMPORT_DAYS"); text != "" {
		days, _ = strconv.Atoi(text)
	}
	o := newMonthOffice(t, []inject.Fault{
		{Kind: "500", Commit: "after", Every: lostEvery},
		{Kind: "no-guid", Every: noGUIDEvery},
		{Kind: "400", Every: refusedEvery},
	})
	rng := rand.New(rand.NewPCG(13, 13))
	total, perCause, retries := map[app.Status]int{}, map[string]int{}, map[app.Status]int{}
	perExport, perWeek := make([]map[app.Status]int, len(exports)), make([]map[app.Status]int, (days+6)/7)
	var daysWith4 [2]int // by items first raised, and by those that are soon alone
	for n := range days {
		day := importer.Date{Year: 2026, Month: 12, Day: 1}.AddDays(n)
		rows := o.schedule(rng, day, n)
		statuses := ""
		fresh, soon := false, false
		var unanswered []string
		for e, at := range exports {
			on := day
			if e == 0 {
				on = day.AddDays(-1)
			}
			o.clock.now = time.Date(on.Year, on.Month, on.Day, at.hour, at.minute, 0, 0, time.UTC)
			o.write("night.csv", monthText(rows, day, e))
			o.urgent, o.lists = map[string]int{}, map[string]importer.RowResult{}
			o.causes = noCauses()
			o.results = filepath.Join(o.folder, fmt.Sprintf("results-%d-%d.csv", n, e))
			status := app.StatusOf(importAgreed(o.monthApp(), app.Options{Output: o.results}, o, "night.csv"))
			total[status]++
			count(perExport, e, status)
			count(perWeek, n/7, status)
			statuses += fmt.Sprintf(" %d", status)
			if status == app.NeedsPerson {
				statuses += fmt.Sprint(o.urgent)
				for kind := range o.urgent {
					fresh, soon = fresh || !strings.Contains(kind, "soon"), soon || strings.Contains(kind, "soon")
					perCause["4: "+kind]++
				}
			}
			for kind := range o.causes[status] {
				perCause[fmt.Sprintf("%d: %s", status, kind)]++
			}
			if status != app.Done && status != app.FixRows && status != app.NeedsPerson && status != app.Listed {
				t.Errorf("day %d, export %d: status %d", n+1, e, status)
			}
			unanswered = append(unanswered, o.results)
			if e == 0 {
				continue // until 06:00, by the next one
			}
			o.clock.now = o.clock.now.Add(30 * time.Minute)
			if e == 1 {
				o.clock.now = time.Date(day.Year, day.Month, day.Day, 6, 0, 0, 0, time.UTC)
			}
			if s := o.answerLists(rows); s >= 0 {
				retries[s]++
				statuses += fmt.Sprintf("→%d", s)
			}
			for _, path := range unanswered {
				matches, _ := filepath.Glob(path + "*")
				for _, m := range append(matches, path) {
					_ = os.Remove(m)
				}
			}
			unanswered = nil
		}
		if fresh {
			daysWith4[0]++
		} else if soon {
			daysWith4[1]++
		}
		t.Logf("%s%s", day.Spoken(), statuses)
	}
	t.Logf("imports by status, of %d: %v", days*len(exports), total)
	for e, at := range exports {
		t.Logf("imports at %d:%02d by status: %v", at.hour, at.minute, perExport[e])
	}
	for week, by := range perWeek {
		t.Logf("imports in week %d by status: %v", week+1, by)
	}
	t.Logf("retries by status: %v", retries)
	t.Logf("days with a 4 for something new: %d; with a 4 only for what is soon: %d; of %d", daysWith4[0], daysWith4[1], days)
	for _, cause := range slices.Sorted(maps.Keys(perCause)) {
		t.Logf("imports that ended with %s: %d", cause, perCause[cause])
	}
}

func count(by []map[app.Status]int, i int, status app.Status) {
	if by[i] == nil {
		by[i] = map[app.Status]int{}
	}
	by[i][status]++
}

func noCauses() map[app.Status]map[string]int {
	return map[app.Status]map[string]int{app.FixRows: {}, app.Listed: {}}
}

// newMonthOffice opens an office whose service has these faults.
func newMonthOffice(t testing.TB, faults []inject.Fault) *monthOffice {
	o := &monthOffice{desk: &desk{fixture: newFixture(t, goodRows)}, clock: &monthClock{}, causes: noCauses()}
	box, err := sandbox.New(sandbox.Config{Faults: &inject.Plan{Faults: faults}, Log: o.log})
	o.must(err)
	box.Allow("Lakeshore Transit", "Harborview Health")
	server := httptest.NewServer(box)
	t.Cleanup(func() {
		server.Close()
	})
	o.env["TRIPIMPORT_BASE_URL"], o.env["TRIPIMPORT_WORKERS"] = server.URL, "8"
	o.newLedger()
	return o
}

// schedule makes the rows of a day, with what happens to each of them.
func (o *monthOffice) schedule(rng *rand.Rand, day importer.Date, n int) []*monthRow {
	count := monthRows
	if n+1 == monthHoliday {
		count /= 10
	}
	var rows []*monthRow
	for i := range count + monthAdded {
		r := &monthRow{
			id: fmt.Sprintf("D%02d-%03d", n+1, i), rider: fmt.Sprintf("R-%03d", i), space: "AMB", street: fmt.Sprintf("%d Alder Ct", 10+i),
			minute: 5*60 + rng.IntN(12*12)*5, cancelAt: 9, moveAt: 9, renameAt: 9, dropAt: 9,
		}
		if i%2 == 0 {
			m := r.minute + 150 + rng.IntN(20)*5
			r.returnTime = fmt.Sprintf("%d:%02d", m/60, m%60)
		}
		if i >= count { // added on the day, for later on it
			r.from = 1 + rng.IntN(4)
			r.minute = max(r.minute, exports[r.from].hour*60+60+rng.IntN(40)*5)
			r.returnTime = ""
		}
		rows = append(rows, r)
	}
	some := func(n int) []*monthRow {
		var picked []*monthRow
		for range n {
			picked = append(picked, rows[rng.IntN(count)])
		}
		return picked
	}
	cancelled := cancelledLeast + rng.IntN(cancelledMost-cancelledLeast+1)
	for _, r := range some(count * cancelled / 100) {
		switch rng.IntN(3) { // a trip is cancelled before it begins
		case 0:
			r.cancelAt = 0
		case 1:
			r.cancelAt = 1
		default:
			r.cancelAt = 2 + rng.IntN(3)
		}
		if r.cancelAt > 0 && exports[r.cancelAt].hour*60 > r.minute {
			r.cancelAt = 1
		}
	}
	for _, r := range some(commentsLeast + rng.IntN(commentsMost-commentsLeast+1)) {
		r.notes = "call on arrival"
	}
	for _, r := range some(monthMoved) {
		r.moveAt = 1 + rng.IntN(4)
	}
	for _, r := range some(monthRenamed) {
		r.renameAt = 1 + rng.IntN(4)
	}
	for k, r := range some(monthFaulty) {
		if k == 0 && r.returnTime != "" {
			r.returnTime = "25:99" // the return alone
		} else {
			r.space = "Gurney"
		}
	}
	if n%newWordEvery == newWordEvery-1 {
		for _, r := range some(3) {
			r.cancelled = fmt.Sprintf("HOLD-%d", n)
		}
	}
	return rows
}

// monthText is the export number e of the rows, without what has not happened yet.
func monthText(rows []*monthRow, day importer.Date, e int) string {
	var text strings.Builder
	text.WriteString(strings.TrimSuffix(header, "\n") + ",Cancelled,Pickup Notes\n")
	for i, r := range rows {
		if e < r.from || e >= r.dropAt {
			continue
		}
		id, minute, cancelled, notes, round := r.id, r.minute, r.cancelled, "", "No"
		if e >= r.cancelAt {
			cancelled = "yes"
		}
		if e >= r.moveAt && minute < 21*60 && exports[e].hour*60 < minute && e > 0 {
			minute += 20
		}
		if e >= r.renameAt {
			id += "X"
		}
		if e >= 1+i%4 {
			notes = r.notes
		}
		if r.returnTime != "" {
			round = "Yes"
		}
		fmt.Fprintf(&text, "%s,%s,Lakeshore Transit,Harborview Health,%s,%s,Westfield,MI,48111,42.%03d,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,%d/%d/%d,%d:%02d,,No,%s,%s,%s,%s\n",
			id, r.rider, r.space, r.street, 300+i, day.Month, day.Day, day.Year, minute/60, minute%60, round, r.returnTime, cancelled, notes)
	}
	return text.String()
}

// answerLists answers and fixes what the last import lists, in its results, as staff do, and
// retries them. It returns the status of the retry, or -1 for none.
func (o *monthOffice) answerLists(rows []*monthRow) app.Status {
	if len(o.lists) == 0 {
		return -1
	}
	byID := map[string]*monthRow{}
	for _, r := range rows {
		byID[r.id] = r
	}
	o.edit(func(g *grid) {
		for id, r := range o.lists {
			answer := ""
			for i := range r.Trips {
				switch out := &r.Trips[i].Outcome; {
				case out.State == importer.Unknown, out.GUIDMissing:
					answer = "there"
				case out.State == importer.CancelByHand, out.State == importer.ChangeByHand:
					answer = "done by hand"
				case out.Question == importer.AskWord:
					answer = "leave out"
				case out.Question != importer.NoQuestion:
					answer = "meant"
				}
			}
			if answer != "" {
				g.set(id, "What we found", answer)
			}
			if row := byID[id]; row != nil && r.State == importer.Fix || r.HalfBooked {
				if g.row(id)[g.column("Space Type")] == "Gurney" {
					g.set(id, "Space Type", "STR")
				}
				if g.row(id)[g.column("Return Time")] == "25:99" {
					g.set(id, "Return Time", "20:15")
				}
			}
		}
	})
	for id := range o.lists { // the broker is told as well
		if row := byID[id]; row != nil {
			if row.space == "Gurney" {
				row.space = "STR"
			}
			if row.returnTime == "25:99" {
				row.returnTime = "20:15"
			}
		}
	}
	out := o.results + ".retry.csv"
	o.urgent, o.lists = map[string]int{}, map[string]importer.RowResult{}
	return app.StatusOf(retryAgreed(o.monthApp(), app.Options{Output: out}, o, o.results))
}
