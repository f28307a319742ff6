package sheet

import (
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/sheet/xlsx"
)

// Options say how to read a file. The zero value detects everything.
type Options struct {
	// Sheet is the name of a workbook's sheet, in upper or lower case, or its
	// number among the visible sheets, from 1. A hidden sheet is read if it is
	// named. Empty selects the first visible sheet that is not empty.
	Sheet string
	// Encoding is the encoding of a text file: "utf-8", "utf-16",
	// "windows-1252", or another name that web browsers know. Empty detects it.
	Encoding string
	// Delimiter is the delimiter of a CSV file: "comma", "semicolon", "tab" or
	// "pipe". Anything else detects it.
	Delimiter string
}

// A File is an open input file. It keeps the file open until Close, so that
// every reading sees the same bytes; a file that is changed meanwhile gives an
// error. A File is not safe for concurrent use.
type File struct {
	name string
	path string
	file *os.File
	size int64
	// atPath is what the path led to when the file was opened.
	atPath os.FileInfo
	hash   string
	// rows reads every row that is not blank. For a workbook, notices gives the notices of the last reading, and
	// comments those on cells; for text, endsWhole reports whether the last line of the last reading is whole.
	rows      func() iter.Seq2[importer.Row, error]
	widths    func() iter.Seq2[importer.Row, error] // of the rows of a text in UTF-8, without their cells; nil for others
	notices   func() []importer.Problem
	comments  func() (map[int]map[int]string, error)
	endsWhole func() bool
	// openNotices are the notices from opening the file.
	openNotices []importer.Problem

	// form says what the file is by its content: "xlsx", or "csv, utf-8, delimiter ;".
	form string

	// The results of the methods with these names.
	sheetName string
	sheets    []xlsx.Sheet

	merged []xlsx.Range // the merged ranges of several rows that the last reading to the end found
}

// open opens the file and checks that it is a regular file with content.
func (f *File) open() error {
	if err := refuseLock(f.name); err != nil {
		return err
	}

	file, err := os.Open(f.path)
	switch {
	case os.IsNotExist(err):
		return refuse(f.name, "there is no such file", "check the path")
	case err != nil:
		return refuse(f.name, "it can't be opened", "check its permissions, and close the program that holds it, or copy it to a local folder")
	}

	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = refuse(f.name, "it is not a file", "name the spreadsheet itself")
	} else if err != nil {
		err = unreadable(f.name)
	} else if info.Size() == 0 {
		err = refuse(f.name, "the file is empty", "export it again")
	}

	if err != nil {
		_ = file.Close() // nothing was written
		return err
	}

	f.file, f.size = file, info.Size()
	// Some network drives give the time of an open file and that of a path differently.
	if f.atPath, err = os.Stat(f.path); err != nil {
		f.atPath = info // the file was removed meanwhile
	}
	return nil
}

// refuse returns the error for a file as a whole.
func refuse(name, reason, fix string) error {
	return refuseAt(importer.Ref{File: name}, reason, fix)
}

// unreadable returns the error for a failure of the disk or network.
func unreadable(name string) error {
	return refuse(name, "it can't be read to its end", "copy it to a local folder and use the copy")
}

// reader returns a reader of the file from its beginning.
func (f *File) reader() *io.SectionReader { return io.NewSectionReader(f.file, 0, f.size) }

// Name returns the name of the file without its folder.
func (f *File) Name() string { return f.name }

// Hash returns the SHA-256 of the file's bytes in lower-case hex.
func (f *File) Hash() string { return f.hash }

// Sheets returns the worksheets of a workbook in the order of their tabs. It is
// nil for CSV.
func (f *File) Sheets() []xlsx.Sheet { return f.sheets }

// Tables returns the names, for Options.Sheet, of what a person may choose in the
// file: a workbook's visible sheets. It is nil for CSV.
func (f *File) Tables() (names []string) {
	for _, s := range f.sheets {
		if !s.Hidden {
			names = append(names, s.Name)
		}
	}
	return names
}

// SheetName returns the name of the sheet that Rows reads, as rows carry it. It is
// empty for CSV.
func (f *File) SheetName() string { return f.sheetName }

// Rows reads the file from its beginning and gives every row that is not blank,
// in order, with titles, header and footers. It can be called any number of
// times. A row's Cells are valid until the next row; Row.Clone keeps them. An
// error is an *importer.InputError and ends the sequence.
func (f *File) Rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		if err := f.checkUnchanged(); err != nil {
			yield(importer.Row{}, err)
			return
		}

		for row, err := range f.rows() {
			if err != nil && f.checkUnchanged() != nil {
				err = f.checkUnchanged()
			}
			if !yield(row, err) || err != nil {
				return
			}
		}

		if err := f.checkUnchanged(); err != nil {
			yield(importer.Row{}, err)
		}
	}
}

// AreEven reports whether the file is text in UTF-8, and all its rows from the header row on have one number of fields.
// It reads them all, as Rows does, but makes no cells. It is false if they can't be read, or none is below the header.
func (f *File) AreEven(headerRow int) bool {
	if f.widths == nil {
		return false
	}
	rows, width := 0, 0
	for row, err := range f.widths() {
		switch {
		case err != nil, rows > 0 && row.Width != width:
			return false
		case row.Num >= headerRow:
			rows, width = rows+1, row.Width
		}
	}
	return rows > 1
}

// checkUnchanged checks that the file's path leads to the size and time that it did
// when the file was opened, because all readings of a run must see the same rows. If
// another file was put in its place, the person means that one: this is a change
// too. A file that was moved away may be read on.
func (f *File) checkUnchanged() error {
	now, err := os.Stat(f.path)
	if err == nil && (now.Size() != f.atPath.Size() || !now.ModTime().Equal(f.atPath.ModTime())) {
		return refuse(f.name, "the file was changed while it was being read", "wait until its export is complete, then start again")
	}
	return nil
}

// Head returns the first n rows that are not blank, or all if the file has fewer.
// The caller may keep them.
func (f *File) Head(n int) ([]importer.Row, error) {
	var head []importer.Row
	for row, err := range f.Rows() {
		if err != nil {
			return nil, err
		}
		if head = append(head, row.Clone()); len(head) == n {
			break
		}
	}

	return head, nil
}

// Notices returns what a person should know about how the file was read. It is
// complete once the rows were read to their end.
func (f *File) Notices() []importer.Problem {
	if f.notices == nil {
		return f.openNotices
	}
	return slices.Concat(f.openNotices, f.notices())
}

// EndsWhole reports whether the last line of a text file is whole, and was not cut off. It is known once the
// rows were read to their end, and true for a workbook, which can't be read if it is cut off.
func (f *File) EndsWhole() bool { return f.endsWhole == nil || f.endsWhole() }

// Comments returns what is written in comments on the cells of a workbook's sheet, by rows and columns; nil for CSV.
func (f *File) Comments() (map[int]map[int]string, error) {
	if f.comments == nil {
		return nil, nil
	}
	return f.comments()
}

// addNotice adds a notice about the file as a whole.
func (f *File) addNotice(code, message, fix string) {
	f.openNotices = append(f.openNotices, notice(code, message, fix))
}

// notice returns a notice about the cells, or about the file as a whole.
func notice(code, message, fix string, cells ...importer.Ref) importer.Problem {
	return importer.Problem{Code: code, Severity: importer.Notice, Cells: cells, Message: message, Fix: fix}
}

// Close closes the file. Rows must not be called after it.
func (f *File) Close() error { return f.file.Close() }

// Below returns the rows after the header row as the source of a run. If there are
// none, reading them ends in a *NoRowsError, so that a failed export does not look
// like a night without trips. Each reading reads ahead in a goroutine, which has ended
// when the reading has.
func (f *File) Below(headerRow int) importer.Source { return below{f, headerRow} }

// A NoRowsError says that no row follows the header. It is an *importer.InputError.
type NoRowsError struct{ importer.InputError }

// Unwrap returns the InputError.
func (e *NoRowsError) Unwrap() error { return &e.InputError }

type below struct {
	*File
	headerRow int
}

// Rows returns the rows after the header. If the file was read to its end before, as Bound.Measure does, each row has
// the values of merged cells that it shares with rows above it.
func (b below) Rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		hasRows := false
		merged := newMerges(b.merged, b.headerRow)
		for row, err := range readAhead(b.File.Rows()) {
			if err == nil && row.Num <= b.headerRow {
				continue
			}
			hasRows = true
			merged.fill(&row)
			if !yield(row, err) || err != nil {
				return
			}
		}

		if hasRows {
			return
		}

		reason := "the file has no rows"
		if b.headerRow > 0 {
			reason = fmt.Sprintf("no row follows the header in row %d", b.headerRow)
		}

		at := importer.Ref{File: b.name, Sheet: b.SheetName()}
		yield(importer.Row{}, &NoRowsError{importer.InputError{File: b.name, At: at, Reason: reason, Fix: "export it again, and check the dates that were chosen for it"}})
	}
}

// What to do with a file that is not read.
const (
	// fixSaveAsXLSX is for a file that a spreadsheet program can open.
	fixSaveAsXLSX = "open it in Excel or LibreOffice and save it as an .xlsx workbook"
	// fixExport is for a file that is no spreadsheet.
	fixExport = "export the schedule as CSV or as an .xlsx workbook"
)

// refuseLock refuses the lock files that spreadsheet programs keep beside an open
// workbook.
func refuseLock(name string) error {
	if strings.HasPrefix(name, "~$") || strings.HasPrefix(name, ".~lock.") {
		return refuse(name, "this is only the lock file of a spreadsheet that is open in Excel or LibreOffice", "close that program and use the spreadsheet itself")
	}
	return nil
}

// refuseAt returns the error for an address in a file.
func refuseAt(at importer.Ref, reason, fix string) error {
	return &importer.InputError{File: at.File, At: at, Reason: reason, Fix: fix}
}

// refuseLine returns the error for a line of a text file, or a cell of it.
func (f *File) refuseLine(line, col int, reason, fix string) error {
	return refuseAt(importer.Ref{File: f.name, Row: line, Col: col}, reason, fix)
}
