package propose

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/importer/usps"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// A kind is what the values of a column are, judged by the values alone.
type kind string

const (
	isBlank       kind = "blank"
	isDate        kind = "dates"
	isDateTime    kind = "dates with times"
	isTime        kind = "times"
	isTimePart    kind = "ranges or halves of times"
	isPhone       kind = "phones"
	isFlag        kind = "yes and no"
	isWays        kind = "one way or round trip"
	isStatus      kind = "status words"
	isDirection   kind = "to or from"
	isSpace       kind = "space types"
	isState       kind = "states"
	isZIP         kind = "ZIPs"
	isLatitude    kind = "latitudes"
	isLongitude   kind = "longitudes"
	isCoordinates kind = "positions"
	isLocality    kind = "cities with states or ZIPs"
	isStateZIP    kind = "states with ZIPs"
	isFullAddress kind = "whole addresses"
	isWhole       kind = "streets with cities"
	isStreet      kind = "streets with numbers"
	isStreetName  kind = "streets"
	isUnit        kind = "apartments"
	isMoney       kind = "money"
	isCount       kind = "small numbers"
	isNumber      kind = "numbers"
	isID          kind = "ids"
	isWords       kind = "a few words"
	isText        kind = "text"
)

// A cell is a value of a column.
type cell struct {
	text string
	kind importer.CellType
}

// kinds has a test for each kind. The first that fits decides the kind of a
// column.
var kinds = sync.OnceValue(func() []kindTest {
	return []kindTest{
		{isCoordinates, nearly(isPosition)},
		{isLatitude, nearly(func(c cell) bool { n, ok := degrees(c); return ok && isLatitudeOf(n) })},
		{isLongitude, nearly(func(c cell) bool { n, ok := degrees(c); return ok && isLongitudeOf(n) })},
		{isDateTime, nearly(func(c cell) bool { day, clock := dateOf(c); return day && clock })},
		{isDate, nearly(func(c cell) bool { day, clock := dateOf(c); return day && !clock })},
		{isTime, (*column).isTimes},
		{isTimePart, matches(`(?i)^([ap]\.?m\.?|\d\d?:?\d\d ?([ap]m?)? ?(-|–|to) ?\d\d?:?\d\d ?([ap]m?)?)$`)},
		{isPhone, nearly(isPhoneNumber)},
		{isMoney, matches(`^\$ ?[\d,]+(\.\d\d)?$|^\d+\.\d\d$`)},
		{isFlag, nearly(func(c cell) bool { _, known := values.Flag(c.text); return known })},
		{isWays, matches(`(?i)^(` + roundWords + `|o/?w|one ?-?way|single|(solo )?ida|sencillo)$`)},
		{isCount, nearly(func(c cell) bool { _, ok := values.Count(c.text); return ok })},
		{isState, nearly(func(c cell) bool {
			_, ok := usps.StateOf(c.text)
			return ok && !hasDigit(c.text) && !isSmallWord(c.text)
		})},
		{isZIP, nearly(func(c cell) bool { return usps.IsZIP(c.text) || len(c.text) == 4 && values.AllDigits(c.text) })},
		{isNumber, nearly(func(c cell) bool { _, ok := values.Distance(c.text); return ok })},
		{isStateZIP, nearly(func(c cell) bool { of := localityOf(c.text); return of != nil && !of[importer.FieldCity] })},
		{isLocality, nearly(func(c cell) bool { return localityOf(c.text)[importer.FieldCity] })},
		{isWhole, matches(`^(\D[^,]*, *)?\d\S* .*[A-Za-z].*[ ,]+[A-Za-z]{2}\.?[ ,]+\d{5}`)},
		{isFullAddress, nearly(func(c cell) bool { return isStreetLine(c) && strings.Contains(c.text, ",") })},
		{isStreet, nearly(isStreetLine)},
		{isUnit, nearly(isUnitLine)},
		{isStreetName, nearly(isNameOfStreet)},
		{isDirection, nearly(func(c cell) bool { return means(c.text, second, "the way there") != "" })},
		{isSpace, (*column).isSpaces},
		{isStatus, (*column).isStatuses},
		{isID, nearly(isIdentifier)},
		{isWords, (*column).isFewWords},
		{isText, nearly(func(c cell) bool { return strings.ContainsFunc(c.text, isLetter) })},
	}
})

// A kindTest decides whether the values of a column are of a kind.
type kindTest struct {
	kind kind
	fits func(*column) bool
}

// nearly returns the test whether nearly all values fit.
func nearly(fits func(cell) bool) func(*column) bool {
	return func(c *column) bool { return c.share(fits) >= nearlyAll }
}

func matches(pattern string) func(*column) bool {
	r := regexp.MustCompile(pattern)
	return nearly(func(c cell) bool { return r.MatchString(c.text) })
}

// anyDates reads dates in an order, and times, in every form that can't be a plain number.
func anyDates(order string) *values.DateFormats {
	return &values.DateFormats{Order: order, Compact: []string{"YYYYMMDD"}, Offsets: "keep"}
}

// dateOf reports whether a cell is a date, and whether it has a time as well.
func dateOf(c cell) (day, clock bool) {
	for _, order := range []string{"mdy", "dmy"} {
		if _, t, bad := anyDates(order).DateTime(c.text); bad == nil {
			return true, t != nil && *t != importer.TimeOfDay{}
		}
	}
	return false, false
}

// isTimeOrCall reports whether a cell is a time, or a word that means a will call.
func isTimeOrCall(c cell) bool { return saysWillCall(c) || isClock(c) }

// isClock reports whether a cell is a time. Three or four digits are a time if they are a
// multiple of five minutes, or 2359.
func isClock(c cell) bool {
	if n, ok := values.Number(c.text); ok {
		fraction := n > 0 && n < 1 && len(c.text) > 4
		clock, err := strconv.Atoi(c.text)
		return fraction || err == nil && len(c.text) >= 3 && len(c.text) <= 4 && clock < 2400 && clock%100 < 60 && (clock%5 == 0 || clock == 2359)
	}
	_, _, bad := anyDates("mdy").Time(c.kind, c.text)
	return bad == nil && c.kind != importer.DateCell
}

// isTimes reports whether a column has times, with words for a will call in place of some of them.
// Words alone are no times: Open may be a status, and W/C a wheelchair.
func (c *column) isTimes() bool {
	return c.share(isClock) > 0 && c.share(func(v cell) bool { return isTimeOrCall(v) || v.text == "0" }) >= nearlyAll
}

// wordsFile has the words that decide something in a cell, with what they mean there and their sources,
// like vocabularyFile: a will call in place of a time, a status of a trip, a way, or a space type, if
// nearly every broker means that by it. C, P and Van are not there, and W/C is only among space types.
//
//go:embed words.csv
var wordsFile string

var meanings = sync.OnceValue(func() map[string][]string {
	byWord := map[string][]string{}
	for _, r := range readTable(wordsFile) {
		key := values.HeaderKey(r[1])
		byWord[key] = append(byWord[key], r[0])
	}
	return byWord
})

// means returns the first of the meanings that a word has; empty if it has none of them.
func means(word string, these ...string) string {
	all := meanings()[values.HeaderKey(word)]
	if i := slices.IndexFunc(these, func(one string) bool { return slices.Contains(all, one) }); i >= 0 {
		return these[i]
	}
	return ""
}

// saysWillCall reports whether a cell has a word for a will call.
func saysWillCall(c cell) bool { return means(c.text, "will call") != "" }

// usualSpaceType returns what a code nearly always means; empty for any other.
func usualSpaceType(text string) string { return means(text, "AMB", "WCH", "STR") }

// second is the meaning of the words for the second way.
const second = "the way back"

func isPhoneNumber(c cell) bool {
	n := len(values.OnlyDigits(c.text))
	return (n == 10 || n == 11 || n == 7 && len(c.text) == 8) && !strings.ContainsAny(c.text, "/,:")
}

// degrees reads a coordinate, which has a fraction.
func degrees(c cell) (float64, bool) {
	n, ok := values.Number(c.text)
	_, fraction, _ := strings.Cut(c.text, ".")
	return n, ok && len(fraction) > 2
}

func isLatitudeOf(n float64) bool { return n > 13 && n < 72 }

func isLongitudeOf(n float64) bool { return n < -64 && n > -180 }

// isPosition reports whether a cell is a latitude and a longitude.
func isPosition(c cell) bool {
	p, ok := mapping.PositionOf(c.text)
	what, _ := usps.WrongPosition(p.Latitude, p.Longitude)
	return ok && what == ""
}

// isStreetLine reports whether a text begins with a house number and goes on with the
// name of a street.
func isStreetLine(c cell) bool {
	number, street, found := strings.Cut(c.text, " ")
	return found && hasDigit(number) && number[0] >= '0' && number[0] <= '9' && strings.ContainsFunc(street, isLetter) && len(street) > 2
}

// isNameOfStreet reports whether a text begins without a number and ends in the suffix
// of a street.
func isNameOfStreet(c cell) bool {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(c.text, ".", "")))
	return len(words) > 1 && !hasDigit(words[0]) && usps.Suffix(words[len(words)-1]) != "" && !strings.Contains(c.text, ",")
}

func isUnitLine(c cell) bool {
	word, _, _ := strings.Cut(strings.ToLower(c.text), " ")
	_, ok := usps.DesignatorOf(strings.Trim(word, ".#"))
	return ok || strings.HasPrefix(c.text, "#")
}

// isStatusWord reports whether a word is a known status of a trip.
func isStatusWord(c cell) bool {
	return mapping.LooksCancelled(c.text) || means(c.text, "status", statusToAsk) != ""
}

// statusToAsk is the meaning of statuses that do not say whether a trip is driven.
const statusToAsk = "status to ask about"

// isIdentifier reports whether a text may be an id: one word with a digit.
func isIdentifier(c cell) bool {
	return hasDigit(c.text) && !strings.Contains(c.text, " ") && c.kind != importer.DateCell
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// isSmallWord reports whether a text such as ok, in or me is a word, although it has the letters of a state.
func isSmallWord(text string) bool { return len(text) == 2 && text == strings.ToLower(text) }
