package mapping

import "testing"

// TestPhones checks that phones in the usual spellings become ten digits, and that any other text stays, for
// the checks to quote.
func TestPhones(t *testing.T) {
	m := parsed(t, "mapping: 1\nbroker: x\ntrip: {provider: A, funding_source: A, trip_id: ID, rider_id: ID, space_type: A, pickup: {address: A}, dropoff: {address: A}, phone: Phone}\n")
	header := []string{"ID", "A", "Phone"}
	for s, want := range map[string]string{
		"3135550110": "3135550110", "313-555-0110": "3135550110", "(313) 555.0110": "3135550110", "313/555-0110": "3135550110",
		"13135550110": "3135550110", "+1 313 555 0110": "3135550110", "313-555-0110 x12": "3135550110", "313-555-0110X12": "3135550110",
		"313-555-0110 ext. 12": "3135550110", "313-555-0110 ext": "3135550110",
		"313-555-011": "313-555-011", "23135550110": "23135550110", "131355501101": "131355501101", "555-0110 x313": "555-0110 x313",
		"call 313-555-0110": "3135550110", "313-555-0110, 555-0111": "313-555-0110, 555-0111", "x": "x",
	} {
		rows := textRows(header, []string{"1", "a", s})
		if got := bind(t, m, rows).Map(rows[1], nil).Trips[0].Phone; got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}
