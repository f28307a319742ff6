package serve_test

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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
	o.must(other.Remove(ctx, w.ID))
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
	item := regexp.MustCompile(`name="item" value="([0-9a-f]+)"><input type="hidden" name="saw" value="([^"]+)"`).FindStringSubmatch(v.get("/morning").text)
	v.post("/morning/answer", url.Values{"item": {item[1]}, "saw": {item[2]}, "answer": {"leave it"}})
	for _, work := range []string{id, results} {
		v.plan(work, "book")
		v.mustSay(v.get("/w/"+work+"/book"), 200, "Go on: what is new waits")
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
	screen := v.get("/w/" + v.arrive(filepath.Base(paths[0]), string(text)) + "/faults")
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
	form := regexp.MustCompile(`action="(/morning/answer[?]all=1)".*\n.*name="item" value="([0-9a-f]+)"><input type="hidden" name="saw" value="([^"]+)"`).FindStringSubmatch(v.get("/morning?all=1").text)
	r := v.post(form[1], url.Values{"item": {form[2]}, "saw": {form[3]}, "answer": {"leave it"}})
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
	v.post("/w/"+id+"/remove", url.Values{"sure": {"yes"}})
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

// TestBrowserFixesARefusedRow goes from the list to a row that the service refused, types another rider, and books it.
func TestBrowserFixesARefusedRow(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	o.refused = "R-9"
	o.atNight(header+good+strings.NewReplacer("Gurney", "AMB", "R-3", "R-9").Replace(faulty), savedAt)
	b.come(1)
	b.do(chromedp.Click(`nav a[href="/morning"]`))
	b.until("refused by the service")
	b.do(chromedp.Click(`form[action="/morning/bring"] button`))
	b.until("row 4, whole")
	b.picture("refused-row")
	b.do(chromedp.SetValue(`input[aria-label="Rider ID"]`, "R-3"), chromedp.SendKeys(`input[aria-label="Rider ID"]`, kb.Enter))
	b.until("was R-9, is R-3")
	if at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.activeElement.ariaLabel`)); err != nil || at != "Patient Name" {
		t.Errorf("the focus is at %q, %v", at, err)
	}
	b.picture("refused-row-fixed")
	b.do(chromedp.Click(`a[href$="/book"]`))
	b.until("Plan the booking")
	b.do(chromedp.Click(`.plan button[value=book]`))
	b.until("is now")
	b.picture("refused-row-plan")
	b.do(chromedp.Click(`input[type=radio][value=yes]`))
	b.book()
	b.until("Open the workbook")
	b.do(chromedp.Click(`nav a[href="/morning"]`))
	b.until("in the course of the day: 0 trips")
}

// TestBrowserKeepsLines saves cells of several lines, at fault or not, untouched and with another word: their lines stay apart.
func TestBrowserKeepsLines(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	o.refused = "R-9"
	o.atNight(header+good+strings.NewReplacer("Gurney", "AMB", "R-3", "R-9", "5 Gull Ln", "\"5 Gull Ln\nApt 3\"").Replace(faulty), savedAt)
	b.come(1)
	b.do(chromedp.Click(`nav a[href="/morning"]`))
	b.until("refused by the service")
	b.do(chromedp.Click(`form[action="/morning/bring"] button`))
	b.until("row 4, ")
	const saves = `form:has(> [aria-label="Pickup Address"]) button`
	b.press(saves)
	time.Sleep(300 * time.Millisecond)
	b.until("No rule is broken in any row")
	if text := b.text(); strings.Contains(text, "Fixed here") {
		t.Errorf("it is fixed: %s", text)
	}
	b.do(chromedp.Focus(`[aria-label="Pickup Address"]`))
	b.keys(kb.End, "j", kb.Enter, "k", kb.Tab, kb.Enter)
	b.until("Fixed here: 1 cell")
	works, err := o.jobs.Works(t.Context())
	o.must(err)
	if len(works) != 1 || len(works[0].Fixes) != 1 || works[0].Fixes[0].Is != "5 Gull Lnj\nk\nApt 3" {
		t.Errorf("it is %+v", works)
	}
	b.drop2("schedule.csv", header+good+strings.Replace(faulty, "Gurney", "\"Gur\nney\"", 1))
	b.until("1 row to fix")
	b.keys(kb.F8)
	if at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.activeElement.value`)); err != nil || at != "Gur\nney" {
		t.Errorf("the fault says %q, %v", at, err)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.select()`))
	b.keys("STR")
	b.press(`td form button`)
	b.until("Every row is good")
}

// newWaiting returns a page that waits for a night to book a schedule of three trips. The service takes the time for each trip
// of the night, which has ended once the channel is closed.
func newWaiting(t *testing.T, delay time.Duration) (b *browser, ended chan struct{}) {
	t.Helper()
	o := newOffice(t)
	o.start()
	b, ended = o.newBrowser(), make(chan struct{})
	b.come(1)
	b.drop("schedule.csv", header+good)
	o.delay = delay
	go func() {
		defer close(ended)
		o.atNight(manyRows(300), savedAt)
	}()
	for o.inserts.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	b.do(chromedp.Click(`a[href$="/book"]`))
	b.until("Plan the booking")
	b.do(chromedp.Click(`.plan button[value=book]`))
	b.until("Plan it once that run has ended")
	b.do(chromedp.Click(`form:has(input[name=wait]) button`))
	b.until("as soon as that run has ended")
	return b, ended
}

// TestBrowserWaitsForANight plans a booking while a night's import goes on: the page plans it by itself once that has ended, and
// books nothing.
func TestBrowserWaitsForANight(t *testing.T) {
	t.Parallel()
	b, ended := newWaiting(t, 200*time.Millisecond)
	b.picture("waits")
	b.do(chromedp.Focus(`.plan button[value=rehearse]`))
	time.Sleep(5500 * time.Millisecond) // it asks again
	if at, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`document.activeElement.matches(".plan button[value=rehearse]")`)); err != nil || !at {
		t.Errorf("the focus is lost while it waits: %v", err)
	}
	<-ended
	sent := b.inserts.Load()
	b.until("Book 3 trips")
	if n := b.inserts.Load(); n != sent {
		t.Errorf("%d trips were sent by waiting", n-sent)
	}
}

// TestBrowserWaitsAndIsClosed ends the program while its page waits for a night: the page says so, and asks no more.
func TestBrowserWaitsAndIsClosed(t *testing.T) {
	t.Parallel()
	b, ended := newWaiting(t, 300*time.Millisecond)
	b.stop()
	b.until("The page is locked or closed")
	<-ended
}

// TestBrowserKeepsGUIDs types the GUIDs of two trips, and answers a third one: what is typed stays, also after an answer
// that is not taken.
func TestBrowserKeepsGUIDs(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	o.atNight(header+good, savedAt)
	o.atNight(header+strings.NewReplacer("T-1,R-1,", "T-1,R-8,", "T-2,R-2,", "T-2,R-9,").Replace(good), savedAt.Add(time.Hour))
	b.come(1)
	b.do(chromedp.Click(`nav a[href="/morning"]`))
	b.until("in the course of the day: 3 trips")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("input[name=guid]").forEach((i, n) => { if (n > 0) i.value = "typed " + n; })`))
	time.Sleep(600 * time.Millisecond) // no second key of the screen before
	b.keys("j", kb.ArrowDown, kb.ArrowUp, "2")
	b.until("in the course of the day: 2 trips")
	typed := func(want string) {
		t.Helper()
		got, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`[...document.querySelectorAll("input[name=guid]")].map((i) => i.value).join()`))
		if err != nil || got != want {
			t.Errorf("the GUIDs are %q, %v", got, err)
		}
	}
	typed("typed 1,typed 2,")
	if at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.activeElement.className`)); err != nil || at != "item" {
		t.Errorf("the focus is at %q, %v", at, err)
	}
	time.Sleep(600 * time.Millisecond)
	b.do(chromedp.Click(`.item button[value="done by hand"]`))
	b.until("copy the whole GUID from the service")
	typed("typed 1,typed 2,")
}

// TestBrowserAsksInPlace answers that a trip is not there, which the page asks about: the GUID that is typed beside another trip
// stays. What it says is in sight, and the yes is one key away.
func TestBrowserAsksInPlace(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.lost = "R-1"
	o.start()
	b := o.newBrowser()
	first := strings.SplitAfter(good, "\n")[0]
	o.atNight(header+first, savedAt)
	o.atNight(header+strings.NewReplacer("T-1", "T-7", "12 Alder", "19 Alder", "8:30", "6:30").Replace(first), savedAt.Add(time.Hour))
	o.atNight(faultyRows(60), savedAt.Add(2*time.Hour))
	b.come(1)
	b.do(chromedp.Click(`nav a[href="/morning"]`))
	b.until("T-7")
	says := func(script, want string) {
		t.Helper()
		if got, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](script)); err != nil || got != want {
			t.Errorf("%s: %q, not %q, %v", script, got, want, err)
		}
	}
	const typed, inSight = `document.querySelectorAll("input[name=guid]")[1].value`, `String(document.getElementById("said").getBoundingClientRect().top >= 0)`
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("input[name=guid]")[1].value = "typed"`))
	time.Sleep(600 * time.Millisecond)
	b.do(chromedp.Click(`.item button[value="not there"]`))
	b.until("really not there")
	says(typed, "typed")
	b.picture("asked")
	time.Sleep(600 * time.Millisecond)
	b.keys(kb.Tab, kb.Enter)
	b.until("the trip may still appear: look after")
	says(typed, "typed")
	b.do(chromedp.Evaluate[chromedp.Void](`{ const last = [...document.querySelectorAll(".item button[value='booked by hand']")].at(-1); last.scrollIntoView(); last.form.guid.value = "x"; setTimeout(() => last.click(), 600); }`))
	b.until("copy the whole GUID")
	says(inSight, "true")
	b.picture("refused")
	b.do(chromedp.Focus(`input[name=guid]`))
	b.keys("y") // it is read
	says(`document.getElementById("said").innerText`, "")
}

// TestBrowserAsksBeforeItLeaves types into a cell and goes to another screen without saving it: the browser asks. What was
// saved, and the answer that is being sent, are no reason to ask.
func TestBrowserAsksBeforeItLeaves(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	var asked atomic.Int32
	o.must(chromedp.Listen(b.ctx, func(e any) {
		if _, ok := e.(*page.EventJavascriptDialogOpening); ok {
			asked.Add(1)
			go func() {
				_ = chromedp.Do(b.ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
					_, err := chromedp.Call(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
					return err
				})) // a dialog that stays is found below
			}()
		}
	}))
	b.come(1)
	b.drop("schedule.csv", faultyRows(2))
	b.until("2 rows to fix")
	b.keys(kb.F8, "x")
	goOn := func() {
		b.do(chromedp.Evaluate[chromedp.Void](`setTimeout(() => document.querySelector("main a.button").click(), 0)`))
	}
	goOn()
	for began := time.Now(); asked.Load() == 0 && time.Since(began) < 20*time.Second; {
		time.Sleep(50 * time.Millisecond)
	}
	b.until("2 rows to fix")
	if typed, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.activeElement.value`)); err != nil || typed != "xGurney" || asked.Load() != 1 {
		t.Errorf("asked %d times, what is typed is %q, %v", asked.Load(), typed, err)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.select()`))
	b.keys("STR", kb.Enter)
	b.until("1 row to fix")
	goOn()
	b.until("Plan the booking")
	if asked.Load() != 1 {
		t.Error("it asks about what is saved")
	}
}
