package main

import "github.com/xuri/excelize/v2"

// help writes the sheet that says how the workbook is filled in.
func (w *plainBook) help() {
	_, err := w.NewSheet(blankHelp)
	w.must(err)
	trips := w.sheet
	w.sheet = blankHelp
	defer func() { w.sheet = trips }()
	w.must(w.SetColWidth(w.sheet, "A", "A", 20))
	w.must(w.SetColWidth(w.sheet, "B", "B", 92))
	w.must(w.SetColWidth(w.sheet, "C", "C", 24))
	row := w.helpSteps(1)
	row = w.helpTrips(row + 1)
	row = w.helpLegend(row + 1)
	w.helpColumns(row + 1)
	w.onOnePage("portrait")
	off := false
	w.must(w.SetSheetView(w.sheet, 0, &excelize.ViewOptions{ShowGridLines: &off}))
}

// onOnePage makes the sheet print as wide as one page.
func (w *plainBook) onOnePage(orientation string) {
	across, down, fit := 1, 0, true
	w.must(w.SetPageLayout(w.sheet, &excelize.PageLayoutOptions{Orientation: &orientation, FitToWidth: &across, FitToHeight: &down}))
	w.must(w.SetSheetProps(w.sheet, &excelize.SheetPropsOptions{FitToPage: &fit}))
}

// helpSteps says what to do, from the first row to the booking. It returns the next
// free row, as the other parts of the help do.
func (w *plainBook) helpSteps(row int) int {
	row = w.helpHeading(row, "How to fill in the sheet Trips")
	for _, step := range [][2]string{
		{"1. Write", "One row is one trip, or a trip there and back. Point at a header to see what goes in."},
		{"2. The example", "The yellow row is left out while both of its ids say EXAMPLE. Delete it, or write over all of it."},
		{"3. Names", "Write your providers and funding sources into the sheet Names: Trips then offers them as lists."},
		{"4. Check", "tripimport check FILE.xlsx   It lists every fault at its cell and sends nothing."},
		{"5. Book", "tripimport import FILE.xlsx   Its results workbook says for each row what became of it."},
	} {
		row = w.helpLine(row, step[0], step[1])
	}
	return row
}

// helpTrips says which cells make which trip.
func (w *plainBook) helpTrips(row int) int {
	row = w.helpHeading(row, "Which cells make which trip")
	for _, kind := range [][2]string{
		{"An appointment", "Appointment Time; Pickup Time as well, if you set it yourself."},
		{"A return", "Pickup Time alone: the rider is ready then."},
		{"A will call", "Will Call: Yes. Only the Date, and no times."},
		{"There and back", "Round Trip: Yes, and an Appointment Time. Without a Return Time the way back is a will call."},
		{"Two days", "The Date holds for all times of its row. Past midnight, write both: 12/3/2026 12:45 AM."},
	} {
		row = w.helpLine(row, kind[0], kind[1])
	}
	return row
}

// helpLegend says what the headers' colours mean.
func (w *plainBook) helpLegend(row int) int {
	row = w.helpHeading(row, "What the colors of the headers mean")
	for _, line := range []struct {
		need  need
		label string
		text  string
	}{
		{always, "Dark", "Must be filled in, in every row."},
		{sometimes, "Light", "Needed in some rows: the list below says in which."},
		{optional, "Grey", "May stay empty."},
	} {
		w.set(row, 1, line.label, w.headerStyle(line.need))
		w.set(row, 2, line.text, w.wrapped(fontOf("1F2937")))
		row++
	}
	return row
}

// helpColumns says of each column what goes in.
func (w *plainBook) helpColumns(row int) {
	row = w.helpHeading(row, "What goes into each column")
	for i, title := range []string{"Column", "What goes in", "Such as"} {
		bold := fontOf("1F2937")
		bold.Bold = true
		w.set(row, i+1, title, w.wrapped(bold))
	}

	for _, c := range plainLayout() {
		row++
		w.set(row, 1, c.header, w.headerStyle(c.need))
		w.set(row, 2, c.note, w.wrapped(fontOf("1F2937")))
		example := csvText(c.example)
		switch c.header {
		case "Trip ID":
			example = "48213"
		case "Rider ID":
			example = "0048213377"
		}
		w.set(row, 3, example, w.wrapped(fontOf("7F6000")))
		w.heightFor(row, c.note)
	}
}

// helpHeading writes a heading.
func (w *plainBook) helpHeading(row int, text string) int {
	big := fontOf("1F4E78")
	big.Bold, big.Size = true, 14
	id, err := w.NewStyle(&excelize.Style{Font: big})
	w.must(err)
	w.set(row, 1, text, id)
	w.must(w.SetRowHeight(w.sheet, row, 22))
	return row + 1
}

// helpLine writes a label and a text.
func (w *plainBook) helpLine(row int, label, text string) int {
	bold := fontOf("1F2937")
	bold.Bold = true
	w.set(row, 1, label, w.wrapped(bold))
	w.set(row, 2, text, w.wrapped(fontOf("1F2937")))
	w.heightFor(row, text)
	return row + 1
}

// heightFor sets the height of a row to the lines that a text in column B needs.
func (w *plainBook) heightFor(row int, text string) {
	const perLine, line = 98, 15.5 // characters; points
	w.must(w.SetRowHeight(w.sheet, row, line*float64(1+(len(text)-1)/perLine)+2))
}
