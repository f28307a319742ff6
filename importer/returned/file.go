package returned

import (
	"errors"
	"iter"
	"path/filepath"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
	"tripimport/importer/sheet"
)

// A file is a results file as it came back: a workbook or CSV.
type file interface {
	// record reads the record of the run, and the texts of source cells that
	// the file could not show as they were. Its error may be seal.ErrNoRecord
	// or a *seal.VersionError.
	record() (seal.RunRecord, map[seal.CellAt]string, error)
	// sheets returns the names of the sheets. The only sheet of a CSV file has the name
	// "".
	sheets() []string
	// rows returns the rows of a sheet. It may be called several times. The texts are
	// without the characters that the file format adds to them.
	rows(sheet string) iter.Seq2[importer.Row, error]
	close() error
}

// openFile opens a results file.
func openFile(path string) (file, error) {
	f, err := sheet.Open(path, sheet.Options{Sheet: seal.HiddenSheet})
	switch {
	case err == nil && f.Kind() == "csv":
		return &csvFile{f}, nil
	case err == nil:
		return &xlsxFile{path: path, open: map[string]*sheet.File{seal.HiddenSheet: f}, hidden: f}, nil
	}

	// A workbook that can be read without our hidden sheet is not ours. Any
	// other file keeps its own reason.
	if other, err := sheet.Open(path, sheet.Options{}); err == nil {
		_ = other.Close() // nothing was written
		return nil, notResults(path)
	}
	return nil, err
}

// errLost reports a file that has lost the record of its run.
var errLost = errors.New("without its record")

// WithoutRecord returns the error for a file that has a table of results but not the
// record of their run.
func WithoutRecord(name string) error {
	return lostError{&importer.InputError{
		File:   name,
		Reason: "these are results that have lost the record of their run: the sheet was saved as CSV or copied, or the hidden sheet was deleted, or the header of a CSV file's last column was changed",
		Fix:    "save the whole results workbook as .xlsx, and retry that; new trips go into the schedule",
	}}
}

// A lostError is the InputError of a file without its record.
type lostError struct{ *importer.InputError }

func (e lostError) Unwrap() []error { return []error{e.InputError, errLost} }

// notResults returns the error for a file that is not a results file, or has lost its
// record.
func notResults(path string) error {
	if f, err := sheet.Open(path, sheet.Options{}); err == nil {
		head, err := f.Head(headerSearch)
		_ = f.Close() // only read from
		if err == nil && IsTable(head) {
			return WithoutRecord(filepath.Base(path))
		}
	}
	return &importer.InputError{
		File:   filepath.Base(path),
		Reason: "it is not a results file of tripimport, or its hidden sheet was removed",
		Fix:    "name the results file that a run has written",
	}
}

// An xlsxFile is a results workbook. Each sheet is opened when it is first read.
type xlsxFile struct {
	path   string
	open   map[string]*sheet.File
	hidden *sheet.File
}

func (f *xlsxFile) record() (seal.RunRecord, map[seal.CellAt]string, error) {
	return seal.ReadHidden(f.hidden.Rows())
}

func (f *xlsxFile) sheets() []string {
	var names []string
	for _, info := range f.hidden.Sheets() {
		names = append(names, info.Name)
	}
	return names
}

func (f *xlsxFile) rows(name string) iter.Seq2[importer.Row, error] {
	s := f.open[name]
	if s == nil {
		var err error
		if s, err = sheet.Open(f.path, sheet.Options{Sheet: name}); err != nil {
			return func(yield func(importer.Row, error) bool) { yield(importer.Row{}, err) }
		}
		f.open[name] = s
	}
	return s.Rows()
}

func (f *xlsxFile) close() error {
	var errs []error
	for _, s := range f.open {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// A csvFile is a results file in CSV. The header of its key column ends with the
// record of the run.
type csvFile struct{ file *sheet.File }

func (f *csvFile) sheets() []string { return []string{""} }
func (f *csvFile) close() error     { return f.file.Close() }

func (f *csvFile) rows(string) iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		for row, err := range f.file.Rows() {
			for i := range row.Cells {
				row.Cells[i].Text = seal.Unescape(row.Cells[i].Text)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

func (f *csvFile) record() (seal.RunRecord, map[seal.CellAt]string, error) {
	n := 0
	for row, err := range f.file.Rows() {
		if err != nil {
			return seal.RunRecord{}, nil, err
		}
		for _, c := range row.Cells {
			if text, ok := strings.CutPrefix(c.Text, seal.KeyHeader+" "); ok {
				r, err := seal.DecodeRecord(text)
				return r, nil, err
			}
		}
		if n++; n == headerSearch {
			break
		}
	}

	return seal.RunRecord{}, nil, seal.ErrNoRecord
}
