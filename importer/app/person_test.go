package app_test

import (
	"context"
	"errors"
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
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/results"
)

// TestSimulationOfAnOffice simulates nights of an office whose service loses answers: a
// person edits results, retries them, answers, mistypes and corrects, and an
// administrator restores older copies of the ledger and adopts them. TRIPIMPORT_LONG=1
// simulates 2,000 offices with ten nights and as many retries each, TRIPIMPORT_SEED=n one. What
// counts is what the service received:
//
//   - No trip is sent that is booked already, or may be, unless a person said that it is
//     not there. The one exception: the administrator adopted a copy that lacks the trip,
//     without the results of the run that sent it, and moved those results away. The
//     question of `ledger adopt` and the refusals before it name this.
//   - No trip is sent with a rider or a place that its row does not have.
//   - No row says that a trip is booked if it is not, or that it is not booked if it is.
//   - In the end each trip is booked once, or a person said that it is to be left.
func TestSimulationOfAnOffice(t *testing.T) {
	t.Parallel()
	last := uint64(2)
	if testing.Short() {
		last = 1
	}
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		last = 2000
	}
	simulate(t, nil, last)
}

// TestSimulationOfSharedLedger is TestSimulationOfAnOffice with the ledger in PostgreSQL:
// there its administrator puts the database back to what it was before.
// TRIPIMPORT_LONG=1 simulates 120 of them.
func TestSimulationOfSharedLedger(t *testing.T) {
	t.Parallel()
	last := uint64(1)
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		last = 120
	}
	simulate(t, pgtest.Start(t), last)
}

func simulate(t *testing.T, cluster *pgtest.Cluster, last uint64) {
	first := uint64(1)
	if text := os.Getenv("TRIPIMPORT_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("TRIPIMPORT_SEED: %v", err)
		}
		first, last = seed, seed
	}

	root := t.TempDir()
	var mu sync.Mutex
	did := map[string]int{}
	t.Run("seeds", func(t *testing.T) {
		var seeds []uint64
		if cluster == nil && os.Getenv("TRIPIMPORT_LONG") != "" && os.Getenv("TRIPIMPORT_SEED") == "" {
			seeds = []uint64{1094, 7183, 9064, 20764, 116269} // each of them found a fault once
		}
		for seed := first; seed <= last; seed++ {
			if !slices.Contains(seeds, seed) {
				seeds = append(seeds, seed)
			}
		}
		for _, seed := range seeds {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				o := newSimulatedOffice(t, seed, filepath.Join(root, fmt.Sprint(seed)), cluster)
				o.live()
				o.settle()
				if t.Failed() {
					for _, line := range o.log {
						t.Log(line)
					}
					t.Fatalf("replay it with TRIPIMPORT_SEED=%d", seed)
				}
				o.must(os.RemoveAll(o.folder))

				mu.Lock()
				defer mu.Unlock()
				for what, n := range o.did {
					did[what] += n
				}
			})
		}
	})
	for _, what := range slices.Sorted(maps.Keys(did)) {
		t.Logf("%s: %d", what, did[what])
	}
}

// A simulatedOffice has two desks with a folder and a schedule each, and one ledger.
type simulatedOffice struct {
	*desk
	seed    uint64
	rng     *rand.Rand
	clock   *monthClock
	service *hostileService
	faults  float64
	format  string
	marks   string
	homes   int
	rows    []simRow // the first half is the first desk's
	copies  []simCopy
	desks   [2]simDesk
	did     map[string]int
	log     []string
	// wrongly is what somebody said in error, until it is corrected, and corrected what was.
	wrongly, corrected map[simTrip]string
	results            map[string][]byte // as they were written
	cluster            *pgtest.Cluster   // has the ledger; nil for a ledger in a file
}

// A simDesk is a folder in which somebody works.
type simDesk struct {
	folder string
	rows   []int
	// newest are the results of the last run, and shown what they say of each row.
	newest string
	shown  map[string]importer.RowResult
}

func newSimulatedOffice(t *testing.T, seed uint64, folder string, cluster *pgtest.Cluster) *simulatedOffice {
	service := &hostileService{
		sent: map[simTrip]time.Time{}, lost: map[simTrip]bool{}, left: map[simTrip]bool{}, mayLeave: map[simTrip]bool{}, allowed: map[simTrip]bool{},
	}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	o := &simulatedOffice{
		desk: &desk{fixture: &fixture{TB: t, folder: folder, home: filepath.Join(folder, "home")}}, seed: seed, rng: rand.New(rand.NewPCG(seed, 12)),
		clock:   &monthClock{now: time.Date(2026, 12, 1, 16, 0, 0, 0, time.UTC)},
		service: service, did: map[string]int{}, wrongly: map[simTrip]string{}, corrected: map[simTrip]string{}, results: map[string][]byte{},
		marks: filepath.Join(folder, "marks"), format: "csv",
	}
	o.faults = []float64{0, 0.2, 0.5, 0.9}[o.rng.IntN(4)]
	if o.rng.IntN(12) == 0 {
		o.format = "xlsx"
	}
	service.o = o

	o.env = map[string]string{
		"TRIPIMPORT_HOME": o.home, "TRIPIMPORT_BASE_URL": server.URL, "TRIPIMPORT_TOKEN": "token", "TRIPIMPORT_MARKS": o.marks,
		"TRIPIMPORT_MACHINE_ID": "first", "MAPPING": "plain", "TRIPIMPORT_RESULTS_FORMAT": o.format, "TRIPIMPORT_RATE": "0", "TRIPIMPORT_WORKERS": "1",
	}
	n := 6 + o.rng.IntN(6)
	streets := strings.Split("Alder Ct,Birch Rd,Fern St,Gull Ln,Heron Way,Iris Pl,Juniper Dr,Kite St,Larch St,Maple St,Nettle St,Oak St", ",")
	riders := o.rng.Perm(n)
	for i := range n {
		r := simRow{id: fmt.Sprintf("N-%d", i+1), rider: fmt.Sprintf("R-%02d", riders[i]+1), minute: 8*60 + 10*o.rng.IntN(40)}
		r.street, r.fixedStreet = fmt.Sprint(10+i, " ", streets[i]), fmt.Sprint(110+i, " ", streets[i])
		switch o.rng.IntN(6) {
		case 0:
			r.unknownRider = fmt.Sprintf("U-%02d", i+1)
		case 1:
			r.faulty = true
		}
		r.round = o.rng.IntN(3) == 0
		o.rows = append(o.rows, r)
		o.desks[i*2/n].rows = append(o.desks[i*2/n].rows, i)
	}
	for i := range o.desks {
		o.desks[i].folder = filepath.Join(folder, fmt.Sprint("desk", i+1))
		o.must(os.MkdirAll(o.desks[i].folder, 0o700))
		o.writeSchedule(i, false)
	}
	o.must(os.MkdirAll(o.marks, 0o700))
	if cluster != nil {
		o.cluster, o.env["TRIPIMPORT_LEDGER"] = cluster, cluster.NewDatabase(t)
	}
	var flags map[string]string
	if cluster != nil {
		flags = map[string]string{"rate": "10000"}
	}
	_, _, err := o.simAppWith(flags).NewLedger(context.Background())
	o.must(err)
	return o
}

func (o *simulatedOffice) note(format string, args ...any) {
	o.log = append(o.log, o.clock.now.Format("15:04 ")+fmt.Sprintf(format, args...))
}

func (o *simulatedOffice) simApp() *app.App {
	o.Helper()
	return o.simAppWith(nil)
}

// simAppWith returns an App with settings given as flags.
func (o *simulatedOffice) simAppWith(flags map[string]string) *app.App {
	o.Helper()
	a, err := app.New(app.Environment{Approved: true, Clock: o.clock, Spell: spelled, Lookup: func(name string) (string, bool) {
		value, ok := o.env[name]
		return value, ok
	}}, flags)
	o.must(err)
	a.Mapping = o.env["MAPPING"]
	return a
}

// tripOf returns the trip with that id.
func (o *simulatedOffice) tripOf(id string) (simTrip, bool) {
	for i := range o.rows {
		for _, way := range o.rows[i].ways() {
			if o.rows[i].id+way == id {
				return simTrip{i, way}, true
			}
		}
	}
	return simTrip{}, false
}

// tripRow returns the row with that id.
func (o *simulatedOffice) tripRow(id string) (int, bool) {
	at := slices.IndexFunc(o.rows, func(r simRow) bool { return r.id == id })
	return max(0, at), at >= 0
}

// writeSchedule writes the schedule of a desk; corrected, it has no fault any more.
func (o *simulatedOffice) writeSchedule(at int, corrected bool) {
	var text strings.Builder
	text.WriteString(strings.TrimSuffix(header, "\n") + ",Cancelled\n")
	for _, i := range o.desks[at].rows {
		r := o.rows[i]
		rider, space, round, back := r.rider, "AMB", "No", ""
		corrected := corrected && !o.isLeft(i) // an answer holds while the row says the same
		if !corrected && r.unknownRider != "" {
			rider = r.unknownRider
		}
		if !corrected && r.faulty {
			space = "Gurney"
		}
		if r.round {
			round, back = "Yes", fmt.Sprintf("%d:%02d", r.minute/60+4, r.minute%60)
		}
		fmt.Fprintf(&text, "%s,%s,Lakeshore Transit,Harborview Health,%s,%s,Westfield,MI,48111,42.31%02d,-83.41%02d,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,12/2/2026,%d:%02d,,No,%s,%s,\n",
			r.id, rider, space, r.street, i, i, r.minute/60, r.minute%60, round, back)
	}
	o.must(os.WriteFile(filepath.Join(o.desks[at].folder, "night.csv"), []byte(text.String()), 0o600))
}

// isLeft reports whether a person said to leave a trip of the row.
func (o *simulatedOffice) isLeft(row int) bool {
	return slices.ContainsFunc(o.rows[row].ways(), func(way string) bool { return o.service.left[simTrip{row, way}] })
}

// simEvents are what a run says.
type simEvents struct {
	app.Silent
	rows    map[string]importer.RowResult
	summary *results.Summary
	notices []string
}

func (e *simEvents) Row(r importer.RowResult)         { e.rows[r.Row.Cell(1).Text] = r }
func (e *simEvents) Summary(s *results.Summary) error { e.summary = s; return nil }
func (e *simEvents) Notice(text string)               { e.notices = append(e.notices, text) }

// run runs a command at a desk and judges what it says. It reports whether a run began.
func (o *simulatedOffice) run(at int, command string, do func(*app.App, app.Events) error) (*simEvents, error) {
	o.Helper()
	o.clock.now = o.clock.now.Add(time.Minute)
	d := &o.desks[at]
	e := &simEvents{rows: map[string]importer.RowResult{}}
	before := len(o.service.bookings)
	err := do(o.simApp(), e)
	o.note("%s at desk %d: status %d, %d booked, %v", command, at+1, app.StatusOf(err), len(o.service.bookings)-before, err)
	o.did[fmt.Sprintf("%s, status %d", command, app.StatusOf(err))]++
	if e.summary == nil {
		var in *importer.InputError
		if app.StatusOf(err) != app.NotSetUp && !errors.As(err, &in) {
			o.Errorf("%s: %v", command, err)
		}
		return nil, err
	}
	if !e.summary.Balanced || e.summary.Alarm != "" {
		o.Errorf("%s does not balance: %s", command, e.summary.Alarm)
	}
	if len(e.summary.Files) == 0 {
		o.Errorf("%s: no results: %v", command, err)
		return e, err
	}
	d.newest, d.shown = e.summary.Files[0], e.rows
	data, readErr := os.ReadFile(d.newest)
	o.must(readErr)
	o.results[d.newest] = data
	for _, i := range d.rows {
		for _, t := range e.rows[o.rows[i].id].Trips {
			if t.Outcome.State != importer.Booked && t.Outcome.State != importer.BookedEarlier {
				o.note("    %s %s %s (%s)", t.Trip.ID, t.Outcome.State.Code(), t.Outcome.Question.Code(), t.Outcome.Reason)
			}
		}
	}
	for _, text := range e.notices {
		o.note("    %s", text)
	}
	o.judge(command, e.rows)
	return e, err
}

// judge compares what rows say with what the service has.
func (o *simulatedOffice) judge(command string, rows map[string]importer.RowResult) {
	o.service.mu.Lock()
	defer o.service.mu.Unlock()
	for id, row := range rows {
		for i := range row.Trips {
			t, known := o.tripOf(row.Trips[i].Trip.ID)
			state := row.Trips[i].Outcome.State
			open := o.service.lost[t]
			switch booked := o.service.booking(t) != nil; {
			case !known:
				o.Errorf("%s: row %s has the trip %q", command, id, row.Trips[i].Trip.ID)
			case state.Booked() && !booked && o.wrongly[t] == "":
				o.Errorf("%s: %s is %s, and not booked", command, row.Trips[i].Trip.ID, state.Code())
			case state.Missing() && booked && !o.service.allowed[t] && row.Trips[i].Outcome.Question != importer.AskRider:
				o.Errorf("%s: %s is %s, and booked", command, row.Trips[i].Trip.ID, state.Code())
			case state.Missing() && open && !o.service.allowed[t] && row.Trips[i].Outcome.Question != importer.AskRider:
				o.Errorf("%s: %s is %s, and nobody knows", command, row.Trips[i].Trip.ID, state.Code())
			}
		}
	}
}

func (o *simulatedOffice) importAt(at int) (*simEvents, error) {
	o.Helper()
	return o.run(at, "import", func(a *app.App, e app.Events) error {
		return importAgreed(a, app.Options{}, e, filepath.Join(o.desks[at].folder, "night.csv"))
	})
}

// retryAt retries the newest results of a desk as they are now.
func (o *simulatedOffice) retryAt(at int, yes bool) (*simEvents, error) {
	o.Helper()
	path := o.desks[at].newest
	return o.run(at, "retry", func(a *app.App, e app.Events) error {
		if yes {
			return retryAgreed(a, app.Options{}, e, path)
		}
		return a.Retry(context.Background(), app.Options{}, e, path)
	})
}

// live is the night: twelve things that people do.
func (o *simulatedOffice) live() {
	for range 12 {
		at := o.rng.IntN(2)
		o.clock.now = o.clock.now.Add(time.Duration(o.rng.IntN(25)) * time.Minute)
		if o.desks[at].newest == "" {
			o.importAgain(at)
			continue
		}
		switch o.rng.IntN(10) {
		case 0, 1:
			o.importAgain(at)
		case 2:
			o.makeCopy(at)
		case 3:
			o.restore(at)
		case 4:
			o.tamper(at)
		case 5:
			o.answerList()
		default:
			o.workOn(at, true)
		}
		if o.Failed() {
			return
		}
	}
}

// importAgain imports, and adopts the ledger where it is refused.
func (o *simulatedOffice) importAgain(at int) error {
	_, err := o.importAt(at)
	if app.StatusOf(err) == app.NotSetUp {
		o.adopt(at)
		if _, err = o.importAt(at); app.StatusOf(err) == app.NotSetUp {
			o.Errorf("after the ledger was adopted: %v", err)
		}
	}
	return err
}

// tamper changes the results in a way that is not allowed, retries them, and puts them back.
func (o *simulatedOffice) tamper(at int) {
	d := &o.desks[at]
	was, err := os.ReadFile(d.newest)
	o.must(err)
	kind := o.rng.IntN(8)
	o.note("tamper %d", kind)
	o.did["tampered"]++
	o.editAt(at, func(g *grid) {
		rows := g.cells[1:]
		if len(rows) < 2 {
			return
		}
		before := make([][]string, len(rows))
		for i := range rows {
			before[i] = slices.Clone(rows[i])
		}
		defer func() {
			for i, was := range before {
				if row, known := o.tripRow(was[g.column("Trip ID")]); known && !slices.Equal(was, rows[i]) {
					o.rows[row].edited = true
				}
			}
		}()
		x, y := o.rng.IntN(len(rows)), o.rng.IntN(len(rows)-1)
		if y >= x {
			y++
		}
		column := g.column([]string{"Rider ID", "Trip ID", "Pickup Address"}[o.rng.IntN(3)])
		switch kind {
		case 0: // one column sorted alone
			var texts []string
			for _, r := range rows {
				texts = append(texts, r[column])
			}
			slices.Sort(texts)
			for i, r := range rows {
				r[column] = texts[i]
			}
		case 1: // an id filled down: an address of one row may be another's too
			column = min(column, g.column("Rider ID"))
			for _, r := range rows[min(x, y)+1:] {
				r[column] = rows[min(x, y)][column]
			}
		case 2:
			rows[x][column], rows[y][column] = rows[y][column], rows[x][column]
		case 3: // a row pasted over another, or its source columns
			copy(rows[x][g.column("Trip ID"):], rows[y][g.column("Trip ID"):g.column("Cancelled")+1])
		case 4:
			copy(rows[x], rows[y])
		case 5: // the answers sorted alone
			found := g.column("What we found")
			rows[x][found] = "not there"
			rows[y][found] = "there"
		case 6:
			g.cells = append(g.cells, slices.Clone(rows[x]))
		case 7: // a cell of any row, booked or not
			if row, _ := o.tripRow(rows[x][g.column("Trip ID")]); !o.isLeft(row) { // it says something else then
				rows[x][g.column("Dropoff Address")] = "1 Wrong Way"
			}
		}
	})
	if kind == 5 {
		o.must(os.WriteFile(d.newest, was, 0o600)) // an answer beside the wrong row is a lie
		return
	}
	if _, err := o.retryAt(at, false); app.StatusOf(err) == app.NotSetUp && strings.Contains(err.Error(), "ledger") {
		o.adopt(at)
	}
	if data, kept := o.results[d.newest]; kept && d.newest != "" {
		o.must(os.WriteFile(d.newest, data, 0o600))
	}
}

// editAt edits the newest results of a desk.
func (o *simulatedOffice) editAt(at int, f func(*grid)) {
	o.desk.results = o.desks[at].newest
	o.edit(f)
}

// workOn fixes and answers what the newest results of a desk list, sorts them, deletes
// rows, and retries them.
func (o *simulatedOffice) workOn(at int, mayBeOlder bool) {
	d := &o.desks[at]
	o.note("work at desk %d", at+1)
	if !mayBeOlder {
	} else if _, err := o.retryAt(at, true); err != nil && app.StatusOf(err) == app.NotSetUp {
		o.adopt(at)
		if d.newest == "" {
			return
		}
		if _, err := o.retryAt(at, true); app.StatusOf(err) == app.NotSetUp {
			o.Errorf("after the ledger was adopted: %v", err)
		}
	}
	gone := 0
	answers := map[string]string{}
	for _, i := range d.rows {
		r := o.rows[i]
		if text := o.answersAbout(&r, d.shown[r.id]); text != "" {
			answers[r.id] = text
		}
	}
	o.editAt(at, func(g *grid) {
		for id, text := range answers {
			g.set(id, "What we found", text)
			o.note("%s: %s", id, text)
		}
		for _, i := range d.rows {
			r := &o.rows[i]
			shown := d.shown[r.id]
			if answers[r.id] != "" || o.isLeft(i) || o.rng.IntN(3) == 0 && !o.service.calm {
				continue
			}
			if shown.State == importer.Fix && r.faulty {
				g.set(r.id, "Space Type", "AMB")
				r.edited = true
			}
			if shown.State == importer.Refused && !shown.HalfBooked {
				r.edited = true
				if r.unknownRider != "" {
					g.set(r.id, "Rider ID", r.rider)
				}
				if o.rng.IntN(4) == 0 {
					g.set(r.id, "Pickup Address", r.fixedStreet)
				}
			}
		}
		switch o.rng.IntN(4) {
		case 0:
			slices.Reverse(g.cells[1:])
		case 1:
			g.insertColumn(2, "Who calls")
		}
		if o.rng.IntN(4) == 0 && !o.service.calm {
			for range 1 + o.rng.IntN(len(d.rows)) {
				i := d.rows[o.rng.IntN(len(d.rows))]
				id := o.rows[i].id
				if at := g.column("Trip ID"); answers[id] == "" && slices.ContainsFunc(g.cells, func(r []string) bool { return r[at] == id }) {
					g.remove(id)
					o.note("deleted %s", id)
					o.did["rows deleted"]++
					gone += o.unbooked(i)
				}
			}
		}
	})
	e, err := o.retryAt(at, true)
	if e == nil {
		o.Errorf("a legitimate retry is refused: %v", err)
		return
	}
	if e.summary.DeletedRows < gone || gone > 0 && app.StatusOf(err) == app.Done {
		o.Errorf("%d rows were deleted, and %d are named (%v)", gone, e.summary.DeletedRows, err)
	}
}

// unbooked returns 1 if something of a row is not booked.
func (o *simulatedOffice) unbooked(row int) int {
	for _, way := range o.rows[row].ways() {
		if t := (simTrip{row, way}); o.service.booking(t) == nil && !o.service.left[t] && !o.service.mayLeave[t] {
			return 1
		}
	}
	return 0
}
