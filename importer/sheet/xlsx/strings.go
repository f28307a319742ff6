package xlsx

import (
	"strings"
	"unicode/utf16"

	"tripimport/importer"
)

// maxCellText is the length of the longest text that a cell can hold, in UTF-16
// code units.
const maxCellText = 32_767

// A keeper keeps texts together in pieces of memory, so that half a million of them take little more memory
// than their characters.
type keeper struct{ piece strings.Builder }

// keep returns a copy of a text that stays valid.
func (k *keeper) keep(text []byte) string {
	const size = 16 << 10
	if k.piece.Len()+len(text) > k.piece.Cap() {
		k.piece.Reset()
		k.piece.Grow(max(size, len(text)))
	}
	from := k.piece.Len()
	k.piece.Write(text)
	return k.piece.String()[from:]
}

// A stringTable holds a workbook's shared strings.
type stringTable struct {
	keeper

	texts  []string
	struck map[int]bool // the strings of which a part is struck through
}

// maxStrings bounds a table of empty strings, of which a part of maxPart bytes can have
// fifty million.
const maxStrings = 8 << 20

func (t *stringTable) read(ps parts, name string) error {
	part, err := ps.open(name, maxPart)
	if err != nil {
		return err
	}

	defer func() { _ = part.Close() }() // it was read, or is damaged
	var text []byte
	t.struck = map[int]bool{}
	return damageOf("part "+name, part.tags(func() (err error) {
		switch {
		case part.depth() == 1 && string(part.name) != "sst":
			return damage("its part " + name + " is not a table of texts")
		case part.depth() != 2 || string(part.name) != "si":
			return nil
		case len(t.texts) == maxStrings:
			return errTooLarge
		}
		if text, err = part.appendRuns(text[:0]); err != nil {
			return err
		}
		if part.struckRun {
			t.struck[len(t.texts)], part.struckRun = true, false
		}
		text, err = unescaped(text)
		t.texts = append(t.texts, t.keep(text))
		return err
	}))
}

// unescaped resolves the escapes in the text of a cell, and refuses a text that is too long.
func unescaped(b []byte) ([]byte, error) {
	b = unescape(b)
	if tooLong(b) {
		return b, damage("it has a text that is longer than a cell can hold")
	}
	return b, nil
}

// appendRuns appends the text of the si or is element whose start tag the scanner is at: its
// t elements, and those of its r elements. It leaves out the phonetic runs, which repeat the
// text in another script. It sets struckRun if a run is struck through.
func (s *scanner) appendRuns(dst []byte) ([]byte, error) {
	err := s.children(func() (err error) {
		switch string(s.name) {
		case "t":
			dst, err = s.appendContent(dst)
		case "r", "rPr":
			dst, err = s.appendRuns(dst)
		case "strike":
			val := string(s.attr("val"))
			s.struckRun = s.struckRun || val == "" || isTrue(val)
			err = s.skip()
		default:
			err = s.skip()
		}
		return err
	})
	return dst, err
}

// tooLong reports whether a text is longer than a cell can hold.
func tooLong(b []byte) bool {
	return len(b) > maxCellText && len(utf16.Encode([]rune(string(b)))) > maxCellText
}

// textType returns Text, or Empty for nothing but white space.
func textType(text string) importer.CellType {
	if strings.TrimSpace(text) == "" {
		return importer.Empty
	}
	return importer.Text
}
