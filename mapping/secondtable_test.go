package mapping

import (
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// TestSecondTable puts headers among the rows: the same headers on another page,
// and those of another table.
func TestSecondTable(t *testing.T) {
	const text = `
mapping: 1
broker: tables
skip: {no rider: {column: Rider, is: Rider}}
trip:
  provider: {const: P}
  funding_source: {const: F}
  trip_id: Trip
  rider_id: Rider
  phone: {column: Phone, optional: true}
  space_type: {const: AMB}
  pickup: {address1: From}
  dropoff: {address1: To}
`
	const first = "Trip,Rider,From,To,Phone,Notes,,,,,\n1,R,1 Elm St,9 Oak St,,,,,,,\n"
	tests := []struct {
		name, row, want string
	}{
		{"the headers again", "Trip,Rider,From,To,Phone,Notes,,,,,", "again"},
		{"the headers again in capitals", "TRIP,RIDER,FROM,TO,PHONE,NOTES,,,,,", "again"},
		{"the headers again, with another that nobody needs", "Trip,Rider,From,To,Phone,Remarks,,,,,", "again"},
		{"a row with words of the headers", "Trip,Rider,1 Elm St,To,,,,,,,", "row"},

		{"two columns changed places", "Trip,Rider,To,From,Phone,Notes,,,,,", "moved"},
		{"in capitals", "TRIP,RIDER,TO,FROM,PHONE,NOTES,,,,,", "moved"},
		{"without a column that may be missing", "Trip,Rider,From,To,Notes,,,,,,", "moved"},
		{"beside rows of the first", "2,R,1 Elm St,9 Oak St,,,Trip,Rider,From,To,Phone", "moved"},
		{"where a rule would leave it out", "Trip,Rider,Phone,From,To,Notes,,,,,", "moved"},
		{"with more fields", "Rider,Trip,From,To,Phone,Notes,,,,,,", "moved"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Parse("tables.yaml", []byte(text), nil)
			if err != nil {
				t.Fatal(err)
			}
			rows := mappingtest.Rows(t, "tables.csv", first+tt.row+"\n2,R,1 Elm St,9 Oak St,,,,,,,\n")
			mapped := measured(t, m, rows).Map(rows[2], nil)
			got := "row"
			switch {
			case mapped.LeftOut == "the headers again":
				got = "again"
			case len(mapped.Problems) > 0 && mapped.Problems[0].Code == importer.CodeSecondTable:
				got = "moved"
			case mapped.LeftOut != "":
				got = "row" // by the rule
			}
			if got != tt.want {
				t.Errorf("%s, want %s: %s", got, tt.want, strings.Join(sentences(mapped), "; "))
			}
		})
	}
}
