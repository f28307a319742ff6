package mapping

import (
	"cmp"
	"strings"
	"testing"
)

// TestChangingIDs checks that ids are reported that are made of columns which the
// mapping also reads as something that may change, and no other ids.
func TestChangingIDs(t *testing.T) {
	const order = "  trip_id: Order\n"
	for _, c := range []struct{ name, trip, more, pickup, want string }{
		{name: "a number", trip: order},
		{name: "a leg", trip: "  trip_id: \"{Order}-{Leg}\"\n"},
		{name: "the date", trip: "  trip_id: \"{Order}-{date}\"\n", more: "ids: repeat\n"},
		{name: "the date's column", trip: "  trip_id: [Order, Day]\n"},
		{name: "a date and time in one column", trip: "  trip_id: [Order, Day]\n", pickup: "Day", want: `"Day" is part of the trip id: it may change`},
		{name: "an appointment's number", trip: "  trip_id: Appointment ID\n"},
		{name: "a time", trip: "  trip_id: \"{Order}-{PU}\"\n", want: `"PU" is part of the trip id: it may change`},
		{name: "the time of an appointment", trip: "  trip_id: [Order, By]\n", want: `"By" is part of the trip id: it may change`},
		{name: "an address", trip: "  trip_id: [Order, From]\n", want: `"From" is part of the trip id: it may change`},
		{name: "a name", trip: "  trip_id: [Order, Rider Name]\n", more: "", pickup: "Day, event_name: Rider Name", want: `"Rider Name" is part of the trip id: it may change`},
		{name: "a phone", trip: "  trip_id: [Order, Mobile]\n", want: `"Mobile" is part of the trip id: it may change`},
		{name: "a status", trip: "  trip_id: [Order, Off]\n", want: `"Off" is part of the trip id: it may change`},
		{name: "a flag", trip: "  trip_id: [Order, RT]\n", want: `"RT" is part of the trip id: it may change`},
		{name: "a word of a status column", trip: "  trip_id: [Order, Go]\n", want: `"Go" is part of the trip id: it may change`},
		{name: "an id that tells that it is cancelled", trip: "  trip_id: Off\n"},
	} {
		text := "mapping: 1\nbroker: x\nread: {dates: mdy}\ncancelled: {cancelled: {column: Off, is: X}}\nstatus: {Go: {book: Y}}\n" + c.more +
			"trip:\n  provider: Cars\n  funding_source: Payer\n  rider_id: Rider\n  space_type: Space\n  phone: Mobile\n  date: Day\n" + c.trip +
			"  pickup: {address: From, pickup_time: " + cmp.Or(c.pickup, `[Day, PU]`) + "}\n  dropoff: {address: To, appt_time: [Day, By]}\n"
		text += "round_trip: {when: {flag: RT}, return: {pickup: {pickup_time: Home}}}\n"
		_, err := Parse("x.yaml", []byte(text), nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
