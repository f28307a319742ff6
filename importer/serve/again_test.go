package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// roundTrips are a schedule of n round trips.
func roundTrips(n int) string {
	var schedule strings.Builder
	schedule.WriteString(header)
	for i := range n {
		row := strings.ReplaceAll(strings.SplitAfter(good, "\n")[1], "T-2,R-2", fmt.Sprintf("T-%d,R-%d", i, i))
		schedule.WriteString(strings.Replace(row, "31 Fern St", fmt.Sprintf("%d Fern St", 100+i), 1))
	}
	return schedule.String()
}

// stopButton is what a click on the button sends that stops the run.
func (v *visitor) stopButton() url.Values {
	v.Helper()
	found := regexp.MustCompile(`<button(?: name="(how)" value="([^"]*)")?>Stop`).FindStringSubmatch(v.get("/state").text)
	if found == nil {
		v.Fatal("no button stops the run")
	}
	return url.Values{found[1]: {found[2]}}
}

// TestStoppedTwice clicks twice on the button that stops a run after the rows under way, or closes the page
// then: the returns under way are booked all the same. The other button stops at once.
func TestStoppedTwice(t *testing.T) {
	for _, second := range []string{"clicked twice", "closed", "at once"} {
		t.Run(second, func(t *testing.T) {
			o := newOffice(t)
			o.delay = 300 * time.Millisecond
			o.start()
			v := o.enter(1)
			id := v.arrive("schedule.csv", roundTrips(60))
			v.post("/w/"+id+"/run", v.plan(id, "book"))
			for o.inserts.Load() < 3 {
				time.Sleep(time.Millisecond)
			}
			stop := v.stopButton()
			v.post("/run/stop", stop)
			switch second {
			case "closed":
				v.post("/close", nil)
				err := <-o.ended
				o.ended <- err
			case "at once":
				stop = v.stopButton()
				fallthrough
			default:
				v.post("/run/stop", stop)
				v.untilEnded()
			}
			runs, err := o.jobs.Runs(context.Background())
			o.must(err)
			halves := runs[0].Totals.HalfBooked
			if !runs[0].Totals.Balanced() || second != "at once" && (halves > 0 || o.inserts.Load()%2 != 0) {
				t.Errorf("%d trips were sent, %d rows are half booked", o.inserts.Load(), halves)
			}
			if second == "at once" && halves == 0 && o.inserts.Load()%2 == 0 {
				t.Error("it did not stop at once")
			}
		})
	}
}

// TestCellsOfSeveralLines fixes cells that have several lines, and puts them back: forms send the ends of
// lines in their own way.
func TestCellsOfSeveralLines(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	for _, ends := range []string{"\n", "\r\n"} {
		id := v.arrive("schedule.csv", header+good+strings.Replace(faulty, "Gurney", `"Gurney`+ends+`wide"`, 1))
		for _, sent := range []string{"\n", "\r\n"} { // by the script, and without it
			if r := v.post("/w/"+id+"/fix", fixOf(4, spaceType, "Gurney"+sent+"wide", "STR")); r.status != http.StatusSeeOther {
				t.Errorf("%q, %q: %d %s", ends, sent, r.status, plainText(r.text))
			}
			v.mustSay(v.get("/w/"+id+"/faults"), 200, "Every row is good", "Put back")
			v.post("/w/"+id+"/fix", fixOf(4, spaceType, "STR", "Gurney"+sent+"wide"))
			if text := plainText(v.get("/w/" + id + "/faults").text); !strings.Contains(text, "1 row to fix") || strings.Contains(text, "Put back") {
				t.Errorf("%q, %q: it is not put back: %s", ends, sent, text)
			}
		}
	}
}

// TestGoesOnWhereItWas locks the page and opens it again: it goes on at the schedule at which it was.
func TestGoesOnWhereItWas(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good+faulty)
	look := func(path string) { v.do("GET", path, nil, map[string]string{"Sec-Fetch-Mode": "navigate"}) }
	look("/w/" + id + "/faults?page=1")
	look("/nothing")
	v.get("/runs") // by the page itself
	v.post("/lock", nil)
	d := serveAgain(o)
	v = &visitor{office: o, host: d.host}
	entered := v.do("POST", "/enter", url.Values{"ticket": {d.ticket}}, nil)
	v.cookie = entered.cookies[0].Name + "=" + entered.cookies[0].Value
	if at := entered.header.Get("Refresh"); at != "0; url=/w/"+id+"/faults" {
		t.Errorf("it goes on at %s", at)
	}
	v.mustSay(v.post("/who", url.Values{"who": {strings.Repeat("é", 61)}}), 422, "more than 60 letters")
	if r := v.post("/who", url.Values{"who": {strings.Repeat("é", 60)}}); r.location != "/w/"+id+"/faults" {
		t.Errorf("then at %s", r.location)
	}
	v.mustSay(v.get("/"), 200, strings.Repeat("é", 60))
}

// TestBrowserClickedTwice clicks every button twice, as many people do: what it says is done once, and nothing
// tells that it was not done.
func TestBrowserClickedTwice(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.delay = 100 * time.Millisecond
	o.start()
	b := o.newBrowser()
	twice := func(button, until string) {
		t.Helper()
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{ const at = document.querySelector(%q); at.click(); setTimeout(() => at.click(), 60); }`, button)))
		b.until(until)
		time.Sleep(300 * time.Millisecond)
		if text := b.text(); strings.Contains(text, "not done") {
			t.Errorf("%s: %s", button, text)
		}
	}
	b.do(chromedp.Navigate("file://" + b.lastOpened(1)))
	b.until("Who is here?")
	twice(`main button`, "Drop tomorrow")
	path := filepath.Join(b.TempDir(), "schedule.csv")
	b.must(os.WriteFile(path, []byte(header+good+faulty), 0o600))
	b.do(chromedp.SetUploadFiles(`input[name=file]`, []string{path}))
	twice(`.drop button`, "1 row to fix")
	if works, err := o.jobs.Works(context.Background()); err != nil || len(works) != 1 {
		t.Errorf("%d schedules were brought, %v", len(works), err)
	}
	b.do(chromedp.SetValue(`input.fault`, "STR"))
	twice(`td form button`, "Every row is good")
	b.do(chromedp.Click(`main a.button`))
	b.until("Plan the booking")
	twice(`button[value=book]`, "Book 4 trips")
	twice(`button.go`, "All 4 trips are booked")
	other := strings.ReplaceAll(good, "T-2,R-2,", "T-2,R-9,")
	b.must(os.WriteFile(path, []byte(header+other+strings.Replace(faulty, "Gurney", "STR", 1)), 0o600))
	b.do(chromedp.Click(`nav a[href="/"]`))
	b.until("Drop tomorrow")
	b.do(chromedp.SetUploadFiles(`input[name=file]`, []string{path}), chromedp.Click(`.drop button`))
	b.until("1 row waits for an answer")
	b.do(chromedp.Click(`main a.button`))
	b.until("Plan the booking")
	twice(`button[value=book]`, "Go on")
	twice(`button.go`, "Open the workbook")
	b.do(chromedp.Click(`nav a[href="/morning"]`))
	b.until("T-2-A outbound")
	twice(`button[value="leave it"]`, "answered leave it")
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		const click = `document.addEventListener("DOMContentLoaded", () => document.querySelector("button[name=answer]").dispatchEvent(new MouseEvent("click", { detail: 1, bubbles: true, cancelable: true })))`
		_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: click})
		return err
	}), chromedp.Reload())
	b.keys("z")
	if at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.activeElement.innerText`)); err != nil || !strings.Contains(at, "answered leave it") {
		t.Errorf("Z goes to %s, %v", at, err)
	}
	b.until("in the course of the day: 1 trip") // a click on the screen before answers nothing on this one
	time.Sleep(300 * time.Millisecond)
	b.until("in the course of the day: 1 trip")
	if n := o.inserts.Load(); n != 4 {
		t.Errorf("%d trips were sent, not 4", n)
	}
}

// TestBrowserClicksTwiceAtOnePlace clicks twice at one place, where something else stands after the first click, and holds a key:
// the next group of cells, question and trip get no answer.
func TestBrowserClicksTwiceAtOnePlace(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	twice := func(button string) {
		t.Helper()
		time.Sleep(600 * time.Millisecond)
		at, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]float64](fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + 8, r.y + 8]; })()`, button)))
		b.must(err)
		b.do(chromedp.MouseClickXY(at[0], at[1]))
		time.Sleep(250 * time.Millisecond)
		b.do(chromedp.MouseClickXY(at[0], at[1]))
		time.Sleep(300 * time.Millisecond)
	}
	rows := header
	for i, kind := range []string{"Gurney", "Gurney", "Litter", "Litter"} {
		rows += strings.NewReplacer("T-3,R-3", fmt.Sprintf("T-%d,R-%d", i, i), "Gurney", kind).Replace(faulty)
	}
	b.drop("schedule.csv", rows)
	b.until("The same in many rows")
	twice(`.groups button[value=AMB]`)
	if text := b.text(); !strings.Contains(text, "Fixed here: 2 cells") {
		t.Errorf("the second click fixed the next cells: %s", text)
	}
	b.drop2("odd.csv", strings.NewReplacer("Trip ID", "Reservation", "Space Type", "Vehicle", "Patient Name", "Name", "Rider ID", "Member", ",Provider,Funding Source", "", ",Lakeshore Transit,Harborview Health", "").Replace(header+good))
	b.do(chromedp.Click(`main a.button`))
	b.until("questions open")
	twice(`.question button[value]`)
	b.until("1 answered")
	o.atNight(header+good, savedAt)
	o.atNight(header+strings.NewReplacer("T-1,R-1,", "T-1,R-8,", "T-2,R-2,", "T-2,R-9,").Replace(good), savedAt.Add(time.Hour))
	b.do(chromedp.Click(`nav a[href="/morning"]`))
	b.until("in the course of the day: 3 trips")
	time.Sleep(600 * time.Millisecond)
	for _, repeats := range []string{"false", "true", "true", "false", "true"} { // held, and pressed twice
		b.do(chromedp.Evaluate[chromedp.Void](`{ const at = document.querySelector(".item"); at.focus(); at.dispatchEvent(new KeyboardEvent("keydown", { key: "2", repeat: ` + repeats + `, bubbles: true })); }`))
		time.Sleep(120 * time.Millisecond)
	}
	time.Sleep(600 * time.Millisecond)
	b.until("in the course of the day: 2 trips")
}

// TestBrowserTypesOn types while a run of another schedule ends: what was typed stays, and nothing is locked
// under it. A file that is dropped there is not opened.
func TestBrowserTypesOn(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.delay = 400 * time.Millisecond
	o.config.Lock = 8 * time.Second
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("one.csv", roundTrips(5))
	b.do(chromedp.Click(`main a.button`))
	b.until("Plan the booking")
	b.do(chromedp.Click(`button[value=book]`))
	b.until("Book 10 trips")
	b.book()
	b.until("It goes on")
	b.drop2("two.csv", header+good+faulty)
	b.until("1 row to fix")
	b.do(chromedp.Focus(`input.fault`))
	for began := time.Now(); time.Since(began) < 12*time.Second; time.Sleep(200 * time.Millisecond) {
		b.keys("x")
		b.do(chromedp.Evaluate[chromedp.Void](`document.dispatchEvent(new Event("visibilitychange"))`)) // it asks
	}
	if text := b.text(); strings.Contains(text, "Booking one.csv") || strings.Contains(text, "locked") {
		t.Errorf("it says %s", text)
	}
	typed, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.querySelector("input.fault").value`))
	if err != nil || !strings.Contains(typed, "xxxxxxxxxx") {
		t.Errorf("what was typed is %q, %v", typed, err)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`{ const files = new DataTransfer(); files.items.add(new File(["x"], "x.csv"));
		document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true })); }`))
	b.until("Drop it under Schedules")
}
