package sheet

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"strings"

	"tripimport/importer/sheet/xlsx"
)

// headSize is how much of a file's beginning is looked at to know its kind.
const headSize = 64 << 10

// recognise finds out what the file is and opens it as that.
func (f *File) recognise(o Options) error {
	head := make([]byte, min(f.size, headSize))
	if _, err := f.file.ReadAt(head, 0); err != nil && err != io.EOF {
		return unreadable(f.name)
	}
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		if err := f.hashBytes(); err != nil {
			return err
		}
		return f.openZip(head, o)
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return f.refuseOLE()
	}
	if what, fix := foreign(head); what != "" {
		return refuse(f.name, what, fix)
	}
	return f.openText(head, o)
}

// hashBytes fills in the hash of a file whose bytes are not looked at
// otherwise.
func (f *File) hashBytes() error {
	h := sha256.New()
	if _, err := io.Copy(h, f.bytes()); err != nil {
		return unreadable(f.name)
	}
	f.hash = hex.EncodeToString(h.Sum(nil))
	return nil
}

// asXLSX is the remedy for anything that a spreadsheet program can open.
const asXLSX = "open it in Excel or LibreOffice and save it as an .xlsx workbook"

// refuseLock refuses the small files that spreadsheet programs keep beside an
// open workbook.
func refuseLock(name string) error {
	if owner, ok := strings.CutPrefix(name, "~$"); ok {
		return refuse(name, "this is only the mark that Excel keeps while a workbook is open", "close Excel and use the workbook itself, "+owner)
	}
	if owner, ok := strings.CutPrefix(name, ".~lock."); ok {
		return refuse(name, "this is only the mark that LibreOffice keeps while a file is open", "close LibreOffice and use the file itself, "+strings.TrimSuffix(owner, "#"))
	}
	return nil
}

// foreign knows, by their first bytes, files that are no spreadsheets. It
// gives what they are and what to do; nothing for anything else.
func foreign(head []byte) (what, fix string) {
	const again = "export the schedule as CSV or as an .xlsx workbook"
	for _, m := range []struct{ magic, what, fix string }{
		{"\x1f\x8b", "this is a gzip archive", "unpack it and use the file inside"},
		{"7z\xbc\xaf\x27\x1c", "this is a 7z archive", "unpack it and use the file inside"},
		{"Rar!", "this is a rar archive", "unpack it and use the file inside"},
		{"BZh", "this is a bzip2 archive", "unpack it and use the file inside"},
		{"\xfd7zXZ\x00", "this is an xz archive", "unpack it and use the file inside"},
		{"%PDF-", "this is a PDF document", again},
		{"{\\rtf", "this is a rich text document", again},
		{"\x89PNG", "this is a picture", again},
		{"\xff\xd8\xff", "this is a picture", again},
		{"GIF8", "this is a picture", again},
		{"SQLite format 3\x00", "this is a database", again},
		{"MZ\x90\x00", "this is a program", again},
		{"PAR1", "this is a Parquet file", again},
	} {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return m.what, m.fix
		}
	}
	// The stream of an Excel workbook older than 1995, without a container.
	if len(head) > 2 && head[0] == 0x09 && head[1] <= 8 && head[1]%2 == 0 && bytes.IndexByte(head[:min(len(head), 16)], 0) >= 0 {
		return "this is a workbook of a very old Excel", asXLSX
	}
	return "", ""
}

// refuseOLE refuses a file in the container of older Office programs, by what
// it holds. A password-protected .xlsx comes in such a container too.
func (f *File) refuseOLE() error {
	found, err := f.streams("EncryptedPackage", "Workbook", "Book", "WordDocument")
	switch {
	case err != nil:
		return unreadable(f.name)
	case found["EncryptedPackage"]:
		return refuse(f.name, "the workbook is protected by a password", "open it in Excel, remove the password (File, Info, Protect Workbook, Encrypt with Password), and save it")
	case found["Workbook"], found["Book"]:
		return refuse(f.name, "this is a workbook in the old .xls format", asXLSX)
	case found["WordDocument"]:
		return refuse(f.name, "this is a Word document", "export the schedule as CSV or as an .xlsx workbook")
	}
	return refuse(f.name, "this is a document of an older Office program, not a workbook", "export the schedule as CSV or as an .xlsx workbook")
}

// streams reports which of the names the container's directory has. The
// directory's entries are blocks of 128 bytes that begin with a name in UTF-16,
// ended by a NUL. Every block of the file is looked at, so that the answer does
// not depend on the container being sound.
func (f *File) streams(names ...string) (map[string]bool, error) {
	found := map[string]bool{}
	in := bufio.NewReaderSize(f.bytes(), 1<<20)
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

func utf16LE(s string) []byte {
	var b []byte
	for _, c := range []byte(s) {
		b = append(b, c, 0)
	}
	return b
}

// openZip tells a workbook from the other files that are zip archives.
func (f *File) openZip(head []byte, o Options) error {
	names, err := xlsx.PartNames(f.file, f.size)
	if err != nil {
		return f.openWorkbook(o) // which says what is wrong with it
	}
	switch zipKind(names, head) {
	case "ods":
		return refuse(f.name, "this is an OpenDocument spreadsheet", asXLSX)
	case "xlsb":
		return refuse(f.name, "this is a binary workbook (.xlsb)", asXLSX)
	case "numbers":
		return refuse(f.name, "this is a Numbers document", "open it in Numbers and export it as CSV or Excel")
	case "document":
		return refuse(f.name, "this is a document, not a workbook", "export the schedule as CSV or as an .xlsx workbook")
	case "empty":
		return refuse(f.name, "this is an empty zip archive", "export it again")
	case "zip":
		return refuse(f.name, "this is a zip archive", "unpack it and use the file inside")
	}
	switch f.extension() {
	case "xlsx", "xlsm", "xltx", "xltm":
	default:
		f.notice("misnamed", "the file is an Excel workbook, whatever its name says; it was read as one", "")
	}
	return f.openWorkbook(o)
}

// extension gives the file name's, in lower case, without the dot.
func (f *File) extension() string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(f.name), "."))
}

// zipKind tells what a zip archive is by the names of its parts and its first
// bytes.
func zipKind(names []string, head []byte) string {
	kind := "zip"
	if len(names) == 0 {
		kind = "empty"
	}
	for _, name := range names {
		switch {
		case name == "mimetype" && bytes.Contains(head, []byte("opendocument.spreadsheet")):
			return "ods"
		case name == "mimetype":
			return "document"
		case name == "xl/workbook.bin":
			return "xlsb"
		case strings.HasPrefix(name, "index/") && strings.HasSuffix(name, ".iwa"), name == "index.zip":
			return "numbers"
		case strings.HasPrefix(name, "word/"), strings.HasPrefix(name, "ppt/"):
			kind = "document"
		case kind == "zip" && (name == "[content_types].xml" || name == "_rels/.rels" || strings.HasPrefix(name, "xl/")):
			kind = "workbook"
		}
	}
	return kind
}
