package mapping

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A Match says whether a mapping may be chosen for a file by its columns.
type Match struct {
	// OK reports that the file has every column that the mapping names and,
	// where the mapping names its provider or funding source as a constant, that
	// its files: fits the file's name: the same columns alone don't tell whose
	// file it is.
	OK bool
	// Exact reports that the mapping lists all columns of its layout and the
	// file has these and no others. Of several mappings that match, one that is
	// exact is meant.
	Exact bool
	// Missing names the columns that the file lacks, each with the nearest
	// header that the mapping does not use, where one is near.
	Missing []string
	// Named counts the columns that the mapping names: with len(Missing) it
	// tells a near miss from another layout.
	Named int
	// FilesMatch reports that the mapping's files: fits the file's name; also
	// where it has none.
	FilesMatch bool
}

// Match holds the first rows of a file against the mapping.
func (m *Mapping) Match(rows []importer.Row, fileName string) Match {
	h, lacking := m.findHeaders(rows)
	match := Match{FilesMatch: m.fits(fileName)}
	provider, source := m.Constants()
	named := len(m.doc.Files) > 0 && match.FilesMatch
	for _, ref := range m.refs {
		if !ref.optional {
			match.Named++
		}
	}
	match.OK = h != nil && match.Named > 0 && len(lacking) == 0 && (named || provider == "" && source == "")
	free := m.unused(h)
	for _, miss := range lacking {
		match.Missing = append(match.Missing, describeMissing(miss, free))
	}
	match.Exact = match.OK && len(m.doc.Read.Columns) > 0 && len(m.newColumns(h)) == 0 && len(h.columns) == len(m.doc.Read.Columns)
	return match
}

// fits reports whether one of the files: patterns matches the name, letters'
// case disregarded.
func (m *Mapping) fits(fileName string) bool {
	if len(m.doc.Files) == 0 {
		return true
	}
	return slices.ContainsFunc(m.doc.Files, func(pattern text) bool {
		ok, err := path.Match(strings.ToLower(pattern.Value), strings.ToLower(fileName))
		return ok && err == nil
	})
}

// FindHeaders returns the headers of the row that has all columns of the
// mapping; nil where no row has them, and where the mapping is for files without
// headers.
func (m *Mapping) FindHeaders(rows []importer.Row) *Headers {
	h, lacking := m.findHeaders(rows)
	if h == nil || h.row == 0 || len(lacking) > 0 {
		return nil
	}
	return h
}

// findHeaders finds the header row: the one that the mapping gives, or the first
// that has all of its columns. Where none has, it gives the row that has most,
// and what that one lacks.
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
	for i := range rows {
		if m.read.HeaderRow > 0 && rows[i].Num != m.read.HeaderRow {
			continue
		}
		var above *importer.Row
		if m.doc.Read.HeaderRows == 2 {
			if i == 0 {
				continue
			}
			above = &rows[i-1]
		}
		h := newHeaders(rows[i], above)
		missingColumns := h.missingColumns(m.refs)
		if len(missingColumns) == 0 {
			return h, nil
		}
		if best == nil || len(missingColumns) < len(lacking) {
			best, lacking = h, missingColumns
		}
	}
	return best, lacking
}

// unused gives the headers that the mapping does not name: the candidates for
// a column that was renamed.
func (m *Mapping) unused(h *Headers) []string {
	if h == nil {
		return nil
	}
	used := map[int]bool{}
	for _, ref := range m.refs {
		if column, why := h.Find(ref); why == "" {
			used[column.Num] = true
		}
	}
	var free []string
	for _, column := range h.columns {
		if !used[column.Num] && column.Header != "" {
			free = append(free, column.Header)
		}
	}
	return free
}

// newColumns gives the headers that the mapping's list of columns does not
// have; none where it has no list.
func (m *Mapping) newColumns(h *Headers) []importer.Column {
	if len(m.doc.Read.Columns) == 0 || h == nil {
		return nil
	}
	known := map[string]int{}
	for _, name := range m.doc.Read.Columns {
		known[values.HeaderKey(name.Value)]++
	}
	var fresh []importer.Column
	for _, column := range h.columns {
		name := values.HeaderKey(column.Header)
		if known[name]--; known[name] < 0 && column.Header != "" {
			fresh = append(fresh, column)
		}
	}
	return fresh
}

func describeMissing(miss missingColumn, free []string) string {
	s := miss.ref.String() + " " + miss.why
	if near := nearest(miss.ref.header.Value, free); near != "" && miss.why == notThere {
		s += fmt.Sprintf("; there is %q", near)
	}
	return s
}

// MissingColumnsError says that a file does not have the columns that the mapping names. It
// is an *importer.InputError.
type MissingColumnsError struct {
	importer.InputError
	// Missing are the faults, one for each column, at the place in the mapping
	// that names it.
	Missing Findings
	// New are the file's headers that the mapping does not use.
	New []string
}

// Unwrap gives the InputError.
func (d *MissingColumnsError) Unwrap() error { return &d.InputError }

// missingColumnsError describes what the file lacks.
func (m *Mapping) missingColumnsError(h *Headers, lacking []missingColumn, rows []importer.Row, fileName string) error {
	d := &MissingColumnsError{InputError: importer.InputError{File: fileName}}
	if h == nil {
		d.Reason = "there is no row with headers"
		if m.read.HeaderRow > 0 {
			d.Reason = fmt.Sprintf("there is no row %d that could hold the headers", m.read.HeaderRow)
		}
		d.Fix = "look at the file with: tripimport inspect " + fileName
		return d
	}
	if h.row > 0 && len(rows) > 0 {
		d.At = importer.Ref{File: fileName, Sheet: rows[0].Sheet, Row: h.row}
	}
	free := m.unused(h)
	d.New = free
	marks := m.decoder()
	var names []string
	for _, miss := range lacking {
		s := describeMissing(miss, free)
		names = append(names, s)
		marks.finding(miss.ref.at(), "the column "+s, "")
	}
	d.Missing = marks.findings.sorted()
	d.Reason = fmt.Sprintf("the file does not have all columns of the mapping %q: %s", m.Name(), strings.Join(names, "; "))
	if len(free) > 0 {
		d.Reason += ". Columns that the mapping does not use: " + strings.Join(free, ", ")
	}
	d.Fix = "if the broker has changed the layout, change these names in " + m.file + "; if not, use the mapping that is meant for this file"
	return d
}

// Bind ties the mapping to the columns of a file, of which rows are the first.
// The error is a *Drift where the file lacks columns, and Faults where the
// mapping can't be used yet: decisions are still to be filled in.
func (m *Mapping) Bind(rows []importer.Row, fileName string) (*Bound, error) {
	if open := m.openDecisions(); len(open) > 0 {
		return nil, open
	}
	h, lacking := m.findHeaders(rows)
	if h == nil || len(lacking) > 0 {
		return nil, m.missingColumnsError(h, lacking, rows, fileName)
	}
	c := &compiler{Mapping: m, decoder: m.decoder()}
	c.resolve = func(ref ColumnRef) (importer.Column, bool) {
		column, why := h.Find(ref)
		return column, why == ""
	}
	b := c.bound()
	if len(c.decoder.findings) > 0 {
		return nil, c.decoder.findings.sorted()
	}
	b.head = h
	return b, nil
}
