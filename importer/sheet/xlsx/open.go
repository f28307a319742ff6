package xlsx

import (
	"io"

	"tripimport/importer"
)

// Open reads a workbook's list of sheets, its styles and its date system, but
// no rows. name is the file's name, which rows and errors carry. An error is an
// *importer.InputError.
func Open(r io.ReaderAt, size int64, name string) (*Workbook, error) {
	w := &Workbook{name: name}
	var err error
	if w.parts, err = openParts(r, size); err == nil {
		err = w.readSheetList()
	}
	if err == nil {
		err = w.readStyles()
	}
	if err != nil {
		return nil, w.inputError(importer.Ref{}, err)
	}
	return w, nil
}
