package results

import (
	"fmt"

	"github.com/xuri/excelize/v2"

	"tripimport/importer"
)

// A cell is a cell of a sheet: a value in a style. The zero cell is not written.
type cell = excelize.Cell

func textCell(style int, text string) cell { return cell{StyleID: style, Value: text} }

// textCells returns texts as cells without a style.
func textCells(texts ...string) []cell {
	return importer.Each(texts, func(text string) cell { return textCell(0, text) })
}

// textOf returns the text that a cell shows.
func textOf(c cell) string {
	if text, ok := c.Value.(string); ok || c.Value == nil {
		return text
	}
	return fmt.Sprint(c.Value)
}
