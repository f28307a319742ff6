package returned

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
	"tripimport/importer/sheet"
)

// A file is a results file as it came back: a workbook, of which each sheet is opened when it is first read, or
// a CSV file, which has one sheet.
type file struct {
	path  string
	first *sheet.File // the hidden sheet, unless there is none
	open  map[string]*sheet.File
}

// openFile opens a results file, or another one that can be read.
func openFile(path string) (*file, error) {
	first, err := sheet.Open(path, sheet.Options{Sheet: seal.HiddenSheet})
	if err != nil { // perhaps it has no such sheet
		first, err = sheet.Open(path, sheet.Options{})
	}
	if err != nil {
		return nil, err
	}
	return &file{path: path, first: first, open: map[string]*sheet.File{first.SheetName(): first}}, nil
}

// WithoutRecord returns the error for a file that has a table of results but not the
// record of their run.
func WithoutRecord(name string) error {
	return &importer.InputError{
		File:   name,
		Reason: "these are results that have lost the record of their run: the sheet was saved as CSV or copied, or the hidden sheet was deleted, or the header of a CSV file's last column was changed",
		Fix:    "save the whole results workbook as .xlsx, and retry that; new trips go into the schedule",
	}
}

// isLost reports whether a file without the record of a run has a table of results.
func (f *file) isLost() bool {
	return slices.ContainsFunc(f.sheets(), func(name string) bool {
		head, _ := f.head(name) // what can be read of it
		return IsTable(head)
	})
}

// head returns the first rows of a sheet, among which the header of a table is looked for.
func (f *file) head(name string) (head []importer.Row, err error) {
	for row, err := range f.rows(name) {
		if err != nil || len(head) == headerSearch {
			return head, err
		}
		head = append(head, row.Clone())
	}
	return head, nil
}

func (f *file) isCSV() bool { return f.first.Sheets() == nil }

// sheets returns the names of the sheets, without the hidden one. The only sheet of a CSV file has the name "".
func (f *file) sheets() []string {
	if f.isCSV() {
		return []string{f.first.SheetName()}
	}
	var names []string
	for _, info := range f.first.Sheets() {
		if info.Name != seal.HiddenSheet {
			names = append(names, info.Name)
		}
	}
	return names
}

// rows returns the rows of a sheet. The texts are without the characters that the file format adds to them. From the
// second reading to the end on, each row has the values of merged cells that it shares with rows above it.
func (f *file) rows(name string) iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		if f.open[name] == nil {
			s, err := sheet.Open(f.path, sheet.Options{Sheet: name})
			if err != nil {
				yield(importer.Row{}, err)
				return
			}
			f.open[name] = s
		}
		for row, err := range f.open[name].Below(0).Rows() {
			if none := (*sheet.NoRowsError)(nil); errors.As(err, &none) {
				return
			}
			for i := range row.Cells {
				if f.isCSV() {
					row.Cells[i].Text = seal.Unescape(row.Cells[i].Text)
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// comments returns the comments in a sheet of which rows were read, by rows and columns.
func (f *file) comments(name string) (map[int]map[int]string, error) {
	return f.open[name].Comments()
}

func (f *file) close() error {
	var errs []error
	for _, s := range f.open {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// record reads the record of the run. Its error may be seal.ErrNoRecord.
func (f *file) record() (seal.RunRecord, error) {
	switch {
	case f.first.SheetName() == seal.HiddenSheet:
		return seal.ReadHidden(f.first.Rows())
	case !f.isCSV():
		return seal.RunRecord{}, seal.ErrNoRecord
	}

	// In CSV, the record is the end of the header of the key column.
	head, err := f.head(f.first.SheetName())
	for _, row := range head {
		for _, c := range row.Cells {
			if text, ok := strings.CutPrefix(c.Text, seal.KeyHeader+" "); ok {
				return seal.DecodeRecord(text)
			}
		}
	}
	return seal.RunRecord{}, cmp.Or(err, seal.ErrNoRecord)
}
