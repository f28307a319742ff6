package sheet

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// A textEncoding is how a file's bytes stand for characters.
type textEncoding struct {
	name string
	// decoder is nil for UTF-8.
	decoder encoding.Encoding
	// strict reports that U+FFFD, the mark of a lost character, can't stand in
	// such a text: where it is met, the bytes were not of this encoding.
	strict bool
}

const asUTF8 = `save it in Excel as "CSV UTF-8", or name its encoding in the mapping (read: encoding)`

// decide finds the file's encoding: the one that is named; else by its byte
// order mark; else UTF-8 where all of it is; else UTF-16 where every second
// byte is a NUL; else the single-byte set in which its letters make words.
func (t *textFile) decide(s textSurvey, named string) error {
	if isUTF32(s) {
		return refuse(t.file.name, "the text is in UTF-32, which no spreadsheet reads", asUTF8)
	}
	mark, after := byteOrder(s)
	t.start = after
	switch {
	case named != "":
		return t.take(named, mark, s)
	case mark != nil:
		return t.setUTF16(mark)
	case s.nul != [4]int64{}:
		return refuse(t.file.name, "this is no text and no workbook", "export the schedule as CSV or as an .xlsx workbook")
	case s.utf8:
		t.encoding = textEncoding{name: "utf-8"}
	case after > 0:
		return t.badUTF8()
	default:
		if name := declaredCharset(s.head); namedEncoding(name) != nil {
			return t.take(name, nil, s)
		}
		return t.guessSingleByte()
	}
	return nil
}

// declaredCharset gives the encoding that an HTML page names in its head; empty
// for anything else.
func declaredCharset(head []byte) string {
	head = bytes.ToLower(bytes.TrimSpace(head))
	_, after, ok := bytes.Cut(head, []byte("charset="))
	if !ok || head[0] != '<' {
		return ""
	}
	name := bytes.TrimLeft(after, "\"' ")
	if i := bytes.IndexAny(name, "\"' />;"); i >= 0 {
		name = name[:i]
	}
	return string(name)
}

// setUTF16 takes the text for UTF-16.
func (t *textFile) setUTF16(e encoding.Encoding) error {
	t.end = t.file.size // a byte of its own is no mark here
	if (t.end-t.start)%2 != 0 {
		return refuse(t.file.name, "the text is in UTF-16 and breaks off in the middle of a character", "export it again")
	}
	t.encoding = textEncoding{name: "utf-16", decoder: e}
	// Carriage returns were looked for byte by byte: now every one counts.
	t.loneCR, t.lost = true, true
	return nil
}

// isUTF32 reports whether the text is in UTF-32, whose byte order mark begins
// like that of UTF-16.
func isUTF32(s textSurvey) bool {
	if bytes.HasPrefix(s.head, []byte("\xff\xfe\x00\x00")) || bytes.HasPrefix(s.head, []byte("\x00\x00\xfe\xff")) {
		return true
	}
	chars := s.size / 4
	many := func(n int64) bool { return chars > 0 && n > chars*9/10 }
	return many(s.nul[1]) && many(s.nul[2]) && (many(s.nul[0]) || many(s.nul[3]))
}

// byteOrder tells UTF-16 by its mark, or by its NUL bytes where it has none,
// and gives the position after any byte order mark.
func byteOrder(s textSurvey) (utf16 encoding.Encoding, after int64) {
	little := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	big := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	switch {
	case bytes.HasPrefix(s.head, []byte("\xef\xbb\xbf")):
		return nil, 3
	case bytes.HasPrefix(s.head, []byte("\xff\xfe")):
		return little, 2
	case bytes.HasPrefix(s.head, []byte("\xfe\xff")):
		return big, 2
	}
	even, odd, half := s.nul[0]+s.nul[2], s.nul[1]+s.nul[3], s.size/2
	switch {
	case odd > half*6/10 && even < half/20:
		return little, 0
	case even > half*6/10 && odd < half/20:
		return big, 0
	}
	return nil, 0
}

// take reads the text in the encoding that somebody named.
func (t *textFile) take(named string, mark encoding.Encoding, s textSurvey) error {
	name := strings.ToLower(strings.TrimSpace(named))
	switch name {
	case "utf-8", "utf8", "utf-8-sig", "utf8-bom":
		t.encoding = textEncoding{name: "utf-8"}
		if !s.utf8 {
			return t.badUTF8()
		}
		return nil
	case "utf-16", "utf16":
		if mark == nil {
			mark = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
		}
		return t.setUTF16(mark)
	}
	e := namedEncoding(name)
	if e == nil {
		return refuse(t.file.name, fmt.Sprintf("%q is no encoding that is known", named), "use utf-8, utf-16, windows-1252 or another name from the list of encodings of web browsers")
	}
	if canonical, err := htmlindex.Name(e); err == nil {
		name = canonical
	}
	if strings.HasPrefix(name, "utf-16") {
		return t.setUTF16(e)
	}
	t.encoding = textEncoding{name, e, true}
	t.lost = true
	if !s.utf8 {
		t.file.notice("encoding", "its letters were read as "+name, "")
	}
	return nil
}

// namedEncoding finds an encoding by name; nil where there is none.
func namedEncoding(name string) encoding.Encoding {
	switch name {
	case "cp437", "ibm437", "437":
		return charmap.CodePage437
	case "cp850", "ibm850", "850":
		return charmap.CodePage850
	case "cp858", "ibm858", "858":
		return charmap.CodePage858
	case "ansi", "latin-1":
		return charmap.Windows1252
	case "macroman", "mac-roman":
		return charmap.Macintosh
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement || e == unicode.UTF8 {
		return nil
	}
	return e
}

// badUTF8 says on which line the text stops being UTF-8.
func (t *textFile) badUTF8() error {
	in := transform.NewReader(t.file.bytes(), encoding.UTF8Validator)
	buf := make([]byte, 64<<10)
	for line := 1; ; {
		n, err := in.Read(buf)
		line += bytes.Count(buf[:n], []byte("\n"))
		if err != nil {
			return t.notIn("utf-8", line)
		}
	}
}

// notIn is the error for a line that has a character which the encoding does
// not know.
func (t *textFile) notIn(name string, line int) error {
	at := t.file.ref(line, 0)
	return t.file.faultAt(at, "a character is not "+name+", which the file is said to be in", "name the file's true encoding in the mapping (read: encoding), or leave it out")
}
