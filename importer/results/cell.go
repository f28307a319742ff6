package results

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"

	"tripimport/importer/results/seal"
)

// A cell is a cell of a sheet: a text in a style, unless it has another kind. The zero
// cell is not written.
type cell struct {
	style  int
	kind   cellKind
	text   string
	number float64
}

// A cellKind says what a cell holds.
type cellKind uint8

const (
	textKind cellKind = iota
	numberKind
	boolKind // its number is 0 or 1
)

func textCell(style int, text string) cell { return cell{style: style, text: text} }

// textOrNone returns a text as a cell, and no cell for no text.
func textOrNone(style int, text string) cell {
	if text == "" {
		return cell{}
	}
	return textCell(style, text)
}

// textCells returns texts as cells without a style.
func textCells(texts ...string) []cell {
	cells := make([]cell, len(texts))
	for i, text := range texts {
		cells[i] = textCell(0, text)
	}
	return cells
}

func numberCell(style, n int) cell { return cell{style: style, kind: numberKind, number: float64(n)} }

// appendXML appends the cell as XML of a sheet. Texts are written inline, so that no
// table of all texts has to be kept in memory.
func (c *cell) appendXML(to []byte, column string, row int) []byte {
	if *c == (cell{}) {
		return to
	}
	to = append(append(to, `<c r="`...), column...)
	to = strconv.AppendInt(to, int64(row), 10)
	if c.style != 0 {
		to = strconv.AppendInt(append(to, `" s="`...), int64(c.style), 10)
	}
	switch {
	case c.kind == boolKind:
		to = append(to, `" t="b"><v>`...)
		to = append(strconv.AppendFloat(to, c.number, 'f', -1, 64), `</v></c>`...)
	case c.kind == numberKind:
		to = append(to, `"><v>`...)
		to = append(strconv.AppendFloat(to, c.number, 'f', -1, 64), `</v></c>`...)
	case c.text == "":
		to = append(to, `"></c>`...)
	case isPlain(c.text):
		to = append(append(to, `" t="inlineStr"><is><t>`...), c.text...)
		to = append(to, `</t></is></c>`...)
	default:
		to = append(to, `" t="inlineStr"><is><t xml:space="preserve">`...)
		to = append(append(to, escapeXML(c.text)...), `</t></is></c>`...)
	}
	return to
}

// isPlain reports whether the XML of a sheet can have a text unchanged.
func isPlain(text string) bool {
	if len(text) > maxCellText || text[0] == ' ' || text[len(text)-1] == ' ' {
		return false
	}
	for i := range len(text) {
		switch b := text[i]; {
		case b < ' ', b > '~', b == '<', b == '>', b == '&', seal.IsCharacterEscape(text[i:]):
			return false
		}
	}
	return true
}

// escapeXML returns a text in the XML form of a sheet, cut to what a cell can hold.
func escapeXML(text string) []byte {
	shown, _ := showable(text)
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(escapeEscapes(shown)))
	return bytes.ReplaceAll(b.Bytes(), []byte("&#xA;"), []byte("\n"))
}

// escapeEscapes keeps spreadsheet programs from reading _x0041_ as an A. It writes the
// underscore as _x005F_, which they read as an underscore.
func escapeEscapes(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(text[i])
		if seal.IsCharacterEscape(text[i:]) {
			b.WriteString("x005F_")
		}
	}
	return b.String()
}
