package app_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/sandbox"
)

// header and rows are a schedule in the plain layout. The last row has a space
// type that the mapping does not know.
const (
	header = "Trip ID,Rider ID,Provider,Funding Source,Space Type,Pickup Address,Pickup City,Pickup State,Pickup ZIP,Pickup Latitude,Pickup Longitude," +
		"Dropoff Address,Dropoff City,Dropoff State,Dropoff ZIP,Dropoff Latitude,Dropoff Longitude,Date,Pickup Time,Appointment Time,Will Call,Round Trip,Return Time\n"
	goodRows = "T-1,R-1,Lakeshore Transit,Harborview Health,AMB,12 Alder Ct,Westfield,MI,48111,42.301,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,12/2/2026,8:30 AM,9:15 AM,No,No,\n" +
		"T-2,R-2,Lakeshore Transit,Harborview Health,WCH,31 Fern St,Westfield,MI,48111,42.305,-83.405,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,12/2/2026,9:00 AM,10:00 AM,No,Yes,1:00 PM\n"
	faultyRow = "T-3,R-3,Lakeshore Transit,Harborview Health,Gurney,5 Gull Ln,Westfield,MI,48111,42.309,-83.409,88 Mill Rd,Westfield,MI,48111,42.331,-83.419,12/2/2026,2:00 PM,,No,No,\n"
)

// A fixture is an office: it has a folder of its own, in which the test works, a
// schedule, a home and a service.
type fixture struct {
	testing.TB
	folder, home string
	env          map[string]string
	newKey       bool
	// inserts counts the trips that the service received.
	inserts atomic.Int32
	// onInsert is called for each of them; nil for nothing.
	onInsert func()
}

// newFixture makes an office with a schedule of those rows. It has no ledger yet.
func newFixture(t testing.TB, rows string) *fixture {
	t.Helper()
	o := &fixture{TB: t, folder: t.TempDir(), home: t.TempDir()}
	t.Chdir(o.folder)
	o.write("schedule.csv", header+rows)

	box, err := sandbox.New(sandbox.Config{OnRequest: func(op sandbox.Operation, _ []byte) {
		if op != sandbox.Insert {
			return
		}
		o.inserts.Add(1)
		if o.onInsert != nil {
			o.onInsert()
		}
	}})
	o.must(err)
	box.Allow("Lakeshore Transit", "Harborview Health")
	o.serve(o.withNewKey(box))
	return o
}

// serve starts the service, and makes the office's environment.
func (o *fixture) serve(service http.Handler) {
	server := httptest.NewServer(service)
	o.Cleanup(server.Close)
	o.env = map[string]string{
		"TRIPIMPORT_HOME": o.home, "TRIPIMPORT_BASE_URL": server.URL, "TRIPIMPORT_TOKEN": sandbox.DefaultToken,
		"TRIPIMPORT_MARKS": o.home + "-marks",
		"MAPPING":          "plain", "TRIPIMPORT_RESULTS_FORMAT": "csv", "TRIPIMPORT_RATE": "0",
	}
}

// withNewKey returns a service that gives the provider another key once the
// office has newKey set.
func (o *fixture) withNewKey(service http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !o.newKey || r.Method != http.MethodGet {
			service.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		service.ServeHTTP(answer, r)
		_, _ = w.Write(bytes.ReplaceAll(answer.Body.Bytes(), []byte(`"sandbox-`), []byte(`"renewed-`)))
	})
}

// app returns an App with the office's environment.
func (o *fixture) app() *app.App {
	o.Helper()
	clock := importer.SetClock{Today: importer.Date{Year: 2026, Month: 11, Day: 21}} // before what the tests take to be today
	a, err := app.New(app.Environment{Approved: true, Clock: clock, Spell: spelled, Lookup: func(name string) (string, bool) {
		value, ok := o.env[name]
		return value, ok
	}}, nil)
	o.must(err)
	a.Mapping = o.env["MAPPING"]
	return a
}

// newLedger makes the office's ledger.
func (o *fixture) newLedger() {
	o.Helper()
	newLedgerIn(o.TB, o.home)
}

// spelled spells actions for tests.
func spelled(do importer.Action, on ...string) string {
	return strings.Join(append([]string{string(do)}, on...), " ")
}

// newLedgerIn makes a ledger in a home.
func newLedgerIn(tb testing.TB, home string) {
	tb.Helper()
	env := map[string]string{"TRIPIMPORT_HOME": home, "TRIPIMPORT_MARKS": home, "TRIPIMPORT_BASE_URL": "http://127.0.0.1:1"}
	a, err := app.New(app.Environment{Lookup: func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}}, nil)
	if err == nil {
		_, _, err = a.NewLedger(context.Background())
	}
	if err != nil {
		tb.Fatal(err)
	}
}

func (o *fixture) write(name, text string) {
	o.Helper()
	o.must(os.WriteFile(filepath.Join(o.folder, name), []byte(text), 0o600))
}

func (o *fixture) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// files lists the files below the office's folder and its home.
func (o *fixture) files() []string {
	o.Helper()
	var names []string
	for _, root := range []string{o.folder, o.home} {
		o.must(filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err == nil && path != root {
				names = append(names, filepath.Base(path))
			}
			return err
		}))
	}
	return names
}

// A recorder notes which Events are called. It fails the test if a call begins before the
// previous one has ended.
type recorder struct {
	*testing.T
	calls   []string
	busy    atomic.Bool
	started atomic.Bool
}

func (r *recorder) add(call string) {
	if !r.busy.CompareAndSwap(false, true) {
		r.Errorf("%s was called during another call", call)
	}
	r.calls = append(r.calls, call)
	r.busy.Store(false)
}

func (r *recorder) Start(s app.Start) {
	r.add(fmt.Sprintf("start, %d new, %d earlier", s.New, s.Earlier))
	r.started.Store(true)
}

func (r *recorder) Notice(string)                  {}
func (r *recorder) Row(row importer.RowResult)     { r.add("row " + rowID(row.Row)) }
func (r *recorder) Summary(*results.Summary) error { r.add("summary"); return nil }

// rowID returns the trip id of a row of the schedule.
func rowID(row importer.Row) string { return row.Cell(1).Text }

func TestEventsComeInOrder(t *testing.T) {
	rows := goodRows + faultyRow + strings.NewReplacer("T-", "U-", "R-", "S-").Replace(goodRows)
	options := app.Options{Today: "2026-12-01"}

	t.Run("import", func(t *testing.T) {
		o := newFixture(t, rows)
		o.newLedger()
		r := &recorder{T: t}
		var sentBeforeStart atomic.Bool
		o.onInsert = func() {
			if !r.started.Load() {
				sentBeforeStart.Store(true)
			}
		}

		err := o.app().Import(context.Background(), options, r, "schedule.csv")
		if got := app.StatusOf(err); got != app.FixRows {
			t.Errorf("status %d: %v", got, err)
		}
		if sentBeforeStart.Load() {
			t.Error("a trip was sent before Start")
		}

		want := []string{"start, 7 new, 0 earlier", "row T-1", "row T-2", "row T-3", "row U-1", "row U-2", "summary"}
		if diff := cmp.Diff(want, r.calls); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("check", func(t *testing.T) {
		o := newFixture(t, rows)
		r := &recorder{T: t}
		err := o.app().Check(context.Background(), options, r, "schedule.csv")
		if got := app.StatusOf(err); got != app.FixRows {
			t.Errorf("status %d: %v", got, err)
		}

		want := []string{"start, 0 new, 0 earlier", "row T-1", "row T-2", "row T-3", "row U-1", "row U-2", "summary"}
		if diff := cmp.Diff(want, r.calls); diff != "" {
			t.Error(diff)
		}
	})
}

// TestRefusedBeforeTheRunBegins refuses jobs at each safety step: no trip is
// sent, and the ledger has no run.
func TestRefusedBeforeTheRunBegins(t *testing.T) {
	tests := []struct {
		name    string
		change  func(o *fixture)
		options app.Options
		want    app.Status
	}{
		{"the results can't be written", nil, app.Options{Output: "nowhere/out.csv"}, app.NotSetUp},
		{"no row", func(o *fixture) { o.write("schedule.csv", header) }, app.Options{}, app.BadInput},
		{"no trip on the day", nil, app.Options{ForDay: "2026-12-05"}, app.BadInput},
		{"a file that can't be read to its end", func(o *fixture) { o.write("schedule.csv", header+goodRows+"T-9,\"R") }, app.Options{}, app.BadInput},
		{"a token that the service refuses", func(o *fixture) { o.env["TRIPIMPORT_TOKEN"] = "dead" }, app.Options{}, app.Blocked},
		{"a provider that the service does not know", func(o *fixture) {
			o.write("schedule.csv", header+strings.ReplaceAll(goodRows, "Lakeshore Transit", "Nowhere Cars"))
		}, app.Options{}, app.NotSetUp},
		{"no ledger", func(o *fixture) { o.must(os.Rename(filepath.Join(o.home, "ledger.db"), filepath.Join(o.home, "gone"))) }, app.Options{}, app.NotSetUp},
	}

	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := newFixture(t, goodRows)
			o.newLedger()
			if tt.change != nil {
				tt.change(o)
			}

			tt.options.Today = "2026-12-01"
			r := &recorder{T: t}
			err := o.app().Import(context.Background(), tt.options, r, "schedule.csv")
			if got := app.StatusOf(err); got != tt.want {
				t.Errorf("status %d, want %d: %v", got, tt.want, err)
			}

			if n := o.inserts.Load(); n > 0 || len(r.calls) > 0 {
				t.Errorf("%d trips were sent, and the events are %v", n, r.calls)
			}

			if _, err := os.Stat(filepath.Join(o.home, "gone")); err == nil {
				o.must(os.Rename(filepath.Join(o.home, "gone"), filepath.Join(o.home, "ledger.db")))
			}
			o.must(o.app().ReadLedger(context.Background(), func(l ledger.Ledger) error {
				runs, err := l.Runs(context.Background(), 0)
				if len(runs) > 0 {
					t.Errorf("the ledger has the runs %v", runs)
				}
				return err
			}))
		})
	}
}

// TestChangedKey imports a schedule again when the provider has another key under
// the same name: the ledger does not know the trips of that one.
func TestChangedKey(t *testing.T) {
	o := newFixture(t, goodRows)
	o.newLedger()
	options := app.Options{Today: "2026-12-01"}
	o.must(o.app().Import(context.Background(), options, app.Silent{}, "schedule.csv"))

	o.newKey = true
	sent := o.inserts.Load()
	r := &recorder{T: t}
	err := o.app().Import(context.Background(), options, r, "schedule.csv")
	if got := app.StatusOf(err); got != app.NotSetUp || o.inserts.Load() != sent || len(r.calls) > 0 {
		t.Errorf("status %d, %d trips sent, events %v: %v", got, o.inserts.Load()-sent, r.calls, err)
	}
}

// TestUnmarkedEdits edits a cell of the results that nothing was wrong with. A
// retry takes it only if somebody answers yes.
func TestUnmarkedEdits(t *testing.T) {
	o := newFixture(t, goodRows+faultyRow)
	o.newLedger()
	options := app.Options{Today: "2026-12-01", Output: "results.csv"}
	if got := app.StatusOf(o.app().Import(context.Background(), options, app.Silent{}, "schedule.csv")); got != app.FixRows {
		t.Fatalf("import: status %d", got)
	}

	sent := o.inserts.Load()
	o.edit("results.csv", "T-3", map[string]string{"Space Type": "WCH", "Pickup Address": "7 Gull Ln"})

	options.Output = "retried.csv"
	err := o.app().Retry(context.Background(), options, app.Silent{}, "results.csv")
	if got := app.StatusOf(err); got != app.NotSetUp || !strings.Contains(err.Error(), "(Pickup Address)") || strings.Contains(err.Error(), "(Space Type)") {
		t.Errorf("without an answer: status %d: %v", got, err)
	}

	if n := o.inserts.Load() - sent; n != 0 {
		t.Errorf("%d trips were sent without an answer", n)
	}

	r := &recorder{T: t}
	if err := retryAgreed(o.app(), options, r, "results.csv"); err != nil {
		t.Error(err)
	}

	if n := o.inserts.Load() - sent; n != 1 || r.calls[0] != "start, 1 new, 3 earlier" {
		t.Errorf("with yes %d trips were sent, and the events are %v", n, r.calls)
	}
}

// edit sets cells of a row of CSV results, found by its trip id.
func (o *fixture) edit(name, tripID string, cells map[string]string) {
	o.Helper()
	text, err := os.ReadFile(name)
	o.must(err)
	mark := []byte("\ufeff")
	records, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, mark))).ReadAll()
	o.must(err)
	id := slices.Index(records[0], "Trip ID")
	for _, record := range records[1:] {
		if record[id] != tripID {
			continue
		}
		for column, value := range cells {
			record[slices.Index(records[0], column)] = value
		}
	}

	var out strings.Builder
	o.must(csv.NewWriter(&out).WriteAll(records))
	o.write(name, out.String())
}

// TestCheckLeavesNothing checks schedules and lists the files that are new.
func TestCheckLeavesNothing(t *testing.T) {
	tests := []struct {
		name, rows string
		options    app.Options
		want       []string // ends of the names
	}{
		{"good", goodRows, app.Options{}, nil},
		{"good, a rehearsal's", goodRows, app.Options{Rehearsal: true}, nil},
		{"good, its results named", goodRows, app.Options{Output: "out.csv"}, []string{"out.csv"}},
		{"faulty", goodRows + faultyRow, app.Options{}, []string{".check.csv"}},
	}

	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := newFixture(t, tt.rows)
			before := o.files()
			tt.options.Today = "2026-12-01"
			_ = o.app().Check(context.Background(), tt.options, app.Silent{}, "schedule.csv") // its files are what counts

			var made []string
			for _, name := range o.files() {
				if !slices.Contains(before, name) {
					made = append(made, name)
				}
			}

			if !slices.EqualFunc(made, tt.want, strings.HasSuffix) {
				t.Errorf("it made %q, want %q", made, tt.want)
			}
			if n := o.inserts.Load(); n > 0 {
				t.Errorf("a check sent %d trips", n)
			}
		})
	}
}
