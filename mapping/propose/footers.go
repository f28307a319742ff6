package propose

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
)

// Footers tell the lines that end a list, such as totals, from trips: mapping.FooterCell finds
// them, and what every trip has is blank in them.
type Footers struct {
	// Rows are the numbers of the lines.
	Rows []int

	columns []importer.Column
	words   int // index of the column in which the first line has its words; -1 for none of these
	// filled and blank report, by columns, that a line has a value, and that a trip has none.
	filled, blank []bool
}

// NewFooters returns Footers of a list of these columns.
func NewFooters(columns []importer.Column) *Footers {
	return &Footers{columns: columns, filled: make([]bool, len(columns)), blank: make([]bool, len(columns))}
}

// Add takes note of a row, and reports whether it is such a line.
func (f *Footers) Add(row importer.Row) bool {
	words := mapping.FooterCell(row, len(f.columns))
	isFooter := words >= 0
	for i, c := range f.columns {
		given := row.Cell(c.Num).Type != importer.Empty
		f.filled[i] = f.filled[i] || isFooter && given
		f.blank[i] = f.blank[i] || !isFooter && !given
	}
	if isFooter && f.Rows == nil {
		f.words = slices.IndexFunc(f.columns, func(c importer.Column) bool { return c.Num == words+1 })
	}
	if isFooter {
		f.Rows = append(f.Rows, row.Num)
	}
	return isFooter
}

// Rule returns a condition of a mapping that holds for the lines and for no trip, and false
// if there are none, or no column that every trip has and they have not. in writes the
// condition on a column. The rule requires only columns to be empty for which used is true: a
// column that a rule reads counts as used, and nobody is asked any more what it is for.
func (f *Footers) Rule(used func(importer.Column) bool, in func(c importer.Column, keys string) string) (rule string, ok bool) {
	const enough = 3
	var conditions []string
	for i, c := range f.columns {
		if f.Rows != nil && f.words >= 0 && !f.filled[i] && !f.blank[i] && len(conditions) < enough && used(c) {
			conditions = append(conditions, in(c, "empty: true"))
		}
	}
	if conditions == nil {
		return "", false
	}
	conditions = slices.Insert(conditions, 0, in(f.columns[f.words], "matches: '"+mapping.FooterText+"'"))
	return "{all: [" + strings.Join(conditions, ", ") + "]}", true
}
