package serve_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowserKeepsLines fixes a cell of several lines: its lines stay apart.
func TestBrowserKeepsLines(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("schedule.csv", header+good+strings.Replace(faulty, "Gurney", "\"Gur\nney\"", 1))
	b.until("1 row to fix")
	b.keys(kb.F8)
	if at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.activeElement.value`)); err != nil || at != "Gur\nney" {
		t.Errorf("the fault says %q, %v", at, err)
	}
	b.keys(kb.End, "j", kb.Enter, "k", kb.Tab, kb.Enter)
	b.until("Fixed here: 1 cell")
	works, err := o.jobs.Works(t.Context())
	o.must(err)
	if len(works) != 1 || len(works[0].Fixes) != 1 || !strings.Contains(works[0].Fixes[0].Is, "\n") {
		t.Errorf("it is %+v", works)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".fault").select()`))
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
	b.until("Is T-7 really not there")
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
	if typed, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.activeElement.value`)); err != nil || typed != "x" || asked.Load() != 1 {
		t.Errorf("asked %d times, what is typed is %q, %v", asked.Load(), typed, err)
	}
	lock := func(dialogs int32) {
		b.do(chromedp.Evaluate[chromedp.Void](`setTimeout(() => document.querySelector("form[action='/lock'] button").click(), 0)`))
		for began := time.Now(); asked.Load() < dialogs && time.Since(began) < 20*time.Second; {
			time.Sleep(50 * time.Millisecond)
		}
	}
	lock(2)
	lock(3) // who stayed may click again
	b.until("2 rows to fix")
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.select()`))
	b.keys("STR")
	b.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(2))) // with Ctrl: one that has no other alike
	b.until("1 row to fix")
	goOn()
	b.until("Plan the booking")
	if asked.Load() != 3 {
		t.Errorf("it asks %d times, not 3: about what is saved, or not about what is left", asked.Load())
	}
}
