package places

import (
	"bytes"
	"path/filepath"

	"tripimport/importer"

	"github.com/xuri/excelize/v2"
)

// readWorkbook reads the first sheet of an XLSX list, each cell as it shows: a
// ZIP formatted with its leading zero keeps it. A places list is small, so it
// is read whole.
func (f *listFile) readWorkbook(data []byte) error {
	fault := &importer.InputError{File: filepath.Base(f.path), Reason: "the workbook can't be read", Fix: "save it anew, without a password, or as CSV"}
	book, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		return fault
	}
	defer func() { _ = book.Close() }() // it was read from memory
	rows, err := book.GetRows(book.GetSheetName(0))
	if err != nil {
		return fault
	}
	exact, err := book.GetRows(book.GetSheetName(0), excelize.Options{RawCellValue: true})
	if err != nil {
		return fault
	}
	for i, row := range rows {
		if len(row) == 0 {
			continue
		}
		f.rows, f.nums = append(f.rows, row), append(f.nums, i+1)
	}
	f.unround(rows, exact)
	return nil
}

// unround gives coordinates all their decimals: a cell shows as few as its
// format allows.
func (f *listFile) unround(shown, exact [][]string) {
	if len(f.rows) == 0 {
		return
	}
	for col, header := range f.rows[0] {
		if h := literal(header); h != "latitude" && h != "longitude" {
			continue
		}
		for i := range shown {
			if i > 0 && col < len(shown[i]) && i < len(exact) && col < len(exact[i]) {
				shown[i][col] = exact[i][col]
			}
		}
	}
}
