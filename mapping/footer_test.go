package mapping

import (
	"strings"
	"testing"

	"tripimport/importer"
)

// TestFooterCell checks which rows look like a line that ends a list. No row of a
// rider does.
func TestFooterCell(t *testing.T) {
	for text, want := range map[string]int{
		"Total,8": 0, "Total trips: 20": 0, ",,Grand Totals,31.50": 2, "Subtotal": 0, "*** End of report ***": 0, "8 records": 0,
		"Page 1 of 3": 0, "Printed 12/1/2026 by Dana": 0, "Run date: 12/1": 0, "Number of trips,12": 0, "Trips: 12": 0, "Count: 4": 0,
		"T-1,Pagett Anna": -1, "T-1,Countess Mary": -1, "T-1,Totalo Ike": -1, "8 Records Rd": 0, "": -1,
		"T-9,Page Anna,R-9,12/02/2026,8:30": -1, // too many values
	} {
		row := importer.Row{Num: 2}
		for value := range strings.SplitSeq(text, ",") {
			cell := importer.Cell{Text: value, Type: importer.Text}
			if value == "" {
				cell = importer.Cell{}
			}
			row.Cells = append(row.Cells, cell)
		}
		if got := FooterCell(row, 12); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
		if FooterCell(row, 2) >= 0 {
			t.Errorf("%q: of two columns", text)
		}
	}
}
