package serve_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// TestChoices fixes cells by what they may say instead: one alone, and all that are alike.
func TestChoices(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	rows := header
	for _, id := range []string{"3", "4", "5"} {
		rows += strings.NewReplacer("T-3,R-3", "T-"+id+",R-"+id, "2:00", id+":00").Replace(faulty)
	}
	id := v.arrive("schedule.csv", rows+strings.Replace(good, "No,No", "No,Maybe", 1))
	screen := v.get("/w/" + id + "/faults")
	v.mustSay(screen, 200, "4 rows to fix", "correct the cell, or add it to the table", `name="choice" value="AMB">AMB<span class="for"> into all 3`, `value="WCH">WCH</button>`, `value="Yes">Yes</button>`)
	if strings.Contains(screen.text, `value="Yes">Yes<span`) {
		t.Error("one cell is a group")
	}
	form := func(row, choice, alike string) url.Values {
		f := fixOf(2, spaceType, "Gurney", "Gurney")
		f.Set("row", row)
		f.Set("choice", choice)
		f.Set("alike", alike)
		return f
	}
	v.post("/w/"+id+"/fix", form("3", "WCH", ""))
	v.post("/w/"+id+"/fix", form("2", "STR", "yes"))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "1 row to fix", "F3: was <q>Gurney</q>, is <q>WCH</q>", "F2: was <q>Gurney</q>, is <q>STR</q>", "F4: was <q>Gurney</q>, is <q>STR</q>")
	v.mustSay(v.post("/w/"+id+"/fix", form("4", "AMB", "")), 409, "You typed: <q>AMB</q>", "changed in another window")
}

// TestFixesMany fixes many cells at once, one of them in another way, and puts one back. What was fixed is shown a page at a time, as
// the rows are.
func TestFixesMany(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", faultyRows(301)) // 151 have another space type
	form := fixOf(4, spaceType, "Gurney", "AMB")
	form.Set("alike", "yes")
	v.post("/w/"+id+"/fix", form)
	v.post("/w/"+id+"/fix", fixOf(6, spaceType, "AMB", "STR"))
	screen := v.get("/w/" + id + "/faults?page=2")
	v.mustSay(screen, 200, "150 rows to fix", "Fixed here: 151 cells")
	if n := strings.Count(screen.text, "Put back"); n != 25 {
		t.Errorf("%d fixes are on the second page", n)
	}
	v.post("/w/"+id+"/fix", fixOf(4, spaceType, "AMB", "Gurney"))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "151 rows to fix", "Fixed here: 150 cells")
	v.mustSay(v.get("/w/"+id+"/faults?page=6"), 200, "F6: was <q>Gurney</q>, is <q>STR</q>")
}

// TestRidersAreFixedOneByOne has three passengers whose rider ids are missing: no button gives all of them one id, and a form
// that asks for it fixes one. Their space types are fixed at once.
func TestRidersAreFixedOneByOne(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	rows := header
	for _, name := range []string{"Cy Tarn", "Di Voss", "Ed Fox"} {
		rows += strings.NewReplacer("T-3,R-3,Cy Tarn", "T-"+name[:2]+",,"+name, "5 Gull", name[:1]).Replace(faulty)
	}
	id := v.arrive("schedule.csv", rows)
	screen := v.get("/w/" + id + "/faults")
	v.mustSay(screen, 200, "<strong>3 cells</strong> of Space Type")
	v.mustNotSay(screen, "<strong>3 cells</strong> of Rider ID")
	for col, is := range map[int]string{2: "R-3", spaceType: "STR"} {
		form := fixOf(2, col, map[int]string{spaceType: "Gurney"}[col], is)
		form.Set("alike", "yes")
		v.post("/w/"+id+"/fix", form)
	}
	screen = v.get("/w/" + id + "/faults")
	v.mustSay(screen, 200, "2 rows to fix", "F4: was <q>Gurney</q>, is <q>STR</q>", "B2: was <q></q>, is <q>R-3</q>")
	v.mustNotSay(screen, "B3: was")
	for row, was := range map[int]string{2: "R-3", 3: "", 4: ""} { // so that nothing can be read, until one is put back
		v.post("/w/"+id+"/fix", fixOf(row, 2, was, "1.5E+11"))
	}
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "several ids look rewritten", "Put back", "B3: was <q></q>, is <q>1.5E&#43;11</q>")
	v.post("/w/"+id+"/fix", fixOf(3, 2, "1.5E+11", ""))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "3 rows to fix", "Fixed here: 5 cells")
	screen = v.get("/w/" + v.arrive("twice.csv", header+strings.Replace(good, "T-2,", "T-1,", 1)) + "/faults")
	v.mustSay(screen, 200, "2 rows to fix", "is also on row 3")
	v.mustNotSay(screen, "<strong>2 cells</strong> of Trip ID", "All 2 alike")
}

// planThenFix plans to book a schedule, fixes a cell of it, and runs the plan that is stale by then. It returns that plan's form.
func (v *visitor) planThenFix(id string) url.Values {
	form := v.plan(id, "book")
	v.post("/w/"+id+"/fix", fixOf(4, spaceType, "Gurney", "STR"))
	v.post("/w/"+id+"/run", form)
	v.untilEnded()
	return form
}

// TestTwoTabs goes on in one tab with what another tab has changed: nothing is sent, nothing is lost, and each
// answer is a sentence.
func TestTwoTabs(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good+faulty)
	v.planThenFix(id)
	v.mustSay(v.get("/w/"+id+"/book"), 200, "nothing was sent")
	rehearsal := v.plan(id, "rehearse")
	form := v.plan(id, "book")
	v.mustSay(v.post("/w/"+id+"/run", rehearsal), 409, "nothing was sent")
	v.mustSay(v.post("/w/"+id+"/run", form), 409, "nothing was sent") // a refused form leaves no plan
	form = v.plan(id, "book")
	o.forget(id)
	for _, path := range []string{"/fix", "/plan", "/run", "/again", "/back", "/approve"} {
		v.mustSay(v.post("/w/"+id+path, form), 422, "this schedule is not here any more", "bring the schedule again")
	}
	for _, path := range []string{"/faults", "/book", "/columns"} {
		v.mustSay(v.get("/w/"+id+path), 422, "this schedule is not here any more")
	}
	if n := o.inserts.Load(); n != 0 {
		t.Errorf("%d trips were sent", n)
	}
	if works, err := filepath.Glob(filepath.Join(o.home, "works", "*")); err != nil || len(works) != 0 {
		t.Errorf("it leaves %v, %v", works, err)
	}
}
