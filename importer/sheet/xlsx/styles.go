package xlsx

import "strconv"

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

// formats gives the format of each cell style.
func (s *styleReader) formats() []format {
	parsed := map[int]format{}
	list := make([]format, len(s.cells))
	for i, id := range s.cells {
		f, ok := parsed[id]
		if !ok {
			code := s.codes[id]
			if code == "" {
				code = builtin[id]
			}
			f = parseFormat(code)
			parsed[id] = f
		}

		list[i] = f
	}

	return list
}

// builtin gives the codes of the formats that workbooks use by id without
// defining them (ECMA-376 part 1, 18.8.30), as US English spreadsheet programs
// show them. 27 to 36 and 50 to 58 are dates and times of East Asian locales;
// their codes here are the nearest plain ones. Any other id is General.
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
