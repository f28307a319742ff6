package xlsx

import (
	"bytes"
	"fmt"

	"tripimport/importer"
)

// cell reads the cell whose start tag was just given and adds it to the row.
func (r *rowReader) cell() error {
	style, kind, err := r.cellTag()
	if err != nil {
		return err
	}
	r.at.Col = r.col
	from := len(r.text)
	found, err := r.content(kind)
	var c importer.Cell
	switch {
	case err != nil:
		return err
	case found == (contents{}):
		return nil
	case found.formula && !found.value, found.formula && len(r.text) == from && kind != stringCell:
		r.noteUncalculated()
		c = importer.Cell{Type: importer.ErrorCell, Text: Uncalculated}
		r.text = r.text[:from]
	default:
		if c, err = r.typed(kind, style, from); err != nil {
			return err
		}
	}
	if c.Type == importer.Empty {
		r.text = r.text[:from]
		return nil
	}
	r.add(c, from)
	return nil
}

// add puts the cell into its column. Its text is what the row's text holds from
// from on, unless it has one already.
func (r *rowReader) add(c importer.Cell, from int) {
	for len(r.row.Cells) < r.col-1 {
		r.row.Cells = append(r.row.Cells, importer.Cell{})
	}
	if len(r.text) > from {
		r.cuts = append(r.cuts, cut{len(r.row.Cells), from, len(r.text)})
	}
	r.row.Cells = append(r.row.Cells, c)
}

func (r *rowReader) noteUncalculated() {
	if r.found.Uncalculated++; r.found.Uncalculated == 1 {
		r.found.FirstUncalculated = importer.Ref{File: r.book.name, Sheet: r.sheet.Name, Row: r.at.Row, Col: r.col}
	}
}

// A cellKind is the type attribute of a cell.
type cellKind uint8

const (
	numberCell cellKind = iota // n, or none
	sharedCell                 // s: an index into the string table
	inlineCell                 // inlineStr
	stringCell                 // str: a formula's text
	boolCell                   // b
	errorCell                  // e
	dateCell                   // d: an ISO date
)

// cellTag reads the start tag of a cell: its place, its style and its type.
func (r *rowReader) cellTag() (style int, kind cellKind, err error) {
	col := r.col + 1
	for i := range r.attrs {
		v := r.attrs[i].value
		ok := true
		switch string(r.attrs[i].name) {
		case "r":
			if col, ok = r.place(v); !ok {
				return 0, 0, &damage{fmt.Sprintf("a cell of its sheet %s has no proper address", r.sheet.Name), nil}
			}
		case "s":
			if len(v) > 0 && string(v) != "0" {
				style, ok = wholeNumber(v)
			}
		case "t":
			kind, ok = cellKindOf(v)
		}
		if !ok {
			return 0, 0, badXML("a cell of an unknown type or style")
		}
	}
	if col <= r.col {
		return 0, 0, &damage{fmt.Sprintf("cell %s%d of its sheet %s comes twice or out of order",
			importer.ColumnName(col), r.at.Row, r.sheet.Name), nil}
	}
	if col > importer.MaxColumns {
		return 0, 0, &damage{fmt.Sprintf("its sheet %s has more than %d columns", r.sheet.Name, importer.MaxColumns), errTooLarge}
	}
	r.col = col
	return style, kind, nil
}

// place reads a cell's address, which must be in this row.
func (r *rowReader) place(v []byte) (col int, ok bool) {
	col, row, ok := parseA1(v)
	return col, ok && row == r.at.Row
}

func cellKindOf(v []byte) (cellKind, bool) {
	switch string(v) {
	case "n", "":
		return numberCell, true
	case "s":
		return sharedCell, true
	case "inlineStr":
		return inlineCell, true
	case "str":
		return stringCell, true
	case "b":
		return boolCell, true
	case "e":
		return errorCell, true
	case "d":
		return dateCell, true
	}
	return 0, false
}

// contents says what a cell element held. A formula without a result is not
// the same as one whose result is an empty text.
type contents struct{ formula, value bool }

// content appends a cell's value to the row's text, raw.
func (r *rowReader) content(kind cellKind) (contents, error) {
	var found contents
	err := r.children(func() (err error) {
		switch string(r.name) {
		case "v":
			if found.value && kind != inlineCell {
				return badXML("a cell with two values")
			}
			found.value = true
			if kind == inlineCell {
				return r.skip()
			}
			r.text, err = r.appendContent(r.text)
			return err
		case "is":
			found.value = true
			r.text, err = r.richText(r.text)
			return err
		case "f":
			found.formula = true
		}
		return r.skip()
	})
	return found, err
}

// typed makes a cell of the raw value that the row's text holds from from on,
// and leaves there what the cell's text is cut from.
func (r *rowReader) typed(kind cellKind, style, from int) (importer.Cell, error) {
	raw := r.text[from:]
	switch kind {
	case sharedCell:
		return r.shared(style, from)
	case inlineCell, stringCell:
		if kind == stringCell {
			raw = unescape(raw)
			r.text = r.text[:from+len(raw)]
		}
		if tooLong(raw) {
			return importer.Cell{}, &damage{"it has a text that is longer than a cell can hold", errTooLarge}
		}
		return r.styled(textType(raw), style)
	}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 {
		return importer.Cell{}, nil
	}
	switch kind {
	case boolCell:
		return r.boolean(raw, style, from)
	case errorCell:
		return r.styled(importer.ErrorCell, style)
	case dateCell:
		return r.styled(isoType(raw), style)
	}
	return r.number(raw, style, from)
}

// textType is Text, or Empty for nothing but white space.
func textType(b []byte) importer.CellType {
	if len(bytes.TrimSpace(b)) == 0 {
		return importer.Empty
	}
	return importer.Text
}

// shared looks a text up in the string table.
func (r *rowReader) shared(style, from int) (importer.Cell, error) {
	raw := bytes.TrimSpace(r.text[from:])
	i, ok := wholeNumber(raw)
	if string(raw) == "0" {
		i, ok = 0, true
	}
	if !ok || i >= r.book.strings.count {
		return importer.Cell{}, &damage{fmt.Sprintf("cell %s%d of its sheet %s names a text that the workbook does not have",
			importer.ColumnName(r.col), r.at.Row, r.sheet.Name), nil}
	}
	r.text = r.text[:from]
	text := r.book.strings.text(i)
	if text == "" {
		return importer.Cell{}, nil
	}
	c, err := r.styled(importer.Text, style)
	c.Text = text
	return c, err
}

// styled gives a cell its style's number format.
func (r *rowReader) styled(t importer.CellType, style int) (importer.Cell, error) {
	f, err := r.format(style)
	return importer.Cell{Type: t, Format: f.code}, err
}

// format gives the number format of a cell style.
func (r *rowReader) format(style int) (format, error) {
	switch {
	case style < len(r.book.formats):
		return r.book.formats[style], nil
	case r.book.stylesPart == "" || style == 0:
		return format{}, nil
	}
	return format{}, &damage{fmt.Sprintf("cell %s%d of its sheet %s names a style that the workbook does not have",
		importer.ColumnName(r.col), r.at.Row, r.sheet.Name), nil}
}

// boolean reads 0 or 1.
func (r *rowReader) boolean(raw []byte, style, from int) (importer.Cell, error) {
	text := "FALSE"
	switch string(raw) {
	case "1", "true", "TRUE":
		text = "TRUE"
	case "0", "false", "FALSE":
	default:
		return importer.Cell{}, badXML("a truth value that is none")
	}
	r.text = r.text[:from]
	c, err := r.styled(importer.Bool, style)
	c.Text = text
	return c, err
}

// number reads a number and types it by its format.
func (r *rowReader) number(raw []byte, style, from int) (importer.Cell, error) {
	f, err := r.format(style)
	if err != nil {
		return importer.Cell{}, err
	}
	// The text is made behind the raw value, then moved over it.
	end := len(r.text)
	out, t, ok := appendNumber(r.text, raw, f, r.book.date1904)
	if !ok {
		return importer.Cell{}, badXML("a number that is none")
	}
	r.text = append(out[:from], out[end:]...)
	return importer.Cell{Type: t, Format: f.code}, nil
}
