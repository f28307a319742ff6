package xlsx

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"tripimport/importer"
)

// readCell reads the c element whose start tag the scanner is at and adds it to
// the row.
func (r *rowReader) readCell() error {
	style, kind, err := r.cellTag()
	if err != nil {
		return err
	}

	r.raw, r.struckRun = r.raw[:0], false
	has, err := r.readContent(kind)
	if err != nil || has == (contents{}) {
		return err
	}
	c, err := r.valueOf(has, kind, style)
	if err != nil || c.Type == importer.Empty {
		return err
	}

	c.Struck = c.Struck || r.struckRun || style < len(r.book.struck) && r.book.struck[style]
	r.struck = r.struck || c.Struck
	for len(r.row.Cells) < r.lastCol-1 {
		r.row.Cells = append(r.row.Cells, importer.Cell{})
	}
	r.row.Cells = append(r.row.Cells, c)
	return nil
}

// valueOf makes the cell from what a c element contains. A formula whose result
// is missing or can't be relied on gives an error cell.
func (r *rowReader) valueOf(has contents, kind cellKind, style int) (c importer.Cell, err error) {
	missing := has.formula && (!has.value || len(r.raw) == 0 && kind != formulaText)
	outdated := r.book.uncalculated && has.formula
	if !missing && !outdated {
		c, err = r.typedCell(kind, style)
		if !has.formula || r.book.calculated || !isZeroTime(c) {
			return c, err
		}
	}

	r.note(&r.notes.Uncalculated, r.row.Num, r.lastCol)
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
func isZeroTime(c importer.Cell) bool {
	return (c.Type == importer.TimeCell || c.Type == importer.Duration) && !strings.ContainsAny(c.Text, "123456789")
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
	dateCell // a date in ISO form: a text, which the mapping reads
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
			if col, row, ok = parseA1(v); !ok || row != r.row.Num {
				return 0, 0, damage(fmt.Sprintf("a cell of its sheet %s has no valid address", r.sheet.Name))
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
		return 0, 0, damage(fmt.Sprintf("its sheet %s has more than %d columns", r.sheet.Name, importer.MaxColumns))
	}

	r.lastCol = col
	return style, kind, nil
}

// cellDamage returns the error for a cell of the current row.
func (r *rowReader) cellDamage(col int, what string) error {
	return damage(fmt.Sprintf("cell %s%d of its sheet %s %s", importer.ColumnName(col), r.row.Num, r.sheet.Name, what))
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

// readContent reads a c element to its end, and the cell's raw value into r.raw.
func (r *rowReader) readContent(kind cellKind) (has contents, err error) {
	open, end := "<v>", "</v>"
	if kind == inlineText {
		open, end = "<is><t>", "</t></is>"
	}
	if raw, plain := r.textBetween(open, end); plain { // as nearly always
		has.value = true
		if r.raw, err = appendText(r.raw, raw); err != nil {
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
			r.raw, err = r.appendContent(r.raw)
			return err
		case "is":
			has.value = true
			r.raw, err = r.appendRuns(r.raw)
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

// typedCell makes a cell of the raw value. What is only white space is empty.
func (r *rowReader) typedCell(kind cellKind, style int) (c importer.Cell, err error) {
	f, err := r.format(style)
	if err != nil {
		return c, err
	}
	c.Format = f.code
	raw := bytes.TrimSpace(r.raw)
	switch {
	case kind == sharedText:
		c.Text, c.Struck, err = r.sharedText(raw)
		c.Type = textType(c.Text)
	case len(raw) == 0:
	case kind == inlineText || kind == formulaText || kind == dateCell:
		r.raw, err = unescaped(r.raw)
		c.Text = r.keep(r.raw)
		c.Type = textType(c.Text)
	case kind == boolCell:
		c.Type = importer.Bool
		c.Text, err = booleanText(raw)
	case kind == errorCell:
		c.Type, c.Text = importer.ErrorCell, r.keep(raw)
	case f.isPlain() && isWhole(raw):
		c.Type, c.Text = importer.Number, r.keep(raw)
	default:
		var ok bool
		if c.Text, c.Type, ok = numberText(raw, f, r.book.date1904); !ok {
			err = badXML("a number that is not a decimal number")
		}
	}
	return c, err
}

// sharedText returns the text at an index of the table of shared strings, and whether a part of it is struck through.
func (r *rowReader) sharedText(raw []byte) (text string, struck bool, err error) {
	i, ok := wholeNumber(raw)
	if !ok || i >= len(r.book.strings.texts) {
		return "", false, r.cellDamage(r.lastCol, "refers to a text that the workbook does not have")
	}
	return r.book.strings.texts[i], r.book.strings.struck[i], nil
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

// booleanText returns the text of a truth value.
func booleanText(raw []byte) (string, error) {
	is, err := strconv.ParseBool(string(raw))
	if err != nil {
		return "", badXML("a truth value that is neither 0 nor 1")
	}
	return strings.ToUpper(strconv.FormatBool(is)), nil
}
