package results

import (
	"strings"

	"tripimport/importer"
)

// summaryShown is how many rows that need a person and kinds of problem the Summary shows. All of them are in Results.
const summaryShown = 40

// newSummary takes the sheet that every workbook has for the Summary.
func (w *workbook) newSummary() *stream {
	w.keep(w.file.SetSheetName(w.file.GetSheetName(0), summarySheet))
	return w.newStream(summarySheet, 48, 48, 48) // a line goes over all of them: LibreOffice cuts a column that is wider than the page
}

// writeSummary fills the first sheet.
func (w *workbook) writeSummary(s *Summary) {
	var banner Line
	switch {
	case s.Rehearsal:
		banner = Line{AlarmLine, rehearsalBanner}
	case s.Check:
		banner = Line{Headline, checkBanner}
	}
	about := Line{Text: joinNonEmpty(", ", w.input.Name, s.Mapping.Name, s.Run, s.Started.Format("2006-01-02 15:04:05 MST"), s.Program)}
	for i, part := range [][]Line{
		{banner, {Headline, s.Sentence}, {AlarmLine, s.Alarm}},
		s.problemLines(summaryShown), s.countLines(), s.stepLines(),
		append(importer.Each(s.Remarks, func(remark string) Line { return Line{Text: remark} }), about),
	} {
		if i > 0 {
			w.summary.put()
		}
		for _, l := range part {
			if l.Text != "" {
				w.summary.line(w.styles.lines[l.Kind], strings.TrimSpace(l.Text))
			}
		}
	}
	w.summary.end()
}
