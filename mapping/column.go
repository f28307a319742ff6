package mapping

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A ColumnRef is a column as a mapping names it: City, City#2 for the second with that
// header, Pickup/City for the one under a group, =C for the one with that letter. A header
// that is just so written comes first: Trip #2 may be one.
type ColumnRef struct {
	name     text
	optional bool
}

// Header returns the header by which the mapping names the column. It is empty if
// the mapping names the column only by its letter.
func (r ColumnRef) Header() string {
	if r.letter() > 0 {
		return ""
	}
	header, _ := r.numbered()
	return header
}

// Key identifies the column. It is the same for references that differ only in
// case and spaces.
func (r ColumnRef) Key() string { return values.FoldCase(r.name.Value) }

// String returns the column's name for people.
func (r ColumnRef) String() string {
	if col := r.letter(); col > 0 {
		return "column " + importer.ColumnName(col)
	}
	return fmt.Sprintf("%q", r.name.Value)
}

// letter returns the number of the column that is named by its letter; 0 for any other.
func (r ColumnRef) letter() int {
	letters, ok := strings.CutPrefix(r.name.Value, "=")
	if !ok {
		return 0
	}
	col, _ := importer.ColumnNumber(strings.TrimSpace(letters))
	return col
}

// numbered cuts the number off City#2. It is 0 if there is none.
func (r ColumnRef) numbered() (header string, nth int) {
	at := strings.LastIndexByte(r.name.Value, '#')
	if at <= 0 || !values.AllDigits(r.name.Value[at+1:]) {
		return r.name.Value, 0
	}
	nth, err := strconv.Atoi(r.name.Value[at+1:])
	if err != nil || nth < 1 {
		return r.name.Value, 0
	}
	return strings.TrimSpace(r.name.Value[:at]), nth
}

// NameOf returns the column of h as a mapping names it.
func (h *Headers) NameOf(column importer.Column) string {
	same := h.Same(column.Header)
	switch i := slices.Index(same, column); {
	case column.Header == "" || strings.ContainsAny(column.Header, "{}"):
		return "=" + importer.ColumnName(column.Num)
	case len(same) > 1:
		return column.Header + "#" + strconv.Itoa(i+1)
	}
	return column.Header
}

// Headers are the headers of one file. They are read-only and safe for
// concurrent use.
type Headers struct {
	columns []importer.Column
	groups  []string         // the row above; nil unless headers have two rows
	exact   map[string][]int // indexes of columns, by values.FoldCase of the header
	loose   map[string][]int // indexes of columns, by values.HeaderKey of the header
	row     int              // its number in the sheet; 0 if there is none
	width   int              // fields of the record, for CSV
}

// ReadHeaders reads the header row; above is the row of the groups, or
// nil. A group is written above the first of its columns.
func ReadHeaders(row importer.Row, above *importer.Row) *Headers {
	h := &Headers{exact: map[string][]int{}, loose: map[string][]int{}, row: row.Num, width: row.Width}
	last := len(row.Cells)
	if above != nil {
		last = max(last, len(above.Cells))
	}
	for last > 0 && row.Cell(last).Type == importer.Empty && (above == nil || above.Cell(last).Type == importer.Empty) {
		last--
	}

	group := ""
	for col := 1; col <= last; col++ {
		name := values.Clean(row.Cell(col).Text)
		if above != nil {
			text := values.Clean(above.Cell(col).Text)
			group, name = cmp.Or(text, group), cmp.Or(name, text)
			h.groups = append(h.groups, group)
		}
		h.columns = append(h.columns, importer.Column{Num: col, Header: name})
		if name != "" {
			folded, key := values.FoldCase(name), values.HeaderKey(name)
			h.exact[folded], h.loose[key] = append(h.exact[folded], col-1), append(h.loose[key], col-1)
		}
	}

	return h
}

// Row is the number of the header row; 0 if the file has none.
func (h *Headers) Row() int { return h.row }

// HasGroups reports whether the row above has the names of groups.
func (h *Headers) HasGroups() bool { return h.groups != nil }

// Columns returns all columns in order, those without a header included. The
// caller must not change them.
func (h *Headers) Columns() []importer.Column { return h.columns }

// Same returns the columns with that header, from the left. Case and spaces
// make no difference, punctuation does.
func (h *Headers) Same(header string) []importer.Column {
	return importer.Each(h.exact[values.FoldCase(header)], func(i int) importer.Column { return h.columns[i] })
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
	hits := h.exact[values.FoldCase(ref.name.Value)]
	if col := ref.letter(); len(hits) == 0 && col > 0 {
		if h.row > 0 && col > len(h.columns) {
			return importer.Column{}, "is beyond the last column"
		}
		return importer.Column{Num: col, Header: h.name(col)}, ""
	}

	if base, nth := ref.numbered(); len(hits) == 0 && nth > 0 {
		switch same := h.named(base); {
		case nth <= len(same):
			return h.columns[same[nth-1]], ""
		case len(same) > 0:
			return importer.Column{}, fmt.Sprintf("is not there: %q is there %s only", base, importer.Counted(len(same), "time", "times"))
		}
	}
	if len(hits) == 0 {
		hits = h.named(ref.name.Value)
	}

	switch len(hits) {
	case 0:
		return importer.Column{}, notThere
	case 1:
		return h.columns[hits[0]], ""
	}
	name := h.columns[hits[0]].Header
	return importer.Column{}, fmt.Sprintf("is there %s (%s): write %s#1 for the first, %s#2 for the second", importer.Counted(len(hits), "time", "times"), h.letters(hits), name, name)
}

// named returns the indexes of the columns that have a header, or that have it under a
// group as in Pickup/City.
func (h *Headers) named(name string) []int {
	if hits := h.exact[values.FoldCase(name)]; hits != nil {
		return hits
	}
	for at := range len(name) {
		if name[at] == '/' && h.groups != nil {
			if hits := h.inGroup(h.named(name[at+1:]), name[:at]); len(hits) > 0 {
				return hits
			}
		}
	}
	if key := values.HeaderKey(name); key != "" {
		return h.loose[key]
	}
	return nil
}

// inGroup keeps the columns below the group.
func (h *Headers) inGroup(hits []int, group string) []int {
	return slices.DeleteFunc(slices.Clone(hits), func(i int) bool {
		return values.HeaderKey(h.groups[i]) != values.HeaderKey(group)
	})
}

// byPlace reports whether the reference identifies its column only by its place.
func (h *Headers) byPlace(ref ColumnRef) bool {
	if len(h.exact[values.FoldCase(ref.name.Value)]) > 0 {
		return false
	}
	_, nth := ref.numbered()
	return ref.letter() > 0 || nth > 0
}

func (h *Headers) letters(hits []int) string {
	return strings.Join(importer.Each(hits, func(i int) string { return importer.ColumnName(h.columns[i].Num) }), ", ")
}

// A missingColumn is a column that a mapping names and a file does not have.
type missingColumn struct {
	ref     ColumnRef
	problem string
}

// missingColumns returns the columns that can't be found. An optional column may be absent, but
// not ambiguous.
func (h *Headers) missingColumns(refs []ColumnRef) []missingColumn {
	var list []missingColumn
	for _, ref := range refs {
		_, problem := h.Find(ref)
		if problem != "" && (problem != notThere || !ref.optional) {
			list = append(list, missingColumn{ref, problem})
		}
	}
	return list
}

// Moved says why a column that is identified by its place may be another one than in a file with
// these headers: up to it they are others, or in another order. It is empty if no column can have moved.
func (b *Bound) Moved(headers []string) string {
	same := func(a, b string) bool { return values.HeaderKey(a) == values.HeaderKey(b) }
	texts := b.headers.Texts()
	for _, ref := range b.mapping.refs {
		column, _ := b.headers.Find(ref)
		was, is := headers[:min(column.Num, len(headers))], texts[:min(column.Num, len(texts))]
		if len(headers) > 0 && b.headers.byPlace(ref) && !slices.EqualFunc(was, is, same) {
			return fmt.Sprintf("the columns are not those with which the mapping was approved, or in another order, and the mapping knows %v only by its place", ref)
		}
	}
	return ""
}

// Texts returns the headers of all columns, in order, empty for a column without one.
func (h *Headers) Texts() []string {
	return importer.Each(h.columns, func(c importer.Column) string { return c.Header })
}
