package propose

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// A locality is a list of address parts that share a cell, in their order: "Milwaukee,
// WI 53204", "Milwaukee WI", "WI 53204", "Milwaukee 53204".
type locality []importer.Field

// localities are the forms of such cells. Spaces, commas or the like separate two
// parts.
func localities() []locality {
	return []locality{
		{importer.FieldCity, importer.FieldState, importer.FieldZip},
		{importer.FieldCity, importer.FieldState},
		{importer.FieldState, importer.FieldZip},
	}
}

// pattern returns a regular expression that matches a cell of this form. Its only group
// is the part; if part is empty, each part is a group.
func (l locality) pattern(part importer.Field) string {
	parts := map[importer.Field]string{
		importer.FieldCity: `[^\d,/]+?`, importer.FieldState: `[A-Za-z]{2}`, importer.FieldZip: `\d{5}(?:[- ]?\d{4})?`,
	}
	var all []string
	for _, p := range l {
		text := parts[p]
		if p == part || part == "" {
			text = "(" + text + ")"
		}
		all = append(all, text)
	}
	return "^" + strings.Join(all, `[,/ .-]+`) + "$"
}

// localityPatterns are the compiled patterns of localities.
var localityPatterns = sync.OnceValue(func() []*regexp.Regexp {
	return importer.Each(localities(), func(l locality) *regexp.Regexp { return regexp.MustCompile(l.pattern("")) })
})

// localityOf returns the form of a cell; none if it has no such form.
func localityOf(text string) locality {
	for i, l := range localities() {
		parts := localityPatterns()[i].FindStringSubmatch(text)
		if parts == nil {
			continue
		}
		if at := slices.Index(l, importer.FieldState); at >= 0 {
			state := parts[at+1]
			_, known := usps.StateOf(state)
			plain := l.is(importer.FieldCity, importer.FieldState) && state != strings.ToUpper(state) && !strings.Contains(text, ",")
			if !known || plain { // "Check in" is no city
				continue
			}
		}
		return l
	}
	return nil
}

func (l locality) has(part importer.Field) bool { return slices.Contains(l, part) }

func (l locality) is(parts ...importer.Field) bool { return slices.Equal(l, parts) }

// locality returns the form that most cells of a column have; none if neither values
// nor header show one.
func (c *column) locality() locality {
	count := map[int]int{}
	best := -1
	for _, v := range c.distinct {
		form := slices.IndexFunc(localities(), func(l locality) bool { return l.is(localityOf(v.text)...) })
		if count[form] += c.count[v]; form >= 0 && (best < 0 || count[form] > count[best]) {
			best = form
		}
	}
	named := len(c.concepts) > 1 && c.says("city", "state") && c.says("state", "zip")
	if best >= 0 && (named || c.is(isLocality) || c.is(isStateZIP)) {
		return localities()[best]
	}
	return nil
}
