package returned

import (
	"fmt"
	"testing"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
)

// The row of a refused trip may be fixed anywhere except in the trip id. A row with a
// booked leg must keep its rider too.
func TestWhatMayChange(t *testing.T) {
	refused := resultstest.Result(6, importer.Refused)
	half := resultstest.Result(8, importer.Booked)
	half.Trips[1].Outcome = importer.Outcome{State: importer.Refused, HTTPStatus: 400, Message: "no"}
	half.State, half.HalfBooked = importer.Refused, true
	name, _ := resultstest.Write(t, resultstest.Options(t, results.XLSX), resultstest.RunStart(), []importer.RowResult{refused, half})
	try := func(row, column int) (*Results, error) {
		f, err := excelize.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		set(t, f, sheetName, at(row, column), "changed")
		path := t.TempDir() + "/fixed.xlsx"
		if err := f.SaveAs(path); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path, testKey)
		if err == nil {
			t.Cleanup(func() { _ = r.Close() })
		}
		return r, err
	}
	for _, c := range []struct {
		row, column int
		edits       string
	}{{2, 4, "[Results!Q2 (Member ID), another rider of a refused row]"}, {2, 7, "[]"}, {3, 7, "[]"}} {
		if r, err := try(c.row, c.column); err != nil || fmt.Sprint(r.Edits) != c.edits {
			t.Errorf("row %d, column %d can't be fixed: %v, %v", c.row, c.column, r.Edits, err)
		}
	}
	for _, c := range []struct{ row, column int }{{2, 1}, {3, 1}, {3, 4}} {
		if _, err := try(c.row, c.column); err == nil {
			t.Errorf("row %d, column %d may change though nothing is wrong with the trip id, or a leg is booked", c.row, c.column)
		}
	}
}
