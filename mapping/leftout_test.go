package mapping

import (
	"strings"
	"testing"
)

// TestTotals checks that lines of totals are left out without a rule of the mapping, and that
// no row of a trip is, whatever the rider is called and whatever is missing.
func TestTotals(t *testing.T) {
	const (
		alder = "12 Alder Ct, Westfield, MI 48111"
		bay   = "700 Bay Rd, Westfield, MI 48111"
	)
	for name, test := range map[string]struct {
		row  string // the cells, with | between them; fewer than the headers in a line that is cut off
		want bool
	}{
		"a line of totals":            {"|Total: 20|||||||", true},
		"with sums":                   {"|Total|||||12||", true},
		"in the id":                   {"Total trips: 20||||||||", true},
		"in a place":                  {"||Page 1 of 3||||||", true},
		"without its word":            {"||||||31.50||", true},
		"cut off":                     {"Total: 20", true},
		"cut off, with a sum":         {"Total|20", true},
		"the end of a report":         {"*** End of report ***|||||||||", true},
		"printed":                     {"Printed 12/1/2026 10:15||||||||", true},
		"a title":                     {"Route 5||||||||", true},
		"the title of a day":          {"Monday, December 14, 2026||||||||", true},
		"an id alone":                 {"N-1||||||||", false},
		"a place alone":               {"||12 Alder Ct||||||", false},
		"a title that is cut off":     {"Route 5", false},
		"a number in place of a day":  {"|Muster, Pat|||44||||", false},
		"an id":                       {"N-1|Page, Walter|||||||", false},
		"a number that may be an id":  {"20|Total|||||||", false},
		"a day":                       {"|Page, Walter|||12/2/2026||||", false},
		"a place":                     {"|Page, Walter|" + alder + "||||||", false},
		"a city":                      {"|Total|||||||Westfield", false},
		"a trip":                      {"N-1|Page, Walter|" + alder + "|" + bay + "|12/2/2026|8:30|4||", false},
		"a trip without an id":        {"|Page, Walter|" + alder + "|" + bay + "|12/2/2026|8:30|4||", false},
		"a trip with an unclear day":  {"N-1|Page, Walter|" + alder + "|" + bay + "|12/2 or 3|8:30|4||", false},
		"a rider, a time and a phone": {"|Page, Walter||||8:30|4|x|y", false},
		"a trip that is cut off":      {"N-1|Page, Wal", false},
		"a rider that is cut off":     {"|Dunn, Ada", false},
		"a trip that lost a comma":    {"N-1 Page, Walter|" + alder + "|" + bay + "|12/2/2026|8:30|4||", false},
		"of a day":                    {"20|Total|||12/2/2026||||", false},
		"the second half of a cell":   {"ring twice\"|" + bay, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := parsed(t, `mapping: 1
broker: totals
read: {dates: mdy}
trip:
  trip_id: Trip
  date: Date
  pickup: {event_name: Name, address1: From, pickup_time: Time, state: {const: MI}, city: City}
  dropoff: {address: To}
  billable_distance: Miles
  pickup_only: return
`)
			rows := textRows([]string{"Trip", "Name", "From", "To", "Date", "Time", "Miles", "Notes", "City"}, strings.Split(test.row, "|"))
			mapped := bind(t, m, rows).Map(rows[1], nil)
			if got := mapped.LeftOut == "a line of totals"; got != test.want || mapped.Cancelled {
				t.Errorf("left out %q; %v", mapped.LeftOut, mapped.AllProblems())
			}
		})
	}
}

// TestFooterText checks which rows look like a line that ends a list. No row of a
// rider does.
func TestFooterText(t *testing.T) {
	for text, want := range map[string]bool{
		"Total,8": true, "Total trips: 20": true, ",,Grand Totals,31.50": true, "Subtotal": true, "*** End of report ***": true, "8 records": true,
		"Page 1 of 3": true, "Printed 12/1/2026 by Dana": true, "Run date: 12/1": true, "Number of trips,12": true, "Trips: 12": true, "Count: 4": true,
		"T-1,Pagett Anna": false, "T-1,Countess Mary": false, "T-1,Totalo Ike": false, "8 Records Rd": false, "": false,
		"T-9,Page Anna,R-9,12/02/2026,8:30": false, // too many values
	} {
		row := textRows(nil, strings.Split(text, ","))[1]
		if got := HasFooterText(row, 12); got != want {
			t.Errorf("%q: %t", text, got)
		}
		if HasFooterText(row, 2) {
			t.Errorf("%q: of two columns", text)
		}
	}
}
