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
broker: Note
trip:
  provider: {const: Note}
  funding_source: Payer
  trip_id: Trip
  rider_id: Rider
  space_type: Space
  pickup: {address: From, event_comment: [Note, 'Note', "{Note}, {Note 2}"], pickup_time: Time}
  dropoff: {address: To, location_name: {first: [Note]}, event_comment: "Note"}
  pickup_only: return
`
	const want = `mapping: 1
broker: Note
trip:
  provider: {const: Note}
  funding_source: Payer
  trip_id: Trip
  rider_id: Rider
  space_type: Space
  pickup: {address: From, event_comment: ["PU Note", 'PU Note', "{PU Note}, {Note 2}"], pickup_time: Time}  # why
  dropoff: {address: To, location_name: {first: ["PU Note"]}, event_comment: "PU Note"}  # why
  pickup_only: return
`
	m, err := mapping.Parse("x.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	match := m.Match(mappingtest.Rows(t, "x.csv", "Payer,Trip,Rider,Space,From,Time,To,Note 2,PU Note\n"), "x.csv")
	if len(match.MissingColumns) != 1 {
		t.Fatalf("%q", match.Missing())
	}
	if got := m.WithHeader(text, match.MissingColumns[0], "PU Note", "why"); got != want {
		t.Errorf("%s", got)
	}
	if _, err := mapping.Parse("x.yaml", []byte(want), nil); err != nil {
		t.Error(err)
	}
}
