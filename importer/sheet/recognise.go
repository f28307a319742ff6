package sheet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer/sheet/xlsx"
)

// hashBytes sets the hash of the file.
func (f *File) hashBytes() error {
	h := sha256.New()
	if _, err := io.Copy(h, f.reader()); err != nil {
		return unreadable(f.name)
	}
	f.hash = hex.EncodeToString(h.Sum(nil))
	return nil
}

// notSpreadsheet is what is said of a file that is neither text nor a workbook.
const notSpreadsheet = "this is neither text nor a workbook"

// isForeign reports whether a file is none of a spreadsheet, by its first bytes: an archive, a document or a picture.
func isForeign(head []byte) bool {
	first := bytes.TrimLeft(head, "\xef\xbb\xbf\r\n ")
	return slices.ContainsFunc([]string{"\x1f\x8b", "7z\xbc\xaf", "Rar!", "%PDF-", "{\\rtf", "\x89PNG", "\xff\xd8\xff"},
		func(magic string) bool { return bytes.HasPrefix(first, []byte(magic)) })
}

// refuseOLE refuses an OLE container, the file format of older Office programs. A workbook with a password is in such a
// container too.
func (f *File) refuseOLE() error {
	const most = 64 << 20
	text, err := io.ReadAll(io.LimitReader(f.reader(), most))
	// The directory has the names of the streams in UTF-16, each with a NUL behind it.
	has := func(stream string) bool {
		return bytes.Contains(text, []byte(strings.Join(strings.Split(stream, ""), "\x00")+"\x00\x00\x00"))
	}
	switch {
	case err != nil:
		return unreadable(f.name)
	case has("EncryptedPackage"):
		return refuse(f.name, "the workbook is protected by a password", "open it in Excel, remove the password (File, Info, Protect Workbook, Encrypt with Password), and save it")
	case has("Workbook"), has("Book"):
		return refuse(f.name, "this is a workbook in the old .xls format", fixSaveAsXLSX)
	}
	return refuse(f.name, notSpreadsheet, fixExport)
}

// foreignZip recognises zip archives that are not workbooks by the sorted names of
// their files and their first bytes. It returns the reason to refuse the file and what to do, and empty strings for a workbook.
func foreignZip(names []string, head []byte) (what, fix string) {
	switch has := func(name string) bool { return slices.Contains(names, name) }; {
	case has("mimetype") && bytes.Contains(head, []byte("opendocument.spreadsheet")):
		return "this is an OpenDocument spreadsheet", fixSaveAsXLSX
	case has("xl/workbook.bin"):
		return "this is a binary workbook (.xlsb)", fixSaveAsXLSX
	case has("_rels/.rels") && !has("word/document.xml"), slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "xl/") }):
		return "", ""
	}
	return "this is a zip archive, not a workbook", "unpack it if a schedule is inside, or " + fixExport
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

	if err := f.hashBytes(); err != nil {
		return err
	}

	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return f.openZip(head, o)
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return f.refuseOLE()
	}

	if isForeign(head) {
		return refuse(f.name, notSpreadsheet, fixExport)
	}

	return f.openText(head, o)
}

// headSize is the number of bytes at the beginning of a file that decide its
// kind.
const headSize = 64 << 10

// openZip opens a zip archive as a workbook and refuses every other kind.
func (f *File) openZip(head []byte, o Options) error {
	if names, err := xlsx.PartNames(f.file, f.size); err == nil { // else the workbook's error says what is wrong
		if what, fix := foreignZip(names, head); what != "" {
			return refuse(f.name, what, fix)
		}
	}
	return f.openWorkbook(o)
}
