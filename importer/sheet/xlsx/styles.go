package xlsx

import "strconv"

// readStyles reads the number format of each cell style. A workbook without
// styles shows every cell as General.
func (b *Book) readStyles() error {
	if b.stylesPart == "" {
		return nil
	}
	s := styles{codes: map[int]string{}, parsed: map[int]format{}}
	if err := b.parts.readTags(b.stylesPart, s.tag); err != nil {
		return err
	}
	b.formats = s.formats()
	return nil
}

// styles gathers what a style sheet says of number formats.
type styles struct {
	codes  map[int]string
	parsed map[int]format
	// cells are the format numbers of the cell styles (cellXfs), in order.
	cells  []int
	inCell int // depth of the cellXfs element, 0 outside it
}

// maxStyles is a bound far above the 65,490 cell formats that a spreadsheet
// program allows.
const maxStyles = 1 << 20

// tag takes note of the start tag that the scanner stands on. Only the direct
// children of numFmts and cellXfs count: the formats of conditional formatting
// (dxfs) have numbers of their own.
func (s *styles) tag(p *part) error {
	switch name := string(p.name); {
	case p.depth() == 2:
		s.inCell = 0
		if name == "cellXfs" {
			s.inCell = 2
		}
	case name == "numFmt" && p.depth() == 3:
		id, err := p.number("numFmtId")
		if err != nil {
			return err
		}
		raw, _ := p.attr("formatCode")
		code, err := attrText(raw)
		if err != nil {
			return err
		}
		s.codes[id] = code
	case name == "xf" && s.inCell > 0 && p.depth() == 3:
		id, err := p.number("numFmtId")
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

// number reads an attribute that must be a whole number; missing, it is 0.
func (p *part) number(name string) (int, error) {
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

// formats gives the format of each cell style.
func (s *styles) formats() []format {
	list := make([]format, len(s.cells))
	for i, id := range s.cells {
		f, ok := s.parsed[id]
		if !ok {
			code, own := s.codes[id]
			if !own || code == "" {
				code = builtin[id]
			}
			f = parseFormat(code)
			s.parsed[id] = f
		}
		list[i] = f
	}
	return list
}

// builtin holds the codes of the formats that workbooks name without defining
// them (ECMA-376 part 1, 18.8.30), in the form that US English spreadsheets
// show. 27 to 36 and 50 to 58 are dates and times of East Asian locales; their
// codes here are the nearest plain ones. Any other number is General.
var builtin = map[int]string{
	1:  "0",
	2:  "0.00",
	3:  "#,##0",
	4:  "#,##0.00",
	5:  "#,##0_);(#,##0)",
	6:  "#,##0_);[Red](#,##0)",
	7:  "#,##0.00_);(#,##0.00)",
	8:  "#,##0.00_);[Red](#,##0.00)",
	9:  "0%",
	10: "0.00%",
	11: "0.00E+00",
	12: "# ?/?",
	13: "# ??/??",
	14: "m/d/yyyy", 27: "m/d/yyyy", 30: "m/d/yyyy", 36: "m/d/yyyy", 50: "m/d/yyyy", 57: "m/d/yyyy",
	15: "d-mmm-yy",
	16: "d-mmm", 28: "d-mmm", 29: "d-mmm", 51: "d-mmm", 53: "d-mmm", 54: "d-mmm", 58: "d-mmm",
	17: "mmm-yy", 52: "mmm-yy",
	18: "h:mm AM/PM",
	19: "h:mm:ss AM/PM",
	20: "h:mm", 32: "h:mm", 34: "h:mm", 55: "h:mm",
	21: "h:mm:ss", 33: "h:mm:ss", 35: "h:mm:ss", 56: "h:mm:ss",
	22: "m/d/yyyy h:mm",
	31: "yyyy-mm-dd",
	37: "#,##0_);(#,##0)",
	38: "#,##0_);[Red](#,##0)",
	39: "#,##0.00_);(#,##0.00)",
	40: "#,##0.00_);[Red](#,##0.00)",
	41: `_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)`,
	42: `_($* #,##0_);_($* (#,##0);_($* "-"_);_(@_)`,
	43: `_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)`,
	44: `_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)`,
	45: "mm:ss",
	46: "[h]:mm:ss",
	47: "mm:ss.0",
	48: "##0.0E+0",
	49: "@",
}
