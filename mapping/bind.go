package mapping

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tripimport/importer"
)

// A Match says whether a mapping may be chosen for a file by its columns.
type Match struct {
	// OK reports that the file has every column that the mapping names, and that
	// the mapping's files: fit the file's name. A mapping without files: fits any
	// name, unless it has a constant provider or funding source, because columns
	// alone do not show whose file it is.
	OK bool
	// Missing names the columns that the file lacks, each with its problem and the nearest header
	// that the mapping does not use, if one is near.
	Missing []string
	// Named is the number of columns that the mapping requires. Together with
	// len(Missing) it shows whether the file is a near miss or has another
	// layout.
	Named int
	// Headers are the file's headers; nil if it lacks a column, or if the mapping is
	// for files without headers.
	Headers *Headers

	nearest *Headers // those that lack the fewest columns; nil if no row can hold them
	unused  []UnusedColumn
}

// Match compares the mapping with the first rows of a file and with its name.
func (m *Mapping) Match(rows []importer.Row, fileName string) Match {
	h, lacking := m.findHeaders(rows)
	match := Match{nearest: h, unused: m.unusedColumns(h, nil)}
	for _, ref := range m.refs {
		match.Named += importer.One(!ref.optional)
	}

	headers := importer.Each(match.unused, func(c UnusedColumn) string { return c.Header })
	match.Missing = importer.Each(lacking, func(column missingColumn) string {
		text := column.ref.String() + " " + column.problem
		if near := nearest(column.ref.Header(), headers); near != "" && column.problem == notThere {
			text += fmt.Sprintf("; there is %q", near)
		}
		return text
	})
	if h != nil && h.row > 0 && len(lacking) == 0 {
		match.Headers = h
	}
	match.OK = h != nil && match.Named > 0 && len(lacking) == 0 && m.fitsName(fileName)
	return match
}

// fitsName reports whether one of the files: patterns matches the name, in any
// case; without patterns, whether the mapping may be for a file with any name.
func (m *Mapping) fitsName(fileName string) bool {
	if len(m.doc.Files) == 0 {
		provider, fundingSource := m.Constants()
		return provider == "" && fundingSource == ""
	}
	return slices.ContainsFunc(m.doc.Files, func(pattern text) bool {
		ok, err := path.Match(strings.ToLower(pattern.Value), strings.ToLower(fileName))
		return ok && err == nil
	})
}

// findHeaders finds the header row: the row that the mapping gives, or the first
// row that has all of its columns. If no row has them all, it returns the row
// that has most of them, and the columns that this row lacks.
func (m *Mapping) findHeaders(rows []importer.Row) (*Headers, []missingColumn) {
	if m.read.HeaderRow < 0 {
		h := &Headers{}
		if len(rows) > 0 {
			h.width = rows[0].Width
		}
		return h, h.missingColumns(m.refs)
	}

	var best *Headers
	var lacking []missingColumn
	for i, row := range rows {
		if m.read.HeaderRow > 0 && row.Num != m.read.HeaderRow || m.read.Groups && i == 0 {
			continue
		}
		var above *importer.Row
		if m.read.Groups {
			above = &rows[i-1]
		}

		h := ReadHeaders(row, above)
		if missing := h.missingColumns(m.refs); best == nil || len(missing) < len(lacking) {
			best, lacking = h, missing
		}
		if len(lacking) == 0 {
			break
		}
	}
	if best == nil { // a sheet without rows lacks them all
		return nil, (&Headers{}).missingColumns(m.refs)
	}
	return best, lacking
}

// missingColumns describes what the file lacks.
func (m *Mapping) missingColumns(match *Match, rows []importer.Row, fileName string) error {
	e := &importer.InputError{File: fileName}
	if match.nearest == nil {
		e.Reason, e.Fix = "there is no row in it that could hold the headers", "export it again, and check the dates that were chosen for it"
		return e
	}
	if match.nearest.row > 0 {
		e.At = importer.Ref{File: fileName, Sheet: rows[0].Sheet, Row: match.nearest.row}
	}

	e.Reason = fmt.Sprintf("the file does not have all columns of the mapping %q: %s", m.Name(), strings.Join(match.Missing, "; "))
	if unused := importer.Each(match.unused, UnusedColumn.String); unused != nil {
		e.Reason += ". Columns that the mapping does not use: " + strings.Join(unused, ", ")
	}

	e.Fix = "if the broker has changed the layout, change these names in " + m.file + "; if they are on another sheet, name the sheet that has them with sheet: under read:; or use the mapping that is meant for this file"
	return e
}

// Bind ties the mapping to the columns of a file, whose first rows are given. The
// error is an *importer.InputError if the file lacks columns, and Findings if the
// mapping can't be used yet because something is open.
func (m *Mapping) Bind(rows []importer.Row, fileName string) (*Bound, error) {
	if open := m.Open(); len(open) > 0 {
		return nil, open
	}
	return m.bind(rows, fileName)
}

// bind is Bind for a mapping of which something may be open.
func (m *Mapping) bind(rows []importer.Row, fileName string) (*Bound, error) {
	match := m.Match(rows, fileName)
	h := match.nearest
	if h == nil || len(match.Missing) > 0 {
		return nil, m.missingColumns(&match, rows, fileName)
	}

	c := &compiler{Mapping: m, decoder: m.decoder()}
	lastUsed := 0
	c.resolve = func(ref ColumnRef) (importer.Column, bool) {
		column, problem := h.Find(ref)
		lastUsed = max(lastUsed, column.Num)
		return column, problem == ""
	}

	b := c.bound()
	if len(c.decoder.findings) > 0 {
		return nil, c.decoder.findings.sorted()
	}

	b.headers, b.lastUsed, b.unused = h, lastUsed, m.unusedColumns(h, rows)
	b.halves = map[int]bool{}
	for _, row := range rows {
		for _, column := range b.times {
			b.halves[column.Num] = b.halves[column.Num] || row.Num > h.row && saysHalf(row, column)
		}
	}
	for _, ref := range m.refs {
		if column, _ := h.Find(ref); h.row > 0 && !ref.optional && len(column.Header) > len(b.longHeader) {
			b.longHeader = column.Header
		}
	}
	return b, nil
}
