package sheet

import (
	"bufio"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// useWindows1252 sets the encoding to Windows-1252, in which nearly all exports are that
// are not UTF-8. It refuses a text in which less than 70 % of the characters beyond ASCII
// make sense, because a wrong encoding puts wrong letters into names.
func (t *textFile) useWindows1252() error {
	total, sound := 0, 0
	before, here := byte(0), byte(0)
	in := bufio.NewReaderSize(t.file.reader(), 64<<10)
	for atEnd := false; !atEnd; {
		next, err := in.ReadByte() // 0 at the end of the file
		if err != nil && err != io.EOF {
			return unreadable(t.file.name)
		}
		atEnd = err == io.EOF

		if here >= utf8.RuneSelf {
			total++
			if isPlausible(before, here, next) {
				sound++
			}
		}
		before, here = here, next
	}
	if sound*10 < total*7 {
		return refuse(t.file.name, "its encoding is unknown: it is neither UTF-8 nor Windows-1252", fixSaveAsUTF8)
	}

	t.encoding, t.mayHaveLost = textEncoding{"windows-1252", charmap.Windows1252, true}, true
	t.file.addNotice("encoding", "the file is not UTF-8; its accented letters were read as windows-1252",
		"look at a name with an accent; if it is wrong, name the encoding in the mapping (read: encoding)")
	return nil
}

// signs are what texts in Windows-1252 have beyond letters and ASCII.
const signs = "’‘“”–—…•·«»™®©\u00a0°§¿¡½¼¾±²³´€£¢¥"

// isPlausible reports whether a text in Windows-1252 may have the character here between
// such neighbours. A letter stands beside no digit, and a capital behind no small letter.
// Of the signs only an apostrophe is inside a word.
func isPlausible(before, here, after byte) bool {
	r := charmap.Windows1252.DecodeByte(here)
	isHigh := func(c byte) bool { return c >= utf8.RuneSelf }
	isLower := func(c byte) bool { return 'a' <= c && c <= 'z' }
	isDigit := func(c byte) bool { return '0' <= c && c <= '9' }
	switch {
	case isHigh(before) && isHigh(after):
		return false
	case unicode.IsLetter(r):
		return !isDigit(before) && !isDigit(after) && (!unicode.IsUpper(r) || !isLower(before))
	}
	return strings.ContainsRune(signs, r) && (r == '’' || !isLower(before) || !isLower(after))
}
