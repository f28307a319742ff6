package mapping

import (
	"regexp"
	"slices"

	"tripimport/importer"
)

// FooterText is a regular expression for the beginning of a line that ends a list, such as
// "Total trips: 20" or "Page 1 of 3". Riders have such names too (Page, Count), so a match
// alone proves nothing.
const FooterText = `(?i)^\W*((grand |sub[- ]?)?totals?\b|counts?\b|page\b|end of\b|generated\b|printed\b|run date\b|report\b|number of\b|trips:|\d+ (trips|rows|records|riders)\b)`

var footerWord = regexp.MustCompile(FooterText)

// FooterCell returns the index of the cell that matches FooterText in a row that has a
// value in hardly any of its columns; -1 for any other row.
func FooterCell(row importer.Row, columns int) int {
	filled := 0
	for i := range row.Cells {
		if row.Cells[i].Type == importer.Empty {
			continue
		}
		if filled++; filled > 4 || filled*3 > columns {
			return -1
		}
	}
	return slices.IndexFunc(row.Cells, func(c importer.Cell) bool {
		return c.Type != importer.Empty && footerWord.MatchString(c.Text)
	})
}

// lacksHalf reports whether the row has at most half as many fields as the headers, like
// many lines that end a list. Such a row is not a trip that has lost or gained a comma.
func (b *Bound) lacksHalf(row importer.Row) bool { return row.Width*2 <= b.headers.width }
