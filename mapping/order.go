package mapping

import (
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// Moved says why a column that is identified by its place may be another one than in a file with
// these headers: one of several with the same header, or one that is named by its letter. It is
// empty if no column has moved.
func (b *Bound) Moved(headers []string) string {
	m, h := b.mapping, b.headers
	if len(headers) == 0 {
		return ""
	}

	was, is := importer.Each(headers, values.HeaderKey), importer.Each(h.Texts(), values.HeaderKey)
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

// Texts returns the headers of all columns, in order, empty for a column without one.
func (h *Headers) Texts() []string {
	return importer.Each(h.columns, func(c importer.Column) string { return c.Header })
}

// common returns the headers that are in the other list as well, in their order.
func common(keys, other []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == "" || !slices.Contains(other, k) })
}
