package sheet

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"regexp"
	"strings"
)

// hashBytes sets the hash of a file that is not text.
func (f *File) hashBytes() error {
	h := sha256.New()
	if _, err := io.Copy(h, f.reader()); err != nil {
		return unreadable(f.name)
	}
	f.hash = hex.EncodeToString(h.Sum(nil))
	return nil
}

// sylkStart matches the beginning of a SYLK file: a record with the program that wrote it,
// then a record of another kind. ID;P alone may also begin the headers of a CSV file.
var sylkStart = regexp.MustCompile(`^ID;P[A-Z0-9]+(;[EN])*\r?\n([BCFOP]|N[NEU]);[A-Z]`)

// foreignKind recognises files that are neither text nor a workbook by their
// first bytes. It returns the reason to refuse the file and what to do, and empty
// strings for any other file.
func foreignKind(head []byte) (what, fix string) {
	first := bytes.TrimLeft(head, "\xef\xbb\xbf\r\n ")
	for _, m := range []struct{ magic, what, fix string }{
		{"\x1f\x8b", "this is a gzip archive", "unpack it and use the file inside"},
		{"7z\xbc\xaf\x27\x1c", "this is a 7z archive", "unpack it and use the file inside"},
		{"Rar!", "this is a rar archive", "unpack it and use the file inside"},
		{"BZh", "this is a bzip2 archive", "unpack it and use the file inside"},
		{"\xfd7zXZ\x00", "this is an xz archive", "unpack it and use the file inside"},
		{"%PDF-", "this is a PDF document", fixExport},
		{"{\\rtf", "this is a rich text document", fixExport},
		{"\x89PNG", "this is a picture", fixExport},
		{"\xff\xd8\xff", "this is a picture", fixExport},
		{"GIF8", "this is a picture", fixExport},
		{"SQLite format 3\x00", "this is a database", fixExport},
		{"MZ\x90\x00", "this is a program", fixExport},
		{"PAR1", "this is a Parquet file", fixExport},
		{"TABLE\r\n0,1", "this is a DIF file (.dif)", fixSaveAsXLSX},
		{"TABLE\n0,1", "this is a DIF file (.dif)", fixSaveAsXLSX},
	} {
		if bytes.HasPrefix(first, []byte(m.magic)) {
			return m.what, m.fix
		}
	}

	if sylkStart.Match(first) {
		return "this is a SYLK file (.slk)", fixSaveAsXLSX
	}

	if begin := head[:min(len(head), 1024)]; bytes.HasPrefix(begin, []byte("<?xml")) && bytes.Contains(begin, []byte("<office:document")) {
		return "this is a flat OpenDocument spreadsheet (.fods)", fixSaveAsXLSX
	}

	// A workbook of Excel before 1995 begins with a BIFF record.
	if len(head) > 2 && head[0] == 0x09 && head[1] <= 8 && head[1]%2 == 0 && bytes.IndexByte(head[:min(len(head), 16)], 0) >= 0 {
		return "this is a workbook of a very old version of Excel", fixSaveAsXLSX
	}

	return "", ""
}

// refuseOLE refuses an OLE container, the file format of older Office programs,
// and says what is in it. A workbook with a password is in such a container too.
func (f *File) refuseOLE() error {
	found, err := f.streams("EncryptedPackage", "Workbook", "Book", "WordDocument")
	switch {
	case err != nil:
		return unreadable(f.name)
	case found["EncryptedPackage"]:
		return refuse(f.name, "the workbook is protected by a password", "open it in Excel, remove the password (File, Info, Protect Workbook, Encrypt with Password), and save it")
	case found["Workbook"], found["Book"]:
		return refuse(f.name, "this is a workbook in the old .xls format", fixSaveAsXLSX)
	case found["WordDocument"]:
		return refuse(f.name, "this is a Word document", fixExport)
	}
	return refuse(f.name, "this is a document of an older Office program, not a workbook", fixExport)
}

// streams reports which of the names are in the directory of an OLE container.
// An entry of the directory is a block of 128 bytes that begins with a name in
// UTF-16 and a NUL. Every block of the file is compared, so that a damaged
// container is recognised too.
func (f *File) streams(names ...string) (map[string]bool, error) {
	found := map[string]bool{}
	in := bufio.NewReaderSize(f.reader(), 1<<20)
	block := make([]byte, 128)
	for {
		n, err := io.ReadFull(in, block)
		for _, name := range names {
			if bytes.HasPrefix(block[:n], utf16LE(name+"\x00")) {
				found[name] = true
			}
		}

		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// utf16LE returns ASCII text in UTF-16.
func utf16LE(s string) []byte {
	var b []byte
	for _, c := range []byte(s) {
		b = append(b, c, 0)
	}
	return b
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
