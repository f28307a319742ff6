// Package xlsx reads XLSX and XLSM workbooks row by row: typed values, number
// formats, hidden rows and sheets.
//
// It is strict where a schedule would suffer: every part that it needs is read
// to its end, so that its checksum counts; its XML must be well-formed; every
// string and format that a cell names must exist; and no two cells may claim
// one address. A workbook that fails any of it gives an error, never fewer rows.
// It is lenient where programs differ without harm: part names and paths,
// prefixes, missing styles, rows and cells without addresses.
//
// Nothing is written to disk, macros and external links are never touched, and
// memory holds the string table and one row.
package xlsx

import (
	"errors"
	"io"

	"tripimport/importer"
)

// A Book is an open workbook. It reads from its io.ReaderAt for as long as it
// is used, one sheet at a time.
type Book struct {
	name   string
	parts  *parts
	sheets []Sheet
	// main is the workbook part's name.
	main     string
	date1904 bool
	macros   bool

	stringsPart, stylesPart string
	strings                 *stringTable // nil until a sheet is read
	stringsErr              error
	formats                 []format
}

// A Sheet is one worksheet of a workbook. Chart and dialog sheets have no rows
// and are left out.
type Sheet struct {
	Name       string
	Visibility Visibility
	part       string
}

// A Visibility says whether a spreadsheet program shows a sheet.
type Visibility uint8

const (
	Visible    Visibility = iota
	Hidden                // a person can unhide it
	VeryHidden            // only a macro can
)

func (v Visibility) String() string {
	switch v {
	case Hidden:
		return "hidden"
	case VeryHidden:
		return "very hidden"
	}
	return "visible"
}

// Open reads what the workbook says of itself: its sheets, styles and date
// system. name is the file's, for messages and rows. Its error is an
// *importer.InputError.
func Open(r io.ReaderAt, size int64, name string) (*Book, error) {
	b := &Book{name: name}
	if err := b.open(r, size); err != nil {
		return nil, b.fault(importer.Ref{}, err)
	}
	return b, nil
}

func (b *Book) open(r io.ReaderAt, size int64) error {
	var err error
	if b.parts, err = openParts(r, size); err != nil {
		return err
	}
	if err := b.readWorkbook(); err != nil {
		return err
	}
	return b.readStyles()
}

// Sheets gives the worksheets in the order of their tabs.
func (b *Book) Sheets() []Sheet { return b.sheets }

// Macros reports whether the workbook carries macros, which are never run.
func (b *Book) Macros() bool { return b.macros }

// fault makes of err what Open and Rows return.
func (b *Book) fault(at importer.Ref, err error) error {
	var input *importer.InputError
	if errors.As(err, &input) {
		return err
	}
	reason := "it can't be read"
	var d *damage
	if errors.As(err, &d) {
		reason = d.reason
	}
	fix := "export it again; if the file opens in Excel, save it there as a new .xlsx workbook and use that"
	at.File = b.name
	return &importer.InputError{File: b.name, At: at, Reason: "the workbook is damaged: " + reason, Fix: fix}
}
