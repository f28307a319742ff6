package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tripimport/importer"
	"tripimport/importer/app"
)

// TestBrowserByKeyboard goes from the private file to booked trips by the keyboard alone; what was fixed
// is there after a reload, and the lock ends it.
func TestBrowserByKeyboard(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.do(chromedp.Navigate("file://" + o.lastOpened(1)))
	b.until("Who is here?")
	b.picture("who")
	b.keys("Dana", kb.Enter)
	b.until("Drop tomorrow")
	if who := b.text(); !strings.Contains(who, "Dana") || strings.Contains(who, "Dana"+app.UserName()) {
		t.Errorf("who is here is not what was typed: %s", who)
	}
	b.picture("start")
	b.drop("schedule.csv", faultyRows(12))
	b.until("12 rows to fix")
	b.picture("faults")
	b.keys(kb.F8)
	if at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.activeElement.value`)); err != nil || at != "Gurney" {
		t.Errorf("F8 goes to %q, %v", at, err)
	}
	b.keys("STR")
	b.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(2))) // with Ctrl: all alike
	b.until("6 rows to fix")
	b.picture("faults-half")
	if at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.activeElement.dataset.key`)); err != nil || !strings.HasPrefix(at, "r5c19") {
		t.Errorf("the focus goes to %q, %v", at, err)
	}
	b.keys("x", kb.Escape)
	b.keys("12/2/2026", kb.Enter)
	b.until("5 rows to fix")
	b.do(chromedp.Reload())
	b.until("5 rows to fix")
	b.do(chromedp.Focus(`.groups input[name=is]`))
	b.keys("12/2/2026", kb.Enter)
	b.until("Every row is good")
	b.picture("faults-none")
	b.keys(kb.Enter) // the focus is on the way on
	b.until("Plan the booking")
	b.do(chromedp.Focus(`button[value=book]`))
	b.keys(" ")
	b.until("Book 15 trips for Wed Dec 2, 2026")
	b.picture("plan")
	b.do(chromedp.Focus(`button.go`))
	o.delay = 2 * time.Second // the page asks each second how far it is
	b.keys(" ")
	b.until("rows, ")
	b.until("All 15 trips are booked")
	b.picture("booked")
	if n := o.inserts.Load(); n != 15 {
		t.Errorf("%d trips were sent", n)
	}
	b.do(chromedp.Click(`form[action="/lock"] button`))
	b.until("nothing is lost")
	b.do(chromedp.NavigateBack())
	time.Sleep(300 * time.Millisecond)
	if text := b.text(); strings.Contains(text, "booked") || strings.Contains(text, "schedule.csv") {
		t.Errorf("after the lock, back shows %s", text)
	}
}

// TestBrowserWithoutScript does the same with the script switched off.
func TestBrowserWithoutScript(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	b.do(chromedp.Reload())
	path := filepath.Join(t.TempDir(), "schedule.csv")
	o.must(os.WriteFile(path, []byte(header+good+faulty), 0o600))
	b.do(chromedp.SetUploadFiles(`input[name=file]`, []string{path}), chromedp.SendKeys(`input[name=saved]`, "11202026\t0202PM"), chromedp.Click(`.drop button`))
	b.until("1 row to fix")
	if strings.Contains(b.text(), "Keys:") {
		t.Error("it tells of keys that do nothing here")
	}
	b.do(chromedp.SetValue(`input.fault`, "STR"), chromedp.Click(`td form button`))
	b.until("Every row is good")
	b.do(chromedp.Click(`main a.button`))
	b.until("Plan the booking")
	b.do(chromedp.Click(`button[value=book]`))
	b.until("Book 4 trips")
	o.delay = time.Second
	b.book()
	b.until("It goes on: see above. Load this screen again to see how far it is.")
	o.delay = 0
	for range 600 {
		if strings.Contains(b.text(), "All 4 trips are booked") {
			break
		}
		time.Sleep(50 * time.Millisecond)
		_ = chromedp.Do(b.ctx, chromedp.Reload()) // it may be between two screens; the next one will do
	}
	b.until("All 4 trips are booked")
}

// TestBrowserEnter presses Enter where nothing may happen by it: nothing is booked by an answer to a
// question, and nothing answered by a GUID; and where it takes what was typed.
func TestBrowserEnter(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("schedule.csv", header+good)
	b.do(chromedp.Click(`main a.button`))
	b.until("Plan the booking")
	b.do(chromedp.Click(`button[value=book]`))
	b.until("Book 3 trips")
	b.book()
	b.until("All 3 trips are booked")
	b.drop2("schedule.csv", strings.NewReplacer("T-2,R-2,", "T-2,R-9,", "8:30 AM", "8:50 AM").Replace(header+good)+strings.Replace(faulty, "Gurney", strings.Repeat("Gurney", 90), 1))
	b.do(chromedp.Click(`main a.button`))
	b.until("Plan the booking")
	b.do(chromedp.Click(`button[value=book]`))
	b.until("send what changed?")
	b.do(chromedp.Click(`input[value=no]`), chromedp.Focus(`input[value=no]`))
	b.keys(kb.Enter)
	time.Sleep(300 * time.Millisecond)
	if text := b.text(); !strings.Contains(text, "send what changed?") || !strings.Contains(text, "Choose a button.") {
		t.Errorf("Enter began a run: %s", text)
	}
	b.book()
	b.until("Open the workbook")
	b.do(chromedp.Click(`nav a[href="/morning"]`))
	b.until("T-2-A outbound")
	b.do(chromedp.Focus(`input[name=guid]`))
	b.keys("0f0f0f0f-0000-4000-8000-000000000001", kb.Enter)
	time.Sleep(300 * time.Millisecond)
	if text := b.text(); strings.Contains(text, "Answered here") || !strings.Contains(text, "Choose a button.") {
		t.Errorf("Enter answered: %s", text)
	}
}

// TestBrowserEnterAnswers types the answer to a question, and presses Enter: it is what was typed, and not
// the first of the choices.
func TestBrowserEnterAnswers(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("odd.csv", strings.NewReplacer("Trip ID", "Reservation", "Space Type", "Vehicle", "Patient Name", "Name", "Rider ID", "Member", ",Provider,Funding Source", "", ",Lakeshore Transit,Harborview Health", "").Replace(header+good))
	b.do(chromedp.Click(`main a.button`))
	b.until("questions open")
	answered := 0
	for !strings.Contains(b.text(), "which transportation provider") {
		b.press(`.question button[value]`)
		answered++
		b.until(fmt.Sprintf("%d answered", answered))
	}
	b.do(chromedp.Focus(`.question input[name=typed]`))
	b.keys("Lakeshore Transit", kb.Enter)
	b.until(fmt.Sprintf("%d answered", answered+1))
	answers, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.querySelector("details ol").textContent`))
	if err != nil || !strings.Contains(answers, "Lakeshore Transit") {
		t.Errorf("Enter took another answer: %s, %v", answers, err)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	time.Sleep(600 * time.Millisecond) // no second one of the screen before
	b.keys(kb.Backspace)
	b.until(fmt.Sprintf("%d answered", answered))
}

// TestBrowserSeesAnswers has the list on the screen while somebody answers at another computer: the answer
// is seen without anybody doing anything. TRIPIMPORT_LONG=1 waits until the page asks by itself.
func TestBrowserSeesAnswers(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	ctx := context.Background()
	other := app.NewJobs(o.environment(), nil)
	for _, rows := range []string{good, strings.ReplaceAll(good, "T-2,R-2,", "T-2,R-9,")} {
		w, err := other.Arrive(ctx, "schedule.csv", time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC), strings.NewReader(header+rows))
		o.must(err)
		p, _, err := other.Plan(ctx, w.ID, false, "Sam")
		o.must(err)
		_, _ = other.Run(ctx, w.ID, "Sam", app.Options{Plan: p.ID}, app.Silent{}) // what it leaves open is looked at below
	}
	b.do(chromedp.Click(`nav a[href="/morning"]`))
	b.until("T-2-A outbound")
	m, err := other.Open(ctx)
	o.must(err)
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".item")].at(-1).focus()`))
	began := time.Now()
	item := &m.Listed[0]
	note, err := other.Answer(ctx, app.OpenID(item), app.SawOf(item), importer.LeaveIt, "", "Sam")
	if err != nil || note != "" {
		t.Fatalf("%q, %v", note, err)
	}
	if os.Getenv("TRIPIMPORT_LONG") == "" { // do not wait for the next time that the page asks by itself
		b.do(chromedp.Evaluate[chromedp.Void](`document.dispatchEvent(new Event("visibilitychange"))`))
	}
	for strings.Contains(b.text(), item.Trip.ListedID()+" "+item.Trip.Leg.String()) {
		if time.Since(began) > time.Minute {
			t.Fatal("the answer of somebody else is never seen")
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Logf("seen after %v", time.Since(began).Round(100*time.Millisecond))
	at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`{ document.activeElement.mark = "the same"; document.activeElement.ariaLabel }`))
	last := &m.Listed[len(m.Listed)-1]
	if want := last.Trip.ListedID() + " " + last.Trip.Leg.String(); err != nil || at != want {
		t.Errorf("the focus goes from %q to %q, %v", want, at, err)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.dispatchEvent(new Event("visibilitychange"))`))
	time.Sleep(time.Second)
	if at, err = chromedp.Run(b.ctx, chromedp.Evaluate[string](`String(document.activeElement.mark)`)); err != nil || at != "the same" {
		t.Errorf("nothing is new, and the list is drawn again: %q, %v", at, err)
	}
}

// TestBrowserSaysThatItWaits saves a cell while the program is busy: the page says that it is not saved yet, and takes that back.
func TestBrowserSaysThatItWaits(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("schedule.csv", header+good+faulty)
	b.do(chromedp.Evaluate[chromedp.Void](`{ const now = fetch; window.fetch = async (...a) => { await new Promise((go) => setTimeout(go, 4000)); return now(...a); } }`))
	b.do(chromedp.SetValue(`input.fault`, "STR"), chromedp.Focus(`input.fault`))
	b.keys("\r")
	b.until("One moment: it is not saved yet.")
	b.until("Every row is good")
	if strings.Contains(b.text(), "One moment") {
		t.Error("it says so still")
	}
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return err
	}))
	if at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`getComputedStyle(main, "::before").content`)); err != nil || !strings.Contains(at, "As of ") || len(at) < 20 {
		t.Errorf("a printed screen is of %q, %v", at, err)
	}
}

// violations returns what axe finds on the screen.
func (b *browser) violations(axe string) []string {
	b.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](axe + ";undefined"))
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`axe.run().then(r => JSON.stringify(r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html).slice(0, 3).join(" "))))`, chromedp.EvalAwaitPromise))
	b.must(err)
	var found []string
	b.must(json.Unmarshal([]byte(text), &found))
	return found
}

// TestBrowserAccessible looks at every screen with axe, light at 100 % and dark at 200 %; TRIPIMPORT_LONG=1
// at both in both.
func TestBrowserAccessible(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile(filepath.Join("testdata", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("schedule.csv", faultyRows(4))
	at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.pathname.replace("/faults", "")`))
	o.must(err)
	b.drop2("schedule.csv", header+good)
	b.do(chromedp.Click(`main a.button`))
	b.until("Plan the booking")
	b.do(chromedp.Click(`button[value=book]`))
	b.until("Book 3 trips")
	b.book()
	b.until("All 3 trips are booked")
	booked, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.pathname`))
	o.must(err)
	b.drop2("schedule.csv", strings.NewReplacer("T-2,R-2,", "T-2,R-9,", "8:30 AM", "8:50 AM").Replace(header+good))
	b.do(chromedp.Click(`main a.button`))
	b.until("Plan the booking")
	b.do(chromedp.Click(`button[value=book]`))
	b.until("send what changed?")
	asks, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.pathname`))
	o.must(err)
	b.do(chromedp.Click(`input[value=no]`))
	b.book()
	b.until("Open the workbook") // a rider is to be changed by hand
	b.do(chromedp.Click(`button[value=book]`))
	b.until("send what changed?")
	b.drop2("odd.csv", strings.NewReplacer("Trip ID", "Reservation", "Space Type", "Vehicle", "Patient Name", "Name", "Rider ID", "Member").Replace(header+good))
	b.until("Say what its columns are")
	b.do(chromedp.Click(`main a.button`))
	b.until("What the columns of")
	columns, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.pathname`))
	o.must(err)
	paths := map[string]string{"start": "/", "faults": at + "/faults", "rows": at + "/rows?row=4", "booked": booked, "asks": asks, "columns": columns, "morning": "/morning", "runs": "/runs", "problem": "/w/x/faults"}
	fits := func(name, path string, at any) {
		t.Helper()
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.assign(%q)`, path)))
		b.untilAt(path)
		wide, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`document.documentElement.scrollWidth > document.documentElement.clientWidth`))
		if o.must(err); wide {
			t.Errorf("%s at %v is wider than the window", name, at)
		}
	}
	b.do(chromedp.EmulateViewport(400, 800))
	for name, path := range paths {
		fits(name, path, "400 pixels")
		b.picture("narrow-" + name)
	}
	for _, scheme := range []string{"light", "dark"} {
		for _, scale := range []int64{1, 2} {
			if os.Getenv("TRIPIMPORT_LONG") == "" && (scheme == "dark") != (scale == 2) {
				continue
			}
			b.do(chromedp.EmulateViewport(1200/scale, 900/scale, chromedp.EmulateScale(float64(scale))), chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
				_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
				return err
			}))
			for name, path := range paths {
				fits(name, path, fmt.Sprint(scale, "00 %"))
				for _, found := range b.violations(string(axe)) {
					t.Errorf("%s, %s at %d00 %%: %s", name, scheme, scale, found)
				}
				b.picture(fmt.Sprintf("axe-%s-%s-%d", name, scheme, scale))
			}
		}
	}
}
