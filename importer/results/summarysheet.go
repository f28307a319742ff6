package results

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
)

// A line of the Summary goes over columns that are so wide together. LibreOffice cuts a single column that is wider than the
// page.
const summaryColumns, summaryWidth = 3, 144

// A summaryTable is the Summary sheet, which is written from the top: a line in each row.
type summaryTable struct{ *stream }

// newSummaryTable takes the sheet that every workbook has for the Summary.
func newSummaryTable(w *workbook) *summaryTable {
	w.keep(w.file.SetSheetName(w.file.GetSheetName(0), summarySheet))
	s := w.newStream(summarySheet)
	w.keep(s.SetColWidth(1, summaryColumns, summaryWidth/summaryColumns))
	grid := false
	w.keep(w.file.SetSheetView(summarySheet, 0, &excelize.ViewOptions{ShowGridLines: &grid}))
	return &summaryTable{s}
}

// line writes a row, as high as its text needs, because not every program fits heights by itself.
func (s *summaryTable) line(text string, style int) {
	s.merge(1, summaryColumns)
	s.putHigh(heightOf(linesIn(text, summaryWidth)), textCell(style, text))
}

// big writes a text in large letters in a row.
func (s *summaryTable) big(text string, kind LineKind) {
	s.merge(1, summaryColumns)
	s.putHigh(float64(22*linesIn(text, summaryWidth*0.7)), textCell(s.w.styles.lines[kind], text))
}

// part writes lines below a heading; nothing without any.
func (s *summaryTable) part(heading string, lines ...Line) {
	if len(lines) == 0 {
		return
	}
	s.put()
	s.line(heading, s.w.styles.heading)
	for _, l := range lines {
		s.line(strings.TrimSpace(l.Text), s.w.styles.lines[l.Kind])
	}
}

// write fills the first sheet.
func (s *summaryTable) write(sum *Summary) {
	switch {
	case sum.Rehearsal:
		s.big(rehearsalBanner, AlarmLine)
	case sum.Check:
		s.line(checkBanner, s.w.styles.heading)
	}
	s.big(sum.Sentence, Headline)
	if sum.Alarm != "" {
		s.big(sum.Alarm, AlarmLine)
	}

	s.part(importer.Counted(sum.UrgentRows, "row needs", "rows need")+" a person, the most urgent first", sum.urgentLines()...)
	s.part("Outcomes", sum.countLines()...)
	s.part("What to do next", sum.stepLines()...)
	s.part("What to fix, the most frequent first", groupLines(sum.Problems)...)
	s.part("Good to know", groupLines(sum.Notices)...)
	s.part("About this run", s.about(sum)...)
	s.layOut()
	s.w.keep(s.Flush())
}

// urgentShown limits the rows that need a person in the Summary. All of them are in
// Results.
const urgentShown = 25

// urgentLines list the rows that need a person.
func (s *Summary) urgentLines() []Line {
	lines := importer.Each(first(s.Urgent, urgentShown), func(it Item) Line {
		return Line{UrgentLine, because(joinNonEmpty(", ", it.Where, it.TripID, it.Time, it.Status), it.Why) + remedy(it.Do)}
	})
	if more := s.UrgentRows - len(lines); more > 0 {
		lines = append(lines, Line{Text: fmt.Sprintf("and %d more: filter the Needs column of Results", more)})
	}
	return lines
}

// groupLines list kinds of problem.
func groupLines(groups []Group) []Line {
	return importer.Each(groups, func(g Group) Line { return Line{Text: g.Line() + remedy(g.Fix)} })
}

// remedy returns how to fix something as the end of a line.
func remedy(fix string) string { return strings.TrimSuffix(" → "+fix, " → ") }

// about lists the inputs, the mapping and the run.
func (s *summaryTable) about(sum *Summary) (lines []Line) {
	add := func(label, text string) {
		if text != "" {
			lines = append(lines, Line{Text: label + ": " + text})
		}
	}
	add("Input", s.w.input.Name)
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
	return lines
}
