package results

import (
	"encoding/base64"
	"errors"
	"iter"
	"path/filepath"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/importer/sheet"
)

// A book is a results file as it came back, of one kind or the other.
type book interface {
	// identity reads what the file knows of itself, and the cells that it
	// could not show as they were.
	identity() (identity, map[cellAt]string, error)
	// sheets names the sheets; the one of a CSV file has no name.
	sheets() []string
	rows(sheet string) iter.Seq2[importer.Row, error]
	close() error
}

// A cellAt is a source cell: the input's number, the row's, the column's place.
type cellAt struct{ input, row, column int }

// openBook opens a results file.
func openBook(path string) (book, error) {
	f, err := sheet.Open(path, sheet.Options{Sheet: identitySheet})
	if err == nil && f.Kind() != "csv" {
		return &xlsxBook{path: path, open: map[string]*sheet.File{identitySheet: f}, hidden: f}, nil
	}
	if err == nil {
		return &csvBook{f}, nil
	}
	// A readable file without our hidden sheet is someone else's; any other
	// file keeps its own reason.
	if other, err := sheet.Open(path, sheet.Options{}); err == nil {
		_ = other.Close() // only read from
		return nil, notResults(path)
	}
	return nil, err
}

// notResults says that a file is not one of ours.
func notResults(path string) error {
	return &importer.InputError{
		File:   filepath.Base(path),
		Reason: "it is not a results file of tripimport, or its hidden sheet was removed",
		Fix:    "name the results file that a run has written",
	}
}

// An xlsxBook is a results workbook. Each sheet is a File of its own.
type xlsxBook struct {
	path   string
	open   map[string]*sheet.File
	hidden *sheet.File
}

func (b *xlsxBook) sheets() []string {
	var names []string
	for _, info := range b.hidden.Sheets() {
		names = append(names, info.Name)
	}
	return names
}

func (b *xlsxBook) rows(name string) iter.Seq2[importer.Row, error] {
	f := b.open[name]
	if f == nil {
		var err error
		if f, err = sheet.Open(b.path, sheet.Options{Sheet: name}); err != nil {
			return func(yield func(importer.Row, error) bool) { yield(importer.Row{}, err) }
		}
		b.open[name] = f
	}
	return f.Rows()
}

func (b *xlsxBook) identity() (identity, map[cellAt]string, error) {
	var id strings.Builder
	parts := map[cellAt]*strings.Builder{}
	for row, err := range b.hidden.Rows() {
		if err != nil {
			return identity{}, nil, err
		}
		switch row.Cell(1).Text {
		case identityPiece:
			id.WriteString(row.Cell(2).Text)
		case exactPiece:
			at := cellAt{number(row.Cell(2)), number(row.Cell(3)), number(row.Cell(4))}
			if parts[at] == nil {
				parts[at] = &strings.Builder{}
			}
			parts[at].WriteString(row.Cell(5).Text)
		}
	}
	text, err := strconv.Unquote(id.String())
	if err != nil {
		return identity{}, nil, notResults(b.path)
	}
	exact := map[cellAt]string{}
	for at, part := range parts {
		if exact[at], err = strconv.Unquote(part.String()); err != nil {
			return identity{}, nil, notResults(b.path)
		}
	}
	return identityIn(b.path, []byte(text), exact)
}

func number(c importer.Cell) int {
	n, _ := strconv.Atoi(c.Text)
	return n
}

// identityIn decodes an identity and proves that it can be used.
func identityIn(path string, data []byte, exact map[cellAt]string) (identity, map[cellAt]string, error) {
	id, err := decodeIdentity(data)
	if err != nil || len(id.Inputs) == 0 {
		return id, nil, notResults(path)
	}
	for _, in := range id.Inputs {
		if len(in.Shown) != len(in.Columns) {
			return id, nil, notResults(path)
		}
	}
	return id, exact, nil
}

func (b *xlsxBook) close() error {
	var errs []error
	for _, f := range b.open {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// A csvBook is a results file in CSV. The header of its key column carries the
// identity.
type csvBook struct{ file *sheet.File }

func (b *csvBook) sheets() []string                           { return []string{""} }
func (b *csvBook) rows(string) iter.Seq2[importer.Row, error] { return b.file.Rows() }
func (b *csvBook) close() error                               { return b.file.Close() }

func (b *csvBook) identity() (identity, map[cellAt]string, error) {
	n := 0
	for row, err := range b.file.Rows() {
		if err != nil {
			return identity{}, nil, err
		}
		for _, c := range row.Cells {
			text, ok := strings.CutPrefix(c.Text, keyHeader+" ")
			if !ok {
				continue
			}
			data, err := base64.RawURLEncoding.DecodeString(text)
			if err != nil {
				break
			}
			return identityIn(b.file.Name(), data, nil)
		}
		if n++; n == headerSearch {
			break
		}
	}
	return identity{}, nil, notResults(b.file.Name())
}
