package propose

import (
	"slices"
	"strings"
	"unicode"

	"tripimport/importer"
	"tripimport/mapping"
)

const (
	pickupTime  = importer.FieldPickup + "." + importer.FieldPickupTime
	dropoffAppt = importer.FieldDropoff + "." + importer.FieldApptTime
)

// wordsOf splits a header into words in lower case: at spaces and punctuation,
// between letters and digits, and where a capital begins a word (DropOffZip).
// Text in parentheses explains the header and is left out.
func wordsOf(header string) []string {
	if open := strings.IndexByte(header, '('); open > 0 {
		header = header[:open]
	}

	var words []string
	var word []rune
	endWord := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}

	var before rune
	for _, r := range header {
		switch {
		case r == '\'':
			continue
		case r == '#':
			endWord()
			words = append(words, "number")
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			endWord()
		case unicode.IsUpper(r) && unicode.IsLower(before), unicode.IsDigit(r) != unicode.IsDigit(before) && before != 0:
			endWord()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		before = r
	}

	endWord()
	return words
}

// sides lists the phrases that place a header at one end of the trip. The first
// one that a header has decides.
func sides() []fieldWords {
	return []fieldWords{
		{importer.FieldPickup, 0, []string{"pick up location"}},
		{importer.FieldDropoff, 0, []string{"drop off location"}},
		{importer.FieldPickup, 0, []string{"pick up", "pickup", "pu", "origin", "from", "start"}},
		{importer.FieldDropoff, 0, []string{"drop off", "dropoff", "do", "destination", "dest", "delivery", "to", "facility"}},
	}
}

// sideOf returns the end of the trip at which a header's words place it, and the
// other words. The side is empty where they name none.
func sideOf(words []string) (side importer.Field, rest string) {
	for _, s := range sides() {
		for _, phrase := range s.phrases {
			if rest, ok := without(words, strings.Fields(phrase)); ok {
				return s.field, rest
			}
		}
	}

	if len(words) != 1 {
		return "", strings.Join(words, " ")
	}

	// Small letters without a gap: fromcity, tostate.
	for _, s := range []fieldWords{
		{importer.FieldPickup, 0, []string{"from", "pu"}},
		{importer.FieldDropoff, 0, []string{"to", "do"}},
	} {
		for _, prefix := range s.phrases {
			if rest, ok := strings.CutPrefix(words[0], prefix); ok && partOf(rest) != "" {
				return s.field, rest
			}
		}
	}

	return "", words[0]
}

// without cuts a phrase out of the words.
func without(words, phrase []string) (string, bool) {
	for i := 0; i+len(phrase) <= len(words); i++ {
		if strings.Join(words[i:i+len(phrase)], " ") == strings.Join(phrase, " ") {
			return strings.Join(append(append([]string{}, words[:i]...), words[i+len(phrase):]...), " "), true
		}
	}
	return "", false
}

// A fieldWords lists the phrases that mean a field, and how sure that is.
type fieldWords struct {
	field   importer.Field
	sure    float64
	phrases []string
}

// partWords lists what a header means, without the words of its side, as a part
// of a pickup or a dropoff.
func partWords() []fieldWords {
	return []fieldWords{
		{mapping.FieldAddress, 0, []string{"address", "addr", "full address", "complete address"}},
		{importer.FieldAddress1, 0, []string{"address 1", "street", "street address", "addr 1", "address line 1"}},
		{importer.FieldAddress2, 0, []string{"address 2", "apt", "suite", "apt suite", "unit", "addr 2", "address line 2", "room"}},
		{importer.FieldCity, 0, []string{"city", "town"}},
		{importer.FieldState, 0, []string{"state", "st"}},
		{importer.FieldZip, 0, []string{"zip", "zip code", "zipcode", "postal code", "postcode"}},
		{importer.FieldLatitude, 0, []string{"lat", "latitude", "y"}},
		{importer.FieldLongitude, 0, []string{"lng", "lon", "long", "longitude", "longitud", "x"}},
		{mapping.FieldCoordinates, 0, []string{"coordinates", "coords", "position", "lat lng"}},
		{importer.FieldLocationName, 0, []string{"name", "location", "location name", "address name", "place", "facility", "site"}},
		{importer.FieldPhoneNumber, 0, []string{"phone", "phone number", "telephone", "tel"}},
		{importer.FieldEventComment, 0, []string{"notes", "note", "comment", "comments", "directions", "instructions"}},
	}
}

// partOf returns the part of an event that a header means without the words of
// its side; it is empty where it means none.
func partOf(rest string) importer.Field {
	return meaning(partWords(), rest).field
}

// tripWords lists what a header means of the trip as a whole. A phrase has the
// side by the name of its field, "dropoff requested time".
func tripWords() []fieldWords {
	return []fieldWords{
		{importer.FieldTripID, 0.95, []string{"trip leg id", "leg id", "trip number", "ride id"}},
		{importer.FieldTripID, 0.92, []string{"trip id", "trip ids", "trip no", "order number", "order", "reservation number", "booking number"}},
		{importer.FieldRiderID, 0.92, []string{"medicaid number", "member id", "rider id", "patient id", "rider patient id", "customer number", "client id", "member id number", "passenger member id number", "client account member id number", "clients account member id number", "patient medical id", "customer id", "recipient id"}},
		{importer.FieldProvider, 0.85, []string{"provider", "provider name", "transportation provider", "transport provider"}},
		{importer.FieldFundingSource, 0.85, []string{"payor", "payer", "payable by", "funding source", "payer name", "health plan"}},
		{importer.FieldSpaceType, 0.85, []string{"mobility type", "mobility", "mode of transportation", "passenger type", "transportation type", "los", "space type", "requested vehicle type", "mode", "level of mobility"}},
		{importer.FieldSpaceType, 0.7, []string{"vehicle type", "vehicle requirement", "level of service", "mobility device"}},
		{importer.FieldPhone, 0.85, []string{"member phone", "members phone number", "rider phone", "passenger phone", "client phone", "patient phone number", "patient phone", "member phone number"}},
		{importer.FieldPhone, 0.7, []string{"phone", "phone number"}},
		{importer.FieldDate, 0.9, []string{"trip date", "date of trip", "ride date", "date of service", "service date", "appointment date", "date", "travel date"}},
		{dropoffAppt, 0.9, []string{"appointment time", "appt time", "dropoff time", "appointment", "requested dropoff time", "dropoff requested time", "arrival time"}},
		{pickupTime, 0.9, []string{"pickup time", "time of pickup", "pickup of time", "scheduled pickup time", "pickup scheduled time", "pickup time of", "requested pickup time", "pickup requested time", "pickup at"}},
		{dropoffAppt, 0.5, []string{"time"}},
		{pickupTime, 0.75, []string{"pickup promised time", "pickup earliest", "pickup scheduled date", "pickup date"}},
		{mapping.FieldWillCall, 0.93, []string{"will call", "will call flag", "willcall"}},
		{mapping.FieldRoundTrip, 0.93, []string{"round trip", "roundtrip", "return trip"}},
		{mapping.FieldReturnTime, 0.93, []string{"return time", "return trip time", "return pickup time"}},
		{importer.FieldBillableDistance, 0.85, []string{"miles", "mileage", "trip mileage", "distance", "trip miles", "loaded miles", "billable miles", "billable distance"}},
		{importer.FieldBillableDistance, 0.7, []string{"fare distance rounded miles"}},
		{importer.FieldAdditional, 0.85, []string{"additional passenger count", "number of additional passengers", "escorts", "additional ambulatory seats", "number of passengers", "total passengers", "additional passengers count", "companions", "additional passengers"}},
		{importer.FieldAdditional, 0.7, []string{"attendants", "guests", "capacity amb", "comments pca"}},
		{mapping.FieldLinkedBy, 0.7, []string{"journey id"}},
		{mapping.FieldCancelled, 0.85, []string{"status", "trip status", "ride status"}},
		{importer.FieldPickup.Of(importer.FieldEventComment), 0.7, []string{"notes", "driver notes", "trip instructions", "inst directions", "special needs", "directions", "driver note", "additional notes", "comments", "all notes special needs"}},
		{importer.FieldPickup.Of(importer.FieldEventName), 0.7, []string{"name", "member name", "first name", "firstname", "members first name", "passenger first name", "clients first name", "client first name", "patient first name", "patient name"}},
		{importer.FieldDropoff.Of(importer.FieldEventName), 0.6, []string{"trip reason", "trip purpose", "treatment"}},
		{importer.FieldPickup.Of(importer.FieldLocationName), 0.7, []string{"type of address"}},
		{importer.FieldDropoff.Of(importer.FieldLocationName), 0.7, []string{"dropoff address type"}},
	}
}

// fieldOf returns what a header means of the trip as a whole, by the words that
// are left without those of its side; a zero value where it means nothing.
func fieldOf(side importer.Field, rest string) fieldWords {
	if side != "" {
		rest = string(side) + " " + rest
	}
	return meaning(tripWords(), rest)
}

func meaning(list []fieldWords, phrase string) fieldWords {
	for _, w := range list {
		if slices.Contains(w.phrases, phrase) {
			return w
		}
	}
	return fieldWords{}
}
