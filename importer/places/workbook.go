package places

import (
	"bytes"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/usps"

	"github.com/xuri/excelize/v2"
)

// readWorkbook reads the first sheet of an XLSX file. It takes each cell as it is
// shown, so that a ZIP code whose format adds the leading zero has it.
func (f *listFile) readWorkbook(data []byte) error {
	failed := &importer.InputError{File: filepath.Base(f.path), Reason: "the workbook can't be read", Fix: "save it again without a password, or as CSV"}
	book, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		return failed
	}
	defer func() { _ = book.Close() }() // it is in memory
	rows, err := book.GetRows(book.GetSheetName(0))
	if err != nil {
		return failed
	}
	exact, err := book.GetRows(book.GetSheetName(0), excelize.Options{RawCellValue: true})
	if err != nil {
		return failed
	}
	for i, row := range rows {
		if len(row) == 0 {
			continue
		}
		f.rows, f.nums = append(f.rows, row), append(f.nums, i+1)
	}
	f.restoreDecimals(rows, exact)
	return nil
}

// restoreDecimals replaces coordinates as shown by exact ones, since a format may
// show few decimals.
func (f *listFile) restoreDecimals(shown, exact [][]string) {
	if len(f.rows) == 0 {
		return
	}
	for col, header := range f.rows[0] {
		if h := usps.Words(header); h != "latitude" && h != "longitude" {
			continue
		}
		for i := range shown {
			if i > 0 && col < len(shown[i]) && i < len(exact) && col < len(exact[i]) {
				shown[i][col] = exact[i][col]
			}
		}
	}
}
