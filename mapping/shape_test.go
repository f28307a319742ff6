package mapping

import (
	"slices"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// TestDamagedIDs checks that ids and keys are faults if a spreadsheet program has
// rounded them, or would have, and that texts which only look so are not.
func TestDamagedIDs(t *testing.T) {
	const base = "mapping: 1\nbroker: ids\nread: {dates: mdy}\ntrip:\n  provider: {const: P}\n  funding_source: {const: F}\n  date: Date\n"
	const inTrip, inRider = "  trip_id: Num\n", "  rider_id: Num\n"
	whole := importer.Cell{Type: importer.Number, Text: "1234567890123450"}
	tests := []struct {
		name, trip string
		cell       importer.Cell
		damaged    bool
	}{
		{"a trip id", inTrip, whole, true},
		{"a rider id", inRider, whole, true},
		{"a rider id of 22 digits and more", inRider, importer.Cell{Type: importer.Number, Text: "1.2e+25"}, true},
		{"digits that the format shows in groups", inRider, importer.Cell{Type: importer.Number, Text: "1234-5678-9012-3450", Format: "0000-0000-0000-0000"}, true},
		{"a text", "  trip_id: \"{Num}-{Date}\"\n", whole, true},
		{"a text, as Excel writes it in CSV", "  trip_id: \"{Num}-{Date}\"\n", importer.Cell{Type: importer.Text, Text: "1.23457E+15"}, true},
		{"values that are joined", "  trip_id: [Num, Date]\n", whole, true},
		{"the first of several", "  trip_id: {first: [Blank, Num]}\n", whole, true},
		{"the last digits alone", "  trip_id: {column: Num, extract: '(\\d{6})$'}\n", whole, true},
		{"a key of a list", "  pickup: {location_name: {list: sites.csv, by: {site: Num}, value: place}}\n", whole, true},
		{"what links trips", "  linked_by: Num\n", whole, true},
		{"a round trip", inTrip + "round_trip: {when: {column: Blank, filled: no}, return: {will_call: {says: (empty)}}}\n", whole, true},

		{"15 digits", inRider, importer.Cell{Type: importer.Number, Text: "123456789012345"}, false},
		{"15 digits behind zeros of the format", inRider, importer.Cell{Type: importer.Number, Text: "0000123456789012345", Format: "0000000000000000000"}, false},
		{"a text of 20 digits", inRider, importer.Cell{Type: importer.Text, Text: "12345678901234567890"}, false},
		{"a text with an E", inTrip, importer.Cell{Type: importer.Text, Text: "12E+5A"}, false},
		{"what is no id", "  phone: Num\n", whole, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Parse("ids.yaml", []byte(base+tt.trip), openText(map[string]string{"sites.csv": "site,place\n7,Clinic\n1234567890123450,Clinic\n"}))
			if err != nil {
				t.Fatal(err)
			}
			rows := mappingtest.Rows(t, "ids.xlsx", "Num,Blank,Date\n7,,12/2/2026\n")
			rows[1].Cells[0] = tt.cell
			mapped := bind(t, m, rows).Map(rows[1], nil)
			at := slices.IndexFunc(mapped.AllProblems(), func(p importer.Problem) bool { return p.Code == importer.CodeSavedByExcel })
			if (at >= 0) != tt.damaged {
				t.Fatalf("damaged: %v, want %v: %v", at >= 0, tt.damaged, sentences(mapped))
			}
			if tt.damaged && (mapped.AllProblems()[at].Cells[0].Col != 1 || !mapped.Faulty()) {
				t.Errorf("not a fault at its cell: %v", sentences(mapped))
			}
		})
	}
}
