package sheet

import (
	"bytes"
	"io"
	"path/filepath"

	"tripimport/importer/sheet/xlsx"
)

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

	if what, fix := foreignKind(head); what != "" {
		return refuse(f.name, what, fix)
	}

	return f.openText(head, o)
}

// headSize is the number of bytes at the beginning of a file that decide its
// kind.
const headSize = 64 << 10

// openZip opens a zip archive as a workbook and refuses every other kind.
func (f *File) openZip(head []byte, o Options) error {
	names, err := xlsx.PartNames(f.file, f.size)
	if err != nil {
		return f.openWorkbook(o) // its error says what is wrong
	}

	if what, fix := foreignZip(names, head); what != "" {
		return refuse(f.name, what, fix)
	}

	switch f.extension() {
	case "xlsx", "xlsm", "xltx", "xltm":
	default:
		f.addNotice("misnamed", "the file is an Excel workbook, although its name says otherwise; it was read as a workbook", "")
	}
	return f.openWorkbook(o)
}
