package serve_test

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tripimport/importer/app"
)

// TestAllRows looks at all rows of a schedule, those without a fault too, with what becomes of their trips.
func TestAllRows(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	v.runs(header+strings.SplitAfter(good, "\n")[0], "book")
	id := v.arrive("schedule.csv", header+good+strings.Replace(faulty, "12/2/2026", "", 1))
	v.mustSay(v.get("/w/"+id+"/faults"), 200, `href="/w/`+id+`/rows"`)
	rows := v.get("/w/" + id + "/rows")
	v.mustSay(rows, 200, "Ada Quill", "<strong>booked earlier</strong>: <bdi>Wed Dec 2, 2026, 08:30, from 12 Alder Ct", "Bo Marsh", "13:00, from 700 Bay Rd", "Cy Tarn", "<strong>fix this row</strong>: <bdi>no date, no pickup time, from 5 Gull Ln, Westfield, MI 48111, no space type")
	v.post("/w/"+id+"/fix", fixOf(4, 19, "", "12/2/2026"))
	v.mustSay(v.get("/w/"+id+"/rows?row=3"), 200, "row 3, whole", "<dt>Dropoff Latitude</dt><dd>42.322</dd>")
	v.post("/w/"+id+"/fix", fixOf(4, spaceType, "Gurney", "STR"))
	v.mustSay(v.get("/w/"+id+"/rows"), 200, "from 5 Gull Ln, Westfield, MI 48111, STR")
	id = v.arrive("many.csv", manyRows(450))
	v.mustSay(v.get("/w/"+id+"/rows?page=3"), 200, ">402</a>", ">451</a>", `<a href="?page=3" aria-current="page">`)
	if text := v.get("/w/" + id + "/rows?page=3").text; strings.Contains(text, ">401</a>") {
		t.Error("it has a row of another page")
	}
}

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

// TestStartShowsNoPaths shows how the nights went, without folders and commands. The list says where a trip begins.
func TestStartShowsNoPaths(t *testing.T) {
	o := newOffice(t)
	o.config.Nights = func(context.Context) []string {
		return []string{
			`the inbox /srv/office files/in can't be read`, `C:\Users\Dana Marsh\in box\a.csv: not sent`, `\\server\share\b.csv is gone`, `C:\in box can't be moved to \\server\share\done`, "12/2/2026: AMB / WCH",
			"Lakeshore: the mapping is not approved; look at its trips: `tripimport map approve '/srv/a b/l.yaml' C:\\in\\l.csv`; `tripimport nightly status`",
		}
	}
	o.start()
	v := o.enter(1)
	v.runs(header+good+faulty, "book")
	v.mustSay(v.get("/morning"), 200, "from <bdi>5 Gull Ln, Westfield, MI 48111</bdi> to <bdi>88 Mill Rd")
	start := v.get("/")
	v.mustSay(start, 200, ">a.csv: not sent<", ">b.csv is gone<", ">in box can&#39;t be moved to done<", "12/2/2026: AMB / WCH", ">Lakeshore: the mapping is not approved; look at its trips<")
	if strings.Contains(start.text, "Dana Marsh") || strings.Contains(start.text, "share") {
		t.Error("it shows whole paths")
	}
}

// TestOthersBookMeanwhile checks a schedule, has another program book it, and fixes a cell: the check after that
// knows what is booked, although it asks the ledger about few rows.
func TestOthersBookMeanwhile(t *testing.T) {
	o := newOffice(t)
	o.start()
	v := o.enter(1)
	id := v.arrive("schedule.csv", header+good+faulty)
	v.mustSay(v.get("/w/"+id+"/rows"), 200, "ready")
	other := app.NewJobs(o.environment(), nil)
	ctx := context.Background()
	p, _, err := other.Plan(ctx, id, false, "Sam")
	o.must(err)
	_, _ = other.Run(ctx, id, "Sam", app.Options{Plan: p.ID}, app.Silent{}) // the faulty row stays
	rows := v.get("/w/" + id + "/rows")
	if n := strings.Count(rows.text, "booked earlier"); n != 3 || o.inserts.Load() != 3 {
		t.Errorf("%d trips are booked: %s", n, plainText(rows.text))
	}
	v.post("/w/"+id+"/fix", fixOf(4, spaceType, "Gurney", "STR"))
	v.plan(id, "book")
	v.mustSay(v.get("/w/"+id+"/book"), 200, "Book 1 trip for", "3 booked earlier")
}

// TestBrowserShowsAllRows follows the way from the faults to all rows, by the keyboard.
func TestBrowserShowsAllRows(t *testing.T) {
	o := newOffice(t)
	o.start()
	b := o.newBrowser()
	b.come(1)
	b.drop("schedule.csv", faultyRows(4))
	b.until("4 rows to fix")
	b.do(chromedp.Focus(`a[href$="/rows"]`))
	b.keys("\r")
	b.until("All rows of schedule.csv")
	b.until("Ada Quill")
	b.picture("rows")
	if name := filepath.Base(o.home); strings.Contains(b.text(), name) {
		t.Error("it shows a folder")
	}
}
