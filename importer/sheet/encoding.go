package sheet

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
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
func (t *textFile) detectEncoding(head []byte, s *textSurvey, named string) error {
	utf16, start := byteOrder(head)
	t.start = start
	switch {
	case named != "":
		return t.useEncoding(named, utf16, s)
	case utf16 != nil:
		return t.useUTF16(utf16)
	case s.hasNUL:
		return refuse(t.file.name, hasNUL, fixExport+"; if it is text in UTF-16, name its encoding in the mapping (read: encoding)")
	}
	return t.useUTF8(s, start > 0)
}

// useUTF8 sets the encoding to UTF-8. If it must not be, a text that is not valid is taken for Windows-1252.
func (t *textFile) useUTF8(s *textSurvey, must bool) error {
	switch {
	case s.isUTF8():
	case !must:
		return t.useWindows1252()
	default:
		return t.file.refuseLine(t.badLine(), 0, "a character is not valid in utf-8, the encoding that the file should have",
			"name the file's true encoding in the mapping (read: encoding), or leave it out")
	}
	t.encoding = "utf-8"
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
func (t *textFile) useEncoding(named string, utf16 encoding.Encoding, s *textSurvey) error {
	e, err := htmlindex.Get(named)
	if err != nil || e == encoding.Replacement {
		return refuse(t.file.name, fmt.Sprintf("unknown encoding %q", named), "use utf-8, utf-16, windows-1252, or another name of an encoding that web browsers know")
	}

	name, _ := htmlindex.Name(e) // it has one, since it was got by one
	switch {
	case e == unicode.UTF8:
		return t.useUTF8(s, true)
	case strings.HasPrefix(name, "utf-16") && utf16 != nil:
		return t.useUTF16(utf16)
	case strings.HasPrefix(name, "utf-16"):
		return t.useUTF16(e)
	}

	t.encoding, t.decoder = name, e
	if !s.isUTF8() {
		t.file.addNotice("encoding", "the file was read as "+name, "")
	}
	return nil
}

// badLine returns the first line with a character that is not valid UTF-8, of which there is one.
func (t *textFile) badLine() int {
	in, buf := transform.NewReader(t.file.reader(), encoding.UTF8Validator), make([]byte, 64<<10)
	for line := 1; ; {
		n, err := in.Read(buf)
		line += bytes.Count(buf[:n], []byte("\n"))
		if err != nil {
			return line
		}
	}
}

// useWindows1252 sets the encoding to Windows-1252, in which nearly all exports are that
// are not UTF-8. It refuses a text of another script, because a wrong encoding puts wrong
// letters into names: one that has bytes which Windows-1252 lacks, or in which over 30 % of the
// characters beyond ASCII follow two others, or end a character of UTF-8.
func (t *textFile) useWindows1252() error {
	const undefined = "\x81\x8d\x8f\x90\x9d"
	total, odd, unknown := 0, 0, false
	var first, second byte
	for in := bufio.NewReaderSize(t.file.reader(), 64<<10); ; {
		c, err := in.ReadByte()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return unreadable(t.file.name)
		}
		if c >= utf8.RuneSelf {
			total++
			unknown = unknown || strings.IndexByte(undefined, c) >= 0
			if first >= utf8.RuneSelf && second >= utf8.RuneSelf || second >= 0xC2 && second < 0xE0 && c < 0xC0 {
				odd++
			}
		}
		first, second = second, c
	}
	if unknown || odd*10 > total*3 {
		return refuse(t.file.name, "its encoding is unknown: it is neither UTF-8 nor Windows-1252", fixSaveAsUTF8)
	}

	t.encoding, t.decoder = "windows-1252", charmap.Windows1252
	t.file.addNotice("encoding", "the file is not UTF-8; its accented letters were read as windows-1252",
		"look at a name with an accent; if it is wrong, name the encoding in the mapping (read: encoding)")
	return nil
}
