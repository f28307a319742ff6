package returned

import (
	"encoding/base64"
	"errors"
	"iter"
	"path/filepath"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
	"tripimport/importer/sheet"
)

// A file is a results file as it came back, of one kind or the other.
type file interface {
	// identity reads what the file knows of itself, and the cells that it
	// could not show as they were.
	identity() (seal.Identity, map[seal.CellAt]string, error)
	// sheets names the sheets; the one of a CSV file has no name.
	sheets() []string
	rows(sheet string) iter.Seq2[importer.Row, error]
	close() error
}

// openFile opens a results file.
func openFile(path string) (file, error) {
	f, err := sheet.Open(path, sheet.Options{Sheet: seal.IdentitySheet})
	if err == nil && f.Kind() != "csv" {
		return &xlsxFile{path: path, open: map[string]*sheet.File{seal.IdentitySheet: f}, hidden: f}, nil
	}
	if err == nil {
		return &csvFile{f}, nil
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

// An xlsxFile is a results workbook. Each sheet is a File of its own.
type xlsxFile struct {
	path   string
	open   map[string]*sheet.File
	hidden *sheet.File
}

func (b *xlsxFile) sheets() []string {
	var names []string
	for _, info := range b.hidden.Sheets() {
		names = append(names, info.Name)
	}
	return names
}

func (b *xlsxFile) rows(name string) iter.Seq2[importer.Row, error] {
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

func (b *xlsxFile) identity() (seal.Identity, map[seal.CellAt]string, error) {
	id, originals, err := seal.ReadHidden(b.hidden.Rows())
	if errors.Is(err, seal.ErrNoIdentity) {
		err = notResults(b.path)
	}
	return id, originals, err
}

func (b *xlsxFile) close() error {
	var errs []error
	for _, f := range b.open {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// A csvFile is a results file in CSV. The header of its key column carries the
// identity.
type csvFile struct{ file *sheet.File }

func (b *csvFile) sheets() []string                           { return []string{""} }
func (b *csvFile) rows(string) iter.Seq2[importer.Row, error] { return b.file.Rows() }
func (b *csvFile) close() error                               { return b.file.Close() }

func (b *csvFile) identity() (seal.Identity, map[seal.CellAt]string, error) {
	n := 0
	for row, err := range b.file.Rows() {
		if err != nil {
			return seal.Identity{}, nil, err
		}
		for _, c := range row.Cells {
			text, ok := strings.CutPrefix(c.Text, seal.KeyHeader+" ")
			if !ok {
				continue
			}
			data, err := base64.RawURLEncoding.DecodeString(text)
			if err != nil {
				break
			}
			id, err := seal.DecodeIdentity(data)
			if err != nil {
				err = notResults(b.file.Name())
			}
			return id, nil, err
		}
		if n++; n == headerSearch {
			break
		}
	}
	return seal.Identity{}, nil, notResults(b.file.Name())
}
