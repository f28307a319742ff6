package mapping

import (
	"slices"

	"tripimport/importer"
)

// An UnusedColumn is a column of a file that the mapping does not use.
type UnusedColumn struct {
	importer.Column
	// Name is the column as a mapping names it.
	Name string
}

// Unused returns the columns of the file that the mapping does not use, in order.
// A column without a header counts if one of the file's first rows has a value
// there.
func (b *Bound) Unused() []UnusedColumn { return slices.Clone(b.unused) }

// NoStatus returns the columns with a header that the mapping uses, other than its status columns, in order.
func (b *Bound) NoStatus() []importer.Column {
	return slices.DeleteFunc(b.Columns(), func(c importer.Column) bool {
		return c.Header == "" || slices.ContainsFunc(b.unused, func(u UnusedColumn) bool { return u.Column == c }) ||
			slices.ContainsFunc(b.status, func(s statusColumn) bool { return s.column == c })
	})
}

// Headers returns the headers of the file.
func (b *Bound) Headers() *Headers { return b.headers }

// unusedColumns finds the columns that the mapping does not name. rows are the first
// rows of the file; without them, columns without a header are left out.
func (m *Mapping) unusedColumns(h *Headers, rows []importer.Row) []UnusedColumn {
	if h == nil {
		return nil
	}
	used := map[int]bool{}
	for _, ref := range m.refs {
		if column, problem := h.Find(ref); problem == "" {
			used[column.Num] = true
		}
	}
	var all []UnusedColumn
	for _, column := range h.AllColumns(rows) {
		if !used[column.Num] {
			all = append(all, UnusedColumn{column, h.NameOf(column)})
		}
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
		if row.Num <= h.row || FilledCells(row) == 0 {
			continue
		}
		below++
		filled = append(filled, make([]int, max(0, len(row.Cells)-len(filled)))...)
		for i := range row.Cells {
			filled[i] += importer.One(row.Cells[i].Type != importer.Empty)
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
