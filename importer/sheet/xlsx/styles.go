package xlsx

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// readStyles reads the number format of each cell style. A workbook without
// styles shows every cell in the format General.
func (w *Workbook) readStyles() error {
	if w.stylesPart == "" {
		return nil
	}

	s := styleReader{codes: map[int]string{}}
	if err := w.parts.readTags(w.stylesPart, s.tag); err != nil {
		return err
	}

	w.formats = s.formats()
	return nil
}

// A styleReader collects the number formats of a style sheet.
type styleReader struct {
	codes     map[int]string // the codes of custom formats by their id
	cells     []int          // the format id of each cell style, in order
	inCellXfs bool           // inside the cellXfs element
}

// maxStyles bounds the cell styles. Spreadsheet programs allow 65,490.
const maxStyles = 1 << 20

// tag reads the start tag that the scanner is at. Only the direct children of
// numFmts and cellXfs count: the formats inside dxfs, which belong to
// conditional formatting, have ids of their own.
func (s *styleReader) tag(p *part) error {
	switch name := string(p.name); {
	case p.depth() == 2:
		s.inCellXfs = name == "cellXfs"
	case name == "numFmt" && p.depth() == 3:
		id, err := p.intAttr("numFmtId")
		if err != nil {
			return err
		}
		raw, _ := p.attr("formatCode")
		code, err := attrText(raw)
		if err != nil {
			return err
		}
		s.codes[id] = code
	case name == "xf" && s.inCellXfs && p.depth() == 3:
		id, err := p.intAttr("numFmtId")
		if err != nil {
			return err
		}
		if len(s.cells) == maxStyles {
			return errTooLarge
		}
		s.cells = append(s.cells, id)
	}
	return nil
}

// intAttr reads an attribute that must be a whole number. It is 0 if it is
// missing or empty.
func (p *part) intAttr(name string) (int, error) {
	v, ok := p.attr(name)
	if !ok || len(v) == 0 {
		return 0, nil
	}

	n, err := strconv.ParseUint(string(v), 10, 31)
	if err != nil {
		return 0, badXML(name + " is not a number")
	}

	return int(n), nil
}

// formats returns the format of each cell style.
func (s *styleReader) formats() []format {
	parsed := map[int]format{}
	list := make([]format, len(s.cells))
	for i, id := range s.cells {
		f, ok := parsed[id]
		if !ok {
			code := s.codes[id]
			if code == "" {
				code = builtin()[id]
			}
			f = parseFormat(code)
			parsed[id] = f
		}

		list[i] = f
	}

	return list
}

//go:embed formats.tsv
var formatsFile string

// builtin returns the codes of the formats that workbooks use by id without
// defining them (ECMA-376 part 1, 18.8.30), as US English spreadsheet programs
// show them. 27 to 36 and 50 to 58 are dates and times of East Asian locales;
// their codes here are the nearest plain ones. Any other id is General.
var builtin = sync.OnceValue(func() map[int]string {
	codes := map[int]string{}
	for line := range strings.Lines(formatsFile) {
		ids, code, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		for id := range strings.FieldsSeq(ids) {
			n, err := strconv.Atoi(id)
			if err != nil {
				panic("xlsx: formats.tsv: " + err.Error())
			}
			codes[n] = code
		}
	}
	return codes
})
