package serve_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestOnePlanOneRun sends the form that books twice at once, and again once it was used, and another schedule's
// meanwhile: one of them books, and each other is refused with a sentence.
func TestOnePlanOneRun(t *testing.T) {
	o := newOffice(t)
	o.delay = 20 * time.Millisecond
	o.start()
	v := o.enter(1)
	id, other := v.arrive("schedule.csv", header+good), v.arrive("other.csv", header+strings.ReplaceAll(strings.ReplaceAll(good, "T-", "U-"), "R-", "Q-"))
	form, second := v.plan(id, "book"), v.plan(other, "book")
	var mu sync.Mutex
	var all sync.WaitGroup
	statuses := map[int]int{}
	for range 6 {
		all.Go(func() {
			r := v.post("/w/"+id+"/run", form)
			mu.Lock()
			defer mu.Unlock()
			statuses[r.status]++
			if r.status == http.StatusConflict && !strings.Contains(r.text, "nothing was sent") && !strings.Contains(r.text, "another run goes on") {
				t.Errorf("it does not say why: %s", plainText(r.text))
			}
		})
	}
	all.Wait()
	if statuses[http.StatusSeeOther] != 1 || statuses[http.StatusConflict] != 5 {
		t.Errorf("six forms at once: %v", statuses)
	}
	v.mustSay(v.post("/w/"+other+"/run", second), 409, "another run goes on")
	v.untilEnded()
	v.mustSay(v.post("/w/"+id+"/run", form), 409, "nothing was sent")
	if n := o.inserts.Load(); n != 3 {
		t.Errorf("%d trips were sent, not 3", n)
	}
}

// TestPlansAnew runs a plan that something has changed since: it is planned again, and not used by the form of the old one.
func TestPlansAnew(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good+faulty)
	form := v.planThenFix(id)
	v.mustSay(v.get("/w/"+id+"/book"), 200, "something has changed since the plan was made", "Plan the booking")
	v.mustSay(v.post("/w/"+id+"/run", form), 409, "something has changed since the plan was made")
	if n := o.inserts.Load(); n != 0 {
		t.Errorf("%d trips were sent", n)
	}
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	if n := o.inserts.Load(); n != 4 {
		t.Errorf("%d trips were sent, not 4", n)
	}
}

// TestAsksOfThePlan sends the form of a plan that asks with answers that are missing, half, doubled or invented:
// nothing is sent, and the plan is there to be answered.
func TestAsksOfThePlan(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	v.runs(header+good, "book")
	id := v.arrive("schedule.csv", header+strings.NewReplacer("8:30 AM", "8:50 AM").Replace(good)+strings.Replace(faulty, "Gurney", "STR", 1))
	form := v.plan(id, "book")
	if len(form) != 2 {
		t.Fatalf("it asks %v", form)
	}
	ask := ""
	for name := range form {
		if name != "plan" {
			ask = name
		}
	}
	sent, plan := o.inserts.Load(), form.Get("plan")
	for what, given := range map[string]url.Values{
		"no answer":         {"plan": {plan}},
		"an empty one":      {"plan": {plan}, ask: {""}},
		"perhaps":           {"plan": {plan}, ask: {"maybe"}},
		"yes and no":        {"plan": {plan}, ask: {"yes", "no"}},
		"yes twice":         {"plan": {plan}, ask: {"yes", "yes"}},
		"another's":         {"plan": {plan}, "ask-00112233445566778899aabbccddeeff": {"yes"}},
		"one more":          {"plan": {plan}, ask: {"yes"}, "ask-00112233445566778899aabbccddeeff": {"yes"}},
		"something besides": {"plan": {plan}, ask: {"yes"}, "agreed": {"all"}},
	} {
		r := v.post("/w/"+id+"/run", given)
		if r.status != http.StatusUnprocessableEntity || !strings.Contains(r.text, "a question has no answer; nothing was sent") || !strings.Contains(r.text, ask) {
			t.Errorf("%s: %d %s", what, r.status, plainText(r.text))
		}
	}
	v.mustSay(v.post("/w/"+id+"/run", url.Values{ask: {"yes"}}), 409, "nothing was sent")
	if n := o.inserts.Load() - sent; n != 0 {
		t.Errorf("%d trips were sent", n)
	}
	v.post("/w/"+id+"/run", v.plan(id, "book"))
	v.untilEnded()
	if n := o.inserts.Load() - sent; n != 1 {
		t.Errorf("%d trips were sent, not 1", n)
	}
}

// TestOpensOnlyWorkbooks asks for workbooks of runs in other ways than by the button: only the workbook that the
// ledger names is opened.
func TestOpensOnlyWorkbooks(t *testing.T) {
	o, other := newOffice(t), newOffice(t)
	o.start()
	other.start()
	v, w := o.enter(1), other.enter(1)
	v.runs(header+good, "book")
	w.runs(header+good, "book")
	idOf := func(v *visitor) string {
		return regexp.MustCompile(`/runs/([^/"]+)/workbook`).FindStringSubmatch(v.get("/runs").text)[1]
	}
	run := idOf(v)
	refused := func(id string) {
		t.Helper()
		r := v.post("/runs/"+url.PathEscape(id)+"/workbook", url.Values{})
		if r.status == http.StatusSeeOther || strings.Contains(r.text, o.home) || strings.Contains(r.text, other.home) {
			t.Errorf("%s: %d %s", id, r.status, plainText(r.text))
		}
	}
	open := func() int {
		o.mu.Lock()
		defer o.mu.Unlock()
		return len(o.opened)
	}
	for _, id := range []string{idOf(w), "../" + run, run + "/..", run + ".lnk", "/etc/passwd", `\\host\share\x.lnk`, "CON", run + "\x00", "%2e%2e"} {
		refused(id)
	}
	if n := open(); n != 1 {
		t.Fatalf("%d files were opened", n)
	}
	v.post("/runs/"+run+"/workbook", nil)
	path := o.lastOpened(2)
	for _, beside := range []string{".lnk", ".exe"} {
		o.must(os.WriteFile(path+beside, []byte("MZ"), 0o600))
		o.must(os.WriteFile(strings.TrimSuffix(path, filepath.Ext(path))+beside, []byte("MZ"), 0o600))
	}
	v.post("/runs/"+run+"/workbook", nil)
	if again := o.lastOpened(3); again != path {
		t.Errorf("%s was opened, not %s", again, path)
	}
	o.must(os.Rename(path, path+".kept"))
	refused(run)
	o.must(os.Mkdir(path, 0o700))
	refused(run)
	if n := open(); n != 3 {
		t.Errorf("%d files were opened", n)
	}
}
