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

// WithoutColumn returns the text of the mapping without a column, if it is only one of several of a
// list, or alone a property that no trip needs: a name, a note, a phone or a distance. Lines stay
// where they were.
func (m *Mapping) WithoutColumn(text string, column ColumnRef) (without string, ok bool) {
	lines := strings.Split(text, "\n")
	for _, at := range m.placesOf(column) {
		line := &lines[at.Line-1]
		before, list, isList := strings.Cut(*line, "[")
		list, after, closed := strings.Cut(list, "]")
		if !isList || !closed {
			key, value, _ := strings.Cut(strings.TrimSpace(*line), ": ")
			value, _, _ = strings.Cut(value, " #")
			if !slices.Contains(dispensable(), key) || !isNamed(value, column) {
				return text, false
			}
			*line = ""
			continue
		}
		items := strings.Split(list, ",")
		rest := slices.DeleteFunc(slices.Clone(items), func(item string) bool { return isNamed(item, column) })
		if len(rest) == 0 || len(rest) == len(items) || strings.ContainsAny(list, "{[") {
			return text, false
		}
		*line = before + "[" + strings.TrimSpace(strings.Join(rest, ",")) + "]" + after
	}
	return strings.Join(lines, "\n"), true
}

// isNamed reports whether a part of a line is the name of a column, and nothing else.
func isNamed(part string, column ColumnRef) bool {
	return strings.Trim(strings.TrimSpace(part), `"'`) == column.name.Value
}

// dispensable returns the keys of properties that no trip needs.
func dispensable() []string {
	return []string{"event_name", "location_name", "event_comment", "phone", "phone_number", "billable_distance"}
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

// WithSheet adds the name of the sheet to read to the text of a mapping.
func WithSheet(text, name string) string {
	line := "  sheet: " + strconv.Quote(name) + "\n"
	if before, after, found := strings.Cut(text, "\nread:\n"); found {
		return before + "\nread:\n" + line + after
	}
	if before, after, found := strings.Cut(text, "\nread: {"); found {
		return before + "\nread: {sheet: " + strconv.Quote(name) + ", " + after
	}
	before, after, _ := strings.Cut(text, "\ntrip:")
	return before + "\nread:\n" + line + "trip:" + after
}
