package check

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tripimport/importer"
)

// The contract names no length limits (section 8). These are beyond anything a
// schedule means, and short of what a service could choke on.
const (
	longestID   = 100   // characters
	longestText = 2_000 // characters
)

// texts looks for characters and lengths that are accidents.
func (f *finder) texts() {
	t := f.trip
	f.id(t.ID, importer.FieldTripID)
	f.id(t.RiderID, importer.FieldRiderID)
	f.phone(t.Phone, importer.FieldPhone)
	f.eventTexts(&t.Pickup, importer.FieldPickup)
	f.eventTexts(&t.Dropoff, importer.FieldDropoff)
}

// id wants every character of an id to be seen: two ids that look the same and
// are not would be two cars.
func (f *finder) id(s string, field importer.Field) {
	if len(s) <= longestID && plain(s) || strings.TrimSpace(s) == "" || f.faulty(field) {
		return
	}
	if utf8.RuneCountInString(s) > longestID {
		f.report(idLong, shown(s)+" is too long for an id", "look whether the right column is mapped", field)
	}
	if strings.TrimSpace(s) != s || strings.ContainsFunc(s, unseen) {
		f.report(idCharacters, shown(strings.Map(marked, s))+" has characters that can't be seen",
			"type the id anew, without spaces around it", field)
	}
}

// plain reports whether a text is visible ASCII from end to end, as nearly
// every id is.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

func unseen(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }

// marked shows what can't be seen.
func marked(r rune) rune {
	if unseen(r) {
		return '□'
	}
	return r
}

func (f *finder) eventTexts(e *importer.Event, at importer.Field) {
	f.text(e.Name, at, importer.FieldEventName, false)
	f.text(e.Comment, at, importer.FieldEventComment, true)
	f.text(e.CompleteAddress, at, importer.FieldCompleteAddress, true)
	f.text(e.LocationName, at, importer.FieldLocationName, false)
	f.text(e.Address1, at, importer.FieldAddress1, false)
	f.text(e.Address2, at, importer.FieldAddress2, false)
	f.text(e.City, at, importer.FieldCity, false)
	f.text(e.State, at, importer.FieldState, false)
	f.text(e.Phone, at, importer.FieldPhoneNumber, false)
}

func (f *finder) text(s string, at, of importer.Field, lines bool) {
	if tidy(s, lines) && len(s) <= longestText {
		return
	}
	field := at.Of(of)
	if utf8.RuneCountInString(s) > longestText {
		f.report(textLong, shown(s)+" is very long", "look whether the right column is mapped", field)
	}
	if !tidy(s, lines) {
		f.report(textCharacters, shown(strings.Map(marked, s))+" has control or damaged characters",
			"type it anew; if many rows have it, export the file as UTF-8", field)
	}
}

// tidy reports whether a text is valid and free of control characters. A text
// of several lines may have its line ends and tabs.
func tidy(s string, lines bool) bool {
	ascii := true
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			ascii = false
		case c >= ' ' && c != 0x7f:
		case lines && (c == '\n' || c == '\r' || c == '\t'):
		default:
			return false
		}
	}
	return ascii || !strings.ContainsFunc(s, damaged)
}

// damaged finds what is left of text that was read in the wrong encoding, and
// characters without a width, which make two alike texts different.
func damaged(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
