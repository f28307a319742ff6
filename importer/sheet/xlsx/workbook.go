// Package xlsx reads XLSX and XLSM workbooks row by row: typed cells with their
// number formats, hidden rows, columns and sheets, and merged ranges.
//
// It is strict wherever leniency could lose rows. Every part that it needs is
// read to its end, which verifies the part's checksum. The XML must be
// well-formed, every text and style that a cell refers to must exist, and no
// two cells may have the same address. A workbook that fails one of these
// checks returns an error, never fewer rows.
//
// It is lenient where programs differ without harm: the names and folders of
// parts, namespace prefixes, missing styles, and rows and cells without
// addresses.
//
// It writes nothing to disk, runs no macros and follows no external links.
// Memory holds the table of shared strings and one row.
package xlsx

import "tripimport/importer"

// A Workbook is an open workbook. It reads from the io.ReaderAt that Open was
// given for as long as it is used. It is not safe for concurrent use, and only
// one sheet can be read at a time.
type Workbook struct {
	name     string // the file's name, for rows and errors
	parts    parts
	sheets   []Sheet
	date1904 bool

	// calculated reports that the workbook names the program version that
	// calculated its formulas. uncalculated reports that it says their results may
	// be missing or out of date.
	calculated, uncalculated bool

	stylesPart string   // empty if there is none
	formats    []format // by cell style
	struck     []bool   // by cell style: the cell is struck through

	stringsPart string // empty if there is none
	strings     stringTable
}

// A Sheet is one worksheet of a workbook. Chart and dialog sheets have no rows
// and are not listed.
type Sheet struct {
	Name   string
	Hidden bool
	part   string
}

// Sheets returns the worksheets in the order of their tabs.
func (w *Workbook) Sheets() []Sheet { return w.sheets }

// inputError turns a damage into the *importer.InputError that Open and Rows
// promise.
func (w *Workbook) inputError(sheet string, err error) error {
	return &importer.InputError{
		File: w.name, At: importer.Ref{File: w.name, Sheet: sheet},
		Reason: "it can't be read as an .xlsx workbook: " + err.Error(),
		Fix:    "export it again; or open it in Excel or LibreOffice, save it as an .xlsx workbook and use that",
	}
}
