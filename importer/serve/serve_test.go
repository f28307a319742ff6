package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"tripimport/importer/app"
)

// TestFromDropToBooked brings a schedule, fixes it, rehearses and books it, and opens its workbook.
func TestFromDropToBooked(t *testing.T) {
	o := newOffice(t)
	o.config.Nights = func(context.Context) []string { return []string{"next: Tue Dec 1 21:30, import for Wed Dec 2"} }
	o.start()
	v := o.enter(1)
	v.mustSay(v.get("/"), 200, "Drop tomorrow", "Dana", "Nothing to do before the next pickup", "next: Tue Dec 1 21:30")
	id := v.arrive("schedule.csv", header+good+faulty+strings.ReplaceAll(strings.ReplaceAll(faulty, "T-3,R-3", "T-4,R-4"), "2:00 PM", "4:00 PM"))
	v.mustSay(v.get("/"), 200, "schedule.csv", "Not checked yet")
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "2 rows to fix", "2 cells", "F4 <bdi>Space Type", "Gurney", "Cy Tarn", "Fri Nov 20")
	v.plan(id, "book")
	v.mustSay(v.get("/w/"+id+"/book"), 200, "5 new (of which 2 wait to be fixed or answered)", "Book 3 trips for Wed Dec 2, 2026")
	if r := v.get("/w/" + id + "/faults?page=9"); r.status != http.StatusSeeOther || r.location != "/w/"+id+"/faults?page=1" {
		t.Errorf("a page that is not there: %d %s", r.status, r.location)
	}
	v.mustSay(v.get("/"), 200, "Trips: 5 on Wed Dec 2, 2026", "2 rows to fix")
	if r := v.post("/w/"+id+"/fix", fixOf(4, spaceType, "Gurney", "STR")); r.status != http.StatusSeeOther {
		t.Fatalf("fixing: %d %s", r.status, r.text)
	}
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "1 row to fix", "was <q>Gurney</q>, is <q>STR</q>")
	v.mustSay(v.post("/w/"+id+"/fix", fixOf(4, spaceType, "Gurney", "WCH")), 409, "changed in another window", "<q>WCH</q>")
	v.post("/w/"+id+"/fix", fixOf(5, spaceType, "Gurney", "STR"))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "Every row is good")

	form := v.plan(id, "rehearse")
	v.mustSay(v.get("/w/"+id+"/book"), 200, "Rehearse 5 trips for Wed Dec 2, 2026", "Nothing is really booked")
	v.post("/w/"+id+"/run", form)
	v.untilEnded()
	v.mustSay(v.get("/w/"+id+"/book"), 200, "rehears", "Open the workbook")
	if n := o.inserts.Load(); n != 0 {
		t.Fatalf("the rehearsal sent %d trips", n)
	}

	form = v.plan(id, "book")
	v.mustSay(v.get("/w/"+id+"/book"), 200, "Book 5 trips for Wed Dec 2, 2026")
	v.post("/w/"+id+"/run", form)
	v.untilEnded()
	v.mustSay(v.get("/w/"+id+"/book"), 200, "5", "Open the workbook")
	if n := o.inserts.Load(); n != 5 {
		t.Fatalf("%d trips were sent, not 5", n)
	}
	v.mustSay(v.get("/"), 200, "All 5 trips are booked")
	v.mustSay(v.post("/w/"+id+"/run", form), 409, "nothing was sent") // the plan was used

	runs := v.get("/runs")
	v.mustSay(runs, 200, "schedule.csv", "Dana", "control total balances")
	run := regexp.MustCompile(`/runs/([^/"]+)/workbook`).FindStringSubmatch(runs.text)[1]
	v.post("/runs/"+run+"/workbook", nil)
	if path := o.lastOpened(2); filepath.Ext(path) != ".xlsx" || !strings.HasPrefix(path, o.home) {
		t.Errorf("the workbook that was shown: %s", path)
	}
	v.mustSay(v.get("/"), 200, "schedule.csv", "Trips: 5 on Wed Dec 2, 2026; no row to fix")
}

// TestPlanAndAnswers changes a booked trip: the plan asks, and nothing is sent before each question has
// an answer. What is left for a person is answered on the morning's screen.
func TestPlanAndAnswers(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	v.runs(header+good, "book")
	id := v.arrive("schedule.csv", header+strings.ReplaceAll(good, "T-1,R-1,", "T-1,R-9,"))
	form := v.plan(id, "book")
	sent := o.inserts.Load()
	entered := url.Values{"enter": {"yes"}}
	for name := range form {
		entered[name] = form[name]
	}
	if r := v.post("/w/"+id+"/run", entered); r.status != http.StatusSeeOther || strings.Contains(v.get("/state").text, "data-going") {
		t.Errorf("Enter in a field: %d %s", r.status, r.text)
	}
	invented := url.Values{"plan": form["plan"], "ask-00": {"yes"}}
	v.mustSay(v.post("/w/"+id+"/run", invented), 422, "nothing was sent")
	v.post("/w/"+id+"/run", form)
	v.untilEnded()
	if n := o.inserts.Load() - sent; n != 0 {
		t.Errorf("%d trips were sent again", n)
	}

	morning := v.get("/morning")
	v.mustSay(morning, 200, "1 trip", "done by hand", "leave it")
	answer := v.answerTo(morning, "", "leave it")
	v.mustSay(v.post("/morning/answer", v.answerTo(morning, "", "perhaps")), 422, "nothing was recorded")
	v.mustSay(v.post("/morning/answer", v.answerTo(morning, "", "not there")), 200, "really not there")
	withGUID := v.answerTo(morning, "", "leave it")
	withGUID.Set("guid", "0f0e0d0c-1111-4222-8333-444455556666")
	v.mustSay(v.post("/morning/answer", withGUID), 422, "take the GUID out", "You typed: <q>0f0e0d0c")
	if r := v.post("/morning/answer", answer); r.status != http.StatusSeeOther {
		t.Errorf("the answer: %d %s", r.status, r.text)
	}
	v.mustSay(v.post("/morning/answer", answer), 409, "Dana has answered `leave it` meanwhile", "was not recorded")
	morning = v.get("/morning")
	v.mustSay(morning, 200, "0 trips", "Answered here", "Dana answered <strong>leave it</strong>")
	if r := v.post("/morning/answer", v.answerTo(morning, "", "done by hand")); r.status != http.StatusSeeOther {
		t.Errorf("the newer answer: %d %s", r.status, r.text)
	}
	v.mustSay(v.get("/morning"), 200, "Dana answered <strong>done by hand</strong>")
}

// TestReturnAfterAnAnswer loses the answer about an outbound trip, and finds it in the service: the next run of
// its schedule books the return, which waited for it.
func TestReturnAfterAnAnswer(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.lost = "R-2"
	id := v.runs(header+good, "book")
	o.lost = ""
	there := v.answerTo(v.get("/morning"), "", "there")
	there.Set("guid", "0f0e0d0c-1111-4222-8333-444455556666")
	v.post("/morning/answer", there)
	v.mustSay(v.get("/morning"), 200, "the leg before it is not booked")
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 3 {
		t.Errorf("%d trips were sent, not 3: %s", n, plainText(v.get("/w/"+id+"/book").text))
	}
}

// TestTakesLeaveItBack answers `leave it` about a trip that the service refused, by a slip, and takes that back: the next run
// sends the trip. Later answers about the refusal change nothing.
func TestTakesLeaveItBack(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	o.refused = "R-3"
	id := v.runs(header+good+strings.Replace(faulty, "Gurney", "STR", 1), "book")
	answer := func(word string) reply {
		t.Helper()
		return v.post("/morning/answer", v.answerTo(v.get("/morning"), "refused by the service", word))
	}
	v.mustSay(answer("book"), 422, "does not fit")
	answer("leave it")
	v.mustSay(v.get("/morning"), 200, "in the course of the day: 0 trips", "Dana answered <strong>leave it", `value="book"`)
	if r := answer("book"); r.status != http.StatusSeeOther {
		t.Fatalf("%d %s", r.status, plainText(r.text))
	}
	o.refused = ""
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 5 {
		t.Errorf("%d trips were sent, not 4 and one twice: %s", n, plainText(v.get("/w/"+id+"/book").text))
	}
	v.mustSay(answer("booked by hand"), 422, "it was sent since")
}

// runs brings a schedule and runs it.
func (v *visitor) runs(schedule, kind string) (id string) {
	v.Helper()
	id = v.arrive("schedule.csv", schedule)
	v.post("/w/"+id+"/run", v.plan(id, kind))
	v.untilEnded()
	return id
}

// TestNewLayout answers the questions about a layout that nobody has mapped, approves the mapping, and
// books the schedule with it.
func TestNewLayout(t *testing.T) {
	o := newOffice(t)
	o.mustApprove()
	o.start()
	v := o.enter(1)
	renamed := strings.NewReplacer("Trip ID", "Reservation", "Rider ID", "Member Number", "Patient Name", "Member Name", "Provider,Funding Source,", "", "Space Type", "Vehicle",
		"Will Call,Round Trip,Return Time", "Notes", "Appointment Time", "Appt").Replace(header)
	var rows strings.Builder
	for i := range 12 {
		fmt.Fprintf(&rows, "B-%d,M-%d,Ada Quill,%s,%d Alder Ct,Westfield,MI,48111,42.301,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,12/%d/2026,8:%02d AM,9:45 AM,\n", 100+i, 500+i, []string{"AMB", "WCH"}[i%2], 12+i, 14+i%3, 10+i)
	}
	id := v.arrive("lakeshore 12-14.csv", renamed+rows.String())
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "Say what its columns are")
	question := regexp.MustCompile(`<form class="question"[^>]*>\s*<input type="hidden" name="ask" value="([^"]*)"`)
	choice := regexp.MustCompile(`name="choice" value="([^"]*)"`)
	for range 20 {
		screen := v.get("/w/" + id + "/columns")
		ask := question.FindStringSubmatch(screen.text)
		if ask == nil {
			break
		}
		form := url.Values{"ask": {unescaped(ask[1])}}
		choices := choice.FindAllStringSubmatch(screen.text, -1)
		switch {
		case strings.Contains(ask[1], "provider"):
			form.Set("typed", "Lakeshore Transit")
		case strings.Contains(ask[1], "pays"), strings.Contains(ask[1], "payer"), strings.Contains(ask[1], "funding"):
			form.Set("typed", "Harborview Health")
		case len(choices) > 0:
			form.Set("choice", unescaped(choices[0][1]))
		default:
			form.Set("typed", "none")
		}
		if r := v.post("/w/"+id+"/columns", form); r.status != http.StatusSeeOther {
			t.Fatalf("%s: %v: %d %s", ask[1], form, r.status, r.text)
		}
	}
	screen := v.get("/w/" + id + "/columns")
	v.mustSay(screen, 200, "exactly as in the file", "12 Alder Ct", "08:10", "Member Number", "which column is the pickup city?")

	// A sure guess is changed, and changed back.
	change := url.Values{"ask": {"which column is the pickup city?"}, "typed": {"Pickup State"}}
	v.mustSay(v.post("/w/"+id+"/columns", url.Values{"ask": change["ask"], "typed": {"No Such Column"}}), 422, "not one of the answers")
	if r := v.post("/w/"+id+"/columns", change); r.status != http.StatusSeeOther {
		t.Fatalf("changing a guess: %d %s", r.status, r.text)
	}
	screen = v.get("/w/" + id + "/columns")
	v.mustSay(screen, 200, "12 Alder Ct, MI, MI 48111")
	n, err := strconv.Atoi(regexp.MustCompile(`name="answers" value="(\d+)"`).FindStringSubmatch(screen.text)[1])
	o.must(err)
	v.mustSay(v.post("/w/"+id+"/back", url.Values{"answers": {strconv.Itoa(n - 1)}}), 422, "changed in another window")
	v.post("/w/"+id+"/back", url.Values{"answers": {strconv.Itoa(n)}})
	screen = v.get("/w/" + id + "/columns")
	v.mustSay(screen, 200, "12 Alder Ct, Westfield, MI 48111")
	approval := url.Values{}
	approval.Set("seen", regexp.MustCompile(`name="seen" value="([^"]+)"`).FindStringSubmatch(screen.text)[1])
	for _, found := range regexp.MustCompile(`name="unused" value="([^"]*)"`).FindAllStringSubmatch(screen.text, -1) {
		approval.Add("unused", unescaped(found[1]))
	}
	stale := url.Values{"seen": {"0"}}
	v.mustSay(v.post("/w/"+id+"/approve", stale), 422, "changed in another window")
	if r := v.post("/w/"+id+"/approve", approval); r.status != http.StatusSeeOther {
		t.Fatalf("approving: %d %s", r.status, r.text)
	}
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "Every row is good")
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 12 {
		t.Errorf("%d trips were sent, not 12: %s", n, v.get("/w/"+id+"/book").text)
	}
}

// TestMappingInUse approves the mapping that a schedule is read with at the page, and again once the mapping
// says something else. The plain workbook needs no approval.
func TestMappingInUse(t *testing.T) {
	o := newOffice(t)
	o.mustApprove()
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good)
	if text := v.get("/w/" + id + "/columns").text; strings.Contains(text, "Until somebody does") {
		t.Errorf("the plain workbook has to be approved: %s", text)
	}
	plain, err := os.ReadFile("../../templates/plain.yaml")
	o.must(err)
	own := filepath.Join(o.home, "own.yaml")
	ours := strings.Replace(string(plain), "Stretcher: STR}", "Stretcher: STR, Gurney: STR}", 1)
	o.must(os.WriteFile(own, []byte(ours), 0o600))

	v.mustSay(v.get("/w/"+id+"/faults"), 200, "Every row is good")
	v.post("/w/"+id+"/run", v.plan(id, "rehearse"))
	v.untilEnded()
	books := func(trips int32, say string) {
		t.Helper()
		v.mustSay(v.post("/w/"+id+"/plan", url.Values{"kind": {"book"}}), 422, "Look at its trips")
		screen := v.get("/w/" + id + "/columns")
		v.mustSay(screen, 200, say, "Until somebody does", "12 Alder Ct", "Compare the trips above")
		v.mustSay(v.post("/w/"+id+"/approve", url.Values{"seen": {"0"}}), 422, "changed in another window")
		seen := regexp.MustCompile(`name="seen" value="([^"]+)"`).FindStringSubmatch(screen.text)[1]
		if r := v.post("/w/"+id+"/approve", url.Values{"seen": {seen}}); r.status != http.StatusSeeOther {
			t.Fatalf("approving: %d %s", r.status, r.text)
		}
		v.post("/w/"+id+"/run", v.plan(id, "book"))
		v.untilEnded()
		if n := o.inserts.Load(); n != trips {
			t.Errorf("%d trips were sent, not %d: %s", n, trips, v.get("/w/"+id+"/book").text)
		}
	}
	books(3, "which nobody has approved")

	o.must(os.WriteFile(own, []byte("# a comment\n"+ours), 0o600))
	id = v.arrive("later.csv", header+strings.ReplaceAll(strings.ReplaceAll(good, "T-", "U-"), "R-", "Q-"))
	if r := v.post("/w/"+id+"/plan", url.Values{"kind": {"book"}}); r.status != http.StatusSeeOther {
		t.Errorf("a comment is a change: %s", r.text)
	}
	o.must(os.WriteFile(own, []byte(strings.Replace(ours, "Gurney: STR", "Gurney: WCH", 1)), 0o600))
	books(6, "which was changed since")
}

func unescaped(text string) string {
	return strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">", "&#43;", "+", "&amp;", "&").Replace(text)
}

// TestBroughtAgain brings a schedule again that was fixed before: the fixes are offered where the cell
// still says the same, and nowhere else.
func TestBroughtAgain(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	other := strings.ReplaceAll(faulty, "T-3,R-3", "T-4,R-4")
	id := v.arrive("schedule.csv", header+good+faulty+other)
	for row := 4; row <= 5; row++ {
		v.post("/w/"+id+"/fix", fixOf(row, spaceType, "Gurney", "STR"))
	}
	time.Sleep(time.Second) // the ids tell the order by the second
	id = v.arrive("schedule.csv", header+good+faulty+strings.Replace(other, "Gurney", "Palanquin", 1))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "2 rows to fix", "1 cell of it was fixed")
	v.post("/w/"+id+"/again", nil)
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "1 row to fix", "Palanquin", "was <q>Gurney</q>, is <q>STR</q>")
	if text := v.get("/w/" + id + "/faults").text; strings.Contains(text, "brought before") {
		t.Errorf("it is offered again: %s", text)
	}
	if text := v.get("/w/" + v.arrive("other.csv", header+good+faulty) + "/faults").text; strings.Contains(text, "brought before") {
		t.Errorf("it is offered for another file: %s", text)
	}
}

// TestBroughtOfAnotherDay brings the next day's schedule under the same name: the row with the same number, in which the same
// is missing, is another passenger's, and no fix is offered.
func TestBroughtOfAnotherDay(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	schedule := header + good + strings.NewReplacer("Gurney", "STR", "R-3", "").Replace(faulty)
	id := v.arrive("schedule.csv", schedule)
	v.post("/w/"+id+"/fix", fixOf(4, 2, "", "R-3"))
	time.Sleep(time.Second) // the ids tell the order by the second
	id = v.arrive("schedule.csv", strings.NewReplacer("12/2/2026", "12/3/2026", "T-", "U-", "Cy Tarn", "Di Voss").Replace(schedule))
	v.post("/w/"+id+"/again", nil)
	screen := v.get("/w/" + id + "/faults")
	v.mustSay(screen, 200, "1 row to fix", "Di Voss")
	v.mustNotSay(screen, "brought before", "R-3")
}

// TestAddressesWithoutPlaces checks and books a schedule with an address of which nobody knows the
// coordinates: the list to fill in is with the results, and the schedule is still there.
func TestAddressesWithoutPlaces(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good+strings.Replace(strings.Replace(faulty, "Gurney", "STR", 1), "42.309,-83.409", ",", 1))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "1 row to fix")
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	v.mustSay(v.get("/w/"+id+"/book"), 200, "without coordinates", "schedule.csv.places.csv")
	if text := v.get("/w/" + id + "/book").text; strings.Contains(text, o.home) {
		t.Errorf("it shows a whole path: %s", text)
	}
	if _, err := os.Stat(filepath.Join(o.home, "results", "schedule.csv.places.csv")); err != nil {
		t.Error(err)
	}
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "1 row to fix")
}

// TestMeetsAnotherRun plans while another program holds the ledger: the page says so, and shows what can be
// shown.
func TestMeetsAnotherRun(t *testing.T) {
	o := newOffice(t)
	o.delay = 30 * time.Millisecond
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good+faulty)
	night := app.NewJobs(o.environment(), nil)
	w, err := night.Arrive(context.Background(), "night.csv", time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC), strings.NewReader(manyRows(400)))
	o.must(err)
	p, _, err := night.Plan(context.Background(), w.ID, false, "night")
	o.must(err)
	ended := make(chan error, 1)
	go func() {
		_, err := night.Run(context.Background(), w.ID, "night", app.Options{Plan: p.ID}, app.Silent{})
		ended <- err
	}()
	for o.inserts.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	v.mustSay(v.post("/w/"+id+"/plan", url.Values{"kind": {"book"}}), 422, "night", "Plan it once that run has ended")
	wait := url.Values{"kind": {"book"}, "wait": {"yes"}}
	v.post("/w/"+id+"/plan", url.Values{"kind": {"rehearse"}}) // in another window
	v.mustSay(v.post("/w/"+id+"/plan?auto=1", wait), 422, "as soon as that run has ended", "data-again")
	v.mustSay(v.get("/w/"+id+"/book"), 200, "Rehearse 4 trips")
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "1 row to fix")
	v.mustSay(v.get("/morning"), 200, "To do")
	o.must(<-ended)
	if r := v.post("/w/"+id+"/plan?auto=1", wait); r.status != http.StatusSeeOther || !strings.HasSuffix(r.location, "/book?auto=1") {
		t.Errorf("the waiting page: %d %s", r.status, plainText(r.text))
	}
	v.mustSay(v.get("/w/"+id+"/book"), 200, "Book 3 trips")
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 360+3 {
		t.Errorf("%d trips were sent, not 363", n)
	}
}

// corrected returns the content of a workbook in which somebody wrote something else in the cells that say was.
func (o *office) corrected(path, was, is string) string {
	o.Helper()
	book, err := excelize.OpenFile(path)
	o.must(err)
	for _, sheet := range book.GetSheetList() {
		found, err := book.SearchSheet(sheet, was)
		o.must(err)
		for _, at := range found {
			o.must(book.SetCellStr(sheet, at, is))
		}
	}
	text, err := book.WriteToBuffer()
	o.must(err)
	o.must(book.Close())
	return text.String()
}

// TestResultsBroughtBack fixes a row in the workbook with the results of a run, and brings that: only the
// row that was not booked is sent. Another office's page refuses it.
func TestResultsBroughtBack(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.runs(header+good+faulty, "book")
	v.post("/w/"+id+"/results", nil)
	path := o.lastOpened(2)
	fixed := o.corrected(path, "Gurney", "STR")
	again := v.arrive(filepath.Base(path), fixed)
	v.mustSay(v.get("/w/"+again+"/faults"), 200, "No rule is broken in any row", "workbook with results")
	v.mustNotSay(v.get("/w/"+again+"/book"), "rehearsal")
	v.post("/w/"+again+"/run", v.plan(again, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 4 {
		t.Errorf("%d trips were sent, not 4: %s", n, plainText(v.get("/w/"+again+"/book").text))
	}
	v.post("/w/"+v.runs(header+good, "rehearse")+"/results", nil)
	path = o.lastOpened(3)
	text, err := os.ReadFile(path)
	o.must(err)
	v.mustSay(v.get("/w/"+v.arrive(filepath.Base(path), string(text))+"/book"), 200, "Plan a rehearsal")

	other := newOffice(t)
	other.start()
	v = other.enter(1)
	id = v.arrive(filepath.Base(path), fixed)
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "belongs to another ledger")
	v.mustSay(v.post("/w/"+id+"/plan", url.Values{"kind": {"book"}}), 422, "ledger")
	if n := other.inserts.Load(); n != 0 {
		t.Errorf("%d trips were sent", n)
	}
}

// TestNoSpreadsheet brings what is no spreadsheet, or a damaged one: each gets a sentence.
func TestNoSpreadsheet(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	whole, err := os.ReadFile(filepath.Join("..", "..", "testdata", "schedule.xlsx"))
	o.must(err)
	for name, text := range map[string]string{
		"empty.csv": "", "empty.xlsx": "", "half.xlsx": string(whole[:len(whole)/2]), "zeros.xlsx": strings.Repeat("\x00", 1000), "picture.xlsx": "\x89PNG\r\n\x1a\n" + strings.Repeat("x", 100),
		"letter.pdf": "%PDF-1.7 nothing", "program.exe": "MZ\x90\x00" + strings.Repeat("x", 100), "page.html": "<html><body>no table</body></html>", "prose.csv": "Dear Dana,\nthe schedule comes later.\n",
		"no name": "a,b\n1,2\n", "bomb.zip": "PK\x03\x04" + strings.Repeat("\xff", 1000),
	} {
		id := v.arrive(name, text)
		for _, r := range []reply{v.get("/w/" + id + "/faults"), v.post("/w/"+id+"/plan", url.Values{"kind": {"book"}}), v.get("/w/" + id + "/columns")} {
			said := plainText(r.text)
			if r.status >= 500 || !strings.Contains(r.text, `class="problem"`) && !strings.Contains(said, "What the columns of") || strings.Contains(said, "error in the program") || strings.Contains(said, o.home) {
				t.Errorf("%s: %d %s", name, r.status, said)
			}
		}
	}
}

// TestDamagedKept asks for a schedule again of which what was kept beside it is damaged.
func TestDamagedKept(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", "a,b\n1,2\n")
	o.must(os.WriteFile(filepath.Join(o.home, "works", id, "kept.json"), []byte("{"), 0o600))
	v.mustSay(v.get("/w/"+id+"/faults"), 422, "bring the schedule again")
}
