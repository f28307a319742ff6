package xlsx

import (
	"strings"
	"unicode/utf16"

	"tripimport/importer"
)

// maxCellText is the length of the longest text that a cell can hold, in UTF-16
// code units.
const maxCellText = 32_767

// A stringTable holds a workbook's shared strings, one after another in one text, so that
// half a million of them take little more memory than their characters.
type stringTable struct {
	texts  strings.Builder
	ends   []uint32     // where each string ends in texts
	struck map[int]bool // the strings of which a part is struck through
}

// maxStrings bounds a table of empty strings, of which a part of maxPart bytes can have
// fifty million.
const maxStrings = 8 << 20

// add appends a copy of b to the table.
func (t *stringTable) add(b []byte) error {
	if len(t.ends) == maxStrings {
		return errTooLarge
	}
	t.texts.Write(b)
	t.ends = append(t.ends, uint32(t.texts.Len()))
	return nil
}

// text returns the string at index i, which must be below the number of strings.
func (t *stringTable) text(i int) string {
	from := uint32(0)
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.texts.String()[from:t.ends[i]]
}

func (t *stringTable) read(ps parts, name string) error {
	part, err := ps.open(name, maxPart)
	if err != nil {
		return err
	}

	defer part.close()
	var text []byte
	t.struck = map[int]bool{}
	return partDamage(name, part.tags(func() (err error) {
		switch {
		case part.depth() == 1 && string(part.name) != "sst":
			return &damage{"its part " + name + " is not a table of texts", nil}
		case part.depth() != 2 || string(part.name) != "si":
			return nil
		}
		if text, err = part.appendRuns(text[:0]); err != nil {
			return err
		}
		if part.struckRun {
			t.struck[len(t.ends)], part.struckRun = true, false
		}
		if text, err = unescaped(text); err != nil {
			return err
		}
		return t.add(text)
	}))
}

// unescaped resolves the escapes in the text of a cell, and refuses a text that is too long.
func unescaped(b []byte) ([]byte, error) {
	b = unescape(b)
	if tooLong(b) {
		return b, &damage{"it has a text that is longer than a cell can hold", errTooLarge}
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
