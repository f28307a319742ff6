package sheet

import (
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"time"

	"tripimport/importer"
)

// Options say how to read a file; the zero value finds everything out.
type Options struct {
	// Sheet is the name of a workbook's sheet, or the number of its tab among
	// those that a person sees, from 1. A hidden sheet is read if it is named.
	// Empty takes the first visible sheet.
	Sheet string
	// Encoding is a text file's: "utf-8", "utf-16", "windows-1252", "cp850" and
	// whatever else browsers know by name. Empty finds it by rule.
	Encoding string
	// Delimiter is one character, "tab", "comma", "semicolon" or "pipe". Empty
	// finds it by rule.
	Delimiter string
}

// A File is an open input file. It holds the file open until Close, so that
// every reading sees the same bytes; one that changes meanwhile is an error.
// One reading at a time.
type File struct {
	name    string
	file    *os.File
	size    int64
	changed time.Time
	hash    string
	content content
	opening []importer.Problem // notices known since opening
}

// A content is a file of one kind.
type content interface {
	kind() string
	// rows reads every row that is not blank.
	rows() iter.Seq2[importer.Row, error]
	// notices gives what the last reading came upon.
	notices() []importer.Problem
}

// SheetInfo is one sheet of a workbook.
type SheetInfo struct {
	Name string `json:"name"`
	// Visibility is "visible", "hidden" or "very hidden".
	Visibility string `json:"visibility"`
}

// Open opens the file and finds out what it is. It reads the file's bytes once
// but not its rows. An error is an *importer.InputError.
func Open(path string, o Options) (*File, error) {
	f := &File{name: filepath.Base(path)}
	if err := f.open(path); err != nil {
		return nil, err
	}
	if err := f.recognise(o); err != nil {
		_ = f.file.Close() // only read from
		return nil, err
	}
	return f, nil
}

// open opens the file and proves that it is one.
func (f *File) open(path string) error {
	if err := refuseLock(f.name); err != nil {
		return err
	}
	file, err := os.Open(path)
	switch {
	case os.IsNotExist(err):
		return refuse(f.name, "there is no such file", "check the path")
	case os.IsPermission(err):
		return refuse(f.name, "this user may not read it", "check its permissions, or close the program that holds it")
	case err != nil:
		return refuse(f.name, "it can't be opened", "close the program that holds it, or copy it to a local folder")
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = refuse(f.name, "it is no file", "name the spreadsheet itself")
	} else if err != nil {
		err = unreadable(f.name)
	} else if info.Size() == 0 {
		err = refuse(f.name, "the file is empty", "export it again")
	}
	if err != nil {
		_ = file.Close() // only read from
		return err
	}
	f.file, f.size, f.changed = file, info.Size(), info.ModTime()
	return nil
}

// refuse makes the error for a file as a whole.
func refuse(name, reason, fix string) error {
	return &importer.InputError{File: name, At: importer.Ref{File: name}, Reason: reason, Fix: fix}
}

// unreadable is the error for a disk or network that fails.
func unreadable(name string) error {
	return refuse(name, "it can't be read to its end", "copy it to a local folder and use the copy")
}

// bytes reads the file from its beginning.
func (f *File) bytes() *io.SectionReader { return io.NewSectionReader(f.file, 0, f.size) }

// Name gives the file's name without its folder.
func (f *File) Name() string { return f.name }

// Hash gives the SHA-256 of the file's bytes, in hex.
func (f *File) Hash() string { return f.hash }

// Kind says what the file is by its content: "xlsx", "xlsm", "csv" or "html
// table".
func (f *File) Kind() string { return f.content.kind() }

// Encoding gives a text file's encoding, as Options name it; empty for a
// workbook.
func (f *File) Encoding() string {
	switch c := f.content.(type) {
	case *csvFile:
		return c.text.encoding.name
	case *htmlFile:
		return c.text.encoding.name
	}
	return ""
}

// Delimiter gives a delimited file's: ",", ";", "tab" or "|"; empty for other
// kinds.
func (f *File) Delimiter() string {
	if c, ok := f.content.(*csvFile); ok {
		return delimiterName(c.comma)
	}
	return ""
}

// Sheets gives a workbook's worksheets in the order of their tabs; none for
// other kinds.
func (f *File) Sheets() []SheetInfo {
	w, ok := f.content.(*workbookFile)
	if !ok {
		return nil
	}
	var list []SheetInfo
	for _, s := range w.book.Sheets() {
		list = append(list, SheetInfo{s.Name, s.Visibility.String()})
	}
	return list
}

// SheetName gives the name of the sheet that is read, as rows carry it; empty
// for CSV.
func (f *File) SheetName() string {
	switch c := f.content.(type) {
	case *workbookFile:
		return c.sheet.Name
	case *htmlFile:
		return c.sheetName()
	}
	return ""
}

// Rows reads every row that is not blank, from the top: titles, header and
// footers too. It may be called any number of times. A row and its cells are
// the reader's own until the next row. An error is an *importer.InputError and
// ends the reading.
func (f *File) Rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		if err := f.unchanged(); err != nil {
			yield(importer.Row{}, err)
			return
		}
		for row, err := range f.content.rows() {
			if err != nil && f.unchanged() != nil {
				err = f.unchanged()
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
		if err := f.unchanged(); err != nil {
			yield(importer.Row{}, err)
		}
	}
}

// unchanged proves that the file is still the one that was opened: two
// readings of one run must see the same rows.
func (f *File) unchanged() error {
	info, err := f.file.Stat()
	if err != nil {
		return unreadable(f.name)
	}
	if info.Size() != f.size || !info.ModTime().Equal(f.changed) {
		return refuse(f.name, "the file was changed while it was being read", "wait until its export is complete, then start again")
	}
	return nil
}

// Head gives the first n rows that are not blank, to keep; fewer where the file
// has fewer.
func (f *File) Head(n int) ([]importer.Row, error) {
	var head []importer.Row
	if n <= 0 {
		return head, nil
	}
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

// Notices gives what a person should know about how the file was read. They
// are complete once the rows were read to their end.
func (f *File) Notices() []importer.Problem {
	return append(append([]importer.Problem(nil), f.opening...), f.content.notices()...)
}

// notice makes a notice about the file as a whole.
func (f *File) notice(code, message, fix string) {
	f.opening = append(f.opening, notice(code, message, fix))
}

func notice(code, message, fix string, cells ...importer.Ref) importer.Problem {
	return importer.Problem{Code: code, Severity: importer.Notice, Cells: cells, Message: message, Fix: fix}
}

// count gives a number and its noun, which agree.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// Below gives the rows after the row of that number, which is the header's, as
// a run reads them. A file without any is an error: an export that failed must
// not look like a night without trips.
func (f *File) Below(headerRow int) importer.Source { return below{f, headerRow} }

type below struct {
	*File
	header int
}

// Rows gives the rows after the header.
func (b below) Rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		found := false
		for row, err := range b.File.Rows() {
			if err == nil && row.Num <= b.header {
				continue
			}
			found = true
			if !yield(row, err) || err != nil {
				return
			}
		}
		if found {
			return
		}
		reason := "the file has no rows"
		if b.header > 0 {
			reason = fmt.Sprintf("no row follows the header in row %d", b.header)
		}
		at := importer.Ref{File: b.name, Sheet: b.SheetName()}
		yield(importer.Row{}, &importer.InputError{File: b.name, At: at, Reason: reason, Fix: "export it again, and check the dates that were chosen for it"})
	}
}
