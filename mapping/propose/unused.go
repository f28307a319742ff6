package propose

import (
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// A risk is something that a trip may lack if a column is not used.
type risk struct {
	what string
	// A header with one of the concepts shows the risk, whatever the values are.
	concepts []string
	// Values of one of the kinds show it unless the header explains them.
	kinds []kind
}

func risks() []risk {
	return []risk{
		{"a status, by which trips are cancelled", []string{"status", "cancel"}, []kind{isStatus}},
		{"a return or a second way", []string{"return", "roundtrip", "oneway", "direction"}, []kind{isDirection, isWays}},
		{"space types", nil, []kind{isSpace}},
		{"a will call", []string{"willcall"}, nil},
		{"dates and times", nil, []kind{isDateTime}},
		{"dates", nil, []kind{isDate}},
		{"times", nil, []kind{isTime, isTimePart}},
		{"part of an address", []string{"houseno"}, []kind{isFullAddress, isLocality, isStateZIP, isStreet, isStreetName, isUnit, isZIP, isState, isCoordinates, isLatitude, isLongitude}},
		{"phones", nil, []kind{isPhone}},
	}
}

// harmless returns the concepts of headers that explain values which would be a risk
// otherwise: what was driven instead of planned, and what belongs to the driver, the
// vehicle, the office or the rider's person.
func harmless() []string {
	return []string{
		"actual", "estimate", "meta", "driver", "vehicledetail", "bid", "cost", "age", "gender", "body", "dob",
		"county", "zone", "list", "business", "doctor", "standing", "aidflag", "provider", "vendor", "child", "filler", "unloaded",
	}
}

// looksLike says what an unused column looks like if a trip may lack something without it:
// "dates". It is empty for any other column. unused has all unused columns.
func (s *Sheet) looksLike(num int, unused []mapping.UnusedColumn) string {
	c := s.column(num)
	asks := c.isFewWords() && slices.ContainsFunc(c.distinct, func(v cell) bool { return means(v.text, statusToAsk) != "" })
	switch {
	case asks && c.says("meta"): // what has changed may be that the trip is removed
		return risks()[0].what
	case c.filled > 0 && len(c.distinct) < 3 && weekdays.MatchString(c.Header+c.Header) || c.share(func(v cell) bool { return weekdays.MatchString(v.text) }) > 0.3:
		return "the weekdays of standing orders, of which a row books one day"
	case s.numbersStreets(c, unused):
		return "the numbers of houses"
	case c.says(harmless()...):
		return ""
	}
	for _, r := range risks() {
		if c.says(r.concepts...) || slices.ContainsFunc(r.kinds, c.is) {
			return r.what
		}
	}
	return c.otherRisk()
}

// weekdays matches several days of the week, such as MWF, Tu/Th and Mon, Wed.
var weekdays = regexp.MustCompile(`(?i)^((m|tu?|w|th?|f|sa?|su?|(mon|tue|wed|thu|fri|sat|sun)[a-z]*)[ ,/&.-]*){2,}$`)

// otherRisk is what looksLike says of a column that its header and some of its values show together.
func (c *column) otherRisk() string {
	switch some := c.share(isSomebody) > 0; {
	case c.callWords() != nil:
		return "a will call"
	case c.filled > 0 && c.says("time") && c.says("pickup", "appointment"): // in a form that nobody knows
		return "times"
	case some && c.says("wheelchair", "stretcher", "bariatric"):
		return "a wheelchair or a stretcher, which decides the space type"
	case some && c.says("escort", "additional", "passengers"):
		return "people who ride along"
	}
	return ""
}

// numbersStreets reports whether a column has numbers and a used one, which its header names or which follows it, has
// streets without them.
func (s *Sheet) numbersStreets(c *column, unused []mapping.UnusedColumn) bool {
	return c.share(func(v cell) bool { return values.AllDigits(v.text) }) >= nearlyAll && slices.ContainsFunc(s.columns, func(street *column) bool {
		return street.is(isStreetName) && street.side() == c.side() && !isUnused(street, unused) && (c.side() != "" || c.Num+1 == street.Num)
	})
}

func isUnused(c *column, unused []mapping.UnusedColumn) bool {
	return slices.ContainsFunc(unused, func(u mapping.UnusedColumn) bool { return u.Num == c.Num })
}

// changed says what an unused column holds now if that is not what it held when the mapping was
// approved, and a trip may lack something: the column was blank, or it now looks like a status,
// times and the like. It is empty for any other column.
func (s *Sheet) changed(num int, held string, unused []mapping.UnusedColumn) string {
	c := s.column(num)
	if held == "" || c.filled == 0 || c.is(kind(held)) || c.kind() == kind(held) {
		return ""
	}
	telling := []kind{isDate, isDateTime, isTime, isStatus, isSpace, isDirection} // whatever the header says
	if held == Blank || s.looksLike(num, unused) != "" || slices.ContainsFunc(telling, c.is) {
		return string(c.kind())
	}
	return ""
}

// isSomebody reports whether a cell says that somebody rides along.
func isSomebody(c cell) bool {
	nobody := []string{"0", "0.0", "n", "no", "none", "false", "n/a", "na", "nobody", "nil", "self", "no one", "-"}
	return !slices.Contains(nobody, strings.ToLower(c.text))
}

// Cancels reports whether a column has few words, with a word for a cancellation
// among them.
func (s *Sheet) Cancels(num int) bool {
	c := s.column(num)
	return c.is(isWords) && slices.ContainsFunc(c.distinct, func(v cell) bool { return mapping.LooksCancelled(v.text) })
}

// Samples returns the first different values of a column, at most that many.
func (s *Sheet) Samples(num, most int) []string {
	distinct := s.column(num).distinct
	return importer.Each(distinct[:min(len(distinct), most)], func(v cell) string { return v.text })
}
