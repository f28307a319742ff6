package serve_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tripimport/importer/app"
	"tripimport/importer/serve"
)

// manyRows are a schedule of n rows and 35 columns, of which one in ten is faulty, in six ways.
func manyRows(n int) string {
	var all strings.Builder
	all.WriteString(strings.TrimSuffix(header, "\n") + ",X1,X2,X3,X4,X5,X6,X7,X8,X9,X10,X11\n")
	for i := range n {
		row := strings.TrimSuffix(strings.ReplaceAll(strings.SplitAfter(good, "\n")[0], "T-1,R-1,Ada Quill", fmt.Sprintf("T-%d,R-%d,Ada Quill", i+10, i+10)), "\n")
		row = strings.Replace(row, "12 Alder Ct", fmt.Sprintf("%d Alder Ct", i+1), 1)
		if i%10 == 5 {
			switch i / 10 % 6 {
			case 0:
				row = strings.Replace(row, ",AMB,", ",Gurney,", 1)
			case 1:
				row = strings.Replace(row, ",AMB,", ",Palanquin,", 1)
			case 2:
				row = strings.Replace(row, "12/2/2026", "tomorrow", 1)
			case 3:
				row = strings.Replace(row, "8:30 AM", "half nine", 1)
			case 4:
				row = strings.Replace(row, "No,No,", "Maybe,No,", 1)
			case 5:
				row = strings.Replace(row, "9:15 AM", "25:00", 1)
			}
		}
		all.WriteString(row + ",a,b,c,d,e,f,g,h,i,j,k\n")
	}
	return all.String()
}

// TestBrowserTimes tells how long a person waits: for the first paint of the faults, for a fix, and for
// the whole way to no faults with as few actions as there are kinds. TRIPIMPORT_LONG=1 takes 6,000 rows too.
func TestBrowserTimes(t *testing.T) {
	sizes := []int{600}
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		sizes = append(sizes, 6000)
	}
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			o := newOffice(t)
			o.start()
			b := o.newBrowser()
			began := time.Now()
			b.come(1)
			b.drop("schedule.csv", manyRows(n))
			b.until(fmt.Sprintf("%d rows to fix", n/10))
			t.Logf("%d rows: from the private file to the faults, with entering and bringing: %v", n, time.Since(began).Round(time.Millisecond))
			measure := func(name, expression string) {
				v, err := chromedp.Run(b.ctx, chromedp.Evaluate[float64](expression))
				o.must(err)
				t.Logf("%d rows: %s: %.0f", n, name, v)
			}
			for range 3 { // the first time, the browser compiles and lays out what it has never seen
				b.do(chromedp.Reload())
				b.until("rows to fix")
				b.do(chromedp.Evaluate[chromedp.Void](`new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))`, chromedp.EvalAwaitPromise))
				measure("first paint, ms", `performance.getEntriesByType("paint")[0].startTime`)
			}
			measure("ready, ms", `performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd`)
			measure("html, bytes", `performance.getEntriesByType("navigation")[0].decodedBodySize`)
			measure("DOM nodes", `document.getElementsByTagName("*").length`)

			// One fix, from Enter to the next frame in which the row is gone.
			v, err := chromedp.Run(b.ctx, chromedp.Evaluate[float64](`new Promise((done) => {
				const i = document.querySelector("input.fault"), before = performance.now();
				i.value = "STR";
				new MutationObserver((_, o) => { o.disconnect(); requestAnimationFrame(() => setTimeout(() => done(performance.now() - before))); }).observe(document.getElementById("main"), { childList: true });
				i.form.requestSubmit();
			})`, chromedp.EvalAwaitPromise))
			o.must(err)
			t.Logf("%d rows: a fix until it is painted, ms: %.0f", n, v)

			actions := 1
			for range 12 {
				text := b.text()
				if strings.Contains(text, "Every row is good") {
					break
				}
				was, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.querySelector(".groups input[name=was]").value`))
				o.must(err)
				right := map[string]string{"Gurney": "STR", "Palanquin": "WCH", "tomorrow": "12/2/2026", "half nine": "8:30 AM", "Maybe": "No", "25:00": "9:15 AM"}[was]
				b.do(chromedp.SetValue(`.groups input[name=is]`, right))
				b.press(`.groups button`)
				b.untilGone(fmt.Sprintf("say “%s”", was), was)
				actions++
			}
			b.until("Every row is good")
			t.Logf("%d rows, %d faults: %d actions to none", n, n/10, actions)
		})
	}
}

// untilGone waits until no input has a value any more.
func (b *browser) untilGone(what, value string) {
	b.Helper()
	for range 4000 {
		left, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](fmt.Sprintf(`[...document.querySelectorAll("input.fault")].filter((i) => i.defaultValue === %q).length`, value)))
		if err == nil && left == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.Fatalf("%s does not go: %s", what, b.text())
}

// TestStopsLeaveNoHalves stops runs of round trips at random rows: none leaves a row half booked, every
// control total balances, and booking again books the rest, each trip once.
func TestStopsLeaveNoHalves(t *testing.T) {
	t.Parallel()
	stops := 6
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		stops = 20
	}
	o := newOffice(t)
	o.delay = 2 * time.Millisecond
	o.start()
	v := o.enter(1)
	const rows = 60
	for n := range stops {
		var schedule strings.Builder
		schedule.WriteString(header)
		for i := range rows {
			row := strings.SplitAfter(good, "\n")[1]
			row = strings.ReplaceAll(row, "T-2,R-2", fmt.Sprintf("T-%d-%d,R-%d-%d", n, i, n, i))
			schedule.WriteString(strings.Replace(row, "31 Fern St", fmt.Sprintf("%d Fern St", 100*n+i), 1))
		}
		id := v.arrive("schedule.csv", schedule.String())
		before := o.inserts.Load()
		v.post("/w/"+id+"/run", v.plan(id, "book"))
		at := before + int32(rand.IntN(2*rows))
		for o.inserts.Load() < at {
			time.Sleep(time.Millisecond)
		}
		v.post("/run/stop", nil)
		v.untilEnded()
		if sent := o.inserts.Load() - before; sent%2 != 0 {
			t.Errorf("stop %d: %d trips were sent: a return is missing", n, sent)
		}
		text := v.get("/w/" + id + "/book").text
		if strings.Contains(text, "half booked") || strings.Contains(text, "NOT balance") {
			t.Errorf("stop %d: %s", n, text)
		}
		v.post("/w/"+id+"/run", v.plan(id, "book"))
		v.untilEnded()
		if sent := o.inserts.Load() - before; sent != 2*rows {
			t.Errorf("stop %d: %d of %d trips were sent in the end", n, sent, 2*rows)
		}
	}
}

// TestKilledAfterAFix kills the program right after it has answered a fix: the fix is there.
func TestKilledAfterAFix(t *testing.T) {
	if home := os.Getenv("TRIPIMPORT_TEST_FIX"); home != "" { // the program to be killed
		jobs := app.NewJobs(app.Environment{Lookup: func(name string) (string, bool) {
			return home, name == "TRIPIMPORT_HOME"
		}}, nil)
		is := os.Getenv("TRIPIMPORT_TEST_IS")
		works, err := jobs.Works(context.Background())
		if err == nil {
			_, err = jobs.Fix(context.Background(), works[0].ID, app.CellFix{Row: 4, Col: spaceType, Was: os.Getenv("TRIPIMPORT_TEST_WAS"), Is: is})
		}
		fmt.Println("answered", err)
		select {}
	}
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good+faulty)
	was := "Gurney"
	for n := range 20 {
		is := fmt.Sprintf("Gurney %d", n)
		process := exec.Command(os.Args[0], "-test.run=^TestKilledAfterAFix$")
		process.Env = append(os.Environ(), "TRIPIMPORT_TEST_FIX="+o.home, "TRIPIMPORT_TEST_WAS="+was, "TRIPIMPORT_TEST_IS="+is)
		out, err := process.StdoutPipe()
		o.must(err)
		o.must(process.Start())
		answer := make([]byte, 40)
		k, err := out.Read(answer)
		o.must(err)
		o.must(process.Process.Kill())
		_ = process.Wait() // it was killed
		if got := strings.TrimSpace(string(answer[:k])); got != "answered <nil>" {
			t.Fatalf("fix %d: %s", n, got)
		}
		if text := v.get("/w/" + id + "/faults").text; !strings.Contains(text, `value="`+is+`"`) {
			t.Fatalf("fix %d is not there: %s", n, text)
		}
		was = is
	}
}

// TestManyTabs asks from ten tabs while a run goes on: all are answered.
func TestManyTabs(t *testing.T) {
	o := newOffice(t)
	o.delay = 20 * time.Millisecond
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", manyRows(300))
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	slowest := make(chan time.Duration, 10)
	for range 10 {
		go func() {
			var most time.Duration
			for range 5 {
				began := time.Now()
				if r := v.get("/state"); r.status != 200 {
					t.Errorf("state: %d", r.status)
				}
				most = max(most, time.Since(began))
				time.Sleep(50 * time.Millisecond)
			}
			slowest <- most
		}()
	}
	var most time.Duration
	for range 10 {
		most = max(most, <-slowest)
	}
	t.Logf("ten tabs during a run: the slowest answer took %v", most.Round(time.Millisecond))
	v.untilEnded()
}

// TestShipped tells the size of what browsers get.
func TestShipped(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("static", "script.js"))
	if err != nil {
		t.Fatal(err)
	}
	style, err := os.ReadFile(filepath.Join("static", "style.css"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("script %d bytes, style %d bytes", len(script), len(style))
	if len(script) > 8<<10 {
		t.Errorf("the script has %d bytes, 8,192 at most", len(script))
	}
}

// TestClosedWhileItRuns closes the page in the middle of a run: the rows under way are finished, and
// what was not sent is sent by the next run.
func TestClosedWhileItRuns(t *testing.T) {
	o := newOffice(t)
	o.delay = 20 * time.Millisecond
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", manyRows(600))
	form := v.plan(id, "book")
	v.post("/w/"+id+"/run", form)
	for o.inserts.Load() < 10 {
		time.Sleep(time.Millisecond)
	}
	v.mustSay(v.post("/close", nil), 422, "schedule.csv is being booked", "it goes on to its end then")
	before := o.inserts.Load()
	for o.inserts.Load() < before+40 { // it goes on
		time.Sleep(time.Millisecond)
	}
	v.post("/run/stop", nil)
	v.mustSay(v.post("/close", nil), 200, "nothing is lost")
	select {
	case err := <-o.ended:
		o.ended <- err
		o.must(err)
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
	}
	sent := o.inserts.Load()
	if sent < 10 || sent >= 540 {
		t.Errorf("%d trips were sent", sent)
	}
	runs, err := o.jobs.Runs(context.Background())
	o.must(err)
	if len(runs) != 1 || runs[0].Ended.IsZero() || !runs[0].Totals.Balanced() {
		t.Errorf("the run: %+v", runs)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve.Serve(ctx, o.jobs, o.config) }()
	v = o.enter(2)
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 540 {
		t.Errorf("%d trips were sent in the end, not 540: %s", n, v.get("/w/"+id+"/book").text)
	}
	stop()
	o.must(<-ended)
}
