package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// The Summary's columns: two narrow ones for numbers, which texts share, and
// three wide ones.
const (
	columnA = iota + 1
	columnB
	columnC
	columnD
	columnE
)

func summaryWidths() []float64 { return []float64{9, 9, 46, 36, 46} }

// A sheetWriter fills the Summary sheet from the top. Its workbook keeps the error
// of a call that failed.
type sheetWriter struct {
	*workbook
	row   int
	lines int // the number of lines of the row's tallest cell
}

// next begins the next row. It first sets the height of the current row, because programs
// fit a row's height at most to cells that are not merged.
func (s *sheetWriter) next() {
	s.end()
	s.row++
	s.lines = 0
}

// end gives the current row its height.
func (s *sheetWriter) end() {
	if s.lines > 1 {
		s.keep(s.file.SetRowHeight(summarySheet, s.row, float64(15*s.lines+2)))
	}
}

// set writes a cell of the current row over the columns from..to.
func (s *sheetWriter) set(from, to int, value any, style int) {
	row := strconv.Itoa(s.row)
	left, right := importer.ColumnName(from)+row, importer.ColumnName(to)+row
	if text, ok := value.(string); ok {
		shown, _ := showable(text)
		width := 0.0
		for _, w := range summaryWidths()[from-1 : to] {
			width += w
		}
		s.lines = max(s.lines, linesIn(shown, width))
		value = shown
	}
	s.keep(s.file.SetCellValue(summarySheet, left, value))
	if to > from {
		s.keep(s.file.MergeCell(summarySheet, left, right))
	}
	if style != 0 {
		s.keep(s.file.SetCellStyle(summarySheet, left, right, style))
	}
}

// wide writes a text over all columns in a row of its own.
func (s *sheetWriter) wide(text string, style int) {
	s.next()
	s.set(columnA, columnE, text, style)
}

// heading begins a part of the Summary, after an empty row.
func (s *sheetWriter) heading(text string) {
	s.next()
	s.wide(text, s.styles.heading)
}

// writeSummary fills the first sheet.
func (w *workbook) writeSummary(sum *Summary) {
	s := &sheetWriter{workbook: w}
	switch {
	case w.start.Rehearsal:
		s.wide(rehearsalBanner, w.styles.banner)
	case w.start.Check:
		s.wide(checkBanner, w.styles.heading)
	}

	s.wide(sum.Sentence, w.styles.sentence)
	w.keep(w.file.SetRowHeight(summarySheet, s.row, 44))
	s.lines = 0
	if sum.Alarm != "" {
		s.wide(sum.Alarm, w.styles.banner)
	}

	s.urgent(sum)
	chart := s.counts(sum)
	s.steps(sum)
	s.problems("What to fix, the most frequent first", sum.Problems)
	s.problems("Good to know", sum.Notices)
	s.about(sum)
	s.end()
	w.finishSummary(chart)
	w.keep(w.styles.err)
}

// urgentShown limits the rows that need a person in the Summary. All of them are in
// Results.
const urgentShown = 25

// urgent lists the rows that need a person.
func (s *sheetWriter) urgent(sum *Summary) {
	if sum.UrgentRows == 0 {
		return
	}
	s.heading(importer.Counted(sum.UrgentRows, "row needs", "rows need") + " a person, the most urgent first")
	s.header("Row", "Status and trip", "What happened", seal.FixHeader)
	wrap := s.styles.wrap
	for i := range first(sum.Urgent, urgentShown) {
		it := &sum.Urgent[i]
		what := textLines(it.Status, joinNonEmpty(", ", it.TripID, it.Time))
		s.line(it.Where, wrap, what, s.styles.person, it.Why, it.Do, wrap)
	}

	if more := sum.UrgentRows - min(len(sum.Urgent), urgentShown); more > 0 {
		s.wide(fmt.Sprintf("and %d more: filter the Needs column of Results", more), wrap)
	}
}

// joinNonEmpty joins the texts that are not empty.
func joinNonEmpty(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), separator)
}

// line writes a row of a table of four columns.
func (s *sheetWriter) line(first any, firstStyle int, c string, cStyle int, d, e string, style int) {
	s.next()
	s.set(columnA, columnB, first, firstStyle)
	s.set(columnC, columnC, c, cStyle)
	s.set(columnD, columnD, d, style)
	s.set(columnE, columnE, e, style)
}

// header writes the header of a table of four columns.
func (s *sheetWriter) header(first, c, d, e string) {
	style := s.styles.ownHeader
	s.line(first, style, c, style, d, e, style)
}

// chartRows is the smallest number of rows beside which the chart is drawn.
const chartRows = 9

// counts writes the outcomes, with room for a chart beside them.
func (s *sheetWriter) counts(sum *Summary) outcomeChart {
	s.heading("Outcomes")
	count := func(trips, rows any, number int, of string, style int) {
		s.next()
		s.set(columnA, columnA, trips, number)
		s.set(columnB, columnB, rows, number)
		s.set(columnC, columnC, of, style)
	}
	count("Trips", "Rows", s.styles.total, "Outcome", s.styles.ownHeader)
	chart := outcomeChart{top: s.row, first: s.row + 1, rows: sum.Check}
	for state := range importer.State(importer.StateCount) { // the worst first
		if trips, rows := sum.Trips.counted(state), sum.Rows.counted(state); trips+rows > 0 {
			count(trips, rows, s.styles.number, state.String(), s.styles.outcome[groupOf(state)])
		}
	}

	chart.last = s.row
	count(sum.Trips.Sum, sum.Rows.Sum, s.styles.total, "all", s.styles.ownHeader)
	s.extras(sum)
	for s.row < chart.top+chartRows {
		s.next()
	}

	chart.bottom = s.row
	return chart
}

// extras writes the counts that are no outcomes of their own.
func (s *sheetWriter) extras(sum *Summary) {
	add := func(n int, text string) {
		if n > 0 {
			s.next()
			s.set(columnA, columnA, n, s.styles.alert)
			s.set(columnB, columnC, text, s.styles.person)
		}
	}
	add(sum.HalfBooked, "half booked: one leg is in, the other is not")
	add(sum.TooLate, "too late: phone now")
	add(sum.GUIDMissing, "booked, but the service did not return the GUID")
	if sum.Balanced {
		s.next()
		s.set(columnA, columnC, sum.control(), s.styles.faint)
	}
}

// groupsShown limits the kinds of problem in the Summary.
const groupsShown = 30

// problems lists kinds of problem.
func (s *sheetWriter) problems(title string, groups []Group) {
	if len(groups) == 0 {
		return
	}
	s.heading(title)
	s.header("Rows", "What", "First cells", seal.FixHeader)
	wrap := s.styles.wrap
	for i := range first(groups, groupsShown) {
		g := &groups[i]
		text := g.Message
		if g.Others > 0 {
			text += fmt.Sprintf(" (and %d like it)", g.Others)
		}
		s.line(g.Rows, s.styles.number, text, wrap, bulleted(g.Cells), g.Fix, wrap)
	}

	if more := len(groups) - groupsShown; more > 0 {
		s.wide(fmt.Sprintf("and %s", importer.Counted(more, "more kind", "more kinds")), wrap)
	}
}

// steps says what to do next.
func (s *sheetWriter) steps(sum *Summary) {
	s.heading("What to do next")
	for i, step := range sum.Next {
		s.wide(fmt.Sprintf("%d. %s", i+1, step.Say), s.styles.step)
		if step.Command != "" {
			s.wide(step.Command, s.styles.command)
		}
	}
}

// about lists the inputs, the mapping and the run.
func (s *sheetWriter) about(sum *Summary) {
	s.heading("About this run")
	add := func(label, text string) {
		if text != "" {
			s.next()
			s.set(columnA, columnB, label, s.styles.faint)
			s.set(columnC, columnE, text, s.styles.wrap)
		}
	}

	for i, in := range sum.Inputs {
		text := in.Name
		if len(s.inputs) > 1 {
			text += ", in the sheet " + resultsName(i+1)
		}
		add("Input", text)
	}

	add("Mapping", sum.Mapping.Name)
	for _, d := range sum.Dates {
		add("Trips on", fmt.Sprintf("%s: %d", d.Label, d.N))
	}

	add("Run", sum.Run)
	if !sum.Started.IsZero() {
		add("Started", sum.Started.Format("2006-01-02 15:04:05 MST"))
		add("Ended", sum.Ended.Format("2006-01-02 15:04:05 MST"))
		add("Took", sum.Ended.Sub(sum.Started).Round(100*time.Millisecond).String())
	}
	add("Program", sum.Program)
	for _, remark := range sum.Remarks {
		add("Remark", remark)
	}
}

// finishSummary sets the sheet's widths, its chart and its print layout.
func (w *workbook) finishSummary(chart outcomeChart) {
	for i, width := range summaryWidths() {
		col := importer.ColumnName(i + 1)
		w.keep(w.file.SetColWidth(summarySheet, col, col, width))
	}

	grid, fit := false, true
	w.keep(w.file.SetSheetView(summarySheet, 0, &excelize.ViewOptions{ShowGridLines: &grid}))
	w.keep(chart.draw(w.file))
	w.keep(w.file.SetSheetProps(summarySheet, &excelize.SheetPropsOptions{FitToPage: &fit}))
	w.setPrintLayout(printLayout{sheet: summarySheet, wide: 1})
}
