package nightly

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/nightly/mail"
)

// childVariable is the environment variable with the parent's address, in a process that runs
// one wake.
const childVariable = "TRIPIMPORT_TEST_WAKE"

func TestMain(m *testing.M) {
	if parent := os.Getenv(childVariable); parent != "" {
		os.Exit(wakeOnce(parent))
	}
	if err := pgtest.AllowParallel(4); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(inMemory{m})
}

type inMemory struct{ *testing.M }

func (m inMemory) Run() int { return ledgertest.RunInMemory(m.M) }

// A child is the surroundings of a wake in a process of its own: whatever the wake does outside
// is a request to the parent.
type child struct {
	parent string
	now    time.Time
}

// Now is called before anything is recorded, so that a wake is killed there as well.
func (c child) Now() time.Time {
	_ = c.ask("step", "")
	return c.now
}

func (c child) Wall(loc *time.Location) importer.DateTime { return importer.DateTimeOf(c.now.In(loc)) }

// ping is the monitor of a child.
func (c child) ping(_ context.Context, signal string, _ uuid.UUID) error {
	return c.ask("ping", signal)
}

func (c child) Send(_ context.Context, m mail.Message) ([]string, error) {
	text, err := json.Marshal(m)
	return nil, errors.Join(err, c.ask("mail", string(text)))
}

func (c child) Try(context.Context) error { return nil }

func (c child) ask(what, text string) error {
	r, err := http.Post(c.parent+"/"+what, "text/plain", strings.NewReader(text))
	if err == nil {
		err = r.Body.Close()
	}
	return err
}

// wakeOnce does what is due in a process of its own.
func wakeOnce(parent string) int {
	now, err := time.Parse(time.RFC3339, os.Getenv("NOW"))
	c := child{parent, now}
	config, _, loadErr := Load(filepath.Join(os.Getenv("TRIPIMPORT_HOME"), "tripimport.yaml"))
	if err := errors.Join(err, loadErr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	jobs, err := app.New(app.Environment{Approved: true, Clock: config.Clock(c), Lookup: os.LookupEnv}, nil)
	if err != nil {
		return int(app.StatusOf(err))
	}
	n := &Night{
		Config: config, Mail: c, Ping: c.ping, Clock: c, LockWait: time.Second,
		App:   jobs,
		Wait:  func(context.Context, time.Duration) error { return c.ask("step", "") },
		Print: func(string) { _ = c.ask("step", "") },
	}
	return int(app.StatusOf(n.Run(context.Background())))
}

// TestKilled kills a night at each step, before it is done and after: the next wakes find
// everything. No trip is sent twice, no file is forgotten, and nothing is left unsaid.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, which runs the short tests, does not see across processes")
	}
	testKilled(t, nil, 11)
}

// TestKilledShared is TestKilled with the ledger in PostgreSQL, a minute after each kill.
func TestKilledShared(t *testing.T) {
	if testing.Short() {
		t.Skip("as TestKilled")
	}
	testKilled(t, pgtest.Start(t), 20)
}

func testKilled(t *testing.T, cluster *pgtest.Cluster, every int) {
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		every = 1
	}
	steps := killAt(t, cluster, 0, false)
	t.Logf("a night has %d steps", steps)
	for step := 1; step <= steps; step++ {
		for _, done := range []bool{false, true} {
			if step%every == 0 {
				t.Run(fmt.Sprintf("step %d done %v", step, done), func(t *testing.T) { killAt(t, cluster, step, done) })
			}
		}
	}
}

// killAt kills the process of a night at its request of that number to the parent, before
// or after that has done what it asks for. It returns the number of requests.
func killAt(t *testing.T, cluster *pgtest.Cluster, step int, done bool) int {
	database := ""
	if cluster != nil {
		database = cluster.NewDatabase(t)
	}
	o := newOfficeWith(t, database)
	o.write("home/tripimport.yaml", strings.Replace(readFile(t, filepath.Join(o.dir, "home", "tripimport.yaml")), "rate: 0", "rate: 0\nworkers: 1", 1))
	o.drop("lakeshore.csv", "12/2/2026", "T-1", "T-2", "T-3")
	var mu sync.Mutex
	var process *exec.Cmd
	count, killed := 0, false
	at := func(do func()) {
		mu.Lock()
		defer mu.Unlock()
		count++
		if count != step || killed {
			do()
			return
		}
		if done {
			do()
		}
		killed = true
		_ = process.Process.Kill()
	}
	o.intercept = func(w http.ResponseWriter, r *http.Request) bool {
		at(func() { o.service.ServeHTTP(w, r) })
		return true
	}
	parent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var text bytes.Buffer
		_, _ = text.ReadFrom(r.Body)
		at(func() {
			switch r.URL.Path {
			case "/mail":
				var m mail.Message
				o.must(json.Unmarshal(text.Bytes(), &m))
				o.mails = append(o.mails, m)
			case "/ping":
				o.pings = append(o.pings, text.String())
			}
		})
	}))
	t.Cleanup(parent.Close)

	loc := o.night.Config.Zone
	start, _ := time.ParseInLocation("2006-01-02 15:04", "2026-12-01 21:30", loc)
	for wake := range 5 {
		mu.Lock()
		process = exec.Command(os.Args[0])
		process.Env = append(os.Environ(), childVariable+"="+parent.URL, "NOW="+start.Add(time.Duration(wake)*5*time.Minute).Format(time.RFC3339))
		for name, value := range o.env {
			process.Env = append(process.Env, name+"="+value)
		}
		process.Dir = filepath.Join(o.dir, "home")
		process.Stderr = os.Stderr
		o.must(process.Start())
		mu.Unlock()
		_ = process.Wait()
		if cluster != nil {
			cluster.Exec(t, database, "UPDATE tripimport.runs SET leased_until = clock_timestamp() WHERE leased_until IS NOT NULL")
		}
	}

	mu.Lock() // what was asked last is done
	defer mu.Unlock()
	if step > 0 && !killed {
		t.Fatal("it was not killed")
	}
	// A trip that was claimed may have been sent: it is never sent again, and people are
	// told of it.
	received := len(o.booked)
	slices.Sort(o.booked)
	unclear := len(o.mails) > 0 && strings.HasPrefix(o.mails[0].Subject, "ACT 1 before 08:0")
	if len(slices.Compact(o.booked)) != received || received < 2 || received == 2 && !unclear {
		t.Errorf("received %q", o.booked)
	}
	o.wantFiles("in")
	o.wantFiles("done", "lakeshore.csv")
	pings := slices.Compact(slices.Clone(o.pings))
	if !slices.Equal(pings, []string{"start", "success"}) || len(o.pings) > 3 {
		t.Errorf("pings %q", o.pings)
	}
	about := map[bool]string{false: "3 booked", true: "2 booked"}[unclear]
	if len(o.mails) == 0 || len(o.mails) > 2 || !strings.Contains(o.mails[0].Subject, about) {
		t.Errorf("mails %q", o.mails)
	}
	if len(o.mails) == 2 && o.mails[0] != o.mails[1] {
		t.Errorf("two mails that say different things: %q", o.mails)
	}
	return count
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
