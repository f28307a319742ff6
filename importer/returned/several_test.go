package returned

import (
	"errors"
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

// An address that several passengers have was filled into three refused rows, of which each had another one. In
// two of them it may have been typed, and in rows of one address it corrects that.
func TestFilledFromMany(t *testing.T) {
	for _, c := range []struct {
		filled  int
		alike   bool
		refused bool
	}{{3, false, true}, {2, false, false}, {3, true, false}} {
		var rows []importer.RowResult
		for n := 2; n < 12; n++ {
			row := resultstest.Result(n, importer.Booked)
			switch {
			case n < 5:
				row = resultstest.Result(n, importer.Refused)
				if c.alike {
					row.Row.Cells[6] = resultstest.Text("50 Clinc Rd")
				}
			case n >= 10:
				row.Row.Cells[6] = resultstest.Text("50 Clinic Rd")
			}
			rows = append(rows, row)
		}
		name, _ := resultstest.Write(t, resultstest.Options(t, results.XLSX), resultstest.RunStart(), rows)
		f, err := excelize.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for n := range c.filled {
			set(t, f, sheetName, at(2+n, 7), "50 Clinic Rd")
		}
		if err := errors.Join(f.Save(), f.Close()); err != nil {
			t.Fatal(err)
		}
		r, err := Open(name, testKey)
		if err == nil {
			_ = r.Close()
		}
		if refused := err != nil; refused != c.refused {
			t.Errorf("%d cells, alike before: %t: %v", c.filled, c.alike, err)
		}
	}
}
