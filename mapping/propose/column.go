package propose

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// A Sheet holds what is known about the columns of a file: the words of their
// headers and the kinds of their values. It is not safe for concurrent use.
type Sheet struct {
	headers *mapping.Headers
	columns []*column
	rows    int // data rows that were read
}

// A column is a column of a file.
type column struct {
	importer.Column
	name     string   // as a mapping names it, in quotes if need be
	repeated bool     // several columns have its header
	concepts []string // of the header's words
	rivalled bool     // a column that holds no field is nearly as likely for the field that this one holds

	noise    []string      // meaningless texts, such as //
	given    []bool        // by row: whether it has a value
	index    []int         // by row: the index of its value in distinct; -1 for none
	filled   int           // cells that are not blank
	count    map[cell]int  // by value: the cells that have it
	distinct []cell        // the first different values, in the order of their rows
	shares   map[kind]bool // whether the column is of a kind, once it is known
}

// Ref returns the column's letters.
func (c *column) Ref() string { return importer.ColumnName(c.Num) }

// nearlyAll is the share of values that must be of a kind for the column to be of
// that kind.
const nearlyAll = 0.8

// mostDifferent is how many different values of a column are kept.
const mostDifferent = 200

// ReadSheet reads the columns of a file from some of its rows. It ignores rows at
// and above the headers.
func ReadSheet(h *mapping.Headers, rows []importer.Row) *Sheet {
	s := &Sheet{headers: h}
	for _, c := range h.AllColumns(rows) {
		s.columns = append(s.columns, &column{
			Column: c, name: quoted(h.NameOf(c)), concepts: wholeVocabulary().conceptsOf(c.Header),
			repeated: len(h.Same(c.Header)) > 1, count: map[cell]int{}, shares: map[kind]bool{},
		})
	}

	for _, row := range rows {
		if row.Num <= h.Row() || mapping.HasFooterText(row, len(s.columns)) {
			continue
		}
		s.rows++
		for _, c := range s.columns {
			index, given := c.add(row.Cell(c.Num))
			c.index, c.given = append(c.index, index), append(c.given, given)
		}
	}
	return s
}

// addSides gives columns with repeated headers the side that a row above names for them and for those to their right, if it
// names both sides.
func (s *Sheet) addSides(above importer.Row) {
	side, sides := importer.Field(""), map[*column]importer.Field{}
	named := map[importer.Field]bool{}
	for _, c := range s.columns {
		if cell := above.Cell(c.Num); cell.Type == importer.Text && above.Num < s.headers.Row() {
			group := column{concepts: wholeVocabulary().conceptsOf(cell.Text)}
			side = group.side()
			named[side] = true
		}
		sides[c] = side
	}
	for c, side := range sides {
		if side != "" && c.side() == "" && c.repeated && named[importer.FieldPickup] && named[importer.FieldDropoff] {
			c.concepts = append(c.concepts, string(side))
		}
	}
}

// add counts a value, and returns its index in distinct; -1 if it is not there. Meaningless
// values count as blank.
func (c *column) add(x importer.Cell) (index int, given bool) {
	if x.Type == importer.Empty {
		return -1, false
	}
	v := cell{values.Clean(x.Text), x.Type}
	if strings.Trim(v.text, "/*-.") == "" || slices.Contains([]string{"n/a", "null"}, strings.ToLower(v.text)) || v.text == c.Header {
		if v.text != "" && v.text != c.Header && !slices.Contains(c.noise, v.text) {
			c.noise = append(c.noise, v.text)
		}
		return -1, false
	}
	c.filled++
	if c.count[v] == 0 {
		if len(c.distinct) == mostDifferent {
			return -1, true
		}
		c.distinct = append(c.distinct, v)
	}
	c.count[v]++
	return slices.Index(c.distinct, v), true
}

// share returns the share of the values that fit; 0 if there are none.
func (c *column) share(fits func(cell) bool) float64 {
	fit, all := 0, 0
	for _, v := range c.distinct {
		all += c.count[v]
		if fits(v) {
			fit += c.count[v]
		}
	}
	if all == 0 {
		return 0
	}
	return float64(fit) / float64(all)
}

// is reports whether the values are of the kind.
func (c *column) is(k kind) bool {
	decided, known := c.shares[k]
	if known {
		return decided
	}
	i := slices.IndexFunc(kinds(), func(t kindTest) bool { return t.kind == k })
	decided = c.filled > 0 && i >= 0 && kinds()[i].fits(c)
	c.shares[k] = decided
	return decided
}

// isFewWords reports whether a column has a few short texts that repeat.
func (c *column) isFewWords() bool {
	words := func(v cell) bool { return len(v.text) <= 40 && strings.ContainsFunc(v.text, isLetter) }
	return len(c.distinct) <= max(3, min(20, c.filled/2)) && c.share(words) >= nearlyAll
}

// isSpaces reports whether a column has space types. A short form that may mean
// something else counts if half of the values are usual space types.
func (c *column) isSpaces() bool {
	usual := c.share(func(v cell) bool { return usualSpaceType(v.text) != "" })
	return usual >= nearlyAll || usual >= 0.5 && c.share(func(v cell) bool { return seatCode(v.text) != "" }) >= nearlyAll
}

// isStatuses reports whether a column has status words. One cancellation among other words is enough, or one
// by which a trip may not be driven.
func (c *column) isStatuses() bool {
	return c.isFewWords() && (c.share(isStatusWord) > 0.3 || slices.ContainsFunc(c.distinct, func(v cell) bool {
		return mapping.LooksCancelled(v.text) || means(v.text, statusToAsk) != ""
	}))
}

// kind returns what the values are.
func (c *column) kind() kind {
	if c.filled == 0 {
		return isBlank
	}
	for _, test := range kinds() {
		if c.is(test.kind) {
			return test.kind
		}
	}
	return "several things"
}

// says reports whether the header expresses one of the concepts.
func (c *column) says(concepts ...string) bool {
	return slices.ContainsFunc(c.concepts, func(x string) bool { return slices.Contains(concepts, x) })
}

// column returns the column with that number; a blank one without a header if there is none.
func (s *Sheet) column(num int) *column {
	i := slices.IndexFunc(s.columns, func(c *column) bool { return c.Num == num })
	if i < 0 {
		return &column{shares: map[kind]bool{}}
	}
	return s.columns[i]
}

// Blank is what a column without values holds.
const Blank = string(isBlank)

// Holds says what a column seems to hold, by its values: "money", "blank".
func (s *Sheet) Holds(num int) string { return string(s.column(num).kind()) }
