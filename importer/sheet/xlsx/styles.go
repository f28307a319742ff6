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

	w.formats, w.struck = s.formats(), s.struck()
	return nil
}

// A styleReader collects the number formats of a style sheet, and which styles strike
// a cell through.
type styleReader struct {
	codes   map[int]string // the codes of custom formats by their id
	cells   []int          // the format id of each cell style, in order
	fonts   []int          // the font of each cell style
	strikes []bool         // which fonts strike through
	section string         // the child of the root element that is being read
}

// maxStyles bounds the cell styles. Spreadsheet programs allow 65,490.
const maxStyles = 1 << 20

// tag reads the start tag that the scanner is at. Only the direct children of
// numFmts, fonts and cellXfs count: those inside dxfs, which belong to conditional
// formatting, are numbered on their own.
func (s *styleReader) tag(p *part) error {
	switch name := string(p.name); {
	case p.depth() == 2:
		s.section = name
	case name == "numFmt" && p.depth() == 3:
		return s.addCode(p)
	case s.section == "cellXfs" && name == "xf" && p.depth() == 3:
		return s.addCellStyle(p)
	case s.section == "fonts":
		return s.fontTag(p)
	}
	return nil
}

// addCode adds a number format with its id.
func (s *styleReader) addCode(p *part) error {
	id, err := p.intAttr("numFmtId")
	if err != nil {
		return err
	}
	raw, _ := p.attr("formatCode")
	code, err := attrText(raw)
	s.codes[id] = code
	return err
}

// addCellStyle adds a cell style.
func (s *styleReader) addCellStyle(p *part) error {
	id, err := p.intAttr("numFmtId")
	if err != nil {
		return err
	}
	font, err := p.intAttr("fontId")
	if err != nil {
		return err
	}
	if len(s.cells) == maxStyles {
		return errTooLarge
	}
	s.cells, s.fonts = append(s.cells, id), append(s.fonts, font)
	return nil
}

// fontTag adds a font, or notes that the last one strikes through.
func (s *styleReader) fontTag(p *part) error {
	last := len(s.strikes) - 1
	switch name := string(p.name); {
	case name == "font" && p.depth() == 3:
		if len(s.strikes) == maxStyles {
			return errTooLarge
		}
		s.strikes = append(s.strikes, false)
	case name == "strike" && p.depth() == 4 && last >= 0:
		v, given := p.attr("val")
		s.strikes[last] = !given || isTrue(v)
	}
	return nil
}

// struck returns which cell styles strike through.
func (s *styleReader) struck() []bool {
	list := make([]bool, len(s.fonts))
	for i, font := range s.fonts {
		list[i] = font < len(s.strikes) && s.strikes[font]
	}
	return list
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
