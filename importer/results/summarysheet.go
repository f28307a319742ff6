package results

import (
	"fmt"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// summaryWidths are the widths of the Summary's columns: one for numbers and places, and three for texts.
func summaryWidths() []float64 { return []float64{18, 46, 36, 46} }

// A summaryTable is the Summary sheet, which is written from the top.
type summaryTable struct{ *stream }

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

// line writes a row, as high as its texts need, because not every program fits heights by itself.
func (s *summaryTable) line(cells ...cell) {
	s.putHigh(rowHeight(cells, func(i int) float64 { return summaryWidths()[i] }), cells...)
}

// wide writes a text over all columns in a row of its own.
func (s *summaryTable) wide(text string, style int) {
	s.merge(1, len(summaryWidths()))
	s.putHigh(heightOf(linesIn(text, 146)), textCell(style, text))
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

	s.merge(1, len(summaryWidths()))
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
	s.line(textCells(s.w.styles.ownHeader, "Row", "Status and trip", "What happened", seal.FixHeader)...)
	wrap := s.w.styles.wrap
	for i := range first(sum.Urgent, urgentShown) {
		it := &sum.Urgent[i]
		what := textLines(it.Status, joinNonEmpty(", ", it.TripID, it.Time))
		s.line(textCell(wrap, it.Where), textCell(s.w.styles.person, what), textCell(wrap, it.Why), textCell(wrap, it.Do))
	}

	if more := sum.UrgentRows - min(len(sum.Urgent), urgentShown); more > 0 {
		s.wide(fmt.Sprintf("and %d more: filter the Needs column of Results", more), wrap)
	}
}

// joinNonEmpty joins the texts that are not empty.
func joinNonEmpty(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), separator)
}

// counts writes the outcomes.
func (s *summaryTable) counts(sum *Summary) {
	s.heading("Outcomes")
	st := s.w.styles
	s.line(textCell(st.total, "Trips"), textCell(st.ownHeader, "Outcome"), textCell(st.total, "Rows"))
	for state := range importer.State(importer.StateCount) { // the worst first
		if trips, rows := sum.Trips.counted(state), sum.Rows.counted(state); trips+rows > 0 {
			s.line(numberCell(st.number, trips), textCell(st.statusOf(state, false), state.String()), numberCell(st.number, rows))
		}
	}

	s.line(numberCell(st.total, sum.Trips.Sum), textCell(st.ownHeader, "all"), numberCell(st.total, sum.Rows.Sum))
	s.extras(sum)
}

// extras writes the counts that are no outcomes of their own.
func (s *summaryTable) extras(sum *Summary) {
	st := s.w.styles
	add := func(n int, text string) {
		if n > 0 {
			s.line(numberCell(st.total, n), textCell(st.person, text))
		}
	}
	add(sum.HalfBooked, "half booked: one leg is in, the other is not")
	add(sum.TooLate, "too late: phone now")
	add(sum.GUIDMissing, "booked, but the service did not return the GUID")
	if sum.Balanced {
		s.wide(sum.control(), st.wrap)
	}
}

// problems lists kinds of problem.
func (s *summaryTable) problems(title string, groups []Group) {
	if len(groups) == 0 {
		return
	}
	s.heading(title)
	s.line(textCells(s.w.styles.ownHeader, "Rows", "What", "First cells", seal.FixHeader)...)
	wrap := s.w.styles.wrap
	for i := range groups {
		g := &groups[i]
		s.line(numberCell(s.w.styles.number, g.Rows), textCell(wrap, g.text()), textCell(wrap, bulleted(g.Cells)), textCell(wrap, g.Fix))
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
			s.line(textCell(s.w.styles.wrap, label), textCell(s.w.styles.wrap, text))
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
	}
	add("Program", sum.Program)
	for _, remark := range sum.Remarks {
		add("Remark", remark)
	}
}
