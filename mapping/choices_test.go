package mapping

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// A cell with a word that is not in a table says what it may be instead: one word for each value, and
// only where the word would stand alone in the cell.
func TestChoices(t *testing.T) {
	const rest = `mapping: 1
broker: Lakeshore
trip:
  provider: {const: Lakeshore Transit}
  funding_source: {const: Harborview Health}
  trip_id: Order
  date: Date
  pickup: {pickup_time: Time}
  pickup_only: return
`
	var large []string
	for i := range 10 {
		large = append(large, fmt.Sprintf("W%d: W%d", i, i))
	}
	for _, tt := range []struct {
		spaceType, cell string
		want            []string
	}{
		{"{column: Vehicle, table: {Ambulatory: AMB, Walks: AMB, Wheelchair: WCH}}", " Gurney ", []string{"Ambulatory", "Wheelchair"}},
		{"{column: Vehicle, extract: '^(\\w+)', table: {A: AMB, W: WCH}}", "Gurney 2", nil},
		{"{column: Vehicle, table: {" + strings.Join(large, ", ") + "}}", "Gurney", nil},
	} {
		rows := textRows([]string{"Order", "Date", "Time", "Vehicle"}, []string{"1", "2026-12-02", "08:30", tt.cell})
		m := bind(t, parsed(t, rest+"  space_type: "+tt.spaceType+"\n"), rows).Map(rows[1], nil)
		problems := m.AllProblems()
		at := slices.IndexFunc(problems, func(p importer.Problem) bool { return p.Code == "space-type-unknown" })
		if at < 0 {
			t.Fatalf("%s: %v", tt.spaceType, problems)
		}
		if diff := cmp.Diff(tt.want, problems[at].Choices); diff != "" {
			t.Errorf("%s: %s", tt.spaceType, diff)
		}
	}
}
