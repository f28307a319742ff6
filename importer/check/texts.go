package check

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tripimport/importer"
)

// The service names no limits. These are longer than any real value.
const (
	longestID   = 100   // characters
	longestText = 2_000 // characters
)

// checkTexts reports unusual characters and lengths, which are never intended.
func (tc *tripCheck) checkTexts() {
	t := tc.trip
	tc.checkID(t.ID, importer.FieldTripID)
	tc.checkID(t.RiderID, importer.FieldRiderID)
	tc.checkPhone(t.Phone, importer.FieldPhone)
	all := importer.TripProperties()
	for i := range all {
		if p := &all[i]; p.Text != nil && p.Field != importer.FieldTripID && p.Field != importer.FieldRiderID {
			tc.checkText(*p.Text(t), p.Field)
		}
	}
}

// checkID reports invisible characters in an id: two ids that look the same but
// are not would be two trips.
func (tc *tripCheck) checkID(s string, field importer.Field) {
	if strings.TrimSpace(s) == "" || tc.hasFault(field) {
		return
	}
	if utf8.RuneCountInString(s) > longestID {
		tc.trip.Report("id-unusable", quoted(s)+" is too long for an id", "check whether the right column is mapped", field)
	}
	if strings.TrimSpace(s) != s || strings.ContainsFunc(s, isInvisible) {
		tc.trip.Report("id-unusable", quoted(strings.Map(showInvisible, s))+" has invisible characters, or spaces around it",
			"type the id again, without spaces around it", field)
	}
}

func isInvisible(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }

// showInvisible replaces an invisible character with a box.
func showInvisible(r rune) rune {
	if isInvisible(r) {
		return '□'
	}
	return r
}

// checkText checks any text but an id. Notes and whole addresses may have several lines.
func (tc *tripCheck) checkText(s string, field importer.Field) {
	if isClean(s, false) && len(s) <= longestText { // as nearly always
		return
	}
	_, part := field.Split()
	lines := part == importer.FieldEventComment || part == importer.FieldCompleteAddress
	if utf8.RuneCountInString(s) > longestText {
		tc.trip.Report("text-unusual", quoted(s)+" is very long", "check whether the right column is mapped", field)
	}

	if !isClean(s, lines) {
		tc.trip.Report("text-unusual", quoted(strings.Map(showInvisible, s))+" has control or damaged characters",
			"type it again; if many rows have it, export the file as UTF-8", field)
	}
}

// isClean reports whether a text is valid UTF-8 and free of control characters.
// Where lines is set it may have line ends and tabs.
func isClean(s string, lines bool) bool {
	for i := range len(s) {
		if s[i]-' ' > '~'-' ' { // a control or non-ASCII character, which few texts have
			return !strings.ContainsFunc(s, func(r rune) bool {
				return isDamaged(r) && (!lines || r != '\n' && r != '\r' && r != '\t')
			})
		}
	}
	return true
}

// isDamaged reports whether a character comes from a wrong encoding, is a control
// character, or has no width. Such characters make texts differ that look the same.
func isDamaged(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

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
