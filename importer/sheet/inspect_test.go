package sheet_test

import (
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/sheet"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// schedule returns a workbook with a title, typed cells and a hidden row.
func schedule(t *testing.T) *sheet.File {
	return open(t, "trips.xlsx", workbook(t, func(f *excelize.File) {
		day, err := f.NewStyle(&excelize.Style{NumFmt: 14})
		check(t, err)
		clock, err := f.NewStyle(&excelize.Style{NumFmt: 20})
		check(t, err)
		zip := "00000"
		code, err := f.NewStyle(&excelize.Style{CustomNumFmt: &zip})
		check(t, err)
		check(t, f.SetSheetName("Sheet1", "Trips"))
		for i, row := range [][]any{
			{"Manifest", nil},
			nil,
			{"Trip", "Rider <name>", "Date", "Time", "ZIP", "Escort", "Miles"},
			{"70411", "Odalys", excelize.Cell{}, nil, nil, true, 6.4},
			{"70412", "Wendell & son", nil, nil, nil, false, 12},
		} {
			if row == nil {
				continue
			}
			at, err := excelize.CoordinatesToCellName(1, i+1)
			check(t, err)
			check(t, f.SetSheetRow("Trips", at, &[]any{nil, nil}))
			for col, v := range row {
				at, err := excelize.CoordinatesToCellName(col+1, i+1)
				check(t, err)
				if _, ok := v.(excelize.Cell); !ok {
					check(t, f.SetCellValue("Trips", at, v))
				}
			}
		}
		check(t, f.SetSheetRow("Trips", "A2", &[]any{nil, nil}))
		check(t, f.SetCellValue("Trips", "C4", 46358))
		check(t, f.SetCellStyle("Trips", "C4", "C4", day))
		check(t, f.SetCellValue("Trips", "D4", 0.3541666666666667))
		check(t, f.SetCellStyle("Trips", "D4", "D4", clock))
		check(t, f.SetCellValue("Trips", "E4", 2145))
		check(t, f.SetCellStyle("Trips", "E4", "E4", code))
		check(t, f.SetRowVisible("Trips", 5, false))
	}), sheet.Options{})
}

func TestInspect(t *testing.T) {
	got, err := sheet.Inspect(schedule(t), headerAt(1))
	check(t, err)
	want := sheet.Report{
		File: "trips.xlsx", Kind: "xlsx", Sheet: "Trips", Sheets: []sheet.SheetInfo{{Name: "Trips", Visibility: "visible"}},
		HeaderRow: 3, Rows: 2,
		Columns: []sheet.Column{
			{Letter: "A", Num: 1, Header: "Trip", Filled: 2, Types: map[string]int{"text": 2}, Samples: []string{"70411", "70412"}},
			{Letter: "B", Num: 2, Header: "Rider <name>", Filled: 2, Types: map[string]int{"text": 2}, Samples: []string{"Odalys", "Wendell & son"}},
			{Letter: "C", Num: 3, Header: "Date", Filled: 1, Types: map[string]int{"date": 1}, Samples: []string{"2026-12-02"}},
			{Letter: "D", Num: 4, Header: "Time", Filled: 1, Types: map[string]int{"time": 1}, Samples: []string{"08:30:00"}},
			{Letter: "E", Num: 5, Header: "ZIP", Filled: 1, Types: map[string]int{"number": 1}, Samples: []string{"02145"}},
			{Letter: "F", Num: 6, Header: "Escort", Filled: 2, Types: map[string]int{"bool": 2}, Samples: []string{"TRUE", "FALSE"}},
			{Letter: "G", Num: 7, Header: "Miles", Filled: 2, Types: map[string]int{"number": 2}, Samples: []string{"6.4", "12"}},
		},
		Notices: []string{"Trips, row 5: 1 hidden row was read like the others (first: row 5); delete the hidden rows that are not to be booked"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var b strings.Builder
	check(t, got.WriteText(&b))
	for _, part := range []string{"trips.xlsx: xlsx\n", `sheet "Trips", visible  <- read`, "header in row 3, 2 rows below it", "E   ZIP", "02145", "notice: Trips, row 5"} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("no %q in\n%s", part, b.String())
		}
	}
}

func TestInspectRagged(t *testing.T) {
	got, err := sheet.Inspect(open(t, "trips.csv", []byte("Trip,Rider\n1,A\n2\n3,B,C\n"), sheet.Options{}), headerAt(0))
	check(t, err)
	if got.Ragged != 2 || got.FirstRagged != 3 || got.Rows != 3 || got.Delimiter != "," || got.Encoding != "utf-8" {
		t.Errorf("got %+v", got)
	}
}

// headerAt is for a file whose header has that index among the rows that are not blank.
func headerAt(i int) func([]importer.Row) int { return func([]importer.Row) int { return i } }
