package check

import (
	"strings"

	"tripimport/importer"
)

// checkPhone reports a phone number of an event, or of the trip itself, that nobody can dial.
func (tc *tripCheck) checkPhone(s string, field importer.Field) {
	if s != "" && !isPhone(s) && !tc.hasFault(field) {
		tc.trip.Report("phone-shape", quoted(s)+" is not a phone number that can be dialled",
			"write all ten digits, the area code first, such as 313-555-0110", field)
	}
}

// isPhone accepts a United States number: ten digits, or eleven that begin with
// a 1 or +1, in any of the usual spellings, with or without an extension, which begins with
// x, X or ext.
func isPhone(s string) bool {
	digits := make([]byte, 0, len("13135550110"))
	for i, c := range []byte(s) {
		switch {
		case '0' <= c && c <= '9':
			digits = append(digits, c)
		case c == 'x' || c == 'X' || strings.HasPrefix(s[i:], "ext"):
			return isDialable(digits)
		case c == '+' && len(digits) == 0:
		case strings.IndexByte(" -.()/", c) >= 0:
		default:
			return false
		}
	}
	return isDialable(digits)
}

// isDialable checks the digits against the numbering plan: neither the area code
// nor the exchange begins with 0 or 1.
func isDialable(digits []byte) bool {
	if len(digits) == 11 && digits[0] == '1' {
		digits = digits[1:]
	}
	return len(digits) == 10 && digits[0] >= '2' && digits[3] >= '2'
}
