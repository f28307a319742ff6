package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/ledger/sqlite"
	"tripimport/importer/sandbox"
)

// An office has what an import needs: a home with a ledger, a schedule, and a service
// of its own, whose log says what was really booked.
type office struct {
	testing.TB
	folder, home, temp string
	schedule           string
	// ids are those of the schedule's trips.
	ids  []string
	env  map[string]string
	log  string // the service's
	url  string
	open connections
	// timeout is that of a run; 0 for the usual one.
	timeout time.Duration
	// database is the URL of the ledger, and cluster its server; empty and nil for a
	// ledger in a file.
	database string
	cluster  *pgtest.Cluster
	// alsoErr gets what run writes to standard error as well; nil for nothing.
	typed   string // what a person types; empty if nobody is at a terminal
	alsoErr io.Writer
}

// officeToken is the token that an office has for its service.
const officeToken = "tok-2718281828"

// newOffice makes an office with that schedule and a ledger, and with a sandbox as its
// service.
func newOffice(tb testing.TB, rows []plainRow, service sandbox.Config) *office {
	tb.Helper()
	o, _ := newOfficeWith(tb, nil, rows, service)
	return o
}

// newSharedOffice is newOffice with a ledger in a database of a cluster; in a file where
// there is none.
func newSharedOffice(tb testing.TB, cluster *pgtest.Cluster, rows []plainRow, service sandbox.Config) *office {
	tb.Helper()
	o, _ := newOfficeWith(tb, cluster, rows, service)
	return o
}

// newOfficeWith also returns the sandbox, for tests that put something before it.
func newOfficeWith(tb testing.TB, cluster *pgtest.Cluster, rows []plainRow, service sandbox.Config) (*office, *sandbox.Sandbox) {
	tb.Helper()
	log := filepath.Join(tb.TempDir(), "service.log")
	service.Token, service.Log = officeToken, writeServiceLog(tb, log)
	box, err := sandbox.New(service)
	if err != nil {
		tb.Fatal(err)
	}

	box.Allow("Lakeshore Transit", "County Medicaid Plan")
	box.Allow("Lakeshore Transit", "Harborview Health")
	o := openOffice(tb, cluster, rows, box)
	o.log = log
	return o, box
}

// openOffice makes an office with that schedule and a ledger, and with that service.
func openOffice(tb testing.TB, cluster *pgtest.Cluster, rows []plainRow, service http.Handler) *office {
	tb.Helper()
	folder := tb.TempDir()
	o := &office{
		TB: tb, folder: folder, home: filepath.Join(folder, "home"), temp: filepath.Join(folder, "temp"),
		schedule: filepath.Join(folder, "night.csv"), ids: tripIDs(rows),
	}

	o.write(o.schedule, rows)
	o.must(os.Mkdir(o.temp, 0o700))
	o.serve(service)
	o.env = map[string]string{
		"TRIPIMPORT_HOME": o.home, "TRIPIMPORT_BASE_URL": o.url, "TRIPIMPORT_TOKEN": officeToken,
		"TRIPIMPORT_MARKS": filepath.Join(folder, "marks"),
		"TRIPIMPORT_RATE":  "0", "TZ": "America/Chicago", "TMPDIR": o.temp, "TMP": o.temp, "TEMP": o.temp,
	}

	if cluster != nil {
		o.cluster, o.database = cluster, cluster.NewDatabase(tb)
		o.env["TRIPIMPORT_LEDGER"] = o.database
	}
	if cluster == nil {
		newLedgerIn(tb, o.home)
	} else {
		if s := o.run("ledger", "new", "--set", "rate=10000"); s.status != exitDone {
			tb.Fatalf("ledger new: status %d, %s", s.status, s.err)
		}
	}
	return o
}

// newLedgerIn makes a ledger in a home.
func newLedgerIn(tb testing.TB, home string) {
	tb.Helper()
	o := office{env: map[string]string{"TRIPIMPORT_HOME": home, "TRIPIMPORT_MARKS": home}}
	if s := o.run("ledger", "new"); s.status != exitDone {
		tb.Fatalf("ledger new: status %d, %s", s.status, s.err)
	}
}

// must fails the test on an error.
func (o *office) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// serve starts a server on loopback that counts its connections.
func (o *office) serve(handler http.Handler) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	o.must(err)
	server := &http.Server{
		Handler: handler, ConnState: o.open.changed,
		ReadHeaderTimeout: 10 * time.Second, ErrorLog: stdlog.New(io.Discard, "", 0), // its failures are on purpose
	}

	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	o.Cleanup(func() {
		_ = server.Close() // requests under way are of processes that were killed
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			o.Error(err)
		}
	})
	o.url = "http://" + listener.Addr().String()
}

// connections counts the open connections of a server.
type connections struct {
	mu   sync.Mutex
	open map[net.Conn]bool
}

func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		if c.open == nil {
			c.open = map[net.Conn]bool{}
		}
		c.open[conn] = true
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
	case http.StateActive, http.StateIdle:
	}
}

func (c *connections) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// waitForService waits until the service has no connection of a killed process left. A
// listener accepts connections in order: after it answered a request of the test, it has
// accepted all that were made before.
func (o *office) waitForService() {
	o.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(o.url + "/v1/nothing")
	o.must(err)
	o.must(answer.Body.Close())
	for o.open.count() > 0 {
		time.Sleep(5 * time.Millisecond)
	}
}

// run runs a command line in this process.
func (o *office) run(args ...string) output {
	var out, errs bytes.Buffer
	err := io.Writer(&errs)
	if o.alsoErr != nil {
		err = io.MultiWriter(&errs, o.alsoErr)
	}
	in := io.Reader(&bytes.Buffer{})
	if o.typed != "" {
		in = typed{strings.NewReader(o.typed)}
	}
	status := execute(args, environment{
		In:  in,
		Out: &out,
		Err: err,
		Environment: app.Environment{Approved: true, Clock: sessionClock{}, Timeout: o.timeout, Lookup: func(name string) (string, bool) {
			value, ok := o.env[name]
			return value, ok
		}},
	})
	return output{status, out.String(), errs.String()}
}

// process returns a command that runs the real program. TestMain has put the program
// into PATH.
func (o *office) process(args ...string) *exec.Cmd {
	o.Helper()
	program, err := exec.LookPath("tripimport")
	o.must(err)
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = o.folder, os.Environ()
	for name, value := range o.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// write makes a CSV schedule.
func (o *office) write(path string, rows []plainRow) {
	o.Helper()
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	headers := plainHeaders()
	o.must(w.Write(headers))
	for _, row := range rows {
		record := make([]string, len(headers))
		for i, h := range headers {
			record[i] = csvText(row[h])
		}
		o.must(w.Write(record))
	}
	w.Flush()
	o.must(os.WriteFile(path, text.Bytes(), 0o600))
}

// inventedRows returns that many rows of invented riders. Row i is a round trip if
// roundTrip(i).
func inventedRows(rows int, roundTrip func(i int) bool) []plainRow {
	day, _ := importer.NewDate(2026, 12, 2)
	all := make([]plainRow, rows)
	for i := range all {
		row := plainRow{
			"Trip ID": "N-" + strconv.Itoa(i+1), "Rider ID": fmt.Sprintf("00%06d", 1000+i), "Date": day, "Space Type": "AMB",
			"Provider": "Lakeshore Transit", "Funding Source": "County Medicaid Plan",
			"Rider Phone":    fmt.Sprintf("(414) 555-01%02d", i%100),
			"Pickup Address": fmt.Sprintf("%d Larkmoor Ave", 100+i), "Pickup City": "Milwaukee", "Pickup State": "WI", "Pickup ZIP": "53212",
			"Pickup Latitude": round(43.0601+float64(i%97)/1e4, 4), "Pickup Longitude": round(-87.9101-float64(i/97)/1e4, 4),
			"Dropoff Name": "Harbor Kidney Center", "Dropoff Address": "2200 Foundrygate St", "Dropoff City": "Milwaukee", "Dropoff State": "WI", "Dropoff ZIP": "53204",
			"Dropoff Latitude": 43.0231, "Dropoff Longitude": -87.9266,
			"Pickup Time": clockAt(8+i%8, 5*(i%12)), "Appointment Time": clockAt(10+i%8, 5*(i%12)),
		}
		if roundTrip(i) {
			row["Round Trip"], row["Return Time"] = "Yes", clockAt(19, 30)
		}
		all[i] = row
	}
	return all
}

// tripIDs returns the ids of the trips that the plain mapping makes of rows.
func tripIDs(rows []plainRow) []string {
	var ids []string
	for _, row := range rows {
		id := row["Trip ID"].(string)
		if row["Round Trip"] == "Yes" {
			ids = append(ids, id+"-A", id+"-B")
		} else {
			ids = append(ids, id)
		}
	}
	return ids
}

// entries returns the entries of the service's log.
func (o *office) entries() []sandbox.Entry {
	o.Helper()
	entries, err := readServiceLog(o.log)
	o.must(err)
	return entries
}

// booked returns the GUIDs under which the service has each trip, by its log.
func (o *office) booked() map[string][]string {
	o.Helper()
	guids := map[string][]string{}
	for _, e := range o.entries() {
		if e.Phase == sandbox.Committed {
			guids[e.TripID] = append(guids[e.TripID], e.GUID)
		}
	}
	return guids
}

// openLedger opens the office's ledger.
func (o *office) openLedger(options ledger.Options) ledger.Ledger {
	o.Helper()
	store, location := ledger.Store(sqlite.Store{}), filepath.Join(o.home, "ledger.db")
	if o.database != "" {
		store, location = postgres.Store{Folder: filepath.Join(o.home, "shared")}, o.database
	}
	l, err := store.Open(context.Background(), location, options)
	o.must(err)
	return l
}

// wait lets a minute pass for the ledger, after which a process that was killed does not
// count as at work any more.
func (o *office) wait() {
	o.Helper()
	if o.database != "" {
		o.cluster.Exec(o.TB, o.database, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()") // else the last renewal of a killed process may come later
		o.cluster.Exec(o.TB, o.database, "UPDATE tripimport.runs SET leased_until = clock_timestamp() WHERE leased_until IS NOT NULL")
	}
}

// recorded returns how each trip that was claimed stands in the ledger, with its State by its
// importer.State.
func (o *office) recorded() map[string]recordedTrip {
	o.Helper()
	l := o.openLedger(ledger.Options{ReadOnly: true})
	all := map[string]recordedTrip{}
	trips, err := l.Find(context.Background(), ledger.Search{})
	o.must(err)
	for _, found := range trips {
		state := judge.Recorded(&found.Standing, nil).State
		if state == importer.BookedEarlier {
			state = importer.Booked
		}
		all[found.TripID] = recordedTrip{found.Standing, state}
	}
	o.must(l.Close())
	return all
}

type recordedTrip struct {
	importer.Standing
	State importer.State
}

// lastRun returns the ledger's record of the latest run.
func (o *office) lastRun() ledger.Run {
	o.Helper()
	l := o.openLedger(ledger.Options{ReadOnly: true})
	runs, err := l.Runs(context.Background(), 1)
	o.must(errors.Join(err, l.Close()))
	if len(runs) == 0 {
		o.Fatal("the ledger has no run")
	}
	return runs[0]
}

// answer resolves every open trip as the service's log says, as people do who look in
// the dispatch system. The answer "not there" is dated 16 minutes after the attempt. It
// returns how many trips were open.
func (o *office) answer() int {
	o.Helper()
	l := o.openLedger(ledger.Options{Command: "resolve"})
	open, err := l.Unresolved(context.Background())
	o.must(err)
	booked := o.booked()
	for i := range open {
		trip := &open[i]
		given := importer.Answer{
			Trip: trip.Number, Row: trip.Row, Leg: trip.Leg, Saw: trip.Event, Shown: importer.Unknown, Verdict: importer.NotThere,
			Who: "dispatcher", At: trip.ClaimedAt.Add(16 * time.Minute),
		}
		if guids := booked[trip.TripID]; len(guids) > 0 {
			given.Verdict, given.GUID = importer.There, guids[0]
		}
		known, _, err := l.Trip(context.Background(), trip.Number)
		o.must(err)
		effects, refusal := judge.Take(given, &known)
		if refusal != nil {
			o.Errorf("trip %s: %s", trip.TripID, refusal.Reason)
		}
		o.must(l.Record(context.Background(), effects...))
	}
	o.must(l.Close())
	return len(open)
}

// bookingErrors counts what must never happen, over many runs.
type bookingErrors struct{ twice, lost, unaccounted int }

// compareWithLog compares the ledger with the service's log. No trip may be booked
// twice; each trip that is booked in the ledger must be booked in the log, and the other
// way round, unless the ledger has it as unknown.
func (o *office) compareWithLog(t *bookingErrors) {
	o.Helper()
	booked, recorded := o.booked(), o.recorded()
	for id, guids := range booked {
		e, known := recorded[id]
		switch {
		case len(guids) > 1:
			t.twice++
			o.Errorf("trip %s is booked %d times", id, len(guids))
		case !known, e.State != importer.Booked && e.State != importer.Unknown:
			t.unaccounted++
			o.Errorf("trip %s is booked and the ledger has it as %q", id, e.State)
		}
	}

	for id, e := range recorded {
		if e.State == importer.Booked && (len(booked[id]) == 0 || e.GUID != "" && e.GUID != booked[id][0]) {
			t.lost++
			o.Errorf("trip %s is booked as %s in the ledger, and %v in the service", id, e.GUID, booked[id])
		}
	}
}

// requireComplete requires that every trip of the schedule is booked, and that the
// control totals of the last run balance.
func (o *office) requireComplete(t *bookingErrors) {
	o.Helper()
	o.compareWithLog(t)
	booked := o.booked()
	for _, id := range o.ids {
		if len(booked[id]) == 0 {
			t.lost++
			o.Errorf("trip %s is not booked", id)
		}
		delete(booked, id)
	}

	for id := range maps.Keys(booked) {
		o.Errorf("trip %s is booked and not in the schedule", id)
	}

	if run := o.lastRun(); !run.Totals.Balanced() || run.Totals.TripsRead != len(o.ids) || run.How != "finished" {
		o.Errorf("the last run %s with %+v, want a balance of %d trips", run.How, run.Totals, len(o.ids))
	}
}

// requireTidy requires that there are no files but the schedule, the office's home, the
// ledger's mark and the results: a file that a killed process left may have patients' data.
func (o *office) requireTidy() {
	o.Helper()
	o.must(filepath.WalkDir(o.folder, func(path string, file os.DirEntry, err error) error {
		if err != nil || file.IsDir() {
			return err
		}
		known := path == o.schedule || filepath.Dir(path) == o.home || filepath.Dir(path) == filepath.Join(o.home, "shared") || filepath.Dir(path) == o.env["TRIPIMPORT_MARKS"] || filepath.Dir(path) == o.folder && strings.HasPrefix(file.Name(), "results")
		if !known {
			o.Errorf("%s was left behind", path)
		}
		return nil
	}))
}

// longProofs reports whether the long forms of the proofs are to be run.
func longProofs() bool { return os.Getenv("TRIPIMPORT_LONG") != "" }
