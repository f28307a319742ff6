package mapping

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
	"tripimport/mapping/values"
)

// A ColumnRef names a column as a mapping does: by its header, with the group
// above it or its number among equal headers, or by its letter.
type ColumnRef struct {
	header, under, letter text
	nth                   int
	optional              bool
	position
}

// Header returns the header by which the mapping names the column. It is empty if
// the mapping names the column only by its letter.
func (r ColumnRef) Header() string { return r.header.Value }

// Nth says which of several columns of one header is meant, from 1; 0 if the
// mapping does not say.
func (r ColumnRef) Nth() int { return r.nth }

// Key identifies the column. It is the same for references that differ only in
// case and spaces.
func (r ColumnRef) Key() string {
	parts := []string{values.FoldCase(r.header.Value), values.FoldCase(r.under.Value), values.FoldCase(r.letter.Value)}
	if r.nth > 0 {
		parts = append(parts, strconv.Itoa(r.nth))
	}
	return strings.TrimRight(strings.Join(parts, "\x1f"), "\x1f")
}

// at returns where the mapping names the column.
func (r ColumnRef) at() position {
	switch {
	case r.header.given():
		return r.header.position
	case r.letter.given():
		return r.letter.position
	}
	return r.position
}

// String returns the column's name for people.
func (r ColumnRef) String() string {
	name := fmt.Sprintf("%q", r.header.Value)
	switch {
	case !r.header.given():
		return "column " + strings.ToUpper(r.letter.Value)
	case r.under.given():
		name += fmt.Sprintf(" under %q", r.under.Value)
	case r.letter.given():
		name += " in column " + strings.ToUpper(r.letter.Value)
	}

	if r.nth > 1 {
		name = fmt.Sprintf("%s number %d", name, r.nth)
	}
	return name
}

// Headers are the headers of one file. They are read-only and safe for
// concurrent use.
type Headers struct {
	columns []importer.Column
	groups  []string         // the row above, if headers have two rows
	exact   map[string][]int // indexes of columns, by values.FoldCase of the header
	loose   map[string][]int // indexes of columns, by values.HeaderKey of the header
	row     int              // its number in the sheet; 0 if there is none
	width   int              // fields of the record, for CSV
}

// ReadHeaders reads a row as the header row.
func ReadHeaders(row importer.Row) *Headers { return newHeaders(row, nil) }

// newHeaders reads the header row; above is the row of the groups, or
// nil. A group is written above the first of its columns.
func newHeaders(row importer.Row, above *importer.Row) *Headers {
	h := &Headers{exact: map[string][]int{}, loose: map[string][]int{}, row: row.Num, width: row.Width}
	last := len(row.Cells)
	for last > 0 && row.Cells[last-1].Type == importer.Empty {
		last--
	}

	group := ""
	for col := 1; col <= last; col++ {
		name := values.Clean(row.Cell(col).Text)
		if above != nil {
			text := values.Clean(above.Cell(col).Text)
			if text != "" {
				group = text
			}
			if name == "" {
				name = text
			}
		}
		h.add(importer.Column{Num: col, Header: name}, group)
	}

	return h
}

func (h *Headers) add(column importer.Column, group string) {
	i := len(h.columns)
	h.columns = append(h.columns, column)
	h.groups = append(h.groups, group)
	if column.Header == "" {
		return
	}
	folded, key := values.FoldCase(column.Header), values.HeaderKey(column.Header)
	h.exact[folded] = append(h.exact[folded], i)
	if key != "" {
		h.loose[key] = append(h.loose[key], i)
	}
}

// Row is the number of the header row; 0 if the file has none.
func (h *Headers) Row() int { return h.row }

// Columns returns all columns in order, those without a header included. The
// caller must not change them.
func (h *Headers) Columns() []importer.Column { return h.columns }

// Same returns the columns with that header, from the left. Case and spaces
// make no difference, punctuation does.
func (h *Headers) Same(header string) []importer.Column {
	var same []importer.Column
	for _, i := range h.exact[values.FoldCase(header)] {
		same = append(same, h.columns[i])
	}
	return same
}

// name returns a column's header; it is empty if the column has none.
func (h *Headers) name(col int) string {
	if col < 1 || col > len(h.columns) {
		return ""
	}
	return h.columns[col-1].Header
}

// notThere is the problem of a column that the file does not have.
const notThere = "is not there"

// Find returns the column that ref names. If there is none, problem says why, in
// words that follow the column's name: "is not there". A header that differs in
// case, spaces or punctuation is found unless another one fits exactly.
func (h *Headers) Find(ref ColumnRef) (column importer.Column, problem string) {
	if ref.letter.given() {
		return h.findLetter(ref)
	}

	hits := h.exact[values.FoldCase(ref.header.Value)]
	if hits == nil {
		hits = h.loose[values.HeaderKey(ref.header.Value)]
	}
	if ref.under.given() {
		hits = h.inGroup(hits, ref.under.Value)
	}

	switch {
	case len(hits) == 0:
		return importer.Column{}, notThere
	case ref.nth > len(hits):
		return importer.Column{}, fmt.Sprintf("is there %s only", times(len(hits)))
	case ref.nth > 0:
		return h.columns[hits[ref.nth-1]], ""
	case len(hits) > 1:
		return importer.Column{}, fmt.Sprintf("is there %s (%s): say which with nth", times(len(hits)), h.letters(hits))
	}

	return h.columns[hits[0]], ""
}

func (h *Headers) findLetter(ref ColumnRef) (column importer.Column, problem string) {
	col, ok := importer.ColumnNumber(ref.letter.Value)
	if !ok || h.row > 0 && col > len(h.columns) {
		return importer.Column{}, "is beyond the last column"
	}
	if ref.header.given() && values.HeaderKey(ref.header.Value) != values.HeaderKey(h.name(col)) {
		return importer.Column{}, fmt.Sprintf("is headed %q", h.name(col))
	}
	return importer.Column{Num: col, Header: h.name(col)}, ""
}

// inGroup keeps the columns below the group.
func (h *Headers) inGroup(hits []int, group string) []int {
	return slices.DeleteFunc(slices.Clone(hits), func(i int) bool {
		return values.HeaderKey(h.groups[i]) != values.HeaderKey(group)
	})
}

func (h *Headers) letters(hits []int) string {
	var names []string
	for _, i := range hits {
		names = append(names, importer.ColumnName(h.columns[i].Num))
	}
	return strings.Join(names, ", ")
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// A missingColumn is a column that a mapping names and a file does not have.
type missingColumn struct {
	ref     ColumnRef
	problem string
	isValue bool // the name is probably meant as a constant
}

// describe names the column with its problem, and with the nearest of the unused
// headers if one is near.
func (m missingColumn) describe(unused []importer.Column) string {
	s := m.ref.String() + " " + m.problem
	switch near := nearestColumn(m.ref.header.Value, unused); {
	case m.problem != notThere:
	case m.isValue:
		s += fmt.Sprintf("; did you mean {const: %s}?", m.ref.header.Value)
	case near != nil:
		s += fmt.Sprintf("; there is %v", near)
	}
	return s
}

// missingColumns returns the columns that can't be found.
func (h *Headers) missingColumns(refs []ColumnRef) []missingColumn {
	var list []missingColumn
	for _, ref := range refs {
		if problem := h.problem(ref); problem != "" {
			_, isState := usps.StateOf(ref.header.Value)
			list = append(list, missingColumn{ref, problem, isState})
		}
	}
	return list
}

// lacks counts the columns that can't be found. It stops at enough.
func (h *Headers) lacks(refs []ColumnRef, enough int) int {
	n := 0
	for i := 0; i < len(refs) && n < enough; i++ {
		if h.problem(refs[i]) != "" {
			n++
		}
	}
	return n
}

// problem says why a column can't be found; it is empty if it can be. An optional
// column may be absent, but not ambiguous.
func (h *Headers) problem(ref ColumnRef) string {
	_, problem := h.Find(ref)
	if ref.optional && problem == notThere {
		return ""
	}
	return problem
}

// A Head is the first rows of a file. It reads each row as headers once, however many
// mappings are compared with it. It is not safe for concurrent use.
type Head struct {
	rows []importer.Row
	read []*Headers // nil until they are needed
}

// NewHead returns the Head of rows.
func NewHead(rows []importer.Row) *Head { return &Head{rows, make([]*Headers, len(rows))} }

// headers reads row i as headers without groups above them.
func (h *Head) headers(i int) *Headers {
	if h.read[i] == nil {
		h.read[i] = newHeaders(h.rows[i], nil)
	}
	return h.read[i]
}
