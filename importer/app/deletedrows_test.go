package app_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/app"
)

// A row that is deleted before it is booked is named, whatever became of its trip.
// Rows that are booked may be deleted.
func TestDeletedRows(t *testing.T) {
	for _, c := range []struct {
		letters string
		remove  []string
		status  app.Status
		named   []string
	}{
		{"BF", nil, app.Done, nil},
		{"BF", []string{"B-1", "B-2"}, app.Done, nil},
		{"BFC", []string{"C-1", "B-2"}, app.Done, nil},
		{"BF", []string{"F-2"}, app.NeedsPerson, []string{"F-2"}},
		{"BF", []string{"B-1", "F-1", "F-5"}, app.NeedsPerson, []string{"F-1", "F-5"}},
		{"BFV", []string{"V-1"}, app.NeedsPerson, []string{"V-1"}},
		{"BFV", []string{"V-1", "V-2"}, app.NeedsPerson, []string{"V-1", "V-2"}},
		{"BFU", []string{"U-1"}, app.NeedsPerson, []string{"U-1"}},
		{"BF", refusedTrips, app.NeedsPerson, refusedTrips},
		{"F", refusedTrips, app.NeedsPerson, refusedTrips},
		{"B", []string{"B-1", "B-2"}, app.Done, nil},
	} {
		for _, format := range []string{"xlsx", "csv"} {
			t.Run(fmt.Sprint(c.letters, c.remove, format), func(t *testing.T) {
				d := newDesk(t, format, c.letters)
				d.edit(func(g *grid) {
					g.remove(c.remove...)
					slices.Reverse(g.cells[1:])
				})
				schedule, err := os.ReadFile(filepath.Join(d.folder, "night.csv"))
				d.must(err)
				requireNamed := func(what string, err error, named []string) {
					t.Helper()
					var got []string
					for _, it := range d.summary.Urgent {
						if it.Code == "deleted" {
							n, _ := strconv.Atoi(it.Where[strings.LastIndex(it.Where, " ")+1:])
							id, _, _ := strings.Cut(strings.Split(string(schedule), "\n")[n-1], ",")
							got = append(got, id)
						}
					}
					if app.StatusOf(err) != c.status || !slices.Equal(got, named) || d.summary.DeletedRows != len(named) {
						t.Errorf("%s: %v, status %d, %d named: %q; want status %d, %q", what, err, app.StatusOf(err), d.summary.DeletedRows, got, c.status, named)
					}
				}
				requireNamed("retry", d.retry(true), c.named)
				without := map[string]string{}
				for _, trip := range c.remove {
					without[trip] = ""
				}
				for _, trip := range refusedTrips {
					if !strings.Contains(c.letters, "F") {
						without[trip] = ""
					}
				}
				slices.Sort(d.posted)
				if diff := cmp.Diff(sent(without), d.posted, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("sent (-want +got)\n%s", diff)
				}

				// The new results remember what is gone, until it is booked.
				old := d.results
				d.results = d.newest("*.results*." + format)
				if d.results == old || filepath.Base(d.results) == filepath.Base(old) {
					t.Fatalf("no new results beside %s", old)
				}
				requireNamed("second retry", d.retry(true), c.named)
				if c.letters != "BF" || c.named == nil {
					return
				}
				err = d.app().Import(context.Background(), app.Options{Today: "2026-12-01"}, app.Silent{}, "night.csv")
				if app.StatusOf(err) != app.Done {
					t.Fatalf("import: %v", err)
				}
				if err := d.retry(true); app.StatusOf(err) != app.Done || d.summary.DeletedRows > 0 || len(d.posted) > 0 {
					t.Errorf("after they were booked: %v, %d named, sent %q", err, d.summary.DeletedRows, d.posted)
				}
			})
		}
	}
}

// Rows beyond those that are listed by name are counted.
func TestDeletedRowsBeyondTheList(t *testing.T) {
	const rows = 1003
	var text strings.Builder
	text.WriteString(header)
	for i := range rows {
		fmt.Fprintf(&text, "T-%d,R-%d,Lakeshore Transit,Harborview Health,Gurney,%d Alder Ct,Westfield,MI,48111,42.301,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,12/2/2026,8:30 AM,9:15 AM,No,No,\n", i, i, i)
	}
	for _, format := range []string{"xlsx", "csv"} {
		d := newDesk(t, format, "F")
		d.write("long.csv", text.String())
		_ = d.app().Import(context.Background(), app.Options{Today: "2026-12-01"}, app.Silent{}, "long.csv")
		d.results = d.newest("long.csv.*.results*." + format)
		d.edit(func(g *grid) { g.remove("T-7", "T-1001", "T-1002") })
		if err := d.retry(true); app.StatusOf(err) != app.NeedsPerson || d.summary.DeletedRows != 3 || d.summary.Urgent[0].Where != "line 9" {
			t.Errorf("%s: %v, %d deleted rows", format, err, d.summary.DeletedRows)
		}
	}
}

// Rows of results that are struck through are named, because they are sent like the others.
func TestStruckResults(t *testing.T) {
	d := newDesk(t, "xlsx", "BF")
	book, err := excelize.OpenFile(d.results)
	d.must(err)
	style, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Strike: true}})
	d.must(errors.Join(err, book.SetCellStyle("Results", "A3", "F3", style), book.Save()))
	_ = d.retry(true)
	want := filepath.Base(d.results) + ": 1 row that is struck through was read like the others (first: row 3); write `leave it` beside the rows that are not to be booked"
	if !slices.Contains(d.notices, want) {
		t.Errorf("%q, want %q", d.notices, want)
	}

	d.must(errors.Join(book.SetCellStyle("Results", "A3", "F3", 0), book.Save(), book.Close()))
	_ = d.retry(true)
	if slices.ContainsFunc(d.notices, func(text string) bool { return strings.Contains(text, "struck") }) {
		t.Errorf("no row is struck through: %q", d.notices)
	}
}

// A change in the results' record of their run is noticed.
func TestChangedRecord(t *testing.T) {
	t.Run("xlsx", func(t *testing.T) {
		d := newDesk(t, "xlsx", "BF")
		book, err := excelize.OpenFile(d.results)
		d.must(err)
		rows, err := book.GetRows("tripimport")
		d.must(err)
		for n, row := range rows {
			if row[0] == "identity" {
				d.must(book.SetCellStr("tripimport", fmt.Sprint("B", n+1), changedText(row[1])))
			}
		}
		d.must(errors.Join(book.Save(), book.Close()))
		d.requireRefused(d.retry(true), "")
	})
	t.Run("csv", func(t *testing.T) {
		d := newDesk(t, "csv", "BF")
		d.edit(func(g *grid) {
			at := g.column("tripimport")
			g.cells[0][at] = changedText(g.cells[0][at])
		})
		d.requireRefused(d.retry(true), "")
	})
	t.Run("the hidden sheet removed", func(t *testing.T) {
		d := newDesk(t, "xlsx", "BF")
		book, err := excelize.OpenFile(d.results)
		d.must(err)
		d.must(errors.Join(book.DeleteSheet("tripimport"), book.Save(), book.Close()))
		d.requireRefused(d.retry(true), "hidden sheet was deleted")
	})
	t.Run("rows of another run", func(t *testing.T) {
		for _, format := range []string{"xlsx", "csv"} {
			d := newDesk(t, format, "BFV")
			d.must(d.retryTo("second." + format))
			var row []string
			first := d.results
			d.results = filepath.Join(d.folder, "second."+format)
			d.edit(func(g *grid) { row = slices.Clone(g.row("V-1")) })
			d.results = first
			d.edit(func(g *grid) { copy(g.row("V-1"), row) })
			d.requireRefused(d.retry(true), "of another run")
		}
	})
	t.Run("last night's results after this morning's", func(t *testing.T) {
		for _, format := range []string{"xlsx", "csv"} {
			d := newDesk(t, format, "BFV")
			d.must(d.retryTo("second." + format))
			if err := d.retry(true); app.StatusOf(err) != app.FixRows || len(d.posted) > 0 {
				t.Errorf("%v, sent %q", err, d.posted)
			}
		}
	})
}

// changedText changes a character near the end of a text, where the seal or the
// list of rows is.
func changedText(text string) string {
	at := len(text) - 3
	other := byte('A')
	if text[at] == other {
		other = 'B'
	}
	return text[:at] + string(other) + text[at+1:]
}

// retryTo retries the results as they are and writes the new ones to a file. Rows to
// fix are no error.
func (d *desk) retryTo(name string) error {
	err := d.app().Retry(context.Background(), app.Options{Today: "2026-12-01", Output: filepath.Join(d.folder, name)}, app.Silent{}, d.results)
	if app.StatusOf(err) == app.FixRows {
		return nil
	}
	return err
}

// Two rows have one trip id. If one is made the same as the other, neither is left out as a
// copy. A copy that was in the schedule already stays one.
func TestCopiesInResults(t *testing.T) {
	const row = "%s,%s,Lakeshore Transit,Harborview Health,AMB,%s,Westfield,MI,48111,42.301,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,12/2/2026,8:30 AM,9:15 AM,No,No,\n"
	for _, format := range []string{"xlsx", "csv"} {
		d := newDesk(t, format, "F")
		d.write("twice.csv", header+fmt.Sprintf(row, "T-1", "R-1", "1 Oak St")+fmt.Sprintf(row, "T-1", "R-1", "2 Elm St")+
			fmt.Sprintf(row, "T-2", "R-3", "3 Ash St")+fmt.Sprintf(row, "T-2", "R-3", "3 Ash St"))
		_ = d.app().Import(context.Background(), app.Options{Today: "2026-12-01"}, app.Silent{}, "twice.csv")
		d.results = d.newest("twice.csv.*.results*." + format)
		if want := []string{"T-2 R-3 3 Ash St"}; !slices.Equal(d.posted, want) {
			t.Fatalf("%s: sent %q, want %q", format, d.posted, want)
		}
		d.edit(func(g *grid) {
			at := g.column("Pickup Address")
			for _, r := range g.cells[1:3] {
				r[at] = "1 Oak St"
			}
		})
		err := d.retry(true)
		if app.StatusOf(err) != app.FixRows || len(d.posted) > 0 || d.summary.FixRows != 2 {
			t.Errorf("%s: %v, %d rows to fix, sent %q", format, err, d.summary.FixRows, d.posted)
		}
	}
}

// LibreOffice saves the workbook: fixed rows are sent, a sorted column is not.
func TestSavedByLibreOffice(t *testing.T) {
	soffice, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("this machine has no LibreOffice (soffice) to save the workbook with")
	}
	save := func(d *desk) {
		out := filepath.Join(d.folder, "saved")
		cmd := exec.Command(soffice, "-env:UserInstallation=file://"+filepath.ToSlash(t.TempDir()), "--headless",
			"--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", out, d.results)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		d.results = filepath.Join(out, filepath.Base(d.results))
		if _, err := os.Stat(d.results); err != nil {
			t.Fatal(err)
		}
	}

	d := newDesk(t, "xlsx", "BF")
	d.edit(func(g *grid) {
		g.set("F-2", "Pickup Address", "120 Gull Ln")
		g.remove("B-1", "F-4")
		slices.Reverse(g.cells[1:])
	})
	save(d)
	err = d.retry(true)
	slices.Sort(d.posted)
	if diff := cmp.Diff(sent(map[string]string{"F-2": "F-2 R-11 120 Gull Ln", "F-4": ""}), d.posted); diff != "" || app.StatusOf(err) != app.NeedsPerson || d.summary.DeletedRows != 1 {
		t.Errorf("%v, %d deleted, sent (-want +got)\n%s", err, d.summary.DeletedRows, diff)
	}

	sorted := newDesk(t, "xlsx", "BF")
	sorted.edit(func(g *grid) { g.sort("Rider ID", refusedTrips...) })
	save(sorted)
	sorted.requireRefused(sorted.retry(true), "moved between rows")
	var in *importer.InputError
	if !errors.As(sorted.retry(true), &in) || in.At.Col == 0 {
		t.Errorf("the cell is not named: %v", in)
	}
}
