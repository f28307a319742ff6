package values

import (
	"math"
	"strconv"
	"strings"
)

// Number reads a decimal number.
func Number(s string) (float64, bool) {
	for i := range len(s) { // strconv also takes 1_000, hexadecimal numbers, NaN and Inf
		if c := s[i]; c == '_' || c|' ' == 'x' || c|' ' == 'n' {
			return 0, false
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// Distance reads a number of miles, which may be followed by that unit.
func Distance(s string) (float64, bool) {
	lower := strings.ToLower(s)
	for _, unit := range []string{"miles", "mile", "mi.", "mi"} {
		if strings.HasSuffix(lower, unit) {
			return Number(Clean(s[:len(s)-len(unit)]))
		}
	}
	return Number(s)
}

// mostPassengers is more than any vehicle takes. A larger count is another
// number in the wrong column.
const mostPassengers = 50

// Count reads a number of passengers: a whole number from 0 to 50. It accepts the
// ".0" that spreadsheet programs add.
func Count(s string) (int, bool) {
	if len(s) == 1 && AllDigits(s) { // as in nearly all cells
		return int(s[0] - '0'), true
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n != math.Trunc(n) || n < 0 || n > mostPassengers {
		return 0, false
	}
	return int(n), true
}

// Flag reads yes and no as exports write them, in any case: y, yes, sí, true, 1 and
// x; n, no, false, 0 and a blank text. Any other text is not known.
func Flag(s string) (set, known bool) {
	const firstYes = 5
	for i, word := range [...]string{"", "n", "no", "false", "0", "y", "yes", "true", "1", "x", "si", "sí"} {
		if strings.EqualFold(word, s) {
			return i >= firstYes, true
		}
	}
	return false, false
}
