package mapping

import (
	"strings"
	"unicode"

	"tripimport/importer"
)

// wordsOf parts a header into small words: at spaces and punctuation, and where
// a capital begins a word (DropOffZip). What stands in parentheses explains the
// header and is left out.
func wordsOf(header string) []string {
	if open := strings.IndexByte(header, '('); open > 0 {
		header = header[:open]
	}
	var words []string
	var word []rune
	flush := func() {
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
			flush()
			words = append(words, "number")
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(before), unicode.IsDigit(r) != unicode.IsDigit(before) && before != 0:
			flush()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		before = r
	}
	flush()
	return words
}

// side says at which end of the trip a header's words place it, and what is
// left of them.
func side(words []string) (importer.Field, string) {
	for _, s := range []struct {
		side   importer.Field
		phrase string
	}{
		{importer.FieldPickup, "pick up location"},
		{importer.FieldDropoff, "drop off location"},
		{importer.FieldPickup, "pick up"},
		{importer.FieldPickup, "pickup"},
		{importer.FieldPickup, "pu"},
		{importer.FieldPickup, "origin"},
		{importer.FieldPickup, "from"},
		{importer.FieldPickup, "start"},
		{importer.FieldDropoff, "drop off"},
		{importer.FieldDropoff, "dropoff"},
		{importer.FieldDropoff, "do"},
		{importer.FieldDropoff, "destination"},
		{importer.FieldDropoff, "dest"},
		{importer.FieldDropoff, "delivery"},
		{importer.FieldDropoff, "to"},
		{importer.FieldDropoff, "facility"},
	} {
		if rest, ok := without(words, strings.Fields(s.phrase)); ok {
			return s.side, rest
		}
	}
	// fromcity and tostate: small letters without a gap.
	if len(words) == 1 {
		for prefix, at := range map[string]importer.Field{"from": importer.FieldPickup, "to": importer.FieldDropoff, "pu": importer.FieldPickup, "do": importer.FieldDropoff} {
			if rest, ok := strings.CutPrefix(words[0], prefix); ok && leaf(rest) != "" {
				return at, rest
			}
		}
	}
	return "", strings.Join(words, " ")
}

// without takes a phrase out of the words.
func without(words, phrase []string) (string, bool) {
	for i := 0; i+len(phrase) <= len(words); i++ {
		if strings.Join(words[i:i+len(phrase)], " ") == strings.Join(phrase, " ") {
			return strings.Join(append(append([]string{}, words[:i]...), words[i+len(phrase):]...), " "), true
		}
	}
	return "", false
}

// leaf names what a header without its side means, for a part of an event.
func leaf(rest string) importer.Field {
	switch rest {
	case "address", "addr", "full address", "complete address":
		return fieldAddress
	case "address 1", "street", "street address", "addr 1", "address line 1":
		return importer.FieldAddress1
	case "address 2", "apt", "suite", "apt suite", "unit", "addr 2", "address line 2", "room":
		return importer.FieldAddress2
	case "city", "town":
		return importer.FieldCity
	case "state", "st":
		return importer.FieldState
	case "zip", "zip code", "zipcode", "postal code", "postcode":
		return importer.FieldZip
	case "lat", "latitude", "y":
		return importer.FieldLatitude
	case "lng", "lon", "long", "longitude", "longitud", "x":
		return importer.FieldLongitude
	case "coordinates", "coords", "position", "lat lng":
		return "coordinates"
	case "name", "location", "location name", "address name", "place", "facility", "site":
		return importer.FieldLocationName
	case "phone", "phone number", "telephone", "tel":
		return importer.FieldPhoneNumber
	case "notes", "note", "comment", "comments", "directions", "instructions":
		return importer.FieldEventComment
	}
	return ""
}

// A meaning is a field that a header may mean, and how sure that is.
type meaning struct {
	field importer.Field
	sure  float64
}

// meaningOf gives what a header means of the trip as a whole.
func meaningOf(at importer.Field, rest string) meaning {
	joined := rest
	if at != "" {
		joined = string(at) + " " + rest
	}
	for _, m := range []struct {
		field   importer.Field
		sure    float64
		phrases []string
	}{
		{importer.FieldTripID, 0.95, []string{"trip leg id", "leg id", "trip number", "ride id"}},
		{importer.FieldTripID, 0.92, []string{"trip id", "trip ids", "trip no", "order number", "order", "reservation number", "booking number"}},
		{importer.FieldRiderID, 0.92, []string{"medicaid number", "member id", "rider id", "patient id", "rider patient id", "customer number", "client id", "member id number", "passenger member id number", "client account member id number", "clients account member id number", "patient medical id", "customer id", "recipient id"}},
		{importer.FieldProvider, 0.85, []string{"provider", "provider name", "transportation provider", "transport provider"}},
		{importer.FieldFundingSource, 0.85, []string{"payor", "payer", "payable by", "funding source", "payer name", "health plan"}},
		{importer.FieldSpaceType, 0.85, []string{"mobility type", "mobility", "mode of transportation", "passenger type", "transportation type", "los", "space type", "requested vehicle type", "mode", "level of mobility"}},
		{importer.FieldSpaceType, 0.7, []string{"vehicle type", "vehicle requirement", "level of service", "mobility device"}},
		{importer.FieldPhone, 0.85, []string{"member phone", "members phone number", "rider phone", "passenger phone", "client phone", "patient phone number", "patient phone", "member phone number"}},
		{importer.FieldPhone, 0.7, []string{"phone", "phone number"}},
		{fieldDate, 0.9, []string{"trip date", "date of trip", "ride date", "date of service", "service date", "appointment date", "date", "travel date"}},
		{dropoffAppt, 0.9, []string{"appointment time", "appt time", "dropoff time", "appointment", "requested dropoff time", "dropoff requested time", "arrival time"}},
		{pickupTime, 0.9, []string{"pickup time", "time of pickup", "pickup of time", "scheduled pickup time", "pickup scheduled time", "pickup time of", "requested pickup time", "pickup requested time", "pickup at"}},
		{dropoffAppt, 0.5, []string{"time"}},
		{pickupTime, 0.75, []string{"pickup promised time", "pickup earliest", "pickup scheduled date", "pickup date"}},
		{fieldWillCall, 0.93, []string{"will call", "will call flag", "willcall"}},
		{fieldRoundTrip, 0.93, []string{"round trip", "roundtrip", "return trip"}},
		{fieldReturnTime, 0.93, []string{"return time", "return trip time", "return pickup time"}},
		{importer.FieldBillableDistance, 0.85, []string{"miles", "mileage", "trip mileage", "distance", "trip miles", "loaded miles", "billable miles", "billable distance"}},
		{importer.FieldBillableDistance, 0.7, []string{"fare distance rounded miles"}},
		{importer.FieldAdditional, 0.85, []string{"additional passenger count", "number of additional passengers", "escorts", "additional ambulatory seats", "number of passengers", "total passengers", "additional passengers count", "companions", "additional passengers"}},
		{importer.FieldAdditional, 0.7, []string{"attendants", "guests", "capacity amb", "comments pca"}},
		{fieldLinkedBy, 0.7, []string{"journey id"}},
		{fieldCancelled, 0.85, []string{"status", "trip status", "ride status"}},
		{importer.FieldPickup.Of(importer.FieldEventComment), 0.7, []string{"notes", "driver notes", "trip instructions", "inst directions", "special needs", "directions", "driver note", "additional notes", "comments", "all notes special needs"}},
		{importer.FieldPickup.Of(importer.FieldEventName), 0.7, []string{"name", "member name", "first name", "firstname", "members first name", "passenger first name", "clients first name", "client first name", "patient first name", "patient name"}},
		{importer.FieldDropoff.Of(importer.FieldEventName), 0.6, []string{"trip reason", "trip purpose", "treatment"}},
		{importer.FieldPickup.Of(importer.FieldLocationName), 0.7, []string{"type of address"}},
		{importer.FieldDropoff.Of(importer.FieldLocationName), 0.7, []string{"dropoff address type"}},
	} {
		for _, phrase := range m.phrases {
			if phrase == joined || phrase == rest && at == "" {
				return meaning{m.field, m.sure}
			}
		}
	}
	return meaning{}
}
