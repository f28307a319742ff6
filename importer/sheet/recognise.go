package sheet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"
	"slices"
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
