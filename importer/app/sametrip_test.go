package app_test

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
	"tripimport/templates"
)

// A nightStep is one thing that an office does: it imports a schedule, or answers in
// the last results and retries them.
type nightStep struct {
	// mapping edits the plain mapping, in pairs of old and new; none to keep it as
	// in the step before.
	mapping []string
	// rows are the schedule: the trip id, then "Column=text" for each difference from
	// defaultRow, separated by bars.
	rows []string
	// fix is written into the last results, by trip id, as in rows.
	fix []string

	posted   []string // "id rider pickup-address time", sorted
	outcomes []string // for each row the code of each trip's state
	status   app.Status
	// limit is how many rows are sent; 0 for all.
	limit int
	// raised reports that the status is as it is because something new is urgent.
	raised bool
	// says is part of what the reasons, the problems or the error say.
	says string
}

// A nightSession is what an office does, one thing after the other.
type nightSession struct {
	name string
	// refuse are the trips that the service refuses once. lose are the trips for which its
	// first answer proves nothing.
	refuse, lose []string
	steps        []nightStep
}

// defaultRow is a row of the schedule, but for its trip id.
var defaultRow = map[string]string{
	"Rider ID": "R-1", "Provider": "Lakeshore Transit", "Funding Source": "Harborview Health", "Space Type": "AMB",
	"Pickup Address": "12 Alder Ct", "Pickup City": "Westfield", "Pickup State": "MI", "Pickup ZIP": "48111",
	"Pickup Latitude": "42.301", "Pickup Longitude": "-83.401",
	"Dropoff Address": "700 Bay Rd", "Dropoff City": "Westfield", "Dropoff State": "MI", "Dropoff ZIP": "48111",
	"Dropoff Latitude": "42.322", "Dropoff Longitude": "-83.412",
	"Date": "12/2/2026", "Pickup Time": "9:00 AM", "Appointment Time": "10:00 AM", "Will Call": "No", "Round Trip": "No",
}

// backAgain is the default row the other way.
const backAgain = "Pickup Address=700 Bay Rd|Dropoff Address=12 Alder Ct|Pickup Latitude=42.322|Pickup Longitude=-83.412|Dropoff Latitude=42.301|Dropoff Longitude=-83.401|Appointment Time=|Pickup Time=1:00 PM"

// scheduleTable returns the rows as a table, the header first.
func scheduleTable(rows []string) [][]string {
	columns := append(strings.Split(strings.TrimSuffix(header, "\n"), ","), "Cancelled", "Row Number", "Pickup Address 2")
	table := [][]string{columns}
	for _, row := range rows {
		id, rest, _ := strings.Cut(row, "|")
		given := map[string]string{"Trip ID": id}
		blank := false
		for _, cell := range strings.Split(rest, "|") {
			column, text, _ := strings.Cut(cell, "=")
			given[column] = text
			blank = blank || column == "only"
		}
		cells := make([]string, len(columns))
		for i, c := range columns {
			text, ok := given[c]
			if !ok && !blank {
				text = defaultRow[c]
			}
			cells[i] = text
		}
		table = append(table, cells)
	}
	return table
}

// A nightDesk is an office whose nights are judged by what the service received.
type nightDesk struct {
	urgent bool // a run ended with 4 before
	*desk
	format string
	mu     sync.Mutex
}

func newNightDesk(t *testing.T, format, workers string, s nightSession) *nightDesk {
	t.Helper()
	dir := t.TempDir()
	n := &nightDesk{desk: &desk{fixture: &fixture{TB: t, folder: filepath.Join(dir, "schedules"), home: filepath.Join(dir, "home")}}, format: format}
	n.must(errors.Join(os.Mkdir(n.folder, 0o700), os.Mkdir(n.home, 0o700)))
	plan := &inject.Plan{}
	for _, id := range s.refuse {
		plan.Faults = append(plan.Faults, inject.Fault{Trip: id, Kind: "400", Times: 1})
	}
	for _, id := range s.lose {
		plan.Faults = append(plan.Faults, inject.Fault{Trip: id, Kind: "500", Times: 1})
	}
	box, err := sandbox.New(sandbox.Config{Faults: plan, OnRequest: n.note})
	n.must(err)
	for _, p := range []string{"Lakeshore Transit", "Prairie Wheels"} {
		for _, f := range []string{"Harborview Health", "Union Aid"} {
			box.Allow(p, f)
		}
	}
	n.serve(box)
	n.env["TRIPIMPORT_WORKERS"], n.env["TRIPIMPORT_RESULTS_FORMAT"] = workers, format
	n.newLedger()
	return n
}

// note notes a trip that the service receives.
func (n *nightDesk) note(op sandbox.Operation, body []byte) {
	type event struct {
		Location struct {
			Address string `json:"address1"`
		} `json:"event_location"`
		Time string `json:"pickup_time"`
	}
	var trip struct {
		ID     string `json:"trip_id"`
		Rider  string `json:"rider_id"`
		Pickup event  `json:"pickup"`
	}
	if op != sandbox.Insert {
		return
	}
	if err := json.Unmarshal(body, &trip); err != nil {
		n.Error(err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.posted = append(n.posted, strings.Join([]string{trip.ID, trip.Rider, trip.Pickup.Location.Address, trip.Pickup.Time[:16]}, " "))
}

func (n *nightDesk) setMapping(edits []string) {
	file, err := templates.Open("plain.yaml")
	n.must(err)
	data, err := io.ReadAll(file)
	n.must(err)
	text := string(data)
	for i := 0; i < len(edits); i += 2 {
		if !strings.Contains(text, edits[i]) {
			n.Fatalf("the mapping has no %q", edits[i])
		}
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	n.write("m.yaml", text)
	n.env["MAPPING"] = filepath.Join(n.folder, "m.yaml")
}

func (n *nightDesk) writeSchedule(rows []string) string {
	table := scheduleTable(rows)
	if n.format == "csv" {
		var text strings.Builder
		n.must(csv.NewWriter(&text).WriteAll(table))
		n.write("night.csv", text.String())
		return filepath.Join(n.folder, "night.csv")
	}
	book := excelize.NewFile()
	for i, r := range table {
		n.must(book.SetSheetRow("Sheet1", fmt.Sprint("A", i+1), &r))
	}
	path := filepath.Join(n.folder, "night.xlsx")
	n.must(book.SaveAs(path))
	return path
}

// A watcher is the person at the desk, who notes what became of each row.
type watcher struct {
	clerk
	rows []importer.RowResult
	text strings.Builder
	// sent reports that the answers of the service decided too.
	sent bool
}

func (w *watcher) Row(r importer.RowResult) {
	r.Row, r.Trips = r.Row.Clone(), slices.Clone(r.Trips)
	w.rows = append(w.rows, r)
}

func (w *watcher) Notice(text string) { fmt.Fprintln(&w.text, text) }

// outcomes says what became of each row, and in text why.
func (w *watcher) outcomes(ready bool) []string {
	var lines []string
	for _, r := range w.rows {
		var trips []string
		for _, t := range r.Trips {
			o := &t.Outcome
			state := o.State.Code()
			if ready && (o.Attempts > 0 || w.sent && o.State == importer.Held) { // a check can't know the answer
				state = importer.Ready.Code()
			}
			if o.Question != importer.NoQuestion {
				state += " " + o.Question.Code()
			}
			if len(o.Changed) > 0 {
				state += " (" + strings.Join(o.Changed, " ") + ")"
			}
			id := regexp.MustCompile("-2026[0-9]{4}").ReplaceAllString(t.Trip.ID, "") // what is sent shows it
			trips = append(trips, strings.TrimSpace(id+" "+state))
			if o.State.Booked() && o.GUID == "" && !o.GUIDMissing && !o.Answered {
				w.Errorf("trip %s is %s, and its GUID is not said", t.Trip.ID, state)
			}
			fmt.Fprintln(&w.text, o.Reason)
			if o.GUID != "" {
				fmt.Fprintln(&w.text, "GUID", o.GUID)
			}
		}
		for _, p := range r.Problems {
			fmt.Fprintln(&w.text, p.Code, p.Message, p.Fix)
		}
		line := cmp.Or(strings.Join(trips, ", "), r.State.Code())
		if r.HalfBooked && !ready {
			line += ": half booked"
		}
		lines = append(lines, line)
	}
	return lines
}

// do does a step and judges it.
func (n *nightDesk) do(s nightStep) {
	n.Helper()
	if s.mapping != nil {
		n.setMapping(s.mapping)
	}
	n.posted = nil
	options := app.Options{Today: "2026-12-01", Limit: s.limit}
	w := &watcher{clerk: clerk{desk: n.desk}}

	var err error
	if s.fix != nil {
		n.results = n.newest("night." + n.format + ".*.results*." + n.format)
		n.edit(func(g *grid) {
			for _, fix := range s.fix {
				trip, cells, _ := strings.Cut(fix, "|")
				for _, cell := range strings.Split(cells, "|") {
					column, text, _ := strings.Cut(cell, "=")
					g.set(trip, column, text)
				}
			}
		})
		err = retryAgreed(n.app(), options, w, n.results)
	} else {
		path := n.writeSchedule(s.rows)
		checked := &watcher{clerk: clerk{desk: n.desk}}
		checkErr := n.app().Check(context.Background(), options, checked, path)
		if len(n.posted) > 0 {
			n.Errorf("the check sent %q", n.posted)
		}
		err = importAgreed(n.app(), options, w, path)
		w.sent = len(s.posted) > 0
		if a, b := checked.outcomes(true), w.outcomes(true); !slices.Equal(a, b) && s.limit == 0 {
			n.Errorf("the check says %q, the import %q: %s", a, b, checked.text.String())
		}
		w.text.Reset()
		if a, b := app.StatusOf(checkErr), app.StatusOf(err); a != b && len(n.posted) == 0 {
			n.Errorf("the check ends with %d (%v), the import with %d (%v)", a, checkErr, b, err)
		}
	}

	slices.Sort(n.posted)
	if !slices.Equal(s.posted, n.posted) {
		n.Errorf("sent %q, want %q", n.posted, s.posted)
	}
	if got := w.outcomes(false); !slices.Equal(got, s.outcomes) {
		n.Errorf("the rows are %q, want %q", got, s.outcomes)
	}
	// What was urgent once is on the list while it stays open: 8, or 3 beside a trip
	// that is not booked.
	got := app.StatusOf(err)
	again := n.urgent && !s.raised && s.status == app.NeedsPerson && (got == app.Listed || got == app.FixRows)
	if got != s.status && !again {
		n.Errorf("status %d, want %d: %v", got, s.status, err)
	}
	n.urgent = n.urgent || got == app.NeedsPerson
	if said := w.text.String() + fmt.Sprint(err); !strings.Contains(said, s.says) {
		n.Errorf("said %q, want %q", said, s.says)
	}
	if n.Failed() {
		n.Log(w.text.String())
		n.Log(n.files())
	}
}

// TestSameTrip does what offices do with schedules whose rows change shape, id, day, provider
// and rider, and judges the result by what the service received. Each doubtful case has the
// legitimate use beside it.
func TestSameTrip(t *testing.T) {
	t.Parallel()
	for i, s := range nightSessions() {
		for k, variant := range [][2]string{{"csv", "1"}, {"xlsx", "8"}} {
			if i%2 != k && !strings.Contains(s.name, "suite") || testing.Short() && i%8 != k {
				continue // for the race detector one in eight is enough
			}
			t.Run(s.name+"/"+variant[0], func(t *testing.T) {
				t.Parallel()
				n := newNightDesk(t, variant[0], variant[1], s)
				for i, step := range s.steps {
					n.do(step)
					if t.Failed() {
						t.Fatalf("in step %d", i+1)
					}
				}
			})
		}
	}
}
