package serve_test

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/app"
)

// atNight books a schedule by another program, of which nothing is left but the results.
func (o *office) atNight(schedule string, at time.Time) {
	o.Helper()
	other := app.NewJobs(o.environment(), nil)
	ctx := context.Background()
	w, err := other.Arrive(ctx, "night.csv", at, strings.NewReader(schedule))
	o.must(err)
	p, _, err := other.Plan(ctx, w.ID, false, "night")
	o.must(err)
	_, _ = other.Run(ctx, w.ID, "night", app.Options{Plan: p.ID, Agreed: app.AgreedTo(p.Asks, func(*app.Ask) bool { return true })}, app.Silent{}) // faulty rows stay
	o.forget(w.ID)
}

// forget removes what was brought, as its time does.
func (o *office) forget(id string) {
	o.Helper()
	o.must(os.RemoveAll(filepath.Join(o.home, "works", id)))
}

var savedAt = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

// bring goes from the n-th button of the list that leads on to the row.
func (v *visitor) bring(n int) (id, at string) {
	v.Helper()
	found := regexp.MustCompile(`action="/morning/bring"><input type="hidden" name="item" value="([^"]+)"`).FindAllStringSubmatch(v.get("/morning").text, -1)
	if len(found) <= n {
		v.Fatalf("nothing leads on: %s", plainText(v.get("/morning").text))
	}
	r := v.post("/morning/bring", url.Values{"item": {found[n][1]}})
	parts := strings.Split(r.location, "/")
	if r.status != http.StatusSeeOther || len(parts) < 4 {
		v.Fatalf("bringing: %d %s %s", r.status, r.location, plainText(r.text))
	}
	return parts[2], r.location
}

// TestFixFromTheNight fixes rows of a schedule that came at night in the list, and books them: nobody has to open a
// workbook.
func TestFixFromTheNight(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	more := strings.ReplaceAll(strings.ReplaceAll(faulty, "T-3,R-3", "T-4,R-4"), "2:00 PM", "4:00 PM")
	o.atNight(header+good+faulty+more, savedAt)
	id, at := v.bring(0)
	screen := v.get(at)
	v.mustSay(screen, 200, "2 rows to fix", "row 4, whole", "<strong>2 cells</strong> of Space Type", `class="fault"`)
	v.mustNotSay(screen, "bring it again", o.home, "or rehearse")
	if again, other := v.bring(1); again != id || other == at {
		t.Errorf("the other row is at %s, not in %s", other, id)
	}
	form := fixOf(4, spaceType, "Gurney", "WCH")
	form.Set("alike", "yes")
	v.post("/w/"+id+"/fix", form)
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "No rule is broken in any row", "was <q>Gurney</q>, is <q>WCH</q>")
	v.post("/w/"+id+"/fix", fixOf(5, spaceType, "WCH", "Gurney"))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "1 row to fix")
	v.post("/w/"+id+"/fix", fixOf(5, spaceType, "Gurney", "STR"))
	plan := v.plan(id, "book")
	v.mustSay(v.get("/w/"+id+"/book"), 200, "2 new", "3 booked earlier")
	v.post("/w/"+id+"/fix", fixOf(5, spaceType, "STR", "AMB"))
	v.post("/w/"+id+"/run", plan) // made before the last fix
	v.untilEnded()
	v.mustSay(v.get("/w/"+id+"/book"), 200, "nothing was sent")
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 5 {
		t.Errorf("%d trips were sent, not 5: %s", n, plainText(v.get("/w/"+id+"/book").text))
	}
	v.mustSay(v.get("/morning"), 200, "in the course of the day: 0 trips", "before the next pickup: 0 trips")
}

// TestRefusedFromTheNight fixes the rider of a row that the service refused at night, in its list: the row is open with all
// cells, and a yes is needed for another rider. A cell of a booked row is listed as a change, and nothing else is sent.
func TestRefusedFromTheNight(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.refused = "R-9"
	o.atNight(header+good+strings.NewReplacer("Gurney", "AMB", "R-3", "R-9").Replace(faulty), savedAt)
	v.mustSay(v.get("/morning"), 200, "refused by the service", "Fix its row")
	id, at := v.bring(0)
	v.mustSay(v.get(at), 200, "No rule is broken in any row", "row 4, whole", `name="is" value="R-9"`)
	start := v.get("/")
	v.mustSay(start, 200, "no row to fix")
	v.mustNotSay(v.get(strings.Replace(at, "row=4", "row=2", 1)), "to fix", "What the service said of it")
	form := fixOf(4, 2, "R-9", "R-3")
	form.Set("whole", "yes")
	if r := v.post("/w/"+id+"/fix", form); !strings.HasSuffix(r.location, "row=4&sheet=") {
		t.Errorf("after the fix the page is %s", r.location)
	}
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "was <q>R-9</q>, is <q>R-3</q>")
	plan := v.plan(id, "book")
	v.mustSay(v.get("/w/"+id+"/book"), 200, "1 changed cell needs a yes", "R-9")
	v.post("/w/"+id+"/run", plan)
	v.untilEnded()
	v.mustSay(v.get("/morning"), 200, "in the course of the day: 0 trips", "before the next pickup: 0 trips")
	if n := o.inserts.Load(); n != 5 {
		t.Errorf("%d trips were sent, not 3 and one twice", n)
	}
}

// TestChangeOfAFixedRider fixes the rider of a row that the service refused. The next schedule still has the rider as it
// was, and another time: the change is sent, and its answer, which names the rider who is booked, stops nothing.
func TestChangeOfAFixedRider(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.refused = "R-9"
	refused := strings.NewReplacer("Gurney", "AMB", "R-3", "R-9").Replace(faulty)
	o.atNight(header+good+refused, savedAt)
	id, _ := v.bring(0)
	v.post("/w/"+id+"/fix", fixOf(4, 2, "R-9", "R-3"))
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	o.refused = ""
	o.atNight(header+strings.Replace(refused, "2:00 PM", "2:30 PM", 1)+good+strings.ReplaceAll(strings.TrimPrefix(roundTrips(40), header), "T-", "U-"), savedAt.Add(time.Hour))
	runs, err := o.jobs.Runs(context.Background())
	o.must(err)
	if n := o.inserts.Load(); n != 85 || runs[0].Wrong || strings.Contains(runs[0].End, "stopped") {
		t.Errorf("%d trips were sent, not 85: %s", n, runs[0].End)
	}
	v.mustSay(v.get("/morning"), 200, "in the course of the day: 0 trips", "before the next pickup: 0 trips")
}

// TestBrokerCorrectsAFixedRider fixes the rider of a row that the service refused. The next schedule has the rider corrected, and
// the one after that another time: the time is sent, and nobody is told that the rider was another one meanwhile.
func TestBrokerCorrectsAFixedRider(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.refused = "R-9"
	refused := strings.NewReplacer("Gurney", "AMB", "R-3", "R-9").Replace(faulty)
	o.atNight(header+good+refused, savedAt)
	id, _ := v.bring(0)
	v.post("/w/"+id+"/fix", fixOf(4, 2, "R-9", "R-3"))
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	corrected := strings.Replace(refused, "R-9", "R-3", 1)
	o.atNight(header+good+corrected, savedAt.Add(time.Hour))
	o.atNight(header+good+strings.Replace(corrected, "2:00 PM", "3:00 PM", 1), savedAt.Add(2*time.Hour))
	morning := v.get("/morning")
	v.mustSay(morning, 200, "in the course of the day: 0 trips", "before the next pickup: 0 trips")
	v.mustNotSay(morning, "was listed with another")
	runs, err := o.jobs.Runs(context.Background())
	o.must(err)
	if n := runs[0].Totals.Trips[importer.Changed]; n != 1 {
		t.Errorf("%d trips were changed, not 1", n)
	}
}

// TestFixOfAnOlderNight fixes a row of results after a newer schedule changed that row: nothing is sent.
func TestFixOfAnOlderNight(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.atNight(header+good+faulty, savedAt)
	id, _ := v.bring(0)
	v.post("/w/"+id+"/fix", fixOf(4, spaceType, "Gurney", "WCH"))
	o.atNight(header+good+strings.Replace(faulty, "2:00 PM", "3:00 PM", 1), savedAt.Add(time.Hour))
	plan := v.plan(id, "book")
	screen := v.get("/w/" + id + "/book")
	v.mustSay(screen, 200, "of which 1 waits to be fixed or answered", "Go on: what is new waits")
	v.mustNotSay(screen, "Book 1 trip")
	v.post("/w/"+id+"/run", plan)
	v.untilEnded()
	if n := o.inserts.Load(); n != 3 {
		t.Errorf("%d trips were sent, not 3", n)
	}
	v.mustSay(v.get("/w/"+id+"/book"), 200, "schedule of")
}

// TestPlanAfterAnAnswer plans a schedule, and its results, after somebody answered `leave it` about the only new trip, and the
// results in which `meant` is written: the button says what is booked.
func TestPlanAfterAnAnswer(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.refused = "R-9"
	id := v.runs(header+good+strings.NewReplacer("Gurney", "AMB", "R-3", "R-9").Replace(faulty), "book")
	v.plan(id, "book")
	v.mustSay(v.get("/w/"+id+"/book"), 200, "Book 1 trip for")
	results, _ := v.bring(0)
	v.post("/morning/answer", v.answerTo(v.get("/morning"), "", "leave it"))
	for _, work := range []string{id, results} {
		v.plan(work, "book")
		v.mustSay(v.get("/w/"+work+"/book"), 200, "0 new, 3 booked earlier", "Book again: nothing is new")
	}
	o.atNight(header+strings.Replace(strings.SplitAfter(good, "\n")[0], "T-1,", "T-71,", 1), savedAt.Add(time.Hour))
	paths, err := filepath.Glob(filepath.Join(o.home, "results", "night*.xlsx"))
	o.must(err)
	book, err := excelize.OpenFile(paths[0])
	o.must(err)
	found, err := book.SearchSheet("Results", "What we found")
	o.must(err)
	o.must(book.SetCellStr("Results", strings.Replace(found[0], "1", "2", 1), "meant"))
	text, err := book.WriteToBuffer()
	o.must(err)
	o.must(book.Close())
	o.must(os.Remove(paths[0]))
	id = v.arrive(filepath.Base(paths[0]), text.String())
	v.plan(id, "book")
	v.mustSay(v.get("/w/"+id+"/book"), 200, "Book 1 trip for")
}

// TestFixesThatAreRefused fixes cells of results with what retry refuses: another passenger's id. It is refused at once, and
// nothing else is in its way. The results are not rehearsed, and the page names no flag.
func TestFixesThatAreRefused(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	bare := strings.Replace(faulty, "Gurney", "STR", 1)
	o.atNight(header+good+strings.Replace(bare, "R-3", "", 1)+strings.NewReplacer("T-3", "", "R-3", "R-5", "5 Gull", "9 Gull").Replace(bare), savedAt)
	id, _ := v.bring(0)
	v.mustSay(v.post("/w/"+id+"/fix", fixOf(4, 2, "", "R-1")), 422, "may be another passenger", "You typed: <q>R-1</q>")
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "2 rows to fix")
	v.post("/w/"+id+"/fix", fixOf(5, 1, "", "T-5"))
	v.post("/w/"+id+"/fix", fixOf(4, 2, "", "R-3"))
	refused := v.post("/w/"+id+"/plan", url.Values{"kind": {"rehearse"}})
	v.mustSay(refused, 422, "only a schedule is rehearsed")
	v.mustNotSay(refused, "--")
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 5 {
		t.Errorf("%d trips were sent, not 5: %s", n, plainText(v.get("/w/"+id+"/book").text))
	}
}

// TestFixBeyondTheColumns fixes cells that are in no column of the results, and of a schedule the row itself: nothing is kept,
// and the page goes on. The cells under headers are fixed, the empty last one too.
func TestFixBeyondTheColumns(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	shifted := strings.NewReplacer("Gurney", "AMB", "5 Gull Ln,", "5 Gull Ln, Apt 3,", "No,No,\n", "No,No,x\n").Replace(faulty)
	o.atNight(header+good+shifted, savedAt)
	results, _ := v.bring(0)
	schedule := v.arrive("schedule.csv", header+good+shifted)
	for _, id := range []string{results, schedule} {
		for _, col := range []int{-1, 0, 25, 26, 100_000} {
			was := ""
			if col == 25 {
				was = "x"
			}
			v.mustSay(v.post("/w/"+id+"/fix", fixOf(4, col, was, "y")), 422, "nothing is wrong in this cell")
		}
		v.mustNotSay(v.get("/w/"+id+"/faults"), "Fixed here")
	}
	if r := v.post("/w/"+results+"/fix", fixOf(2, 24, "", "1:00 PM")); r.status != http.StatusSeeOther {
		t.Errorf("the last cell: %d %s", r.status, plainText(r.text))
	}
	v.mustSay(v.get("/w/"+results+"/faults"), 200, "Fixed here: 1 cell")
}

// TestFixOverAWorkbook fixes a cell at the page that somebody fixed before in the workbook with the results, wrongly.
func TestFixOverAWorkbook(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.atNight(header+good+faulty, savedAt)
	paths, err := filepath.Glob(filepath.Join(o.home, "results", "*.xlsx"))
	o.must(err)
	id := v.arrive(filepath.Base(paths[0]), o.corrected(paths[0], "Gurny"))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "1 row to fix", "Gurny")
	v.post("/w/"+id+"/fix", fixOf(4, spaceType, "Gurny", "STR"))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "No rule is broken in any row", "was <q>Gurny</q>, is <q>STR</q>")
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 4 {
		t.Errorf("%d trips were sent, not 4: %s", n, plainText(v.get("/w/"+id+"/book").text))
	}
}

// TestCheckBroughtBack brings the workbook of a check, of which nothing is sent: nobody is told to fix that.
func TestCheckBroughtBack(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	schedule := filepath.Join(t.TempDir(), "schedule.csv")
	o.must(os.WriteFile(schedule, []byte(header+good+faulty), 0o600))
	a, err := app.New(o.environment(), nil)
	o.must(err)
	_ = a.Check(context.Background(), app.Options{}, app.Silent{}, schedule) // it has a faulty row
	paths, err := filepath.Glob(schedule + ".*.xlsx")
	o.must(err)
	text, err := os.ReadFile(paths[0])
	o.must(err)
	id := v.arrive(filepath.Base(paths[0]), string(text))
	v.mustNotSay(v.get("/w/"+id+"/book"), "rehearsal")
	screen := v.get("/w/" + id + "/faults")
	v.mustSay(screen, 200, "1 row to fix", "fix the schedule itself")
	v.mustNotSay(screen, "Book the others", "bring it again")
}

// TestListBroughtBack brings the morning list, in which somebody fixed a row: there is nothing to check in it, and a way to what it sends.
func TestListBroughtBack(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.atNight(header+good+faulty, savedAt)
	a, err := app.New(o.environment(), nil)
	o.must(err)
	folder := t.TempDir()
	_, _, err = a.Morning(context.Background(), app.MorningOptions{Folder: folder})
	o.must(err)
	id := v.arrive("morning (1).xlsx", o.corrected(filepath.Join(folder, "morning.xlsx"), "STR"))
	screen := v.get("/w/" + id + "/faults")
	v.mustSay(screen, 200, "is a morning list, which has nothing to check", `href="/w/`+id+`/book">Go on: book`)
	v.mustNotSay(screen, "-m FILE")
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 4 {
		t.Errorf("%d trips were sent, not 4: %s", n, plainText(v.get("/w/"+id+"/book").text))
	}
}

// TestLongList lists what a bad night leaves: the first hundred, and all on demand, also after an answer there.
func TestLongList(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.atNight(faultyRows(600), savedAt)
	for path, items := range map[string]int{"/morning": 100, "/morning?all=1": 600} {
		screen := v.get(path)
		if n := strings.Count(screen.text, `class="item"`); n != items || items == 100 && len(screen.text) > 200_000 {
			t.Errorf("%s has %d items, %d bytes", path, n, len(screen.text))
		}
		v.mustSay(screen, 200, "in the course of the day: 600 trips")
	}
	v.mustSay(v.get("/morning"), 200, `<a href="/morning?all=1">All 600, to work through or to print</a>`)
	if !regexp.MustCompile(`<main id="main" data-at="[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]+ [0-9:]+">`).MatchString(v.get("/morning?all=1").text) {
		t.Error("it does not say when it is printed")
	}
	r := v.post("/morning/answer?all=1", v.answerTo(v.get("/morning?all=1"), `action="/morning/answer?all=1"`, "leave it"))
	if r.location != "/morning?taken=1&all=1" {
		t.Errorf("then at %s: %s", r.location, plainText(r.text))
	}
}

// TestGoesOnFromTheList stops a run: the list leads to the schedule that was brought here, and of one that came at night
// to its results. Results that are gone are said.
func TestGoesOnFromTheList(t *testing.T) {
	o := newOffice(t)
	o.delay = 100 * time.Millisecond
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", roundTrips(60))
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	for o.inserts.Load() < 3 {
		time.Sleep(time.Millisecond)
	}
	v.post("/run/stop", v.stopButton())
	v.untilEnded()
	v.mustSay(v.get("/morning"), 200, `<a class="button" href="/w/`+id+`/book">Go on with its schedule</a>`)
	o.forget(id)
	results, at := v.bring(0)
	if at != "/w/"+results+"/book" {
		t.Errorf("it goes on at %s", at)
	}
	o.delay = 0
	v.post("/w/"+results+"/run", v.plan(results, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 120 {
		t.Errorf("%d trips were sent, not 120", n)
	}

	o.atNight(header+strings.Replace(faulty, "T-3,R-3", "T-900,R-900", 1), savedAt)
	gone, err := filepath.Glob(filepath.Join(o.home, "results", "night*"))
	o.must(err)
	for _, path := range gone {
		o.must(os.Remove(path))
	}
	item := regexp.MustCompile(`action="/morning/bring"><input type="hidden" name="item" value="([^"]+)"`).FindStringSubmatch(v.get("/morning").text)
	v.mustSay(v.post("/morning/bring", url.Values{"item": {item[1]}}), 422, "bring its schedule under Schedules")
	v.mustSay(v.post("/morning/bring", url.Values{"item": {"0"}}), 409, "look at the list as it is now")
}
