package xlsx

import "strconv"

// readStyles reads the number format of each cell style. A workbook without
// styles shows every cell as General.
func (b *Book) readStyles() error {
	if b.stylesPart == "" {
		return nil
	}
	p, err := b.parts.open(b.stylesPart, true)
	if err != nil {
		return err
	}
	defer p.close()
	s := styles{codes: map[int]string{}, parsed: map[int]format{}}
	for {
		tok, err := p.next()
		if err != nil {
			return p.fault(err)
		}
		if tok == endOfPart {
			b.formats = s.formats()
			return nil
		}
		if tok == startTag {
			if err := s.tag(p); err != nil {
				return p.fault(err)
			}
		}
	}
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
				code = builtin(id)
			}
			f = parseFormat(code)
			s.parsed[id] = f
		}
		list[i] = f
	}
	return list
}

// builtin gives the code of a format that workbooks name without defining it
// (ECMA-376 part 1, 18.8.30), in the form that US English spreadsheets show.
// Those from 27 to 36 and from 50 to 58 are dates and times of East Asian
// locales; their codes here are the nearest plain ones. An unknown number is
// General.
func builtin(id int) string {
	switch id {
	case 1:
		return "0"
	case 2:
		return "0.00"
	case 3:
		return "#,##0"
	case 4:
		return "#,##0.00"
	case 5, 37:
		return "#,##0_);(#,##0)"
	case 6, 38:
		return "#,##0_);[Red](#,##0)"
	case 7, 39:
		return "#,##0.00_);(#,##0.00)"
	case 8, 40:
		return "#,##0.00_);[Red](#,##0.00)"
	case 9:
		return "0%"
	case 10:
		return "0.00%"
	case 11:
		return "0.00E+00"
	case 12:
		return "# ?/?"
	case 13:
		return "# ??/??"
	case 41:
		return `_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)`
	case 42:
		return `_($* #,##0_);_($* (#,##0);_($* "-"_);_(@_)`
	case 43:
		return `_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)`
	case 44:
		return `_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)`
	case 48:
		return "##0.0E+0"
	case 49:
		return "@"
	}
	return builtinDate(id)
}

func builtinDate(id int) string {
	switch id {
	case 14, 27, 30, 36, 50, 57:
		return "m/d/yyyy"
	case 15:
		return "d-mmm-yy"
	case 16, 28, 29, 51, 53, 54, 58:
		return "d-mmm"
	case 17, 52:
		return "mmm-yy"
	case 18:
		return "h:mm AM/PM"
	case 19:
		return "h:mm:ss AM/PM"
	case 20, 32, 34, 55:
		return "h:mm"
	case 21, 33, 35, 56:
		return "h:mm:ss"
	case 22:
		return "m/d/yyyy h:mm"
	case 31:
		return "yyyy-mm-dd"
	case 45:
		return "mm:ss"
	case 46:
		return "[h]:mm:ss"
	case 47:
		return "mm:ss.0"
	}
	return ""
}
