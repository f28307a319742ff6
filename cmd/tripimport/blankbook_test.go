package main

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// The sheets of the blank workbook. The first one is the one that is read.
const (
	blankTrips = "Trips"
	blankHelp  = "How to fill this in"
	blankNames = "Names"
)

// blankWorkbook generates templates/plain.xlsx: the plain layout for staff to fill
// in.
func blankWorkbook(t *testing.T) []byte {
	t.Helper()
	w := newPlainBook(t, blankTrips)
	w.columns(1, func(c plainColumn) int { return w.headerStyle(c.need) })
	w.exampleRow()
	w.comments()
	w.help()
	w.names()
	w.dropDowns()
	w.SetActiveSheet(0)
	return w.bytes()
}

// exampleRow writes the example, in a colour and in italics, so that nobody takes it
// for a trip.
func (w *plainBook) exampleRow() {
	grey := fontOf("7F6000")
	grey.Italic = true
	fill := excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FFF2CC"}}
	styles := map[plainKind]int{}
	for i, c := range plainLayout() {
		if _, made := styles[c.kind]; !made {
			styles[c.kind] = w.style(c.kind, grey, &fill)
		}
		w.set(2, i+1, c.example, styles[c.kind])
	}
	w.must(w.SetRowHeight(w.sheet, 2, 20))
}

// comments adds to each header a note that says what goes into its column.
func (w *plainBook) comments() {
	for i, c := range plainLayout() {
		text := c.note + "\n" + c.need.words()
		lines := len(text)/38 + 3
		w.must(w.AddComment(w.sheet, excelize.Comment{
			Cell: cellName(i+1, 1), Author: "tripimport", Width: 270, Height: uint(18 * lines),
			Paragraph: []excelize.RichTextRun{{Text: text, Font: &excelize.Font{Family: "Calibri", Size: 10}}},
		}))
	}
}

// words says the need in the words of the notes and the legend.
func (n need) words() string {
	switch n {
	case sometimes:
		return "Needed in some rows."
	case optional:
		return "May stay empty."
	case always:
	}
	return "Must be filled in."
}

// dropDowns adds data validation, so that only what the mapping can read can be
// typed. Names are suggested from the sheet Names, but any text is allowed.
func (w *plainBook) dropDowns() {
	for i, c := range plainLayout() {
		v := excelize.NewDataValidation(true)
		first := cellName(i+1, 2)
		v.SetSqref(first + ":" + strings.TrimRight(first, "0123456789") + "1048576")
		refuse := func(message string) { v.SetError(excelize.DataValidationErrorStyleStop, c.header, message) }
		switch c.header {
		case "Trip ID":
			w.must(v.SetRange("COUNTIF($A:$A,A2)=1", "", excelize.DataValidationTypeCustom, excelize.DataValidationOperatorEqual))
			v.SetError(excelize.DataValidationErrorStyleWarning, c.header, "Another row has this trip id already. Each trip needs one of its own.")
		case "Space Type":
			w.must(v.SetDropList([]string{"AMB", "WCH", "STR"}))
			refuse("Choose AMB, WCH or STR.")
		case "Will Call", "Round Trip", "Cancelled":
			w.must(v.SetDropList([]string{"Yes", "No"}))
			refuse("Choose Yes or No, or leave the cell empty.")
		case "Provider":
			v.SetSqrefDropList(blankNames + "!$A$2:$A$100")
		case "Funding Source":
			v.SetSqrefDropList(blankNames + "!$B$2:$B$100")
		case "Pickup State", "Dropoff State":
			w.must(v.SetRange(2, 2, excelize.DataValidationTypeTextLength, excelize.DataValidationOperatorEqual))
			refuse("Write the state's two letters, such as WI.")
		case "Pickup ZIP", "Dropoff ZIP":
			w.must(v.SetRange(5, 10, excelize.DataValidationTypeTextLength, excelize.DataValidationOperatorBetween))
			refuse("Write five digits, or nine with a hyphen.")
		case "Additional AMB", "Additional WCH":
			w.must(v.SetRange(0, 50, excelize.DataValidationTypeWhole, excelize.DataValidationOperatorBetween))
			refuse("Write how many come along, such as 1, or leave the cell empty.")
		case "Distance":
			w.must(v.SetRange(0, 3000, excelize.DataValidationTypeDecimal, excelize.DataValidationOperatorBetween))
			refuse("Write the miles, or leave the cell empty.")
		default:
			if !w.byKind(v, c, first, refuse) {
				continue
			}
		}
		w.must(w.AddDataValidation(w.sheet, v))
	}
}

// firstDay is the serial number of 1/1/2020; no schedule is older.
const firstDay = 43831

// byKind sets the rule of a column by its kind, and reports whether it has one.
func (w *plainBook) byKind(v *excelize.DataValidation, c plainColumn, first string, refuse func(string)) bool {
	switch {
	case c.kind == asDate:
		w.must(v.SetRange(firstDay, 0, excelize.DataValidationTypeDate, excelize.DataValidationOperatorGreaterThanOrEqual))
		refuse("Write the day, such as 12/2/2026.")
	case c.kind == asTime:
		// A time is a part of a day, with or without its date. 830 would be a day in
		// 1902. excelize writes formulas into the XML without escaping them.
		rule := html.EscapeString(fmt.Sprintf("AND(ISNUMBER(%[1]s),OR(AND(%[1]s>=0,%[1]s<1),%[1]s>=%[2]d))", first, firstDay))
		w.must(v.SetRange(rule, "", excelize.DataValidationTypeCustom, excelize.DataValidationOperatorEqual))
		refuse("Write a time with its colon, such as 8:30 AM or 13:45.")
	case c.kind == asDegree && strings.HasSuffix(c.header, "Latitude"):
		w.must(v.SetRange(-90, 90, excelize.DataValidationTypeDecimal, excelize.DataValidationOperatorBetween))
		refuse("Write degrees, such as 43.0712.")
	case c.kind == asDegree:
		w.must(v.SetRange(-180, 180, excelize.DataValidationTypeDecimal, excelize.DataValidationOperatorBetween))
		refuse("Write degrees, such as -87.9065. West is negative.")
	default:
		return false
	}
	return true
}

// names writes the sheet in which the office lists what the drop-down lists suggest.
func (w *plainBook) names() {
	_, err := w.NewSheet(blankNames)
	w.must(err)
	trips := w.sheet
	w.sheet = blankNames
	defer func() { w.sheet = trips }()
	w.must(w.SetColWidth(w.sheet, "A", "B", 32))
	w.must(w.SetColWidth(w.sheet, "C", "C", 60))
	w.must(w.SetColStyle(w.sheet, "A:B", w.cellStyle(asText)))
	w.set(1, 1, "Providers", w.headerStyle(optional))
	w.set(1, 2, "Funding Sources", w.headerStyle(optional))
	w.set(1, 3, "Write the names below, one in a cell, just as `tripimport access` shows them. The sheet Trips then offers them as lists.", w.wrapped(fontOf("1F2937")))
	w.must(w.SetRowHeight(w.sheet, 1, 34))
	w.must(w.SetPanes(w.sheet, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}))
	w.onOnePage("landscape")
}

// wrapped makes a style that wraps its text.
func (w *plainBook) wrapped(font *excelize.Font) int {
	id, err := w.NewStyle(&excelize.Style{Font: font, Alignment: &excelize.Alignment{Horizontal: "left", Vertical: "center", WrapText: true, Indent: 1}})
	w.must(err)
	return id
}

// cellName returns the name of a cell, such as B2.
func cellName(col, row int) string {
	name, err := excelize.CoordinatesToCellName(col, row)
	if err != nil {
		panic(err)
	}
	return name
}
