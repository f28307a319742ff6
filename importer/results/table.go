package results

import (
	"slices"

	"tripimport/importer"
)

// A column is a column of a table: its header, its width in characters, and its cell in the
// line of a T.
type column[T any] struct {
	header string
	width  float64
	cell   func(T) cell
}

// textColumn returns a column of texts in a style. An empty text leaves its cell empty.
func textColumn[T any](style int, header string, width float64, text func(T) string) column[T] {
	return column[T]{header, width, func(line T) cell {
		if text := text(line); text != "" {
			return textCell(style, text)
		}
		return cell{}
	}}
}

// A table is a sheet with a line for each T.
type table[T any] struct {
	*stream
	columns []column[T]
	memory  []cell // of the last line
}

// newTable adds a sheet with the widths of the columns.
func newTable[T any](w *workbook, sheet string, columns []column[T]) *table[T] {
	widths := importer.Each(columns, func(c column[T]) float64 { return c.width })
	return &table[T]{stream: w.newStream(sheet, widths...), columns: columns}
}

// begin writes the banner of a rehearsal and the header, which stay in view.
func (t *table[T]) begin() {
	t.freeze()
	t.banner()
	t.putHeader()
}

// putHeader writes the header.
func (t *table[T]) putHeader(more ...cell) {
	header := importer.Each(t.columns, func(c column[T]) cell { return textCell(t.w.styles.header, c.header) })
	t.put(append(header, more...)...)
	t.header = t.last
}

// cells returns the cells of a line. They are valid until the next call.
func (t *table[T]) cells(of T) []cell {
	t.memory = t.memory[:0]
	for _, c := range t.columns {
		t.memory = append(t.memory, c.cell(of))
	}
	return t.memory
}

// at returns the number of the column with the header.
func (t *table[T]) at(header string) int {
	return 1 + slices.IndexFunc(t.columns, func(c column[T]) bool { return c.header == header })
}
