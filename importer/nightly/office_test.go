package nightly

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/uuid"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/nightly/mail"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
	"tripimport/templates"
)

// An officeAtNight is an office with one broker, its folders, a service, a monitor and
// people who get mail. Its clock stands still until a test sets it.
type officeAtNight struct {
	*testing.T
	dir   string
	env   map[string]string
	night *Night
	now   time.Time

	faults []inject.Fault
	token  string // that the service accepts; empty for the sandbox's
	// intercept is asked about each request to the service first, and reports whether it
	// has dealt with it; nil for none.
	intercept func(http.ResponseWriter, *http.Request) bool

	mu      sync.Mutex
	service *sandbox.Sandbox
	down    bool     // the service answers 503
	booked  []string // the ids of the trips that the service received
	logged  []sandbox.Entry
	spoilt  map[string]bool // the trips of which the last request failed
	mails   []mail.Message
	pings   []string // "start", with the night where it is another one
	failed  bool     // mail and pings fail
	lines   []string // what was printed

	scheduled map[string]string // the days of the trips that were dropped, by their ids
	answered  map[string]bool   // the trips that staff answered about
}

// log is the log of all services that the office has had.
// log keeps an entry of the service.
func (o *officeAtNight) log(e sandbox.Entry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.logged = append(o.logged, e)
}

// The block of the office. INBOX and the like are replaced by its folders.
const officeBlock = `base_url: URL
changes: send
rate: 0
results_format: csv
nightly:
  zone: America/New_York
  slots:
    - {at: "16:30", do: check}
    - {at: "21:30", do: import}
    - {at: "04:30", do: import, optional: true}
    - {at: "13:00", do: import, optional: true}
  brokers:
    - {name: Lakeshore, inbox: DIR/in, files: "lakeshore*.csv", mapping: DIR/whole.yaml, due: "22:30", last_call: "05:00"}
  results: DIR/results
  done: DIR/done
  backup: DIR/backup
`

const zone = "America/New_York"

func newOffice(t *testing.T) *officeAtNight {
	t.Helper()
	return newOfficeWith(t, "")
}

// newOfficeWith makes an office with its ledger at a location; in its home where that is
// empty.
func newOfficeWith(t *testing.T, ledger string) *officeAtNight {
	t.Helper()
	t.Parallel()
	o := &officeAtNight{T: t, dir: t.TempDir(), scheduled: map[string]string{}, answered: map[string]bool{}, spoilt: map[string]bool{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		down, service := o.down, o.service
		o.mu.Unlock()
		if o.intercept != nil && o.intercept(w, r) {
			return
		}
		if down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		service.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	o.serve()

	for _, name := range []string{"in", "results", "done", "backup", "home"} {
		o.must(os.Mkdir(filepath.Join(o.dir, name), 0o700))
	}
	for _, template := range templates.List() {
		if template.Name == "plain" {
			o.write("whole.yaml", strings.Replace(template.Text, "broker: The plain workbook that comes with tripimport\n", "broker: Lakeshore\ncomplete: day\n", 1))
		}
	}
	o.write("home/tripimport.yaml", strings.NewReplacer("URL", server.URL, "DIR", filepath.ToSlash(o.dir)).Replace(officeBlock))
	o.env = map[string]string{"TRIPIMPORT_HOME": filepath.Join(o.dir, "home"), "TRIPIMPORT_TOKEN": sandbox.DefaultToken, "TRIPIMPORT_MARKS": filepath.Join(o.dir, "marks")}
	if ledger != "" {
		o.env["TRIPIMPORT_LEDGER"] = ledger
	}
	o.configure()
	if ledger == "" {
		newLedgerIn(t, filepath.Join(o.dir, "home"))
		return o
	}
	a, err := o.app()
	o.must(err)
	_, _, err = a.NewLedger(context.Background())
	o.must(err)
	return o
}

// newLedgerIn makes a ledger in a home.
func newLedgerIn(tb testing.TB, home string) {
	tb.Helper()
	env := map[string]string{"TRIPIMPORT_HOME": home, "TRIPIMPORT_MARKS": home}
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

// A spoiler notes which requests its plan lets fail.
type spoiler struct {
	*inject.Plan

	o *officeAtNight
}

// Serve implements sandbox.Faults.
func (s spoiler) Serve(w http.ResponseWriter, r *http.Request, a *sandbox.Attempt) bool {
	fails := s.Plan.Serve(w, r, a)
	s.o.mu.Lock()
	defer s.o.mu.Unlock()
	s.o.spoilt[a.IDs[0]] = fails
	return fails
}

// serve begins with a new service that has the faults.
func (o *officeAtNight) serve() {
	o.Helper()
	box, err := sandbox.New(sandbox.Config{Token: o.token, Log: o.log, Faults: spoiler{&inject.Plan{Faults: o.faults}, o}, OnRequest: func(op sandbox.Operation, body []byte) {
		var trip struct {
			ID string `json:"trip_id"`
		}
		if op == sandbox.Insert && json.Unmarshal(body, &trip) == nil {
			o.mu.Lock()
			o.booked = append(o.booked, trip.ID)
			o.mu.Unlock()
		}
	}})
	o.must(err)
	box.Allow("Lakeshore Transit", "Harborview Health")
	o.mu.Lock()
	o.service = box
	o.mu.Unlock()
}

// accept makes the service accept only one other token.
func (o *officeAtNight) accept(token string) {
	o.token = token
	o.serve()
}

// configure reads the block.
func (o *officeAtNight) configure() {
	o.Helper()
	c, _, err := Load(filepath.Join(o.dir, "home", "tripimport.yaml"))
	o.must(err)
	o.night = &Night{
		Config: c, Mail: o, Ping: o.ping, Clock: o, LockWait: time.Second,
		Wait:  func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Print: func(line string) { o.lines = append(o.lines, line) },
	}
}

func (o *officeAtNight) app() (*app.App, error) {
	return app.New(app.Environment{Approved: true, Clock: o.night.Config.Clock(o), Lookup: func(name string) (string, bool) {
		v, ok := o.env[name]
		return v, ok
	}}, nil)
}

func (o *officeAtNight) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// Now implements importer.Clock.
func (o *officeAtNight) Now() time.Time { return o.now }

// Wall implements importer.Clock.
func (o *officeAtNight) Wall(loc *time.Location) importer.DateTime {
	return importer.DateTimeOf(o.now.In(loc))
}

// Send implements Mailer.
func (o *officeAtNight) Send(_ context.Context, m mail.Message) ([]string, error) {
	if o.failed {
		return nil, fmt.Errorf("the mail server does not answer")
	}
	o.mails = append(o.mails, m)
	return nil, nil
}

// Try implements Mailer.
func (o *officeAtNight) Try(context.Context) error {
	if o.failed {
		return fmt.Errorf("the mail server does not answer")
	}
	return nil
}

// ping is the monitor of an office.
func (o *officeAtNight) ping(_ context.Context, signal string, _ uuid.UUID) error {
	if o.failed {
		return fmt.Errorf("the monitor does not answer")
	}
	o.pings = append(o.pings, signal)
	return nil
}

// write writes a file below the office's folder, long before any clock of these tests.
func (o *officeAtNight) write(name, text string) {
	o.Helper()
	path := filepath.Join(o.dir, filepath.FromSlash(name))
	o.must(os.WriteFile(path, []byte(text), 0o600))
	o.must(os.Chtimes(path, time.Time{}, o.now.Add(-time.Hour)))
}

// drop puts a schedule of some trips on a day (2026-12-02) into the inbox.
func (o *officeAtNight) drop(name, day string, ids ...string) {
	o.Helper()
	o.write("in/"+name, scheduleOf(day, ids...))
	on, err := time.Parse("1/2/2006", day)
	o.must(err)
	for _, id := range ids {
		o.scheduled[id] = on.Format(time.DateOnly)
	}
}

const header = "Trip ID,Rider ID,Provider,Funding Source,Space Type,Pickup Address,Pickup City,Pickup State,Pickup ZIP,Pickup Latitude,Pickup Longitude," +
	"Dropoff Address,Dropoff City,Dropoff State,Dropoff ZIP,Dropoff Latitude,Dropoff Longitude,Date,Pickup Time,Appointment Time,Will Call,Round Trip,Return Time\n"

// scheduleOf is a schedule in the plain layout. The rider of trip T-1 is R-T-1.
func scheduleOf(day string, ids ...string) string {
	text := header
	for i, id := range ids {
		text += fmt.Sprintf("%s,R-%s,Lakeshore Transit,Harborview Health,AMB,%d Alder Ct,Westfield,MI,48111,42.301,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,%s,%d:%02d,,No,No,\n",
			id, id, 10+i, day, 8+i/60, i%60)
	}
	return text
}

// ids makes trip ids.
func ids(prefix string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("%s-%03d", prefix, i+1))
	}
	return all
}

// awake returns the night with the settings as they are now.
func (o *officeAtNight) awake() *Night {
	o.Helper()
	o.night.App = mustApp(o)
	return o.night
}

// wake sets the clock, such as to 2026-12-01 21:30 in the office's zone, and does what is
// due.
func (o *officeAtNight) wake(when string) error {
	o.Helper()
	loc, err := time.LoadLocation(zone)
	o.must(err)
	o.now = at(o.T, loc, when)
	return o.awake().Run(context.Background())
}

// wakes wakes the office every five minutes from one time to another, or every quarter of
// an hour of a long night.
func (o *officeAtNight) wakes(from, to string) {
	o.Helper()
	loc, err := time.LoadLocation(zone)
	o.must(err)
	first, last, step := at(o.T, loc, from), at(o.T, loc, to), 5*time.Minute
	if last.Sub(first) > 2*time.Hour {
		step = 15 * time.Minute
	}
	for o.now = first; !o.now.After(last); o.now = o.now.Add(step) {
		_ = o.awake().Run(context.Background())
	}
	o.now = last
}

// wantMails compares what the mails that came since the last call begin with.
func (o *officeAtNight) wantMails(want ...string) {
	o.Helper()
	ok := len(o.mails) == len(want)
	var got []string
	for i, m := range o.mails {
		got = append(got, m.Subject)
		ok = ok && strings.Contains(m.Subject, want[min(i, len(want)-1)])
	}
	if !ok {
		o.Errorf("at %s came the mails\n%s\nwant\n%s", o.now.In(o.night.Config.Zone).Format("Jan 2 15:04"), strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	o.mails = nil
}

func (o *officeAtNight) wantPings(want ...string) {
	o.Helper()
	if !slices.Equal(o.pings, want) {
		o.Errorf("pings %q, want %q", o.pings, want)
	}
	o.pings = nil
}

// wantBooked compares the trips that the service received since the last call.
func (o *officeAtNight) wantBooked(want ...string) {
	o.Helper()
	slices.Sort(o.booked)
	if !slices.Equal(o.booked, want) {
		o.Errorf("booked %q, want %q", o.booked, want)
	}
	o.booked = nil
}

// wantFiles compares the names of the files in a folder.
func (o *officeAtNight) wantFiles(folder string, want ...string) {
	o.Helper()
	entries, _ := os.ReadDir(filepath.Join(o.dir, filepath.FromSlash(folder)))
	var got []string
	for _, e := range entries {
		if !e.IsDir() {
			got = append(got, e.Name())
		}
	}
	if !slices.Equal(got, want) {
		o.Errorf("in %s are %q, want %q", folder, got, want)
	}
}

// wantOutcomes counts the rows of the results of a schedule by their status.
func (o *officeAtNight) wantOutcomes(schedule string, want map[string]int) {
	o.Helper()
	paths, err := filepath.Glob(filepath.Join(o.dir, "results", schedule+".*.results.csv"))
	if err != nil || len(paths) != 1 {
		o.Fatalf("results of %s: %q", schedule, paths)
	}
	text, err := os.ReadFile(paths[0])
	o.must(err)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff"))).ReadAll()
	o.must(err)
	at := slices.Index(rows[0], "Status")
	got := map[string]int{}
	for _, row := range rows[1:] {
		got[row[at]]++
	}
	if !maps.Equal(got, want) {
		o.Errorf("results of %s: %v, want %v", schedule, got, want)
	}
}

// wantCancelled compares the trips that the morning list has as to be cancelled.
func (o *officeAtNight) wantCancelled(want ...string) {
	o.Helper()
	var got []string
	m := o.morning()
	for _, item := range slices.Concat(m.Urgent, m.Listed) {
		if item.Outcome.State == importer.CancelByHand {
			got = append(got, item.Trip.ID)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		o.Errorf("to be cancelled are %q, want %q", got, want)
	}
}

// journal returns what came of the slots.
func (o *officeAtNight) journal() journal {
	o.Helper()
	a, err := o.app()
	o.must(err)
	noted, err := a.SlotNotes(context.Background(), o.Now().Add(-remembered))
	o.must(err)
	return newJournal(noted)
}

// holdLedger holds the ledger as another process does.
func (o *officeAtNight) holdLedger() (release func()) {
	o.Helper()
	lock := flock.New(filepath.Join(o.dir, "home", "ledger.db.lock"))
	held, err := lock.TryLock()
	o.must(err)
	if !held {
		o.Fatal("the ledger can't be held")
	}
	return func() { o.must(lock.Unlock()) }
}
