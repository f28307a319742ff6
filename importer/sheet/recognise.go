package sheet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"
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

// foreignKind recognises files that are neither text nor a workbook by their
// first bytes. It returns the reason to refuse the file and what to do, and empty
// strings for any other file: what is no text is refused without a name.
func foreignKind(head []byte) (what, fix string) {
	first := bytes.TrimLeft(head, "\xef\xbb\xbf\r\n ")
	for _, m := range []struct{ magic, what, fix string }{
		{"\x1f\x8b", "this is a gzip archive", "unpack it and use the file inside"},
		{"7z\xbc\xaf\x27\x1c", "this is a 7z archive", "unpack it and use the file inside"},
		{"Rar!", "this is a rar archive", "unpack it and use the file inside"},
		{"%PDF-", "this is a PDF document", fixExport},
		{"{\\rtf", "this is a rich text document", fixExport},
		{"\x89PNG", "this is a picture", fixExport},
		{"\xff\xd8\xff", "this is a picture", fixExport},
	} {
		if bytes.HasPrefix(first, []byte(m.magic)) {
			return m.what, m.fix
		}
	}
	return "", ""
}

// refuseOLE refuses an OLE container, the file format of older Office programs,
// and says what is in it. A workbook with a password is in such a container too.
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
	case has("WordDocument"):
		return refuse(f.name, "this is a Word document", fixExport)
	}
	return refuse(f.name, "this is a document of an older Office program, not a workbook", fixExport)
}

// foreignZip recognises zip archives that are not workbooks by the sorted names of
// their files and their first bytes. It returns what foreignKind returns.
func foreignZip(names []string, head []byte) (what, fix string) {
	what, fix = "this is a zip archive", "unpack it and use the file inside"
	if len(names) == 0 {
		what, fix = "this is an empty zip archive", "export it again"
	}

	for _, name := range names {
		switch {
		case name == "mimetype" && bytes.Contains(head, []byte("opendocument.spreadsheet")):
			return "this is an OpenDocument spreadsheet", fixSaveAsXLSX
		case name == "mimetype", strings.HasPrefix(name, "word/"), strings.HasPrefix(name, "ppt/"):
			return "this is a document, not a workbook", fixExport
		case name == "xl/workbook.bin":
			return "this is a binary workbook (.xlsb)", fixSaveAsXLSX
		case strings.HasPrefix(name, "index/") && strings.HasSuffix(name, ".iwa"), name == "index.zip":
			return "this is a Numbers document", "open it in Numbers and export it as CSV or Excel"
		case name == "[content_types].xml", name == "_rels/.rels", strings.HasPrefix(name, "xl/"):
			what, fix = "", ""
		}
	}
	return what, fix
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
