package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/app"
)

// A browser is a real one, with a profile of its own.
type browser struct {
	*office
	ctx     context.Context
	profile string
}

// newBrowser starts Chromium, or skips the test where there is none.
func (o *office) newBrowser() *browser {
	o.Helper()
	if testing.Short() {
		o.Skip("a browser takes too long for -short")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "msedge"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		o.Skip("no Chromium on this machine")
	}
	b := &browser{office: o, profile: o.TempDir()}
	options := append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...)
	options = append(options, chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(b.profile), chromedp.Flag("no-proxy-server", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	o.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	o.Cleanup(cancel)
	b.ctx, cancel = context.WithTimeout(ctx, 4*time.Minute)
	o.Cleanup(cancel)
	b.do(chromedp.EmulateViewport(1200, 900))
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.href + " " + document.body.innerText`))
		b.Fatalf("%v: the page says %s", err, text)
	}
}

func (b *browser) text() string {
	b.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.body.innerText`))
	b.must(err)
	return text
}

// until waits until the page says something.
func (b *browser) until(text string) {
	b.Helper()
	for range 2400 {
		now, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.readyState === "complete" ? document.body.innerText : ""`))
		if err == nil && strings.Contains(now, text) {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	b.Fatalf("it never says %q: %s", text, b.text())
}

// come enters the page through the last private file, and says who is there.
func (b *browser) come(n int) {
	b.Helper()
	b.do(chromedp.Navigate("file://" + b.lastOpened(n)))
	b.until("Who is here?")
	b.do(chromedp.SetValue(`input[name=who]`, "Dana"), chromedp.Click(`main button`))
	b.until("Drop tomorrow")
}

// drop chooses a schedule and brings it.
func (b *browser) drop(name, text string) {
	b.Helper()
	path := filepath.Join(b.TempDir(), name)
	b.must(os.WriteFile(path, []byte(text), 0o600))
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	b.must(os.Chtimes(path, at, at))
	b.do(chromedp.SetUploadFiles(`input[name=file]`, []string{path}), chromedp.Click(`.drop button`))
	b.until("Saved ")
}

// keys types keys.
func (b *browser) keys(keys ...string) {
	b.Helper()
	for _, k := range keys {
		b.do(chromedp.KeyEvent(k))
	}
}

// picture keeps a picture of the screen in the folder that TRIPIMPORT_PICTURES names.
func (b *browser) picture(name string) {
	b.Helper()
	folder := os.Getenv("TRIPIMPORT_PICTURES")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(90))
	b.must(err)
	b.must(os.WriteFile(filepath.Join(folder, name+".png"), png, 0o600))
}

// faultyRows are a schedule with n more faulty rows, of two kinds.
func faultyRows(n int) string {
	var all strings.Builder
	all.WriteString(header + good)
	for i := range n {
		row := strings.ReplaceAll(faulty, "T-3,R-3,Cy Tarn", fmt.Sprintf("T-%d,R-%d,Cy Tarn", 10+i, 10+i))
		if i%2 == 1 {
			row = strings.Replace(strings.Replace(row, "Gurney", "AMB", 1), "12/2/2026", "", 1)
		}
		all.WriteString(strings.Replace(row, "2:00 PM", fmt.Sprintf("%d:%02d PM", 1+i%10, i%60), 1))
	}
	return all.String()
}

// TestBrowserByKeyboard goes from the private file to booked trips by the keyboard alone; what was fixed
// is there after a reload, and the lock ends it.
func TestBrowserByKeyboard(t *testing.T) {
	o := newOffice(t)
	o.delay = 30 * time.Millisecond
	o.start()
	b := o.newBrowser()
	b.do(chromedp.Navigate("file://" + o.lastOpened(1)))
	b.until("Who is here?")
	b.picture("who")
	b.keys("\b\b\b\b\b\b\b\b", "Dana", kb.Enter)
	b.until("Drop tomorrow")
	b.picture("start")
	b.drop("schedule.csv", faultyRows(12))
	b.until("12 rows to fix")
	b.picture("faults")
	b.keys(kb.F8)
	if at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.activeElement.value`)); err != nil || at != "Gurney" {
		t.Errorf("F8 goes to %q, %v", at, err)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.select()`))
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
	b.do(chromedp.SetValue(`input.fault`, "STR"), chromedp.Click(`td form button`))
	b.until("Every row is good")
	b.do(chromedp.Click(`main a.button`))
	b.until("Plan the booking")
	b.do(chromedp.Click(`button[value=book]`))
	b.until("Book 4 trips")
	b.do(chromedp.Click(`button.go`))
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
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("schedule.csv", header+good)
	b.do(chromedp.Click(`main a.button`))
	b.until("Plan the booking")
	b.do(chromedp.Click(`button[value=book]`))
	b.until("Book 3 trips")
	b.do(chromedp.Click(`button.go`))
	b.until("All 3 trips are booked")
	b.drop2("schedule.csv", strings.NewReplacer("T-2,R-2,", "T-2,R-9,", "8:30 AM", "8:50 AM").Replace(header+good))
	b.do(chromedp.Click(`main a.button`))
	b.until("Plan the booking")
	b.do(chromedp.Click(`button[value=book]`))
	b.until("send what changed?")
	b.do(chromedp.Click(`input[value=no]`), chromedp.Focus(`input[value=no]`))
	b.keys(kb.Enter)
	time.Sleep(300 * time.Millisecond)
	if text := b.text(); !strings.Contains(text, "send what changed?") {
		t.Errorf("Enter began a run: %s", text)
	}
	b.do(chromedp.Click(`button.go`))
	b.until("Open the workbook")
	b.do(chromedp.Click(`nav a[href="/morning"]`))
	b.until("T-2-A outbound")
	b.do(chromedp.Focus(`input[name=guid]`))
	b.keys("0f0f0f0f-0000-4000-8000-000000000001", kb.Enter)
	time.Sleep(300 * time.Millisecond)
	if text := b.text(); strings.Contains(text, "Answered here") {
		t.Errorf("Enter answered: %s", text)
	}
}

// TestBrowserEnterAnswers types the answer to a question, and presses Enter: it is what was typed, and not
// the first of the choices.
func TestBrowserEnterAnswers(t *testing.T) {
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("odd.csv", strings.NewReplacer("Trip ID", "Reservation", "Space Type", "Vehicle", "Patient Name", "Name", "Rider ID", "Member", ",Provider,Funding Source", "", ",Lakeshore Transit,Harborview Health", "").Replace(header+good))
	b.do(chromedp.Click(`main a.button`))
	b.until("questions open")
	answered := 0
	for !strings.Contains(b.text(), "which transportation provider") {
		b.do(chromedp.Click(`.question button[value]`))
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
}

// TestBrowserSeesAnswers has the list on the screen while somebody answers at another computer: the answer
// is seen without anybody doing anything. TRIPIMPORT_LONG=1 waits until the page asks by itself.
func TestBrowserSeesAnswers(t *testing.T) {
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
		_, _ = other.Run(ctx, w.ID, app.RunOptions{Plan: p.ID, By: "Sam"}, app.Watch{}) // what it leaves open is looked at below
	}
	b.do(chromedp.Click(`nav a[href="/morning"]`))
	b.until("T-2-A outbound")
	m, err := other.Open(ctx)
	o.must(err)
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
	b.do(chromedp.Click(`button.go`))
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
	b.do(chromedp.Click(`input[value=no]`), chromedp.Click(`button.go`))
	b.until("Open the workbook") // a rider is to be changed by hand
	b.do(chromedp.Click(`button[value=book]`))
	b.until("send what changed?")
	b.drop2("odd.csv", strings.NewReplacer("Trip ID", "Reservation", "Space Type", "Vehicle", "Patient Name", "Name", "Rider ID", "Member").Replace(header+good))
	b.until("Say what its columns are")
	b.do(chromedp.Click(`main a.button`))
	b.until("What the columns of")
	columns, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.pathname`))
	o.must(err)
	for _, scheme := range []string{"light", "dark"} {
		for _, scale := range []int64{1, 2} {
			if os.Getenv("TRIPIMPORT_LONG") == "" && (scheme == "dark") != (scale == 2) {
				continue
			}
			b.do(chromedp.EmulateViewport(1200/scale, 900/scale, chromedp.EmulateScale(float64(scale))), chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
				_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
				return err
			}))
			for name, path := range map[string]string{"start": "/", "faults": at + "/faults", "row": at + "/faults?row=4", "booked": booked, "asks": asks, "columns": columns, "morning": "/morning", "runs": "/runs", "problem": "/w/x/faults"} {
				b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.assign(%q)`, path)))
				b.untilAt(path)
				for _, found := range b.violations(string(axe)) {
					t.Errorf("%s, %s at %d00 %%: %s", name, scheme, scale, found)
				}
				wide, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`document.documentElement.scrollWidth > document.documentElement.clientWidth`))
				if o.must(err); wide {
					t.Errorf("%s at %d00 %% is wider than the window", name, scale)
				}
				b.picture(fmt.Sprintf("axe-%s-%s-%d", name, scheme, scale))
			}
		}
	}
}

// drop2 brings another schedule.
func (b *browser) drop2(name, text string) {
	b.Helper()
	b.do(chromedp.Click(`nav a[href="/"]`))
	b.until("Drop tomorrow")
	b.drop(name, text)
}

// untilAt waits until a screen is there, whole.
func (b *browser) untilAt(path string) {
	b.Helper()
	for range 4000 {
		now, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.readyState + location.pathname + location.search`))
		if err == nil && now == "complete"+path {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.Fatalf("it is not at %s", path)
}

// TestBrowserKeepsItsCookie has a page of another port, of the same machine, take what it can: a cookie,
// a row by a frame, an image or a request, and a change by a form.
func TestBrowserKeepsItsCookie(t *testing.T) {
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("schedule.csv", header+good+faulty)
	address, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.href`))
	o.must(err)
	var mu sync.Mutex
	var cookies []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		cookies = append(cookies, r.Header.Get("Cookie"))
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>other</title><iframe src=%q></iframe><img src=%[1]q>
<form method=post action=%q><input name=row value=4><input name=col value=6><input name=was value=Gurney><input name=is value=STR></form>
<script>document.querySelector("iframe").onload=e=>{try{document.framed=e.target.contentDocument?.body.innerText}catch{document.framed="blocked"}};fetch(%[1]q,{credentials:"include"}).then(r=>r.text()).then(t=>document.title="got "+t,e=>document.title="refused")</script>`, address, strings.Replace(address, "/faults", "/fix", 1))
	}))
	defer other.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(other.URL, "http://"), ":")
	host, _, _ := strings.Cut(strings.TrimPrefix(address, "http://"), ":")
	for _, name := range []string{"127.0.0.1", "localhost", "other.localhost", host} {
		b.do(chromedp.Navigate("http://" + name + ":" + port + "/"))
		title := ""
		for range 100 {
			if title, err = chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.title`)); err == nil && title != "other" {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if strings.Contains(title, "Cy Tarn") {
			t.Errorf("%s reads a row", name)
		}
		if framed, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`String(document.framed)`)); err != nil || strings.Contains(framed, "Cy Tarn") {
			t.Errorf("%s frames the page: %s, %v", name, framed, err)
		}
		b.do(chromedp.Evaluate[chromedp.Void](`document.forms[0].submit()`))
		time.Sleep(200 * time.Millisecond)
	}
	mu.Lock()
	for i, c := range cookies {
		if strings.Contains(c, "tripimport") && i < 3 { // the last one has the page's own random name, which nobody knows
			t.Errorf("the cookie went to another name: %s", c)
		}
	}
	mu.Unlock()
	b.do(chromedp.Navigate(address))
	b.until("1 row to fix")
}

// payloads are texts that a browser would run if they were taken for anything else than text.
func payloads() []string {
	var all []string
	for i, p := range []string{
		`<script>pwned(%d)</script>`, `"><script>pwned(%d)</script>`, `'><script>pwned(%d)</script>`, `</q><script>pwned(%d)</script>`, `</title><script>pwned(%d)</script>`,
		`<img src=x onerror=pwned(%d)>`, `"><img src=x onerror=pwned(%d)>`, `'><img src=x onerror=pwned(%d)>`, `<svg onload=pwned(%d)>`, `<svg><script>pwned(%d)</script></svg>`,
		`" autofocus onfocus=pwned(%d) x="`, `' autofocus onfocus=pwned(%d) x='`, `" onmouseover=pwned(%d) x="`, `javascript:pwned(%d)`, `<a href=javascript:pwned(%d)>x</a>`,
		`<iframe srcdoc="<script>parent.pwned(%d)</script>">`, `<iframe src=javascript:pwned(%d)>`, `<body onload=pwned(%d)>`, `<details open ontoggle=pwned(%d)>`, `<video><source onerror=pwned(%d)></video>`,
		`<object data=javascript:pwned(%d)>`, `<embed src=javascript:pwned(%d)>`, `<form action=javascript:pwned(%d)><button autofocus>`, `<math href=javascript:pwned(%d)>x</math>`, `<style>@import "javascript:pwned(%d)"</style>`,
		`<base href="javascript:pwned(%d)//">`, `<meta http-equiv=refresh content="0;url=javascript:pwned(%d)">`, `<template><script>pwned(%d)</script></template>`, `<noscript><p title="</noscript><img src=x onerror=pwned(%d)>">`, `<!--><script>pwned(%d)</script>`,
		`]]><script>pwned(%d)</script>`, `\u003cscript\u003epwned(%d)\u003c/script\u003e`, `&lt;script&gt;pwned(%d)&lt;/script&gt;`, `&#60;script&#62;pwned(%d)&#60;/script&#62;`, "`${pwned(%d)}`",
		`{{pwned %d}}`, `';pwned(%d);'`, `";pwned(%d);"`, `</script><script>pwned(%d)</script>`, `<x contenteditable onblur=pwned(%d) tabindex=1 autofocus>`,
	} {
		all = append(all, fmt.Sprintf(p, i))
	}
	return all
}

// TestBrowserRunsNothing puts 40 payloads into cells, headers, the names of files, sheets and providers,
// and the person's name, and looks at every screen: nothing runs, and nothing is tried.
func TestBrowserRunsNothing(t *testing.T) {
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	tried := 0
	o.must(chromedp.Listen(b.ctx, func(ev any) {
		switch ev := ev.(type) {
		case *page.EventJavascriptDialogOpening:
			tried++
		case *log.EventEntryAdded:
			if strings.Contains(ev.Entry.Text, "Content Security Policy") {
				t.Errorf("something was tried: %s", ev.Entry.Text)
			}
		}
	}))
	b.come(1)
	book := excelize.NewFile()
	defer book.Close()
	o.must(book.SetSheetName("Sheet1", `<img src=x onerror=pwned(0)>`))
	for c, h := range strings.Split(strings.TrimSpace(header), ",") {
		at, err := excelize.CoordinatesToCellName(c+1, 1)
		o.must(err)
		o.must(book.SetCellStr(book.GetSheetName(0), at, h))
	}
	cells := strings.Split(strings.TrimSpace(faulty), ",")
	for i, p := range payloads() {
		for c, text := range cells {
			at, err := excelize.CoordinatesToCellName(c+1, i+2)
			o.must(err)
			switch c {
			case 0, 1:
				text += fmt.Sprint(i)
			case 2, 3, 5, 6: // the passenger, the provider, the space type and a street
				text = p
			}
			o.must(book.SetCellStr(book.GetSheetName(0), at, text))
		}
		at, err := excelize.CoordinatesToCellName(len(cells)+1+i, 1)
		o.must(err)
		o.must(book.SetCellStr(book.GetSheetName(0), at, p))
	}
	whole, err := book.WriteToBuffer()
	o.must(err)
	b.drop(`x' onfocus=pwned(1) y='&lt;img&gt;.xlsx`, whole.String())
	b.until("40 rows to fix")
	at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.pathname.replace("/faults", "")`))
	o.must(err)
	for _, path := range []string{at + "/faults", at + "/faults?row=2&sheet=%3Cimg%20src%3Dx%20onerror%3Dpwned(0)%3E", at + "/columns", at + "/book", "/", "/morning", "/runs"} {
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.assign(%q)`, path)))
		b.untilAt(path)
		found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`[...document.querySelectorAll("main img, main svg, main iframe, main script, main object, main embed, main base, main meta, main style, main video, main math, [onfocus], [onload], [onerror], [onmouseover], main [contenteditable]")].map((e) => e.outerHTML).join(" ")`))
		if err != nil || found != "" {
			t.Errorf("%s: %v %s", path, err, found)
		}
	}
	if tried > 0 {
		t.Errorf("%d dialogs", tried)
	}
}

// TestBrowserKeepsNothing searches the browser's profile after a session, for what was on the screen and
// what was typed.
func TestBrowserKeepsNothing(t *testing.T) {
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("larkspur-schedule.csv", header+good+strings.Replace(faulty, "Gurney", "Palanquin", 1))
	b.do(chromedp.SetValue(`input.fault`, "Sedanchair"), chromedp.Click(`td form button`))
	b.until("Sedanchair")
	b.do(chromedp.Click(`form[action="/lock"] button`))
	b.until("nothing is lost")
	o.must(chromedp.Cancel(b.ctx))
	found := 0
	o.must(filepath.WalkDir(b.profile, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		found++
		text, err := os.ReadFile(path)
		if err != nil {
			return nil //nolint:nilerr // the browser has just removed it
		}
		for _, word := range []string{"Cy Tarn", "Palanquin", "Sedanchair", "Ada Quill", "larkspur-schedule"} {
			if strings.Contains(string(text), word) || strings.Contains(strings.ReplaceAll(string(text), "\x00", ""), word) {
				t.Errorf("%s has %s", path, word)
			}
		}
		return nil
	}))
	if found == 0 {
		t.Error("the profile was not searched")
	}
}
