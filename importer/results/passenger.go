package results

import (
	"regexp"
	"strings"

	"tripimport/importer"
)

// NameColumns are the numbers of the columns with a passenger's name, for lists from
// which people phone; 0 if there is none. Names are not sent to the service, so mappings
// do not name these columns: they are found by their headers.
type NameColumns struct{ first, last, full int }

// FindNames returns the columns whose headers say that they have a passenger's name.
func FindNames(columns []importer.Column) (found NameColumns) {
	var (
		hump  = regexp.MustCompile(`([a-z])([A-Z])`)
		space = regexp.MustCompile(`[\s_.-]+`)
		other = regexp.MustCompile(`\b(driver|escort|attendant|contact|caller|doctor|physician|facility|provider|guardian|companion)\b`)
		first = regexp.MustCompile(`\b(first|given) ?name\b|\bfname\b`)
		last  = regexp.MustCompile(`\b(last|family|sur) ?name\b|\blname\b`)
		full  = regexp.MustCompile(`\b(passenger|patient|member|rider|client|customer|recipient|consumer|enrollee)('?s)?( full)? ?name\b|^(full )?name$|^(passenger|patient|rider|client)$`)
	)
	for _, c := range columns {
		header := strings.ToLower(space.ReplaceAllString(hump.ReplaceAllString(c.Header, "$1 $2"), " "))
		switch {
		case other.MatchString(header):
		case found.first == 0 && first.MatchString(header):
			found.first = c.Num
		case found.last == 0 && last.MatchString(header):
			found.last = c.Num
		case found.full == 0 && full.MatchString(header):
			found.full = c.Num
		}
	}
	return found
}

// Of returns the name of the row's passenger; empty if it has none.
func (n NameColumns) Of(row importer.Row) string {
	text := func(column int) string { return strings.TrimSpace(row.Cell(column).Text) }
	first, last := text(n.first), text(n.last)
	switch {
	case first != "" && last != "":
		return last + ", " + first
	case text(n.full) != "":
		return text(n.full)
	}
	return last + first
}
