package sheet

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

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
