package xlsx_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFormulasNeverCalculated reads the workbooks that programs leave which write
// formulas and do not calculate them, and beside them those of programs that do.
func TestFormulasNeverCalculated(t *testing.T) {
	const (
		// A time, a text and a whole number by formulas, and a number that is typed.
		zeros = `<row r="2"><c r="A2" s="1"><f>B9</f><v>0</v></c><c r="B2"><f>C9</f><v>0</v></c><c r="C2"><v>0</v></c><c r="D2" s="1"><v>0</v></c></row>`
		real  = `<row r="2"><c r="A2" s="1"><f>B9</f><v>0.354166666666667</v></c><c r="B2" t="str"><f>C9</f><v>AMB</v></c><c r="C2"><f>1-1</f><v>0</v></c><c r="D2" s="1"><v>0</v></c></row>`
		// One formula gives the values of A2 to A3 and no others.
		array = `<row r="2"><c r="A2" s="1"><f t="array" ref="A2:A3">B2:B3</f><v>0</v></c><c r="B2"><v>7</v></c></row><row r="3"><c r="A3" s="1"><v>0</v></c><c r="B3"><v>7</v></c></row><row r="4"><c r="A4" s="1"><v>0.5</v></c></row>`

		notZeros = "2|error:#NOT CALCULATED|error:#NOT CALCULATED|number:0|time:00:00:00"
		notReal  = "2|error:#NOT CALCULATED|error:#NOT CALCULATED|error:#NOT CALCULATED|time:00:00:00"
		allReal  = "2|time:08:30:00|text:AMB|number:0|time:00:00:00"
	)

	tests := []struct {
		name, calcPr, rows string
		want               []string
	}{
		{"XlsxWriter and openpyxl ask for a calculation on load", `<calcPr calcId="124519" fullCalcOnLoad="1"/>`, zeros, []string{notZeros}},
		{"a result that a template had is of another day", `<calcPr calcId="191029" fullCalcOnLoad="true"/>`, real, []string{notReal}},
		{"a calculation that was not completed", `<calcPr calcId="191029" calcMode="manual" calcCompleted="0" calcOnSave="0"/>`, real, []string{notReal}},
		{"PhpSpreadsheet without its calculation", `<calcPr calcId="999999" calcMode="auto" calcCompleted="0" fullCalcOnLoad="1" forceFullCalc="1"/>`, zeros, []string{notZeros}},
		{"always to be calculated, and by no program that can", `<calcPr forceFullCalc="1"/>`, zeros, []string{notZeros}},
		{"a time of zero by a formula that no program calculated", ``, zeros, []string{"2|error:#NOT CALCULATED|number:0|number:0|time:00:00:00"}},
		{"LibreOffice saved zeros that it did not calculate either", `<calcPr iterateCount="100" refMode="A1" iterate="false" iterateDelta="0.001"/>`, zeros, []string{"2|error:#NOT CALCULATED|number:0|number:0|time:00:00:00"}},

		{"Excel", `<calcPr calcId="191029"/>`, real, []string{allReal}},
		{"Excel, a midnight by a formula", `<calcPr calcId="191029"/>`, zeros, []string{"2|time:00:00:00|number:0|number:0|time:00:00:00"}},
		{"Excel, with every calculation a full one", `<calcPr calcId="191029" forceFullCalc="1"/>`, real, []string{allReal}},
		{"Excel, calculated by hand and saved complete", `<calcPr calcId="191029" calcMode="manual" calcCompleted="1" fullCalcOnLoad="0"/>`, real, []string{allReal}},
		{"Excel, the cells of an array formula", `<calcPr calcId="191029"/>`, array, []string{"2|time:00:00:00|number:7", "3|time:00:00:00|number:7", "4|time:12:00:00"}},
		{"LibreOffice", `<calcPr iterateCount="100" refMode="A1" iterate="false" iterateDelta="0.001"/>`, real, []string{allReal}},
		{"Google Sheets", `<calcPr/>`, real, []string{allReal}},
		{"SheetJS and Numbers", ``, real, []string{allReal}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newTestWorkbook(tt.rows, nil, "h:mm").with("xl/workbook.xml", "</sheets>", "</sheets>"+tt.calcPr)
			if diff := cmp.Diff(tt.want, showAll(readRows(t, d))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBlockNeverCalculated checks that a formula of several cells, of which all but the first look like values,
// refuses the file if it was not calculated.
func TestBlockNeverCalculated(t *testing.T) {
	rows := `<row r="2"><c r="A2"><f t="array" ref="A2:A3">B2:B3</f><v>0</v></c></row><row r="3"><c r="A3"><v>0</v></c></row>`
	d := newTestWorkbook(rows, nil, "h:mm").with("xl/workbook.xml", "</sheets>", `</sheets><calcPr calcId="124519" fullCalcOnLoad="1"/>`)
	if _, _, err := read(t, d.zip(t)); err == nil || !strings.Contains(err.Error(), "A2 of its sheet Trips gives the values of several cells") {
		t.Errorf("%v", err)
	}
}
