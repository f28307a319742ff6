package results

import (
	"github.com/xuri/excelize/v2"

	"tripimport/importer"
)

// A cell is a cell of a sheet: a text in a style. The zero cell is not written.
type cell struct {
	style int
	text  string
	// value is the number or the truth that stands in place of the text; nil for none.
	value any
}

func textCell(style int, text string) cell { return cell{style: style, text: text} }

// textOrNone returns a text as a cell, and no cell for no text.
func textOrNone(style int, text string) cell {
	if text == "" {
		return cell{}
	}
	return textCell(style, text)
}

// textCells returns texts as cells of one style.
func textCells(style int, texts ...string) []cell {
	return importer.Each(texts, func(text string) cell { return textCell(style, text) })
}

func numberCell(style, n int) cell { return cell{style: style, value: n} }

// written returns the cell in the form in which excelize writes it.
func (c *cell) written() any {
	value := c.value
	if shown, _ := showable(c.text); value == nil && shown != "" {
		value = shown
	}
	if value == nil && c.style == 0 {
		return nil
	}
	return excelize.Cell{StyleID: c.style, Value: value}
}
