package xlsx

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"tripimport/importer"
)

// maxCellText is the longest text that a cell can hold, in UTF-16 units.
const maxCellText = 32_767

// A stringTable holds the texts that cells share. The texts lie one after
// another in large blocks, so that half a million of them cost two allocations
// a megabyte and not one each.
type stringTable struct {
	texts []string
	block strings.Builder
}

// maxTable bounds the memory of a string table: its texts cannot pass maxPart,
// but millions of empty ones would still cost 16 bytes each.
const maxTable = 8 << 20

// add keeps a copy of b; of nothing but white space, which is an empty cell,
// it keeps nothing.
func (t *stringTable) add(b []byte) error {
	if len(t.texts) == maxTable {
		return errTooLarge
	}
	if textType(b) == importer.Empty {
		t.texts = append(t.texts, "")
		return nil
	}
	if t.block.Cap()-t.block.Len() < len(b) {
		// A builder's bytes never change once written, so the strings cut from
		// the last block stay valid.
		t.block = strings.Builder{}
		t.block.Grow(max(512<<10, len(b)))
	}
	from := t.block.Len()
	t.block.Write(b)
	t.texts = append(t.texts, t.block.String()[from:])
	return nil
}

// readStrings reads the workbook's string table, once. A workbook without one
// has an empty table, and any cell that names a text of it is a fault.
func (b *Book) readStrings() error {
	if b.strings != nil {
		return nil
	}
	table := &stringTable{}
	if b.stringsPart != "" && b.parts.has(b.stringsPart) {
		if err := table.read(b.parts, b.stringsPart); err != nil {
			return err
		}
	}
	b.strings = table
	return nil
}

func (t *stringTable) read(ps *parts, name string) error {
	p, err := ps.open(name, true)
	if err != nil {
		return err
	}
	defer p.close()
	var text []byte
	for {
		tok, err := p.next()
		if err != nil {
			return p.fault(err)
		}
		switch {
		case tok == endOfPart:
			return nil
		case tok == startTag && p.depth() == 1 && string(p.name) != "sst":
			return &damage{"its part " + name + " is not a table of texts", nil}
		case tok == startTag && p.depth() == 2 && string(p.name) == "si":
			if text, err = p.richText(text[:0]); err != nil {
				return p.fault(err)
			}
			if err := t.add(text); err != nil {
				return &damage{"its part " + name + " " + err.Error(), err}
			}
		}
	}
}

// richText appends the text of the si or is element whose start tag was just
// given: all of its runs, without the phonetic ones, which repeat it in another
// script.
func (s *scanner) richText(dst []byte) ([]byte, error) {
	from := len(dst)
	for depth := s.depth(); ; {
		tok, err := s.next()
		if err != nil {
			return dst, err
		}
		switch {
		case tok == endTag && s.depth() < depth:
			dst = dst[:from+len(unescape(dst[from:]))]
			if tooLong(dst[from:]) {
				return dst, &damage{"it has a text that is longer than a cell can hold", errTooLarge}
			}
			return dst, nil
		case tok != startTag:
		case string(s.name) == "t":
			if dst, err = s.appendContent(dst); err != nil {
				return dst, err
			}
		case string(s.name) == "r":
		default:
			if err := s.skip(); err != nil {
				return dst, err
			}
		}
	}
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
