package xlsx

import (
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"tripimport/importer"
)

// maxCellText is the longest text that a cell can hold, in UTF-16 units.
const maxCellText = 32_767

// A stringTable holds the texts that cells share. They lie one after another in
// blocks, so that half a million of them cost little more than their
// characters.
type stringTable struct {
	blocks []textBlock
	count  int
	open   []byte // characters of the block that is being filled
	ends   []uint32
}

// A textBlock holds blockSize texts; the last one may hold fewer.
type textBlock struct {
	text string
	ends []uint32
}

const (
	blockSize = 1 << 12
	// maxTexts bounds a table of nothing but empty texts, which maxPart would
	// let grow to fifty million.
	maxTexts = 8 << 20
)

// add keeps a copy of b; of nothing but white space, which is an empty cell,
// it keeps nothing.
func (t *stringTable) add(b []byte) error {
	if t.count == maxTexts {
		return errTooLarge
	}
	if textType(b) == importer.Text {
		t.open = append(t.open, b...)
	}
	t.ends = append(t.ends, uint32(len(t.open)))
	t.count++
	if len(t.ends) == blockSize {
		t.seal()
	}
	return nil
}

// seal ends the block that is being filled.
func (t *stringTable) seal() {
	t.blocks = append(t.blocks, textBlock{string(t.open), slices.Clone(t.ends)})
	t.open, t.ends = t.open[:0], t.ends[:0]
}

// text gives the text of that index, which must be below count.
func (t *stringTable) text(i int) string {
	b := &t.blocks[i/blockSize]
	i %= blockSize
	from := uint32(0)
	if i > 0 {
		from = b.ends[i-1]
	}
	return b.text[from:b.ends[i]]
}

// readStrings reads the workbook's string table, once. A workbook without one
// has an empty table, and any cell that names a text of it is a fault.
func (b *Book) readStrings() error {
	if b.strings != nil {
		return b.stringsErr
	}
	b.strings = &stringTable{}
	if b.stringsPart != "" && b.parts.has(b.stringsPart) {
		b.stringsErr = b.strings.read(b.parts, b.stringsPart)
	}
	return b.stringsErr
}

func (t *stringTable) read(ps *parts, name string) error {
	var text []byte
	err := ps.readTags(name, func(p *part) error {
		switch {
		case p.depth() == 1 && string(p.name) != "sst":
			return &damage{"its part " + name + " is not a table of texts", nil}
		case p.depth() != 2 || string(p.name) != "si":
			return nil
		}
		var err error
		if text, err = p.richText(text[:0]); err != nil {
			return err
		}
		if err := t.add(text); err != nil {
			return &damage{"its part " + name + " " + err.Error(), err}
		}
		return nil
	})
	t.seal()
	return err
}

// richText appends the text of the si or is element whose start tag was just
// given: all of its runs, without the phonetic ones, which repeat it in another
// script.
func (s *scanner) richText(dst []byte) ([]byte, error) {
	from := len(dst)
	dst, err := s.appendRuns(dst)
	if err != nil {
		return dst, err
	}
	dst = dst[:from+len(unescape(dst[from:]))]
	if tooLong(dst[from:]) {
		return dst, &damage{"it has a text that is longer than a cell can hold", errTooLarge}
	}
	return dst, nil
}

// appendRuns appends the texts inside the element whose start tag was just
// given, and those of its runs.
func (s *scanner) appendRuns(dst []byte) ([]byte, error) {
	err := s.children(func() (err error) {
		switch string(s.name) {
		case "t":
			dst, err = s.appendContent(dst)
		case "r":
			dst, err = s.appendRuns(dst)
		default:
			err = s.skip()
		}
		return err
	})
	return dst, err
}

// tooLong reports whether a text is longer than a cell can hold.
func tooLong(b []byte) bool {
	if len(b) <= maxCellText {
		return false
	}
	units := 0
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		units += utf16.RuneLen(r)
		b = b[n:]
	}
	return units > maxCellText
}
