package propose

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// A Sheet is what is known of the columns of a file: the words of their headers and
// the kinds of their values. It is for one goroutine.
type Sheet struct {
	headers *mapping.Headers
	columns []*column
	rows    int                                        // that were looked at
	named   map[importer.Field]map[importer.Field]bool // sides of which headers name a part
	footers *Footers
}

// A column is a column of a file.
type column struct {
	importer.Column
	nth      int      // which one, where the header repeats; else 0
	concepts []string // of the header's words

	noise  []string      // texts that say nothing, such as //
	given  []bool        // which rows have a value
	which  []int         // the number of each row's value in order; -1 for none
	filled int           // cells that are not blank
	count  map[cell]int  // of the first different values
	order  []cell        // these values, in the order of their rows
	shares map[kind]bool // kinds that were decided
}

// nearlyAll is the share of values from which on a column is of a kind.
const nearlyAll = 0.8

// mostDifferent is how many different values of a column are looked at.
const mostDifferent = 200

// ReadSheet looks at the columns of a file. Rows are some of its rows; those at and
// above the headers are passed over.
func ReadSheet(h *mapping.Headers, rows []importer.Row) *Sheet {
	return readSheet(h, rows, wholeVocabulary())
}

func readSheet(h *mapping.Headers, rows []importer.Row, words *vocabulary) *Sheet {
	s := &Sheet{headers: h, named: map[importer.Field]map[importer.Field]bool{}}
	all := h.AllColumns(rows)
	s.footers = NewFooters(all)
	for _, c := range all {
		x := &column{Column: c, concepts: words.conceptsOf(c.Header), count: map[cell]int{}, shares: map[kind]bool{}}
		if same := h.Same(c.Header); len(same) > 1 {
			x.nth = slices.Index(same, c) + 1
		}
		s.columns = append(s.columns, x)
	}

	for _, row := range rows {
		if row.Num <= h.Row() {
			continue
		}
		if s.footers.Add(row) {
			continue
		}
		s.rows++
		for _, c := range s.columns {
			before := c.filled
			c.add(row.Cell(c.Num))
			c.given = append(c.given, c.filled > before)
			c.which = append(c.which, -1)
			if c.filled > before {
				c.which[len(c.which)-1] = slices.Index(c.order, cell{values.Clean(row.Cell(c.Num).Text), row.Cell(c.Num).Type})
			}
		}
	}
	return s
}

// add takes note of a value. Values that say nothing are blank.
func (c *column) add(x importer.Cell) {
	if x.Type == importer.Empty {
		return
	}
	v := cell{values.Clean(x.Text), x.Type}
	if strings.Trim(v.text, "/*-.") == "" || v.text == c.Header {
		if v.text != "" && v.text != c.Header && !slices.Contains(c.noise, v.text) {
			c.noise = append(c.noise, v.text)
		}
		return
	}
	c.filled++
	if c.count[v] == 0 {
		if len(c.order) == mostDifferent {
			return
		}
		c.order = append(c.order, v)
	}
	c.count[v]++
}

// share returns which share of the values fits; 0 if there are none.
func (c *column) share(fits func(cell) bool) float64 {
	fit, all := 0, 0
	for _, v := range c.order {
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

// isFewWords reports whether a column has a few short texts that come again and again.
func (c *column) isFewWords() bool {
	words := func(v cell) bool { return len(v.text) <= 40 && strings.ContainsFunc(v.text, isLetter) }
	return len(c.order) <= max(3, min(20, c.filled/2)) && c.share(words) >= nearlyAll
}

// isSpaces reports whether a column has space types. Among usual ones a short form that
// may mean something else is one too.
func (c *column) isSpaces() bool {
	usual := c.share(func(v cell) bool { return usualSpaceType(v.text) != "" })
	return usual >= nearlyAll || usual >= 0.5 && c.share(func(v cell) bool { return seatCode(v.text) != "" }) >= nearlyAll
}

// isStatuses reports whether a column has words of a status: one cancellation among other
// words is enough.
func (c *column) isStatuses() bool {
	return c.isFewWords() && (c.share(isStatusWord) > 0.3 || slices.ContainsFunc(c.order, func(v cell) bool { return mapping.LooksCancelled(v.text) }))
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

// says reports whether the header has one of the concepts.
func (c *column) says(concepts ...string) bool {
	return slices.ContainsFunc(c.concepts, func(x string) bool { return slices.Contains(concepts, x) })
}

// column returns the column with that number; nil if there is none.
func (s *Sheet) column(num int) *column {
	i := slices.IndexFunc(s.columns, func(c *column) bool { return c.Num == num })
	if i < 0 {
		return nil
	}
	return s.columns[i]
}

// Holds says what a column seems to hold, by its values: "money", "blank".
func (s *Sheet) Holds(num int) string {
	c := s.column(num)
	if c == nil {
		return string(isBlank)
	}
	return string(c.kind())
}
