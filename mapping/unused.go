package mapping

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// An UnusedColumn is a column of a file that the mapping does not use.
type UnusedColumn struct {
	importer.Column
	// Name is the column as a mapping names it.
	Name string
	// Holds is what the column seemed to hold when it was listed, as propose words it;
	// empty if the mapping does not say.
	Holds string
	// Listed reports that the mapping lists the column under unused:, and Open that
	// the entry is an open question.
	Listed, Open bool
}

// YAML returns an entry of unused: for the column, with the question, or without one with
// what the column seems to hold.
func (u UnusedColumn) YAML(question string) string {
	name := strconv.Quote(u.Name)
	switch {
	case question != "":
		return "{column: " + name + ", decide: " + strconv.Quote(question) + "}"
	case u.Holds != "":
		return "{column: " + name + ", holds: " + u.Holds + "}"
	}
	return name
}

// Unused returns the columns of the file that the mapping does not use, in order.
// A column without a header counts if one of the file's first rows has a value
// there.
func (b *Bound) Unused() []UnusedColumn { return slices.Clone(b.unused) }

// Unlisted returns the unused columns that the mapping does not list.
func (b *Bound) Unlisted() []UnusedColumn {
	return slices.DeleteFunc(b.Unused(), func(u UnusedColumn) bool { return u.Listed })
}

// Used returns the columns of the file that the mapping uses, in order. Columns
// without a header are left out.
func (b *Bound) Used() []importer.Column {
	return slices.DeleteFunc(b.Columns(), func(c importer.Column) bool {
		return c.Header == "" || slices.ContainsFunc(b.unused, func(u UnusedColumn) bool { return u.Column == c })
	})
}

// Expected returns the used columns that should have a value in some row. Optional
// columns and status columns that know the empty cell are left out.
func (b *Bound) Expected() []importer.Column {
	return slices.DeleteFunc(b.Used(), func(c importer.Column) bool {
		optional := slices.ContainsFunc(b.mapping.refs, func(ref ColumnRef) bool {
			found, _ := b.headers.Find(ref)
			return ref.optional && found == c
		})
		mayBeEmpty := slices.ContainsFunc(b.status, func(s statusColumn) bool { return s.column == c && s.words[emptyWord] != unknownWord })
		return optional || mayBeEmpty
	})
}

// NoStatus returns the used columns that are no status columns.
func (b *Bound) NoStatus() []importer.Column {
	return slices.DeleteFunc(b.Used(), func(c importer.Column) bool {
		return slices.ContainsFunc(b.status, func(s statusColumn) bool { return s.column == c })
	})
}

// Headers returns the headers of the file.
func (b *Bound) Headers() *Headers { return b.headers }

// unusedColumns finds the columns that the mapping does not name. rows are the first
// rows of the file.
func (m *Mapping) unusedColumns(h *Headers, rows []importer.Row) []UnusedColumn {
	used := m.usedColumns(h)
	var all []UnusedColumn
	for _, column := range h.AllColumns(rows) {
		if used[column.Num] {
			continue
		}
		u := UnusedColumn{Column: column, Name: h.NameOf(column)}
		for i := range m.doc.Unused {
			if spec := &m.doc.Unused[i]; h.means(ColumnRef{name: spec.Column}, column) {
				u.Listed, u.Open, u.Holds = true, u.Open || spec.Decide.given(), spec.Holds.Value
			}
		}
		all = append(all, u)
	}
	return all
}

// AllColumns returns all columns with a header, or with a value below it in any of the
// rows, in order. To the right of the headers there are columns only if most rows have values in
// them: otherwise the cells of a row are shifted.
func (h *Headers) AllColumns(rows []importer.Row) []importer.Column {
	filled := make([]int, len(h.columns), 2*len(h.columns)+1) // by column
	below := 0
	for _, row := range rows {
		if row.Num <= h.row {
			continue
		}
		some := false
		for i := range row.Cells {
			if row.Cells[i].Type == importer.Empty {
				continue
			}
			filled = append(filled, make([]int, max(0, i+1-len(filled)))...)
			filled[i]++
			some = true
		}
		if some {
			below++
		}
	}

	var all []importer.Column
	for i, n := range filled {
		name := h.name(i + 1)
		if name != "" || n > 0 && (i < len(h.columns) || 2*n > below) {
			all = append(all, importer.Column{Num: i + 1, Header: name})
		}
	}
	return all
}

// means reports whether an entry of unused: is about the column. A header alone means
// all columns that have it.
func (h *Headers) means(ref ColumnRef, column importer.Column) bool {
	if found, problem := h.Find(ref); problem == "" {
		return found.Num == column.Num
	}
	return values.HeaderKey(column.Header) == values.HeaderKey(ref.name.Value) && column.Header != ""
}

// WithUnused lists columns as unused in the text of a mapping. It removes the
// questions about them and leaves everything else as it was written.
func WithUnused(text string, columns []UnusedColumn) string {
	var added []string
	for _, u := range columns {
		if !u.Open {
			added = append(added, u.YAML(""))
			continue
		}
		entry, _, _ := strings.Cut(u.YAML("?"), ", decide: ")
		question := regexp.MustCompile("- " + regexp.QuoteMeta(entry) + `, decide: "(?:[^"\\]|\\.)*"\}`)
		text = question.ReplaceAllLiteralString(text, "- "+u.YAML(""))
	}
	return withItems(text, "unused", "columns that are not used; a column that is neither used nor listed here is a notice", added)
}

// withItems adds items to the beginning of a list in the mapping's text. If there is
// no such list, it begins one at the end of the text, with a comment.
func withItems(text, key, comment string, items []string) string {
	if len(items) == 0 {
		return text
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}

	at, indent := strings.Index("\n"+text, "\n"+key+":"), "  "
	if at >= 0 {
		at += strings.Index(text[at:], "\n") + 1
		indent = text[at : len(text)-len(strings.TrimLeft(text[at:], " "))]
	} else {
		text += fmt.Sprintf("%-47s # %s\n", key+":", comment)
		at = len(text)
	}

	var added strings.Builder
	for _, item := range items {
		added.WriteString(indent + "- " + item + "\n")
	}
	return text[:at] + added.String() + text[at:]
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
