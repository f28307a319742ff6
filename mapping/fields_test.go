package mapping

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/triptest"
	"tripimport/mapping/mappingtest"
)

// TestEveryPropertyCanBeMapped checks that the language knows every property of
// a trip: a mapping can make it from a column, for the trip itself and for a
// return, and the trip, its cells, the explanation, the schema and the reference
// have it.
func TestEveryPropertyCanBeMapped(t *testing.T) {
	full := triptest.Full()
	schema := compiledSchema(t)
	reference, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range importer.TripProperties() {
		switch p.Field {
		case importer.FieldTripType, // it follows from the times
			importer.FieldPickup.Of(importer.FieldApptTime), importer.FieldDropoff.Of(importer.FieldPickupTime):
			continue
		}
		t.Run(string(p.Field), func(t *testing.T) {
			key, value := p.Field, "{column: Its Column}"
			cell := string(p.AppendValue(nil, &full))
			switch event, part := p.Field.Split(); part {
			case importer.FieldAdditional:
				cell, value = "2", "{AMB: {column: Its Column}}"
			case importer.FieldLatitude:
				key, value = event.Of(FieldCoordinates), "[Its Column, Other]"
			case importer.FieldLongitude:
				key, value = event.Of(FieldCoordinates), "[Other, Its Column]"
			}
			want := string(p.AppendValue(nil, &full))
			if _, part := key.Split(); !strings.Contains(string(reference), "`"+string(part)+"`") {
				t.Errorf("%s does not mention `%s`", referencePage, part)
			}
			rows := mappingtest.Rows(t, "export.csv", fmt.Sprintf("Trip,Back,Its Column,Other\nT1,Yes,%q,42.5\n", cell))

			text := mappingWith(key, value)
			if err := schema.Validate(asJSON(t, []byte(text))); err != nil {
				t.Errorf("the schema does not have it: %v", err)
			}
			m := parsed(t, text)
			if !slices.ContainsFunc(m.Fields(), func(f MappedField) bool { return f.Field == p.Field }) {
				t.Errorf("it is not among the mapping's fields %v", m.Fields())
			}
			checkValue(t, bind(t, m, rows), rows[1], 0, p, want)
			if p.Field != importer.FieldTripID {
				checkValue(t, bind(t, parsed(t, returnWith(key, value)), rows), rows[1], 1, p, want)
			}
		})
	}
}

// checkValue checks that the row's trip of that number has the property's value
// from the third column.
func checkValue(t *testing.T, b *Bound, row importer.Row, number int, p importer.Property, want string) {
	t.Helper()
	trip := b.Map(row, nil).Trips[number]
	if got := string(p.AppendValue(nil, &trip)); got != want {
		t.Errorf("the trip has %q, want %q: %v", got, want, sentences(b.Map(row, nil)))
	}
	if columns := trip.Origin.Columns(p.Field); !slices.ContainsFunc(columns, func(c importer.Column) bool { return c.Num == 3 }) {
		t.Errorf("the trip takes it for made of %v", columns)
	}
}

// mappingWith returns a mapping in which the field has the value.
func mappingWith(field importer.Field, value string) string {
	line := fmt.Sprintf("  %s: %s\n", field, value)
	if event, part := field.Split(); event != "" {
		line = fmt.Sprintf("  %s: {%s: %s}\n", event, part, value)
	}
	if field != importer.FieldTripID {
		line += "  trip_id: Trip\n"
	}
	return "mapping: 1\nbroker: x\nread: {header: 1}\ntrip:\n" + line + "  pickup_only: return\n"
}

// returnWith returns a mapping in which only the return has the field.
func returnWith(field importer.Field, value string) string {
	line := fmt.Sprintf("    %s: %s\n", field, value)
	if event, part := field.Split(); event != "" {
		line = fmt.Sprintf("    %s: {%s: %s}\n", event, part, value)
	}
	return mappingWith(importer.FieldTripID, "Trip") + "round_trip:\n  when: {flag: Back}\n  return:\n" + line
}
