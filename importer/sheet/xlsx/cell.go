package xlsx

import (
	"bytes"
	"fmt"
	"strconv"

	"tripimport/importer"
)

// readCell reads the c element whose start tag the scanner is at and adds it to
// the row.
func (r *rowReader) readCell() error {
	style, kind, err := r.cellTag()
	if err != nil {
		return err
	}

	r.at.Col = r.lastCol

	from := len(r.text)
	r.struckRun = false
	has, err := r.readContent(kind)
	if err != nil {
		return err
	}
	if has == (contents{}) {
		return nil
	}

	c, err := r.valueOf(has, kind, style, from)
	if err != nil {
		return err
	}

	if c.Type == importer.Empty {
		r.text = r.text[:from]
		return nil
	}

	c.Struck = c.Struck || r.struckRun || style < len(r.book.struck) && r.book.struck[style]
	r.addCell(c, from)
	r.struck = r.struck || c.Struck
	return nil
}

// valueOf makes the cell from what a c element contains. A formula whose result
// is missing or can't be relied on gives an error cell.
func (r *rowReader) valueOf(has contents, kind cellKind, style, from int) (c importer.Cell, err error) {
	missing := has.formula && (!has.value || len(r.text) == from && kind != formulaText)
	outdated := r.book.uncalculated && has.formula
	if !missing && !outdated {
		c, err = r.typedCell(kind, style, from)
		if !has.formula || r.book.calculated || !isZeroTime(c, r.text[from:]) {
			return c, err
		}
	}

	r.note(&r.notes.Uncalculated, r.at.Row, r.lastCol)
	r.text = r.text[:from]
	return importer.Cell{Type: importer.ErrorCell, Text: importer.NotCalculated}, nil
}

// givesBlock reports whether the formula whose tag the scanner is at gives the values of several cells.
func (r *rowReader) givesBlock() bool {
	block, ok := parseRange(r.attr("ref"))
	kind := string(r.attr("t"))
	return ok && (kind == "array" || kind == "dataTable") && (block.FirstRow < block.LastRow || block.FirstCol < block.LastCol)
}

// isZeroTime reports whether a cell is a time of zero. A program that writes
// formulas without calculating them gives them this result.
func isZeroTime(c importer.Cell, text []byte) bool {
	return (c.Type == importer.TimeCell || c.Type == importer.Duration) && !bytes.ContainsAny(text, "123456789")
}

// addCell adds the cell to the row at its column. The cell's text is
// r.text[from:], unless c has one already.
func (r *rowReader) addCell(c importer.Cell, from int) {
	for len(r.row.Cells) < r.lastCol-1 {
		r.row.Cells = append(r.row.Cells, importer.Cell{})
	}
	if len(r.text) > from {
		r.spans = append(r.spans, textSpan{len(r.row.Cells), from, len(r.text)})
	}
	r.row.Cells = append(r.row.Cells, c)
}

// A cellKind is the type attribute of a c element.
type cellKind uint8

const (
	numberCell cellKind = iota // or no attribute
	sharedText                 // an index into the table of shared strings
	inlineText
	formulaText // the result of a formula
	boolCell
	errorCell
	dateCell // a date in ISO form
)

// cellKinds are the attributes. It is never written to.
var cellKinds = [...]string{numberCell: "n", sharedText: "s", inlineText: "inlineStr", formulaText: "str", boolCell: "b", errorCell: "e", dateCell: "d"}

// cellTag reads the start tag of a cell. It sets r.lastCol to the cell's column
// and returns the cell's style and kind.
func (r *rowReader) cellTag() (style int, kind cellKind, err error) {
	col := r.lastCol + 1
	for i := range r.attrs {
		v := r.attrs[i].value
		ok := true
		switch string(r.attrs[i].name) {
		case "r":
			var row int
			if col, row, ok = parseA1(v); !ok || row != r.at.Row {
				return 0, 0, &damage{fmt.Sprintf("a cell of its sheet %s has no valid address", r.sheet.Name), nil}
			}
		case "s":
			if len(v) > 0 {
				style, ok = wholeNumber(v)
			}
		case "t":
			kind, ok = cellKindOf(v)
		}

		if !ok {
			return 0, 0, badXML("a cell of an unknown type or style")
		}
	}

	if col <= r.lastCol {
		return 0, 0, r.cellDamage(col, "comes twice or out of order")
	}
	if col > importer.MaxColumns {
		return 0, 0, &damage{fmt.Sprintf("its sheet %s has more than %d columns", r.sheet.Name, importer.MaxColumns), errTooLarge}
	}

	r.lastCol = col
	return style, kind, nil
}

// cellDamage returns the error for a cell of the current row.
func (r *rowReader) cellDamage(col int, what string) error {
	return &damage{fmt.Sprintf("cell %s%d of its sheet %s %s", importer.ColumnName(col), r.at.Row, r.sheet.Name, what), nil}
}

// cellKindOf reads a type attribute. It reports false for an unknown one.
func cellKindOf(v []byte) (cellKind, bool) {
	for kind, name := range cellKinds {
		if string(v) == name {
			return cellKind(kind), true
		}
	}
	return numberCell, len(v) == 0
}

// contents says what a c element contains. A formula without a result differs
// from one whose result is an empty text.
type contents struct{ formula, value bool }

// readContent reads a c element to its end and appends the cell's raw value to
// the row's text.
func (r *rowReader) readContent(kind cellKind) (has contents, err error) {
	open, end := "<v>", "</v>"
	if kind == inlineText {
		open, end = "<is><t>", "</t></is>"
	}
	if raw, plain := r.textBetween(open, end); plain { // as nearly always
		has.value = true
		if r.text, err = appendText(r.text, raw); err != nil {
			return has, err
		}
	}
	err = r.children(func() (err error) {
		switch string(r.name) {
		case "v":
			if has.value && kind != inlineText {
				return badXML("a cell with two values")
			}
			has.value = true
			if kind == inlineText {
				return r.skip()
			}
			r.text, err = r.appendContent(r.text)
			return err
		case "is":
			has.value = true
			r.text, err = r.appendRuns(r.text)
			return err
		case "f":
			has.formula = true
			if r.book.uncalculated && r.givesBlock() {
				return r.cellDamage(r.lastCol, "gives the values of several cells, and was not calculated when the file was saved")
			}
		}
		return r.skip()
	})
	return has, err
}

// typedCell makes a cell of the raw value r.text[from:]. It replaces the raw
// value by the text of the cell, or removes it and sets the text in the cell.
func (r *rowReader) typedCell(kind cellKind, style, from int) (importer.Cell, error) {
	raw := r.text[from:]
	switch kind {
	case sharedText:
		return r.sharedCell(style, from)
	case inlineText, formulaText:
		var err error
		if r.text, err = unescaped(r.text, from); err != nil {
			return importer.Cell{}, err
		}
		return r.formatted(textType(r.text[from:]), style)
	}

	if raw = bytes.TrimSpace(raw); len(raw) == 0 {
		return importer.Cell{}, nil
	}

	switch kind {
	case boolCell:
		return r.boolean(raw, style, from)
	case errorCell:
		return r.formatted(importer.ErrorCell, style)
	case dateCell:
		text, t := isoCell(string(raw))
		r.text = append(r.text[:from], text...)
		return r.formatted(t, style)
	}
	return r.number(raw, style, from)
}

// sharedCell makes a cell of an index into the table of shared strings.
func (r *rowReader) sharedCell(style, from int) (importer.Cell, error) {
	i, ok := wholeNumber(bytes.TrimSpace(r.text[from:]))
	if !ok || i >= len(r.book.strings.ends) {
		return importer.Cell{}, r.cellDamage(r.lastCol, "refers to a text that the workbook does not have")
	}

	r.text = r.text[:from]
	text := r.book.strings.text(i)
	if text == "" {
		return importer.Cell{}, nil
	}

	c, err := r.formatted(importer.Text, style)
	c.Text, c.Struck = text, r.book.strings.struck[i]
	return c, err
}

// formatted makes a cell of the type with the number format of its style.
func (r *rowReader) formatted(t importer.CellType, style int) (importer.Cell, error) {
	f, err := r.format(style)
	return importer.Cell{Type: t, Format: f.code}, err
}

// format returns the number format of a style. A workbook without styles has the
// format General for all of them, which is the zero format.
func (r *rowReader) format(style int) (format, error) {
	switch {
	case style < len(r.book.formats):
		return r.book.formats[style], nil
	case r.book.stylesPart == "" || style == 0:
		return format{}, nil
	}
	return format{}, r.cellDamage(r.lastCol, "refers to a style that the workbook does not have")
}

// boolean makes a cell of a truth value.
func (r *rowReader) boolean(raw []byte, style, from int) (importer.Cell, error) {
	is, err := strconv.ParseBool(string(raw))
	if err != nil {
		return importer.Cell{}, badXML("a truth value that is neither 0 nor 1")
	}
	text := "FALSE"
	if is {
		text = "TRUE"
	}
	r.text = append(r.text[:from], text...)
	return r.formatted(importer.Bool, style)
}

// number makes a cell of a number, whose type its format decides.
func (r *rowReader) number(raw []byte, style, from int) (importer.Cell, error) {
	f, err := r.format(style)
	if err != nil {
		return importer.Cell{}, err
	}

	// The text is appended after the raw value, then moved over it.
	end := len(r.text)
	out, t, ok := appendNumber(r.text, raw, f, r.book.date1904)
	if !ok {
		return importer.Cell{}, badXML("a number that is not a decimal number")
	}

	r.text = append(out[:from], out[end:]...)
	return importer.Cell{Type: t, Format: f.code}, nil
}
