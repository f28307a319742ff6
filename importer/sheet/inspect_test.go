package sheet_test

import (
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
	want := `trips.xlsx: xlsx
  sheet "Trips"  <- read
header in row 3, 2 rows below it
  A   Trip
  B   Rider <name>
  C   Date
  D   Time
  E   ZIP
  F   Escort
  G   Miles
notice: Trips, row 5: 1 hidden row was read like the others (first: row 5); delete the hidden rows that are not to be booked
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// headerAt is for a file whose header has that index among the rows that are not blank.
func headerAt(i int) func([]importer.Row) int { return func([]importer.Row) int { return i } }
