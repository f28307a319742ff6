package results

import (
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
)

// NameColumns are the numbers of the columns with a passenger's first name, last name and full name, for lists from
// which people phone; 0 if there is none. Names are not sent to the service, so mappings
// do not name these columns: they are found by their headers.
type NameColumns [3]int

// FindNames returns the columns whose headers say that they have a passenger's name.
func FindNames(columns []importer.Column) (found NameColumns) {
	const who = `^(passenger|patient|member|rider|client|customer|recipient|consumer|enrollee|participant|beneficiary|resident|subscriber|insured|pt)`
	other := regexp.MustCompile(`[^a-z]`)
	for kind, names := range []*regexp.Regexp{
		regexp.MustCompile(who + `?s?(first|given|f)name`),
		regexp.MustCompile(who + `?s?(last|family|sur|l)name`),
		regexp.MustCompile(who + `s?(full)?name|^(full)?name$|^(passenger|patient|rider|client)$`),
	} {
		is := func(c importer.Column) bool {
			return names.MatchString(other.ReplaceAllString(strings.ToLower(c.Header), ""))
		}
		if i := slices.IndexFunc(columns, is); i >= 0 {
			found[kind] = columns[i].Num
		}
	}
	return found
}

// Of returns the name of the row's passenger; empty if it has none.
func (n NameColumns) Of(row importer.Row) string {
	text := func(column int) string { return strings.TrimSpace(row.Cell(column).Text) }
	first, last, full := text(n[0]), text(n[1]), text(n[2])
	if full == "" || first != "" && last != "" {
		return joinNonEmpty(", ", last, first)
	}
	return full
}
