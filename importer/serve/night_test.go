package serve_test

import (
	"context"
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

// bringFixed brings the last results of the night, in which somebody wrote something else in the cells that say was.
func (o *office) bringFixed(v *visitor, was, is string) (id string) {
	o.Helper()
	paths, err := filepath.Glob(filepath.Join(o.home, "results", "night*.xlsx"))
	o.must(err)
	path := paths[len(paths)-1]
	return v.arrive(filepath.Base(path), o.corrected(path, was, is))
}

// TestRefusedFromTheNight fixes the rider of a row that the service refused at night, in the workbook with the results, and
// brings that: a yes is needed for another rider, and nothing else is sent.
func TestRefusedFromTheNight(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.refused = "R-9"
	o.atNight(header+good+strings.NewReplacer("Gurney", "AMB", "R-3", "R-9").Replace(faulty), savedAt)
	v.mustSay(v.get("/morning"), 200, "refused by the service", `open the workbook of its run under <a href="/runs">Runs</a>`)
	id := o.bringFixed(v, "R-9", "R-3")
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "No rule is broken in any row", "Fix its cells in the spreadsheet program")
	v.mustSay(v.post("/w/"+id+"/fix", fixOf(4, 2, "R-3", "R-4")), 422, "nothing is wrong in this cell")
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
	id := o.bringFixed(v, "R-9", "R-3")
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
	id := o.bringFixed(v, "R-9", "R-3")
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
	id := o.bringFixed(v, "Gurney", "WCH")
	o.atNight(header+good+strings.Replace(faulty, "2:00 PM", "3:00 PM", 1), savedAt.Add(time.Hour))
	plan := v.plan(id, "book")
	screen := v.get("/w/" + id + "/book")
	v.mustSay(screen, 200, "of which 1 waits to be fixed or answered", ">Go on<")
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
	given, err := filepath.Glob(filepath.Join(o.home, "results", "*.xlsx"))
	o.must(err)
	text, err := os.ReadFile(given[0])
	o.must(err)
	results := v.arrive(filepath.Base(given[0]), string(text))
	v.post("/morning/answer", v.answerTo(v.get("/morning"), "", "leave it"))
	for _, work := range []string{id, results} {
		v.plan(work, "book")
		v.mustSay(v.get("/w/"+work+"/book"), 200, "0 new, 3 booked earlier", ">Go on<")
	}
	o.atNight(header+strings.Replace(strings.SplitAfter(good, "\n")[0], "T-1,", "T-71,", 1), savedAt.Add(time.Hour))
	paths, err := filepath.Glob(filepath.Join(o.home, "results", "night*.xlsx"))
	o.must(err)
	book, err := excelize.OpenFile(paths[0])
	o.must(err)
	found, err := book.SearchSheet("Results", "What we found")
	o.must(err)
	o.must(book.SetCellStr("Results", strings.Replace(found[0], "1", "2", 1), "meant"))
	written, err := book.WriteToBuffer()
	o.must(err)
	o.must(book.Close())
	o.must(os.Remove(paths[0]))
	id = v.arrive(filepath.Base(paths[0]), written.String())
	v.plan(id, "book")
	v.mustSay(v.get("/w/"+id+"/book"), 200, "Book 1 trip for")
}

// TestFixBeyondTheColumns fixes cells of a schedule that are in none of its columns, and the row itself: nothing is kept.
func TestFixBeyondTheColumns(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good+strings.NewReplacer("Gurney", "AMB", "5 Gull Ln,", "5 Gull Ln, Apt 3,", "No,No,\n", "No,No,x\n").Replace(faulty))
	for _, col := range []int{-1, 0, 25, 26, 100_000} {
		was := ""
		if col == 25 {
			was = "x"
		}
		v.mustSay(v.post("/w/"+id+"/fix", fixOf(4, col, was, "y")), 422, "nothing is wrong in this cell")
	}
	v.mustNotSay(v.get("/w/"+id+"/faults"), "Fixed here")
}

// TestCheckBroughtBack brings the workbook of a check, of which nothing is sent, and says what to do instead.
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
	v.mustSay(screen, 200, "1 row to fix", "That of a check is not sent: fix the schedule itself")
	v.mustSay(v.post("/w/"+id+"/plan", url.Values{"kind": {"book"}}), 422, "nothing of it was ever sent", "fix the schedule itself")
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
	id := v.arrive("morning (1).xlsx", o.corrected(filepath.Join(folder, "morning.xlsx"), "Gurney", "STR"))
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
