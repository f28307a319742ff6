package serve_test

import (
	"net/url"
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
