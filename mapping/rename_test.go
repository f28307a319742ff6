package mapping_test

import (
	"testing"

	"tripimport/mapping"
	"tripimport/mapping/mappingtest"
)

// TestWithHeader checks that a column is renamed wherever the mapping names it, and that
// equal texts that name no column stay.
func TestWithHeader(t *testing.T) {
	const text = `mapping: 1
name: Note
trip:
  provider: {const: Note}
  funding_source: Payer
  trip_id: Trip
  rider_id: Rider
  space_type: Space
  pickup: {address: From, event_comment: {join: [Note, 'Note', {template: "{Note}, {Note 2}"}], with: Note}, pickup_time: Time}
  dropoff: {address: To, location_name: {expr: 'upper(row["Note"])'}, event_comment: "Note"}
  pickup_only: return
`
	const want = `mapping: 1
name: Note
trip:
  provider: {const: Note}
  funding_source: Payer
  trip_id: Trip
  rider_id: Rider
  space_type: Space
  pickup: {address: From, event_comment: {join: ["PU Note", 'PU Note', {template: "{PU Note}, {Note 2}"}], with: Note}, pickup_time: Time}  # why
  dropoff: {address: To, location_name: {expr: 'upper(row["PU Note"])'}, event_comment: "PU Note"}  # why
  pickup_only: return
`
	m, err := mapping.Parse("x.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	match := m.Match(mappingtest.Rows(t, "x.csv", "Payer,Trip,Rider,Space,From,Time,To,Note 2,PU Note\n"), "x.csv")
	if len(match.MissingColumns) != 1 {
		t.Fatalf("%q", match.Missing)
	}
	if got := m.WithHeader(text, match.MissingColumns[0], "PU Note", "why"); got != want {
		t.Errorf("%s", got)
	}
	if _, err := mapping.Parse("x.yaml", []byte(want), nil); err != nil {
		t.Error(err)
	}
}
