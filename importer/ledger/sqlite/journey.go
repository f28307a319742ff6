package sqlite

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"

	"tripimport/importer"
)

// minutesADay is how many minutes a clock on the wall shows in a day.
const minutesADay = 24 * 60

// minuteOf gives the minute of the day that t shows.
func minuteOf(t importer.DateTime) int { return t.Hour*60 + t.Minute }

// journey gives the keyed hash by which the same journey is known again under
// another trip id or account: the rider, both places and the kind of trip. It
// is nil where one of them is missing. The date goes into it, so that the file
// alone does not show a rider's habits.
func (h hashers) journey(trip *importer.Trip, date importer.Date) []byte {
	from, to := place(&trip.Pickup), place(&trip.Dropoff)
	rider := letters(trip.RiderID)
	if rider == "" || from == "" || to == "" || date.IsZero() {
		return nil
	}
	return h.journeys.sum(nil, rider, from, to, trip.Type.String(), date.String())
}

// place gives an address in the form by which addresses are compared: letters
// and digits alone, so that a complete address and a broken-out one agree.
// Suites are left out, and so are all but five digits of a ZIP. Where there is
// no address, the position stands for it, to about 10 metres.
func place(e *importer.Event) string {
	address := e.CompleteAddress
	if address == "" {
		address = e.Address1 + " " + e.City + " " + e.State + " " + e.Zip
	}
	if p := letters(withoutPlusFour(address)); p != "" {
		return p
	}
	if !e.Position.Known() {
		return ""
	}
	return strconv.FormatFloat(e.Position.Latitude, 'f', 4, 64) + "," +
		strconv.FormatFloat(e.Position.Longitude, 'f', 4, 64)
}

// withoutPlusFour cuts the last four digits of a ZIP+4 at the end.
func withoutPlusFour(address string) string {
	address = strings.TrimSpace(address)
	cut := len(address) - len("-1234")
	if cut < len("12345") || address[cut] != '-' || !digits(address[cut+1:]) || !digits(address[cut-5:cut]) {
		return address
	}
	return address[:cut]
}

func digits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// letters keeps letters and digits, in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

func hexText(b []byte) string { return hex.EncodeToString(b) }
