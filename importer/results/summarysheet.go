package results

import (
	"fmt"
	"slices"
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

// A summaryTable is the Summary sheet, which is written from the top.
type summaryTable struct{ *stream }

// A span is a cell over the columns from..to.
type span struct {
	from, to int
	cell
}

// newSummaryTable takes the sheet that every workbook has for the Summary.
func newSummaryTable(w *workbook) *summaryTable {
	w.keep(w.file.SetSheetName(w.file.GetSheetName(0), summarySheet))
	s := w.newStream(summarySheet)
	for i, width := range summaryWidths() {
		w.keep(s.SetColWidth(i+1, i+1, width))
	}
	grid := false
	w.keep(w.file.SetSheetView(summarySheet, 0, &excelize.ViewOptions{ShowGridLines: &grid}))
	return &summaryTable{s}
}

// line writes a row, as high as its texts need: programs fit a row's height at most to cells that are
// not merged.
func (s *summaryTable) line(spans ...span) {
	cells, high := make([]cell, columnE), 1
	for _, of := range spans {
		width := 0.0
		for column := of.from; column <= of.to; column++ {
			cells[column-1].style = of.style
			width += summaryWidths()[column-1]
		}
		cells[of.from-1] = of.cell
		high = max(high, linesIn(of.text, width))
		s.merge(of.from, of.to)
	}
	s.putHigh(heightOf(high), cells...)
}

// wide writes a text over all columns in a row of its own.
func (s *summaryTable) wide(text string, style int) {
	s.line(span{columnA, columnE, textCell(style, text)})
}

// heading begins a part of the Summary, after an empty row.
func (s *summaryTable) heading(text string) {
	s.put()
	s.wide(text, s.w.styles.heading)
}

// write fills the first sheet.
func (s *summaryTable) write(sum *Summary) {
	st := s.w.styles
	switch {
	case sum.Rehearsal:
		s.wide(rehearsalBanner, st.banner)
	case sum.Check:
		s.wide(checkBanner, st.heading)
	}

	s.merge(columnA, columnE)
	s.putHigh(44, textCell(st.sentence, sum.Sentence))
	if sum.Alarm != "" {
		s.wide(sum.Alarm, st.banner)
	}

	s.urgent(sum)
	s.counts(sum)
	s.steps(sum)
	s.problems("What to fix, the most frequent first", sum.Problems)
	s.problems("Good to know", sum.Notices)
	s.about(sum)
	s.layOut()
	s.w.keep(s.Flush())
}

// urgentShown limits the rows that need a person in the Summary. All of them are in
// Results.
const urgentShown = 25

// urgent lists the rows that need a person.
func (s *summaryTable) urgent(sum *Summary) {
	if sum.UrgentRows == 0 {
		return
	}
	s.heading(importer.Counted(sum.UrgentRows, "row needs", "rows need") + " a person, the most urgent first")
	s.header("Row", "Status and trip", "What happened", seal.FixHeader)
	wrap := s.w.styles.wrap
	for i := range first(sum.Urgent, urgentShown) {
		it := &sum.Urgent[i]
		what := textLines(it.Status, joinNonEmpty(", ", it.TripID, it.Time))
		s.four(textCell(wrap, it.Where), textCell(s.w.styles.person, what), it.Why, it.Do, wrap)
	}

	if more := sum.UrgentRows - min(len(sum.Urgent), urgentShown); more > 0 {
		s.wide(fmt.Sprintf("and %d more: filter the Needs column of Results", more), wrap)
	}
}

// joinNonEmpty joins the texts that are not empty.
func joinNonEmpty(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), separator)
}

// four writes a row of a table of four columns.
func (s *summaryTable) four(first cell, c cell, d, e string, style int) {
	s.line(span{columnA, columnB, first}, span{columnC, columnC, c}, span{columnD, columnD, textCell(style, d)}, span{columnE, columnE, textCell(style, e)})
}

// header writes the header of a table of four columns.
func (s *summaryTable) header(first, c, d, e string) {
	style := s.w.styles.ownHeader
	s.four(textCell(style, first), textCell(style, c), d, e, style)
}

// counts writes the outcomes.
func (s *summaryTable) counts(sum *Summary) {
	s.heading("Outcomes")
	st := s.w.styles
	count := func(trips, rows cell, of string, style int) {
		s.line(span{columnA, columnA, trips}, span{columnB, columnB, rows}, span{columnC, columnC, textCell(style, of)})
	}
	count(textCell(st.total, "Trips"), textCell(st.total, "Rows"), "Outcome", st.ownHeader)
	for state := range importer.State(importer.StateCount) { // the worst first
		if trips, rows := sum.Trips.counted(state), sum.Rows.counted(state); trips+rows > 0 {
			count(numberCell(st.number, trips), numberCell(st.number, rows), state.String(), st.statusOf(state, false))
		}
	}

	count(numberCell(st.total, sum.Trips.Sum), numberCell(st.total, sum.Rows.Sum), "all", st.ownHeader)
	s.extras(sum)
}

// extras writes the counts that are no outcomes of their own.
func (s *summaryTable) extras(sum *Summary) {
	st := s.w.styles
	add := func(n int, text string) {
		if n > 0 {
			s.line(span{columnA, columnA, numberCell(st.alert, n)}, span{columnB, columnC, textCell(st.person, text)})
		}
	}
	add(sum.HalfBooked, "half booked: one leg is in, the other is not")
	add(sum.TooLate, "too late: phone now")
	add(sum.GUIDMissing, "booked, but the service did not return the GUID")
	if sum.Balanced {
		s.line(span{columnA, columnC, textCell(st.faint, sum.control())})
	}
}

// groupsShown limits the kinds of problem in the Summary.
const groupsShown = 30

// problems lists kinds of problem.
func (s *summaryTable) problems(title string, groups []Group) {
	if len(groups) == 0 {
		return
	}
	s.heading(title)
	s.header("Rows", "What", "First cells", seal.FixHeader)
	wrap := s.w.styles.wrap
	for i := range first(groups, groupsShown) {
		g := &groups[i]
		s.four(numberCell(s.w.styles.number, g.Rows), textCell(wrap, g.text()), bulleted(g.Cells), g.Fix, wrap)
	}

	if more := len(groups) - groupsShown; more > 0 {
		s.wide(fmt.Sprintf("and %s", importer.Counted(more, "more kind", "more kinds")), wrap)
	}
}

// steps says what to do next.
func (s *summaryTable) steps(sum *Summary) {
	s.heading("What to do next")
	for i, step := range sum.Next {
		s.wide(fmt.Sprintf("%d. %s", i+1, step.Say), s.w.styles.step)
		if step.Command != "" {
			s.wide(step.Command, s.w.styles.command)
		}
	}
}

// about lists the inputs, the mapping and the run.
func (s *summaryTable) about(sum *Summary) {
	s.heading(seal.RunHeading)
	add := func(label, text string) {
		if text != "" {
			s.line(span{columnA, columnB, textCell(s.w.styles.faint, label)}, span{columnC, columnE, textCell(s.w.styles.wrap, text)})
		}
	}

	for i, in := range sum.Inputs {
		text := in.Name
		if len(s.w.inputs) > 1 {
			text += ", in the sheet " + resultsName(i+1)
		}
		add("Input", text)
	}

	add("Mapping", sum.Mapping.Name)
	for _, d := range sum.Dates {
		add("Trips on", fmt.Sprintf("%s: %d", d.Date, d.Trips))
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
