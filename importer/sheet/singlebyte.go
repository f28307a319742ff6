package sheet

import (
	"bufio"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// A charClass is a class of bytes, as far as they tell where a word is.
type charClass uint8

const (
	other    charClass = iota // a space, a delimiter, the end of the file and the like
	lower                     // a to z
	upper                     // A to Z
	digit                     // 0 to 9
	nonASCII                  // any byte from 128 on
	classes                   // the number of classes
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

// neighbourCounts counts, for each byte from 128 on, the classes of the bytes
// before and after it.
type neighbourCounts [128][classes][classes]int

// guessSingleByte sets the encoding to the single-byte encoding in which the
// text makes most sense: Windows-1252, that of older Macs, or that of a DOS
// window. It refuses a text in which less than 70 % of the letters make sense,
// since a wrong encoding puts wrong letters into names.
func (t *textFile) guessSingleByte() error {
	counts, total, err := t.countNeighbours()
	if err != nil {
		return unreadable(t.file.name)
	}

	best, bestScore := textEncoding{}, -1
	for _, c := range []struct {
		name string
		set  *charmap.Charmap
	}{{"windows-1252", charmap.Windows1252}, {"macintosh", charmap.Macintosh}, {"cp850", charmap.CodePage850}} {
		// Windows-1252 wins a tie, since it is by far the most common.
		if score := counts.score(c.set); score > bestScore {
			best, bestScore = textEncoding{c.name, c.set, true}, score
		}
	}

	if bestScore*10 < total*7 {
		return refuse(t.file.name, "its encoding is unknown: it is neither UTF-8 nor a Western European encoding", fixSaveAsUTF8)
	}

	t.encoding, t.mayHaveLost = best, true
	t.file.addNotice("encoding", fmt.Sprintf("the file is not UTF-8; its accented letters were read as %s", best.name),
		"look at a name with an accent; if it is wrong, name the encoding in the mapping (read: encoding)")
	return nil
}

// countNeighbours counts the neighbours of all bytes from 128 on. It also gives
// the number of those bytes.
func (t *textFile) countNeighbours() (*neighbourCounts, int, error) {
	var counts neighbourCounts
	total := 0
	before, here := other, byte(0)
	in := bufio.NewReaderSize(t.file.reader(), 64<<10)
	for {
		after, err := in.ReadByte() // 0 at the end of the file
		if err != nil && err != io.EOF {
			return nil, 0, err
		}

		if here >= utf8.RuneSelf {
			counts[here-utf8.RuneSelf][before][classOf(after)]++
			total++
		}

		if err == io.EOF {
			return &counts, total, nil
		}

		before, here = classOf(here), after
	}
}

// score counts the bytes that make sense, between their neighbours, as
// characters of the set.
func (n *neighbourCounts) score(set *charmap.Charmap) int {
	score := 0
	for i := range n {
		r := set.DecodeByte(byte(i + utf8.RuneSelf))
		for before := range classes {
			for after := range classes {
				if count := n[i][before][after]; count > 0 && plausible(r, before, after) {
					score += count
				}
			}
		}
	}

	return score
}

// plausible reports whether a Western European text has the character between
// such neighbours.
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

// plausibleSign reports the same of a character that is not a letter, such as a
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
