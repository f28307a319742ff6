package sheet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
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
