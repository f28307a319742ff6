package sheet

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// hasNUL is why a text with NUL characters is refused.
const hasNUL = "it has NUL characters, which no text has: it was damaged when it was written or copied"

// detectEncoding sets the encoding and the start of the text. The encoding is
// the one that the caller named; else that of a byte order mark; else UTF-8 if
// the whole file is valid UTF-8; else Windows-1252. A text with NULs is refused, unless it is UTF-16. A character
// that can't be read is U+FFFD, the replacement character; the checks name the trip that has one.
func (t *textFile) detectEncoding(s textSurvey, named string) error {
	utf16, start := byteOrder(s.head)
	t.start = start
	switch {
	case s.nuls*10 > s.size*6: // UTF-16 has fewer, and no spreadsheet writes UTF-32
		return refuse(t.file.name, hasNUL, fixExport)
	case named != "":
		return t.useEncoding(named, utf16, s)
	case utf16 != nil:
		return t.useUTF16(utf16)
	case s.nuls > 0:
		return refuse(t.file.name, hasNUL, fixExport+"; if it is text in UTF-16, name its encoding in the mapping (read: encoding)")
	case s.utf8:
		t.encoding = "utf-8"
	case start > 0: // after a byte order mark of UTF-8
		return t.badUTF8()
	default:
		return t.useWindows1252()
	}
	return nil
}

// useUTF16 sets the encoding to UTF-16.
func (t *textFile) useUTF16(e encoding.Encoding) error {
	t.end = t.file.size // the last byte is half a character and no Ctrl-Z
	if (t.end-t.start)%2 != 0 {
		return refuse(t.file.name, "the text is in UTF-16 and breaks off in the middle of a character", "export it again")
	}

	t.encoding, t.decoder = "utf-16", e
	t.loneCR = true // there may be one: the survey looked at single bytes
	return nil
}

// byteOrder returns the byte order of a UTF-16 text by its byte order mark, and nil for any other text. start is the
// offset after the byte order mark, of UTF-8 too.
func byteOrder(head []byte) (utf16 encoding.Encoding, start int64) {
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return nil, 3
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), 2
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), 2
	}
	return nil, 0
}

// useEncoding sets the encoding to the named one. utf16 is the byte order that
// was detected, nil if none was.
func (t *textFile) useEncoding(named string, utf16 encoding.Encoding, s textSurvey) error {
	e, err := htmlindex.Get(named)
	if err != nil || e == encoding.Replacement {
		return refuse(t.file.name, fmt.Sprintf("unknown encoding %q", named), "use utf-8, utf-16, windows-1252, or another name of an encoding that web browsers know")
	}

	name, _ := htmlindex.Name(e) // it has one, since it was got by one
	switch {
	case e == unicode.UTF8 && !s.utf8:
		return t.badUTF8()
	case e == unicode.UTF8:
		t.encoding = name
		return nil
	case strings.HasPrefix(name, "utf-16") && utf16 != nil:
		return t.useUTF16(utf16)
	case strings.HasPrefix(name, "utf-16"):
		return t.useUTF16(e)
	}

	t.encoding, t.decoder = name, e
	if !s.utf8 {
		t.file.addNotice("encoding", "the file was read as "+name, "")
	}
	return nil
}

// badUTF8 returns the error that names the first line which is not valid UTF-8.
func (t *textFile) badUTF8() error {
	in := transform.NewReader(t.file.reader(), encoding.UTF8Validator)
	buf := make([]byte, 64<<10)
	for line := 1; ; {
		n, err := in.Read(buf)
		line += bytes.Count(buf[:n], []byte("\n"))
		if err != nil {
			return t.file.errorAt(t.file.ref(line, 0), "a character is not valid in utf-8, the encoding that the file should have",
				"name the file's true encoding in the mapping (read: encoding), or leave it out")
		}
	}
}
