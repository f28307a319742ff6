package serve_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestFixesInTurn fixes a cell, and another one that is at fault only then: nobody is asked about either again.
func TestFixesInTurn(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+strings.Replace(good, "8:30 AM", "half nine", 1))
	v.post("/w/"+id+"/fix", fixOf(2, 20, "half nine", "10:30 AM"))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "1 row to fix")
	if r := v.post("/w/"+id+"/fix", fixOf(2, 21, "9:15 AM", "11:15 AM")); r.status != http.StatusSeeOther {
		t.Fatalf("%d %s", r.status, plainText(r.text))
	}
	v.mustSay(v.get("/w/"+id+"/faults"), 200, "Every row is good")
	if form := v.plan(id, "book"); len(form) != 1 {
		t.Errorf("it asks: %s", plainText(v.get("/w/"+id+"/book").text))
	}
}
