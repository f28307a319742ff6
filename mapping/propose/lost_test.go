package propose

import (
	"fmt"
	"strings"
	"testing"

	"tripimport/mapping/mappingtest"
)

// TestCodesOfAWayAreAsked requires a question about columns of short codes by which a
// return may be lost: one that says which rows have a time of return, also above a line of
// totals, and one that tells the legs apart.
func TestCodesOfAWayAreAsked(t *testing.T) {
	const columns = "Trip Date,Member ID,Member Name,Phone,Mobility,From Street,From City,From State,From Zip,Pickup Time,To Street,To City,To State,To Zip,Appt Time"
	row := func(n int) string {
		return fmt.Sprintf("12/%d/2026,%d,Pat Muster,313-555-01%02d,Wheelchair,%d Oak St,Dearborn,MI,48124,%d:15 AM,9 Bay Rd,Detroit,MI,48226,%d:15 AM", 13+n%5, 70000+n, n, 10+n, 6+n%4, 7+n%4)
	}
	var way, legs strings.Builder
	way.WriteString("Trip Number,O/R,Return Time," + columns + "\n")
	legs.WriteString("Journey,Leg," + columns + "\n")
	for n := range 20 {
		back := []string{"O,", "R,2:30 PM"}[n%2]
		fmt.Fprintf(&way, "T-%d,%s,%s\n", n, back, row(n))
		fmt.Fprintf(&legs, "J-%d,%s,%s\n", n/2, []string{"A", "B"}[n%2], row(n))
	}
	way.WriteString("Total trips: 20" + strings.Repeat(",", 17) + "\n")

	for header, file := range map[string]string{"O/R": way.String(), "Leg": legs.String()} {
		rows := mappingtest.Rows(t, "trips.csv", file)
		p := Mapping(rows, rows, nil)
		draft := p.Draft("trips", Names{})
		used := strings.Contains(draft.Text, "column: "+header) || strings.Contains(draft.Text, "-{"+header+"}")
		asked := strings.Contains(draft.Text, `{column: "`+header+`", decide: "it looks like a return or a second way`)
		if !used && !asked {
			t.Errorf("nothing is made of %s, and nobody is asked:\n%s", header, draft.Text)
		}
	}
}
