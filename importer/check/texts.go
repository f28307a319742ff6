package check

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tripimport/importer"
)

// checkTexts reports unusual characters, which are never intended.
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
	if s == "" || tc.hasFault(field) {
		return
	}
	if strings.ContainsFunc(s, isInvisible) {
		tc.trip.Report("id-unusable", quoted(strings.Map(showInvisible, s))+" has invisible characters", "type the id again", field)
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

// checkText checks any text but an id.
func (tc *tripCheck) checkText(s string, field importer.Field) {
	if !isClean(s) {
		tc.trip.Report("text-unusual", quoted(strings.Map(showInvisible, s))+" has control or damaged characters",
			"type it again; if many rows have it, export the file as UTF-8", field)
	}
}

// isClean reports whether a text is valid UTF-8 and free of control characters.
func isClean(s string) bool {
	for i := range len(s) {
		if s[i]-' ' > '~'-' ' { // a control or non-ASCII character, which few texts have
			return !strings.ContainsFunc(s, isDamaged)
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

// isPhone reports whether a text is ten digits, as a mapping writes phones, in which neither the area code nor
// the exchange begins with 0 or 1.
func isPhone(s string) bool {
	return len(s) == 10 && strings.Trim(s, "0123456789") == "" && s[0] >= '2' && s[3] >= '2'
}
