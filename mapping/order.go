package mapping

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tripimport/mapping/values"
)

// ByPlace reports whether the mapping identifies a column only by its place: one of
// several columns with the same header, or a column named by its letter. If the columns
// before it changed, another column would be read.
func (m *Mapping) ByPlace(h *Headers) bool { return slices.ContainsFunc(m.refs, h.byPlace) }

// WithColumns adds the headers of a file to the text of a mapping, so that Bind notices
// when columns have moved. A text that has them already is returned unchanged.
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

// movedColumn says why a column that is identified by its place may be another one than
// when the mapping was approved. It is empty if no column has moved.
func (m *Mapping) movedColumn(h *Headers) string {
	listed := m.doc.Read.Columns
	if len(listed) == 0 || !m.ByPlace(h) {
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
		col := ref.letter()
		moved := h.byPlace(ref) && !slices.Equal(common(was, is), common(is, was))
		if col > 0 {
			moved = moved || col > len(was) || col > len(is) || was[col-1] != is[col-1]
		}
		if moved {
			return fmt.Sprintf("the columns are in another order than when the mapping was approved, and the mapping knows %v only by its place", ref)
		}
	}
	return ""
}

// common returns the headers that are in the other list as well, in their order.
func common(keys, other []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == "" || !slices.Contains(other, k) })
}
