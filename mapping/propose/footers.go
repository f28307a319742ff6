package propose

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
)

// Footers distinguish the lines that end a list, such as totals, from trips:
// mapping.FooterCell finds them, and they are blank in columns that every trip fills.
type Footers struct {
	// Rows are the numbers of the lines.
	Rows []int

	columns []importer.Column
	words   int // index in columns of the column that has the words of the first line; -1 if it is another column
	// filled and blank report, by index in columns, that some line has a value, and that some
	// trip has none.
	filled, blank []bool
}

// NewFooters returns Footers for a list with these columns.
func NewFooters(columns []importer.Column) *Footers {
	return &Footers{columns: columns, filled: make([]bool, len(columns)), blank: make([]bool, len(columns))}
}

// Add counts a row, and reports whether it is a line that ends the list.
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

// Rule returns a condition that holds for the lines that end the list and for no trip. It
// returns false if there are no such lines, or no column that every trip fills and the lines
// leave blank. in returns the condition on a column. The rule requires only used columns to
// be empty: a column that a rule reads counts as used, so nobody would be asked what it is
// for.
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
