package app_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
)

// A desk is where results lie in the morning: rows are booked, refused by the
// service, at fault, maybe booked and left out.
type desk struct {
	*fixture
	posted  []string // "trip rider address" of each trip that the service received
	results string   // the file
	asked   []string
	notices []string
	summary *results.Summary
}

// deskRows are the night's rows: trip, rider, space type, pickup address, cancelled.
// The riders of the refused rows are not in the order of their trips.
var deskRows = [][5]string{
	{"B-1", "R-01", "AMB", "1 Alder Ct"},
	{"B-2", "R-02", "WCH", "2 Birch Rd"},
	{"F-1", "R-14", "AMB", "31 Fern St"},
	{"F-2", "R-11", "WCH", "12 Gull Ln"},
	{"F-3", "R-15", "AMB", "43 Heron Way"},
	{"F-4", "R-12", "WCH", "24 Iris Pl"},
	{"F-5", "R-13", "AMB", "15 Juniper Dr"},
	{"V-1", "R-21", "Gurney", "6 Kite St"},
	{"V-2", "", "AMB", "7 Larch St"},
	{"U-1", "R-31", "AMB", "8 Maple St"},
	{"C-1", "R-41", "AMB", "9 Nettle St", "Yes"},
	{"B-3", "R-03", "AMB", "8 Maple St"},
}

// newDesk imports the rows of the night whose trips begin with one of the letters,
// and keeps the results.
func newDesk(t *testing.T, format, letters string) *desk {
	t.Helper()
	d := &desk{fixture: newFixture(t, "")}
	var text strings.Builder
	text.WriteString(strings.TrimSuffix(header, "\n") + ",Cancelled\n")
	plan := &inject.Plan{}
	for i, r := range deskRows {
		if !strings.Contains(letters, r[0][:1]) {
			continue
		}
		fmt.Fprintf(&text, "%s,%s,Lakeshore Transit,Harborview Health,%s,%s,Westfield,MI,48111,42.31%02d,-83.41%02d,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,12/2/2026,%d:%02d AM,,No,No,,%s\n",
			r[0], r[1], r[2], r[3], i, i, 8+i/6, 5*i%60, r[4])
		if kind := map[byte]string{'F': "400", 'U': "500"}[r[0][0]]; kind != "" {
			plan.Faults = append(plan.Faults, inject.Fault{Trip: r[0], Kind: kind, Times: 1})
		}
	}
	d.write("night.csv", text.String())

	box, err := sandbox.New(sandbox.Config{Faults: plan, OnRequest: func(op sandbox.Operation, body []byte) {
		var trip struct {
			ID     string `json:"trip_id"`
			Rider  string `json:"rider_id"`
			Pickup struct {
				Location struct {
					Address string `json:"address1"`
				} `json:"event_location"`
			} `json:"pickup"`
		}
		if op == sandbox.Insert {
			if err := json.Unmarshal(body, &trip); err != nil {
				t.Error(err)
			}
			d.posted = append(d.posted, trip.ID+" "+trip.Rider+" "+trip.Pickup.Location.Address)
		}
	}})
	d.must(err)
	box.Allow("Lakeshore Transit", "Harborview Health")
	server := httptest.NewServer(box)
	t.Cleanup(server.Close)
	d.env["TRIPIMPORT_BASE_URL"], d.env["TRIPIMPORT_RESULTS_FORMAT"], d.env["TRIPIMPORT_WORKERS"] = server.URL, format, "1"

	d.newLedger()
	_ = d.app().Import(context.Background(), app.Options{Today: "2026-12-01"}, app.Silent{}, "night.csv")
	d.results = d.newest("night.csv.*.results*." + format)
	d.posted = nil
	return d
}

// newest returns the last of the files.
func (d *desk) newest(pattern string) string {
	d.Helper()
	names, err := filepath.Glob(filepath.Join(d.folder, pattern))
	if err != nil || len(names) == 0 {
		d.Fatalf("no %s (%v)", pattern, err)
	}
	return slices.MaxFunc(names, func(a, b string) int {
		x, _ := os.Stat(a)
		y, _ := os.Stat(b)
		return x.ModTime().Compare(y.ModTime())
	})
}

// retry retries the results as they are now. A person answers the questions so.
func (d *desk) retry(yes bool) error {
	d.posted, d.asked, d.notices = nil, nil, nil
	o, e := app.Options{Today: "2026-12-01"}, &clerk{desk: d}
	p, err := planRetry(d.app(), o, e, d.results)
	if err != nil {
		return err
	}
	for _, a := range p.Asks {
		d.asked = append(d.asked, strings.Join(append([]string{a.Text}, append(a.Items, a.Question)...), "\n    "))
	}
	if yes {
		o = agreeing(o, p)
	}
	return d.app().Retry(context.Background(), o, e, d.results)
}

// A clerk is the person at the desk.
type clerk struct {
	app.Silent
	*desk
}

func (c *clerk) Notice(text string) { c.notices = append(c.notices, text) }

func (c *clerk) Summary(s *results.Summary) error {
	c.summary = s
	return nil
}

// A grid is the Results as a spreadsheet program shows them.
type grid struct {
	testing.TB
	cells [][]string // the header first
}

// edit changes the results file by f.
func (d *desk) edit(f func(*grid)) {
	d.Helper()
	if strings.HasSuffix(d.results, ".csv") {
		data, err := os.ReadFile(d.results)
		d.must(err)
		g := &grid{TB: d}
		g.cells, err = csv.NewReader(strings.NewReader(strings.TrimPrefix(string(data), "\ufeff"))).ReadAll()
		d.must(err)
		f(g)
		var text strings.Builder
		d.must(csv.NewWriter(&text).WriteAll(g.cells))
		d.must(os.WriteFile(d.results, []byte(text.String()), 0o600))
		return
	}

	book, err := excelize.OpenFile(d.results)
	d.must(err)
	g := &grid{TB: d}
	g.cells, err = book.GetRows("Results", excelize.Options{RawCellValue: true})
	d.must(err)
	width := len(g.cells[0])
	for i := range g.cells {
		g.cells[i] = append(g.cells[i], make([]string, width-len(g.cells[i]))...)
	}
	rows := len(g.cells)
	f(g)
	for n, row := range g.cells {
		for c, text := range row {
			at := importer.ColumnName(c+1) + fmt.Sprint(n+1)
			if was, err := book.GetCellValue("Results", at, excelize.Options{RawCellValue: true}); err != nil || was != text {
				d.must(book.SetCellStr("Results", at, text))
			}
		}
	}
	for n := rows; n > len(g.cells); n-- {
		d.must(book.RemoveRow("Results", n))
	}
	d.must(errors.Join(book.Save(), book.Close()))
}

func (g *grid) column(name string) int {
	g.Helper()
	at := slices.IndexFunc(g.cells[0], func(h string) bool { return h == name || strings.HasPrefix(h, name+" k") })
	if at < 0 {
		g.Fatalf("no column %q in %q", name, g.cells[0])
	}
	return at
}

// row returns the row of a trip.
func (g *grid) row(trip string) []string {
	g.Helper()
	id := g.column("Trip ID")
	at := slices.IndexFunc(g.cells, func(r []string) bool { return r[id] == trip })
	if at < 0 {
		g.Fatalf("no trip %s", trip)
	}
	return g.cells[at]
}

func (g *grid) set(trip, column, text string) { g.row(trip)[g.column(column)] = text }

// sort sorts one column alone over the rows of the trips.
func (g *grid) sort(column string, trips ...string) {
	var rows [][]string
	var texts []string
	for _, trip := range trips {
		rows = append(rows, g.row(trip))
		texts = append(texts, g.row(trip)[g.column(column)])
	}
	slices.Sort(texts)
	if column == "Trip ID" {
		slices.Reverse(texts)
	}
	for i, r := range rows {
		r[g.column(column)] = texts[i]
	}
}

// paste copies a row's source columns over another's: those from Trip ID on, or the
// ones that are named. The key is in a hidden column or far to the right.
func (g *grid) paste(from, over string, columns ...string) {
	if columns == nil {
		columns = g.cells[0][g.column("Trip ID") : g.column("Cancelled")+1]
	}
	source, target := slices.Clone(g.row(from)), g.row(over)
	for _, c := range columns {
		target[g.column(c)] = source[g.column(c)]
	}
}

func (g *grid) remove(trips ...string) {
	id := g.column("Trip ID")
	g.cells = slices.DeleteFunc(g.cells, func(r []string) bool { return slices.Contains(trips, r[id]) })
}

// insertColumn makes room for a column of staff's own at an index.
func (g *grid) insertColumn(at int, header string) {
	for i, r := range g.cells {
		text := "our note"
		if i == 0 {
			text = header
		}
		g.cells[i] = slices.Insert(slices.Clone(r), at, text)
	}
}

// moveColumn moves the column to the left end.
func (g *grid) moveColumn(name string) {
	at := g.column(name)
	for i, r := range g.cells {
		text := r[at]
		g.cells[i] = slices.Insert(slices.Delete(slices.Clone(r), at, at+1), 0, text)
	}
}

// refusedTrips are those that a retry sends as they are.
var refusedTrips = []string{"F-1", "F-2", "F-3", "F-4", "F-5"}

// sent returns what the service receives in a retry. changed has, by trip, what it receives
// instead of the unchanged trip; an empty text means that the trip is not sent.
func sent(changed map[string]string) []string {
	all := map[string]string{}
	for _, r := range deskRows {
		if r[0][0] == 'F' {
			all[r[0]] = strings.Join(r[:2], " ") + " " + r[3]
		}
	}
	maps.Copy(all, changed)
	return slices.DeleteFunc(slices.Sorted(maps.Values(all)), func(s string) bool { return s == "" })
}

// Whatever people do with results, no trip is sent with another passenger's rider
// or place, none twice, and none is lost without a word.
func TestEditedResults(t *testing.T) {
	type trips = map[string]string
	for i, c := range []struct {
		name string
		edit func(*grid)
		// changed is what the service receives instead, by trip. refusal is part of the
		// reason why nothing is sent. ask is part of the question that must be answered
		// with yes before anything is sent.
		changed      trips
		refusal, ask string
	}{
		// What people may do.
		{name: "nothing", edit: func(*grid) {}},
		{name: "whole rows sorted", edit: func(g *grid) { slices.Reverse(g.cells[1:]) }},
		{name: "whole rows sorted by rider", edit: func(g *grid) {
			at := g.column("Rider ID")
			slices.SortFunc(g.cells[1:], func(a, b []string) int { return strings.Compare(a[at], b[at]) })
		}},
		{name: "an address fixed", edit: func(g *grid) { g.set("F-2", "Pickup Address", "120 Gull Ln") }, changed: trips{"F-2": "F-2 R-11 120 Gull Ln"}},
		{name: "an address fixed to one that many have", edit: func(g *grid) { g.set("F-2", "Pickup Address", "700 Bay Rd") }, changed: trips{"F-2": "F-2 R-11 700 Bay Rd"}},
		{name: "an address fixed to one that two have", edit: func(g *grid) { g.set("F-2", "Pickup Address", "8 Maple St") }, changed: trips{"F-2": "F-2 R-11 8 Maple St"}},
		{name: "a time fixed to one other's", edit: func(g *grid) { g.set("F-2", "Pickup Time", "8:00 AM") }},
		{name: "an address fixed to one other's", edit: func(g *grid) { g.set("F-2", "Pickup Address", "31 Fern St") }, changed: trips{"F-2": "F-2 R-11 31 Fern St"}},
		{name: "a city and a ZIP fixed", edit: func(g *grid) {
			g.set("F-2", "Pickup City", "Eastfield")
			g.set("F-2", "Pickup ZIP", "48112")
		}},
		{name: "all space types the same", edit: func(g *grid) {
			g.set("F-2", "Space Type", "AMB")
			g.set("F-4", "Space Type", "AMB")
		}},
		{name: "a marked cell fixed", edit: func(g *grid) { g.set("V-1", "Space Type", "WCH") }, changed: trips{"V-1": "V-1 R-21 6 Kite St"}},
		{name: "a missing rider filled in", edit: func(g *grid) { g.set("V-2", "Rider ID", "R-22") }, changed: trips{"V-2": "V-2 R-22 7 Larch St"}},
		{name: "an unknown rider replaced", edit: func(g *grid) { g.set("F-3", "Rider ID", "R-99") }, changed: trips{"F-3": "F-3 R-99 43 Heron Way"}, ask: `another rider of a refused row: was "R-15", is now "R-99"`},
		{name: "two unknown riders replaced", edit: func(g *grid) {
			g.set("F-3", "Rider ID", "R-99")
			g.set("F-5", "Rider ID", "R-98")
		}, changed: trips{"F-3": "F-3 R-99 43 Heron Way", "F-5": "F-5 R-98 15 Juniper Dr"}, ask: "2 changed cells need a yes"},
		{name: "another row's rider, said to be right", edit: func(g *grid) {
			g.set("F-3", "Rider ID", "R-02")
			g.set("F-3", "What we found", "Rider is right.")
		}, changed: trips{"F-3": "F-3 R-02 43 Heron Way"}},
		{name: "a missing rider, another row's, said to be right", edit: func(g *grid) {
			g.set("V-2", "Rider ID", "R-21")
			g.set("V-2", "What we found", "rider is right")
		}, changed: trips{"V-2": "V-2 R-21 7 Larch St"}},
		{name: "booked rows deleted", edit: func(g *grid) { g.remove("B-1", "B-2", "C-1") }},
		{name: "a column of staff's own", edit: func(g *grid) { g.insertColumn(3, "Who calls") }},
		{name: "a column of staff's own, longer than the table", edit: func(g *grid) {
			g.insertColumn(len(g.cells[0])-1, "Who calls")
			note := make([]string, len(g.cells[0]))
			note[g.column("Who calls")] = "Ann, until noon"
			g.cells = append(g.cells, note)
		}},
		{name: "columns moved", edit: func(g *grid) {
			g.moveColumn("Rider ID")
			g.moveColumn("Pickup Address")
			g.moveColumn("Row")
		}},
		{name: "our own columns removed", edit: func(g *grid) {
			for _, name := range []string{"Notice", "Where", "Row", "Status"} {
				at := g.column(name)
				for i, r := range g.cells {
					r[at] = ""
					g.cells[i] = slices.Clone(r)
				}
			}
		}},
		{name: "an unmarked cell changed", edit: func(g *grid) { g.set("V-1", "Pickup Address", "60 Kite St") }, ask: "not marked"},

		// Columns sorted alone.
		{name: "riders of refused rows sorted", edit: func(g *grid) { g.sort("Rider ID", refusedTrips...) }, refusal: "moved between rows"},
		{name: "riders of two refused rows exchanged", edit: func(g *grid) { g.sort("Rider ID", "F-1", "F-2") }, refusal: "moved between rows"},
		{name: "riders exchanged and said to be right", edit: func(g *grid) {
			g.sort("Rider ID", "F-1", "F-2")
			g.set("F-1", "What we found", "rider is right")
			g.set("F-2", "What we found", "rider is right")
		}, refusal: "moved between rows"},
		{name: "two riders exchanged among others that are replaced", edit: func(g *grid) {
			g.sort("Rider ID", "F-1", "F-2")
			for i, trip := range []string{"F-3", "F-4", "F-5"} {
				g.set(trip, "Rider ID", fmt.Sprint("R-9", i))
			}
		}, refusal: "rider's id is that of row"},
		{name: "all riders sorted", edit: func(g *grid) { g.sort("Rider ID", "B-1", "F-1", "F-2", "V-1", "U-1", "C-1") }, refusal: "moved between rows"},
		{name: "a refused row's rider exchanged with a booked one's", edit: func(g *grid) { g.sort("Rider ID", "F-1", "B-1") }, refusal: "moved between rows"},
		{name: "trip ids of refused rows sorted", edit: func(g *grid) { g.sort("Trip ID", refusedTrips...) }, refusal: "moved between rows"},
		{name: "addresses of refused rows sorted", edit: func(g *grid) { g.sort("Pickup Address", refusedTrips...) }, refusal: "moved between rows"},
		{name: "two addresses exchanged among others that are fixed", edit: func(g *grid) {
			g.sort("Pickup Address", "F-2", "F-3")
			g.sort("Pickup Address", "F-3", "F-2")
			g.set("F-2", "Pickup Address", "43 Heron Way")
			g.set("F-3", "Pickup Address", "12 Gull Ln")
			for i, trip := range []string{"F-1", "F-4", "F-5"} {
				g.set(trip, "Pickup Address", fmt.Sprint(70+i, " Oak St"))
			}
		}, refusal: "moved between rows"},
		{name: "addresses moved down by one", edit: func(g *grid) {
			at := g.column("Pickup Address")
			for i := len(refusedTrips) - 1; i > 0; i-- {
				g.row(refusedTrips[i])[at] = g.row(refusedTrips[i-1])[at]
			}
		}, refusal: "moved between rows"},

		// Cells filled down.
		{name: "a rider filled down", edit: func(g *grid) {
			for _, trip := range refusedTrips[1:] {
				g.set(trip, "Rider ID", "R-14")
			}
		}, refusal: "rider's id is that of row"},
		{name: "a rider filled down one row", edit: func(g *grid) { g.set("F-2", "Rider ID", "R-14") }, refusal: "rider's id is that of row"},
		{name: "a rider filled down in other letters", edit: func(g *grid) { g.set("F-2", "Rider ID", "r14") }, refusal: "rider's id is that of row"},
		{name: "a booked row's rider filled down", edit: func(g *grid) { g.set("F-1", "Rider ID", "R-02") }, refusal: "rider's id is that of row"},
		{name: "a left out row's rider", edit: func(g *grid) { g.set("F-1", "Rider ID", "R-41") }, refusal: "rider's id is that of row"},
		{name: "a rider filled into a row without one", edit: func(g *grid) { g.set("V-2", "Rider ID", "R-21") }, refusal: "rider's id is that of row"},
		{name: "one new rider in two rows", edit: func(g *grid) {
			g.set("F-1", "Rider ID", "R-99")
			g.set("F-2", "Rider ID", "R-99")
		}, refusal: "rider's id is that of row"},
		{name: "a trip id filled down", edit: func(g *grid) { g.set("F-2", "Trip ID", "F-1") }, refusal: "trip's id"},
		{name: "a new trip id", edit: func(g *grid) { g.set("F-2", "Trip ID", "F-22") }, refusal: "trip's id"},
		{name: "an address filled down", edit: func(g *grid) {
			for _, trip := range refusedTrips[1:] {
				g.set(trip, "Pickup Address", "31 Fern St")
			}
		}, refusal: "filled into others"},
		{name: "a booked row's address filled down", edit: func(g *grid) {
			for _, trip := range refusedTrips[:2] {
				g.set(trip, "Pickup Address", "2 Birch Rd")
			}
		}, refusal: "filled into others"},
		{name: "an address of two rows filled into three", edit: func(g *grid) {
			g.set("F-1", "Pickup Address", "24 Iris Pl")
			for _, trip := range []string{"F-2", "F-3", "F-5"} {
				g.set(trip, "Pickup Address", "24 Iris Pl")
			}
		}, refusal: "filled into others"},

		// Rows pasted over rows.
		{name: "a refused row pasted over a refused one", edit: func(g *grid) { g.paste("F-1", "F-2") }, refusal: "trip's id"},
		{name: "a booked row pasted over a refused one", edit: func(g *grid) { g.paste("B-1", "F-2") }, refusal: "trip's id"},
		{name: "a left out row pasted over a refused one", edit: func(g *grid) { g.paste("C-1", "F-2") }, refusal: "trip's id"},
		{name: "a refused row pasted over a left out one", edit: func(g *grid) { g.paste("F-2", "C-1") }, refusal: "trip's id"},
		{name: "a refused row pasted over one that may be booked", edit: func(g *grid) { g.paste("F-2", "U-1") }, refusal: "trip's id"},
		{name: "rider and address pasted", edit: func(g *grid) { g.paste("F-1", "F-2", "Rider ID", "Pickup Address") }, refusal: "rider's id is that of row"},
		{name: "a place pasted", edit: func(g *grid) { g.paste("F-1", "F-2", "Pickup Address", "Pickup Latitude", "Pickup Longitude") }, refusal: "cells of this row are those"},
		{name: "a booked row's place pasted", edit: func(g *grid) { g.paste("B-1", "F-2", "Pickup Address", "Pickup Latitude", "Pickup Longitude") }, refusal: "cells of this row are those"},
		{name: "a row with its key pasted over another", edit: func(g *grid) { copy(g.row("F-2"), g.row("B-1")) }, refusal: "the row is there twice"},
		{name: "keys exchanged", edit: func(g *grid) {
			at := g.column("tripimport")
			g.row("F-1")[at], g.row("F-2")[at] = g.row("F-2")[at], g.row("F-1")[at]
		}, refusal: "apart"},

		// Rows more, columns fewer.
		{name: "a row twice", edit: func(g *grid) { g.cells = append(g.cells, slices.Clone(g.row("F-1"))) }, refusal: "the row is there twice"},
		{name: "a row inserted", edit: func(g *grid) {
			row := slices.Clone(g.row("F-1"))
			row[g.column("tripimport")], row[g.column("Trip ID")], row[g.column("Rider ID")] = "", "N-1", "R-50"
			g.cells = append(g.cells, row)
		}, refusal: "put new trips into the schedule"},
		{name: "a key removed", edit: func(g *grid) { g.set("F-1", "tripimport", "") }, refusal: "has no key"},
		{name: "a column removed", edit: func(g *grid) { g.cells[0][g.column("Rider ID")] = "" }, refusal: `the column "Rider ID" is gone`},
		{name: "two headers exchanged", edit: func(g *grid) {
			a, b := g.column("Rider ID"), g.column("Pickup Address")
			g.cells[0][a], g.cells[0][b] = g.cells[0][b], g.cells[0][a]
		}, refusal: "id"},
		{name: "a column twice", edit: func(g *grid) { g.insertColumn(3, "Rider ID") }, refusal: "is there twice"},
	} {
		for k, format := range []string{"xlsx", "csv"} {
			if testing.Short() && i%8 != k {
				continue // for the race detector one in eight is enough
			}
			t.Run(c.name+"/"+format, func(t *testing.T) {
				d := newDesk(t, format, "BFVUC")
				d.edit(c.edit)
				if c.refusal != "" || c.ask != "" {
					d.requireRefused(d.retry(false), c.refusal)
				}
				if c.refusal != "" {
					return
				}

				if c.ask != "" && (len(d.asked) != 1 || !strings.Contains(d.asked[0], c.ask)) {
					t.Errorf("asked %q, want %s", d.asked, c.ask)
				}
				err := d.retry(true)
				if s := app.StatusOf(err); s != app.FixRows && s != app.Listed { // U-1 is open, and the import said so
					t.Errorf("retry: %v", err)
				}
				if c.ask == "" && len(d.asked) > 0 {
					t.Errorf("asked %q, want no question", d.asked)
				}
				slices.Sort(d.posted)
				if diff := cmp.Diff(sent(c.changed), d.posted); diff != "" {
					t.Errorf("sent (-want +got)\n%s", diff)
				}
				if d.summary.DeletedRows != 0 {
					t.Errorf("%d rows are said to be deleted", d.summary.DeletedRows)
				}
			})
		}
	}
}

// requireRefused requires that nothing was sent, for that reason, and that the reason has no row
// content.
func (d *desk) requireRefused(err error, reason string) {
	d.Helper()
	if len(d.posted) > 0 {
		d.Errorf("sent %q", d.posted)
	}
	var in *importer.InputError
	var own *app.Error
	text := fmt.Sprint(err)
	switch {
	case errors.As(err, &in):
		text += in.Fix
	case errors.As(err, &own) && own.Status == app.NotSetUp:
		text += own.Fix
	default:
		d.Fatalf("retry: %v, want a refusal", err)
	}
	if !strings.Contains(text, reason) {
		d.Errorf("refused: %s; want %q", text, reason)
	}
	for _, r := range deskRows {
		if r[1] != "" && strings.Contains(text, r[1]) || strings.Contains(text, r[3]) {
			d.Errorf("the refusal shows row content: %s", text)
		}
	}
}
