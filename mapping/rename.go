package mapping

import (
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// WithHeader returns the text of the mapping with another header in place of a column's,
// wherever a value or a text names it, and with a comment on these
// lines. Everything else stays as it was written.
func (m *Mapping) WithHeader(text string, column ColumnRef, header, comment string) string {
	lines := strings.Split(text, "\n")
	for _, at := range m.placesOf(column) {
		line := &lines[at.Line-1]
		before, rest := (*line)[:at.Col-1], (*line)[at.Col-1:]
		old := column.name.Value
		if after, alone := strings.CutPrefix(rest, old); alone && strings.HasSuffix(strings.TrimRight(before, `"'`), before) {
			rest = strconv.Quote(header) + after
		} else if alone { // inside a longer quoted text
			rest = header + after
		} else {
			for _, quotes := range []string{"\"\"", "''", "{}"} {
				rest = strings.ReplaceAll(rest, quotes[:1]+old+quotes[1:], quotes[:1]+header+quotes[1:])
			}
		}
		*line = before + rest
		if !strings.Contains(*line, comment) {
			*line += "  # " + comment
		}
	}
	return strings.Join(lines, "\n")
}

// placesOf returns the positions at which the mapping names a column, the last of
// each line first.
func (m *Mapping) placesOf(column ColumnRef) []position {
	var all []position
	c := &compiler{Mapping: m, decoder: m.decoder()}
	c.resolve = func(ref ColumnRef) (importer.Column, bool) {
		at := ref.name.position
		if ref.Key() == column.Key() && at.Line > 0 && !slices.Contains(all, at) {
			all = append(all, at)
		}
		return importer.Column{}, true
	}
	c.bound()
	slices.SortFunc(all, func(a, b position) int { return b.Col - a.Col })
	return all
}
