package sheet

import (
	"bufio"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// A charClass is a class of bytes, by which the limits of words are found.
type charClass uint8

const (
	other    charClass = iota // a space, a delimiter, the end of the file and the like
	lower                     // a to z
	upper                     // A to Z
	digit                     // 0 to 9
	nonASCII                  // any byte from 128 on
)

func classOf(c byte) charClass {
	switch {
	case 'a' <= c && c <= 'z':
		return lower
	case 'A' <= c && c <= 'Z':
		return upper
	case '0' <= c && c <= '9':
		return digit
	case c >= utf8.RuneSelf:
		return nonASCII
	}
	return other
}

// guessSingleByte sets the encoding to the single-byte encoding in which the
// text makes most sense: Windows-1252, that of older Macs, or that of a DOS
// window. It refuses a text in which less than 70 % of the letters make sense,
// because a wrong encoding puts wrong letters into names.
func (t *textFile) guessSingleByte() error {
	sets := []struct {
		name  string
		set   *charmap.Charmap
		score int // how many bytes make sense between their neighbours
	}{{name: "windows-1252", set: charmap.Windows1252}, {name: "macintosh", set: charmap.Macintosh}, {name: "cp850", set: charmap.CodePage850}}

	total := 0
	before, here := other, byte(0)
	in := bufio.NewReaderSize(t.file.reader(), 64<<10)
	for atEnd := false; !atEnd; {
		next, err := in.ReadByte() // 0 at the end of the file
		if err != nil && err != io.EOF {
			return unreadable(t.file.name)
		}
		atEnd = err == io.EOF

		if here >= utf8.RuneSelf {
			total++
			for i := range sets {
				if plausible(sets[i].set.DecodeByte(here), before, classOf(next)) {
					sets[i].score++
				}
			}
		}
		before, here = classOf(here), next
	}

	best := sets[0] // it wins a tie, since it is by far the most common
	for _, s := range sets[1:] {
		if s.score > best.score {
			best = s
		}
	}
	if best.score*10 < total*7 {
		return refuse(t.file.name, "its encoding is unknown: it is neither UTF-8 nor a Western European encoding", fixSaveAsUTF8)
	}

	t.encoding, t.mayHaveLost = textEncoding{best.name, best.set, true}, true
	t.file.addNotice("encoding", fmt.Sprintf("the file is not UTF-8; its accented letters were read as %s", best.name),
		"look at a name with an accent; if it is wrong, name the encoding in the mapping (read: encoding)")
	return nil
}

// plausible reports whether a Western European text may have the character
// between such neighbours.
func plausible(r rune, before, after charClass) bool {
	switch {
	case r == utf8.RuneError, unicode.IsControl(r):
		return false
	case unicode.IsLower(r):
		return before != digit && after != digit && (before != nonASCII || after != nonASCII)
	case unicode.IsUpper(r):
		// A capital begins a word or is among capitals.
		return before != lower && before != digit && after != digit && (before != nonASCII || after != nonASCII)
	}
	return plausibleSign(r, before, after)
}

// plausibleSign is plausible for a character that is not a letter, such as a
// quotation mark or a currency sign.
func plausibleSign(r rune, before, after charClass) bool {
	switch r {
	case '’', '‘':
		return before == lower || before == upper || after == upper || after == lower
	case '“', '”', '–', '—', '…', '•', '·', '«', '»', '™', '®', '©':
		// They are not inside a word.
		return before != lower || after != lower
	case '\u00a0', '°', 'º', 'ª', '§', '¿', '¡', '½', '¼', '¾', '±', '²', '³', '´':
		return (before != lower || after != lower) && before != nonASCII
	case '€', '£', '¢', '¥':
		return before == digit || after == digit
	}
	return false
}
