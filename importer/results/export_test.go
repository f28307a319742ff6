package results

import (
	"strings"

	"tripimport/importer"
)

// Summarize returns the Summary of rows without writing anything.
func Summarize(o Options, h importer.RunStart, rows []importer.RowResult, e importer.RunResult) Summary {
	w := Writer{o: o}
	c := newCollector(h)
	for i := range rows {
		shown := w.show(&rows[i])
		c.add(&rows[i], &shown)
	}
	s := c.summary(e)
	commands := o.Commands(o.Path)
	s.addSteps(&commands)
	s.Files = []string{o.Path}
	return s
}

// Text returns the lines as one text.
func (s *Summary) Text(width int) string {
	var b strings.Builder
	for _, l := range s.Lines(width) {
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	return b.String()
}
