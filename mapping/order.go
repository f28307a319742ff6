package mapping

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// ByPlace reports whether the mapping tells a column by its place alone: one of several
// with the same header, or one that it names by its letter. With other columns before
// it, another one would be read.
func (m *Mapping) ByPlace() bool { return slices.ContainsFunc(m.refs, ColumnRef.byPlace) }

func (r ColumnRef) byPlace() bool { return r.nth > 0 || !r.header.given() }

// WithColumns adds the headers of a file to the text of a mapping, so that it is noticed
// when columns have moved. A mapping that has them already stays as it is.
func WithColumns(text string, h *Headers) string {
	var names []string
	for _, c := range h.columns {
		names = append(names, strconv.Quote(c.Header))
	}
	list := "columns: [" + strings.Join(names, ", ") + "]"

	before, after, found := strings.Cut("\n"+text, "\nread:")
	rest := strings.TrimLeft(after, " ")
	switch {
	case strings.Contains(text, "\n  columns:") || strings.Contains(text, "{columns:") || strings.Contains(text, ", columns:"):
		return text
	case !found:
		return strings.TrimSuffix(text, "\n") + "\nread: {" + list + "}\n"
	case strings.HasPrefix(rest, "{"):
		return strings.TrimPrefix(before+"\nread: {"+list+", "+rest[1:], "\n")
	}
	line, more, _ := strings.Cut(after, "\n")
	indent := more[:len(more)-len(strings.TrimLeft(more, " "))]
	return strings.TrimPrefix(before+"\nread:"+line+"\n"+indent+list+"\n"+more, "\n")
}

// movedColumn returns why a column that is told by its place may be another one than when
// the mapping was approved; empty where it is the same.
func (m *Mapping) movedColumn(h *Headers) string {
	listed := m.doc.Read.Columns
	if len(listed) == 0 || !m.ByPlace() {
		return ""
	}

	var was, is []string
	for _, t := range listed {
		was = append(was, values.HeaderKey(t.Value))
	}
	for _, c := range h.columns {
		is = append(is, values.HeaderKey(c.Header))
	}
	for _, ref := range m.refs {
		col, _ := importer.ColumnNumber(ref.letter.Value)
		moved := ref.byPlace() && !slices.Equal(common(was, is), common(is, was))
		if !ref.header.given() && col > 0 {
			moved = moved || col > len(was) || col > len(is) || was[col-1] != is[col-1]
		}
		if moved {
			return fmt.Sprintf("the columns stand in another order than when the mapping was approved, and it tells %v by its place", ref)
		}
	}
	return ""
}

// common returns the headers that are in the other list as well, in their order.
func common(keys, other []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == "" || !slices.Contains(other, k) })
}
