package mapping

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// TestSamples checks the outcomes that were decided for four real layouts, as
// far as the mapping determines them.
func TestSamples(t *testing.T) {
	for _, layout := range []struct {
		name string
		rows []importer.Row
	}{
		{"round-trip-rows", mappingtest.ReadCSV(t, "../testdata/samples/round-trip-rows.csv")},
		{"two-leg-rows", mappingtest.ReadCSV(t, "../testdata/samples/two-leg-rows.csv")},
		{"single-datetime", mappingtest.ReadCSV(t, "../testdata/samples/single-datetime.csv")},
		{"serials-repeated-headers", typedRows()},
	} {
		t.Run(layout.name, func(t *testing.T) {
			mappingtest.Golden(t, layout.name, outcomes(t, template(t, layout.name), layout.rows))
		})
	}
}

// TestTypedCells checks that typed dates and times of a workbook become what the
// texts of a CSV file become.
func TestTypedCells(t *testing.T) {
	rows := mappingtest.ReadCSV(t, "../testdata/samples/round-trip-rows.csv")
	want := outcomes(t, template(t, "round-trip-rows"), rows)
	for i := range rows[1:] {
		cells := rows[i+1].Cells
		for _, col := range []int{15, 16, 19} {
			if c := &cells[col-1]; c.Type == importer.Text {
				*c = importer.Cell{Type: importer.TimeCell, Text: c.Text + ":00"}
			}
		}
		if c := &cells[13]; c.Text == "12/09/2026" {
			*c = importer.Cell{Type: importer.DateCell, Text: "2026-12-09"}
		}
		if c := &cells[11]; c.Type == importer.Text {
			c.Type = importer.Number
		}
	}
	if diff := cmp.Diff(want, outcomes(t, template(t, "round-trip-rows"), rows)); diff != "" {
		t.Error(diff)
	}
}

func outcomes(t *testing.T, m *Mapping, rows []importer.Row) string {
	t.Helper()
	b := bind(t, m, rows)
	var lines []string
	for _, row := range rows {
		if row.Num <= b.HeaderRow() {
			continue
		}
		lines = append(lines, row.Ref(0).String())
		for _, s := range sentences(b.Map(row, nil)) {
			lines = append(lines, "  "+s)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// typedRows is an export with repeated headers in which dates, times and some
// ZIPs are typed cells.
func typedRows() []importer.Row {
	text := func(s string) importer.Cell { return importer.Cell{Type: importer.Text, Text: s} }
	date := func(s string) importer.Cell {
		return importer.Cell{Type: importer.DateCell, Text: s, Format: "m/d/yyyy"}
	}
	clock := func(s string) importer.Cell {
		return importer.Cell{Type: importer.TimeCell, Text: s, Format: "h:mm AM/PM"}
	}
	zip := func(s string) importer.Cell {
		return importer.Cell{Type: importer.Number, Text: s, Format: "00000"}
	}
	number := func(s string) importer.Cell { return importer.Cell{Type: importer.Number, Text: s} }
	failed := importer.Cell{Type: importer.ErrorCell, Text: "#N/A"}
	none := importer.Cell{}

	var head []importer.Cell
	for _, name := range strings.Split("Logisticare Code|Trip IDs|Date of trip|LOS|Name|Days of Week|Type of address|Address 1|Address 2|City|State|Zip code|Phone number|Time of pickup|Drop off address type|Drop off address 1|DO address 2|City|State|DO Zip code|Phone|Appointment time|DOB|Age|Sex|Phone|Comments|Comments|Comments", "|") {
		head = append(head, text(name))
	}
	cells := [][]importer.Cell{
		head,
		{
			text("TX09"), text("1-61704-A"), date("2026-12-09"), text("W"), text("HOLLOWAY, MARGUERITE"), text("W"),
			text("Residence"), text("640 Bluestem Trl"), none, text("Austin"), text("TX"), zip("78748"), text("5125550191"), clock("06:45:00"),
			text("Willow Branch Family Integral"), text("2210 E Pecan Grove"), text("Bldg. C"), text("Austin"), text("TX"), text("78702-3310"), text("5125550192"), clock("08:00:00"),
			date("1950-06-17"), number("76"), text("F"), text("5125550191"), text("PCA : 1"), text("AEsc : 0 CEsc : 0"), none,
		},
		{
			text("TX09"), text("1-61704-B"), date("2026-12-09"), text("W"), text("HOLLOWAY, MARGUERITE"), text("W"),
			text("Willow Branch Family Integral"), text("2210 E Pecan Grove"), text("Bldg. C"), text("Austin"), text("TX"), text("78702-3310"), text("5125550192"), clock("10:15:00"),
			text("Hill Lab & Imaging"), text("915 Hill Spur 620 S"), text("Ste 4"), text("Lakeway"), text("TX"), zip("78734"), text("5125550193"), clock("11:00:00"),
			date("1950-06-17"), number("76"), text("F"), text("5125550191"), text("PCA : 1"), none, none,
		},
		{
			text("TX09"), text("1-61704-C"), date("2026-12-09"), text("W"), text("HOLLOWAY, MARGUERITE"), text("W"),
			text("Hill Lab & Imaging"), text("915 Hill Spur 620 S"), text("Ste 4"), text("Lakeway"), text("TX"), zip("78734"), text("5125550193"), clock("00:00:00"),
			text("Residence"), text("640 Bluestem Trl"), none, text("Austin"), text("TX"), zip("78748"), text("5125550191"), clock("00:00:00"),
			date("1950-06-17"), number("76"), text("F"), text("5125550191"), text("PCA : 1"), text("Call when ready"), none,
		},
		{
			text("TX09"), text("01-61855-A"), text("12/11/2026"), text("W/C"), text("D'AMBROSIO, FELIX"), text("F"),
			text("Residence"), text("17 Egret Sq , Apt . 208"), text("//"), text("Round Rock"), text("TX"), zip("78664"), text("512-555-0194"), text("06:45"),
			text("Cypress Row Wellness ( Austin-"), text("1402 W Cypress Row"), none, text("Austin"), text("TX"), text("78748-1180"), text("5125550195"), text("8:00 AM"),
			text("03/28/1961"), number("65"), text("M"), text("512-555-0194"), text("*"), text("No Gc"), none,
		},
		{
			text("TX09"), text("1-61902-A"), text("TBD"), text("ZZ"), text("OKAFOR-LINDE, PETRA"), text("F"),
			text("Residence"), text("P.O. Box 41"), none, text("Austin"), text("TX"), text("787"), text("5125550196"), failed,
			text("Capital Foot Clinic"), text("58 Capitol Pl"), none, text("Austin"), text("TX"), zip("78701"), none, clock("09:30:00"),
			date("1970-02-13"), number("56"), text("F"), none, none, none, none,
		},
	}
	var rows []importer.Row
	for i, c := range cells {
		rows = append(rows, importer.Row{File: "serials-repeated-headers.xlsx", Sheet: "Trips", Num: i + 1, Cells: c})
	}
	return rows
}
