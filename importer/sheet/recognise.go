package sheet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// isForeign reports whether a file is none of a spreadsheet, by its first bytes: an archive, a document or a picture.
func isForeign(head []byte) bool {
	first := bytes.TrimLeft(head, "\xef\xbb\xbf\r\n ")
	return slices.ContainsFunc([]string{"\x1f\x8b", "7z\xbc\xaf", "Rar!", "%PDF-", "{\\rtf", "\x89PNG", "\xff\xd8\xff"},
		func(magic string) bool { return bytes.HasPrefix(first, []byte(magic)) })
}

// Open opens a file and detects its kind, and for text its encoding and
// delimiter. It reads all bytes of the file once, for the hash, and no more rows
// than it needs to choose a sheet. An error is an *importer.InputError.
func Open(path string, o Options) (*File, error) {
	f := &File{name: filepath.Base(path), path: path}
	if err := f.open(); err != nil {
		return nil, err
	}

	if err := f.recognise(o); err != nil {
		_ = f.file.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

// recognise detects the kind of the file and opens it as that kind.
func (f *File) recognise(o Options) error {
	head := make([]byte, min(f.size, headSize))
	if _, err := f.file.ReadAt(head, 0); err != nil && err != io.EOF {
		return unreadable(f.name)
	}

	var text textSurvey
	h := sha256.New()
	if _, err := io.Copy(io.MultiWriter(h, &text), f.reader()); err != nil {
		return unreadable(f.name)
	}
	f.hash = hex.EncodeToString(h.Sum(nil))

	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return f.openWorkbook(o)
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		// older Office programs, and workbooks with a password
		return refuse(f.name, "this is a file of an older Office program, such as an .xls workbook, or a workbook with a password",
			"open it in Excel, remove its password if it has one (File, Info, Protect Workbook, Encrypt with Password), and save it as an .xlsx workbook")
	case isForeign(head):
		return refuse(f.name, "this is neither text nor a workbook", fixExport)
	}
	return f.openText(head, &text, o)
}

// headSize is the number of bytes at the beginning of a file that decide its
// kind.
const headSize = 64 << 10

// endOfText is Ctrl-Z, with which DOS programs end a text.
const endOfText = 0x1a

// openText opens a text file as a CSV file. head is its beginning.
func (f *File) openText(head []byte, s *textSurvey, o Options) error {
	text := textFile{file: f, end: f.size, loneCR: s.returns > s.pairs, hasNUL: s.hasNUL}
	if s.last == endOfText {
		text.end--
	}
	if err := text.detectEncoding(head, s, o.Encoding); err != nil {
		return err
	}

	sample := make([]byte, 256<<10)
	n, err := io.ReadFull(text.open(), sample)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return unreadable(f.name)
	}

	sample = sample[:n]
	if len(bytes.TrimSpace(sample)) == 0 && err != nil {
		return refuse(f.name, "the file has only white space", "export it again")
	}

	if isMarkup(sample) {
		return refuse(f.name, "this is a web page or another markup, not a workbook", "if it has the schedule, "+fixSaveAsXLSX+"; otherwise "+fixExport)
	}
	switch strings.ToLower(filepath.Ext(f.name)) {
	case ".xlsx", ".xlsm", ".xlsb", ".ods": // Excel does not open it either
		return refuse(f.name, "this is text, not the workbook that its name says", "export it again, or rename it to end in .csv if it is a CSV file")
	case ".xls": // portals save text so, and Excel opens it
		f.addNotice("misnamed", "the file is text, although its name says .xls; it was read as text", "")
	}
	f.openCSV(text, sample, err == nil, o)
	return nil
}

// isMarkup recognises markup by the beginning of a text. Portals save tables so, with the name of a workbook.
func isMarkup(sample []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(sample[:min(len(sample), 8<<10)]))
	if !bytes.HasPrefix(head, []byte("<")) {
		return bytes.HasPrefix(head, []byte("mime-version:"))
	}
	return slices.ContainsFunc([]string{"<?xml", "<!doctype html", "<html", "<table", "<head", "<body", "<meta", "<style", "<div", "<center"},
		func(tag string) bool { return bytes.Contains(head, []byte(tag)) })
}
