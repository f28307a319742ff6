package sheet

import (
	"bufio"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// A neighbourhood counts, for each byte outside ASCII, what stands before and
// after it.
type neighbourhood [128][places][places]int

// A place is the kind of character beside a byte.
type place uint8

const (
	gap    place = iota // anything but the rest: a space, a delimiter, the end
	lower               // a to z
	upper               // A to Z
	figure              // 0 to 9
	high                // another byte outside ASCII
	places
)

func placeOf(c byte) place {
	switch {
	case 'a' <= c && c <= 'z':
		return lower
	case 'A' <= c && c <= 'Z':
		return upper
	case '0' <= c && c <= '9':
		return figure
	case c >= utf8.RuneSelf:
		return high
	}
	return gap
}

// guessSingleByte finds the single-byte set in which the text makes sense:
// Windows-1252, what older Macs write, or what a DOS window does. Text that
// makes sense in none of them is refused, since a guess would put wrong
// letters into names.
func (t *textFile) guessSingleByte() error {
	counts, total, err := t.neighbours()
	if err != nil {
		return unreadable(t.file.name)
	}
	best, bestScore := textEncoding{}, -1
	for _, c := range []struct {
		name string
		set  *charmap.Charmap
	}{{"windows-1252", charmap.Windows1252}, {"macintosh", charmap.Macintosh}, {"cp850", charmap.CodePage850}} {
		// The first wins a tie: it is by far the most common.
		if score := counts.plausible(c.set); score > bestScore {
			best, bestScore = textEncoding{c.name, c.set, true}, score
		}
	}
	if bestScore*10 < total*7 {
		return refuse(t.file.name, "the encoding of its letters can't be told: it is not UTF-8 and no Western European set", asUTF8)
	}
	t.encoding, t.lost = best, true
	t.file.notice("encoding", fmt.Sprintf("the file is not UTF-8; its accented letters were read as %s", best.name),
		"look at a name with an accent; if it is wrong, name the encoding in the mapping (read: encoding)")
	return nil
}

// neighbours looks at all bytes outside ASCII.
func (t *textFile) neighbours() (*neighbourhood, int, error) {
	var counts neighbourhood
	total := 0
	before, here := gap, byte(0)
	in := bufio.NewReaderSize(t.file.bytes(), 64<<10)
	for {
		after, err := in.ReadByte() // 0 at the end, which is a gap
		if err != nil && err != io.EOF {
			return nil, 0, err
		}
		if here >= utf8.RuneSelf {
			counts[here-utf8.RuneSelf][before][placeOf(after)]++
			total++
		}
		if err == io.EOF {
			return &counts, total, nil
		}
		before, here = placeOf(here), after
	}
}

// plausible counts the bytes that make sense as characters of the set where
// they stand.
func (n *neighbourhood) plausible(set *charmap.Charmap) int {
	score := 0
	for i := range n {
		r := set.DecodeByte(byte(i + utf8.RuneSelf))
		for before := range places {
			for after := range places {
				if count := n[i][before][after]; count > 0 && makesSense(r, before, after) {
					score += count
				}
			}
		}
	}
	return score
}

// makesSense reports whether a Western European text would have the character
// between such neighbours.
func makesSense(r rune, before, after place) bool {
	switch {
	case r == utf8.RuneError, unicode.IsControl(r):
		return false
	case unicode.IsLower(r):
		return before != figure && after != figure && (before != high || after != high)
	case unicode.IsUpper(r):
		// A capital begins a word or stands among capitals.
		return before != lower && before != figure && after != figure && (before != high || after != high)
	}
	switch r {
	case '’', '‘':
		return before == lower || before == upper || after == upper || after == lower
	case '“', '”', '–', '—', '…', '•', '·', '«', '»', '™', '®', '©':
		// A word does not go on behind them without a space.
		return before != lower || after != lower
	case '\u00a0', '°', 'º', 'ª', '§', '¿', '¡', '½', '¼', '¾', '±', '²', '³', '´':
		return (before != lower || after != lower) && before != high
	case '€', '£', '¢', '¥':
		return before == figure || after == figure
	}
	return false
}
