package mapping

import (
	"strings"
	"testing"

	"tripimport/mapping/mappingtest"
)

// The templates that make trip ids of members' ids, and no others, keep the ids private.
func TestPrivateIDsOfTemplates(t *testing.T) {
	for _, name := range mappingtest.Layouts() {
		rows := mappingtest.ReadCSV(t, "../testdata/layouts/"+name+".csv")
		b := bind(t, decided(t, name), rows)
		trip, want := b.Map(rows[1], nil).Trips[0], name == "isi" || name == "routegenie"
		if b.RowIDs().Private != want || (trip.Alias == "row 2") != want || (trip.ListedID() == trip.ID) == want {
			t.Errorf("%s: private %v, %s listed as %q", name, b.RowIDs().Private, trip.ID, trip.ListedID())
		}
	}
}

// A trip id is private where it has a column that makes the rider's id, and only there. One of a name
// or a phone number is refused, because these may change.
func TestPrivateIDs(t *testing.T) {
	const rest = `
  provider: {const: Lakeshore Transit}
  funding_source: {const: Harborview Health}
  space_type: {const: AMB}
  date: Date
  pickup_only: return
`
	places := `
  pickup: {pickup_time: Time, event_comment: [Trip, Note]PICKUP}
`
	header := []string{"Trip", "Member", "Name", "Contact", "Note", "Date", "Time"}
	row := []string{"70411", "4471", "Ada Quill", "248-555-0142", "1931", "2026-12-02", "08:30"}

	for _, c := range []struct {
		name, ids, pickup, more string
		private                 bool
	}{
		{"a number, also in the comment", "  trip_id: Trip\n  rider_id: Member\n  phone: Contact", ", event_name: Name", "", false},
		{"with the date", `  trip_id: "{Trip}-{date}"` + "\n  rider_id: Member", "", "ids: repeat\n", false},
		{"the rider's id", `  trip_id: "{Member}-{date}"` + "\n  rider_id: Member", "", "ids: repeat\n", true},
		{"beside a number", "  trip_id: [Trip, Member]\n  rider_id: {column: Member, shape: 4 digits}", "", "", true},
		{
			"by whom the rider is looked up", "  trip_id: [Trip, Name]\n  rider_id: {list: riders.csv, by: {name: Name, note: Note}, value: id}",
			"", "", true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "mapping: 1\nbroker: Lakeshore\n" + c.more + "trip:\n" + c.ids + rest + strings.Replace(places, "PICKUP", c.pickup, 1)
			m, err := Parse("m.yaml", []byte(text), openText(map[string]string{"riders.csv": "name,note,id\nAda Quill,1931,R-1\n"}))
			if err != nil {
				t.Fatal(err)
			}
			b := bind(t, m, textRows(header, row))
			for _, trip := range b.Map(textRows(header, row)[1], nil).Trips {
				if b.RowIDs().Private != c.private || trip.ID == "" || (trip.Alias == "row 2") != c.private {
					t.Errorf("private %v, %q listed as %q", b.RowIDs().Private, trip.ID, trip.ListedID())
				}
			}
		})
	}
}
