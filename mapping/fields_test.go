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
		if p.Field == importer.FieldDropoff.Of(importer.FieldPickupTime) {
			continue // the service sets it, and the language refuses it
		}
		t.Run(string(p.Field), func(t *testing.T) {
			_, key := p.Field.Split()
			if !strings.Contains(string(reference), "`"+string(key)+"`") {
				t.Errorf("%s does not mention `%s`", referencePage, key)
			}

			cell, want := string(p.AppendValue(nil, &full)), string(p.AppendValue(nil, &full))
			value := "{column: Its Column}"
			if p.Field == importer.FieldAdditional {
				cell, value = "2", "[{space_type: AMB, count: {column: Its Column}}]"
			}
			rows := mappingtest.Rows(t, "export.csv", fmt.Sprintf("Trip,Back,Its Column\nT1,Yes,%q\n", cell))

			text := mappingWith(p.Field, value)
			if err := schema.Validate(asJSON(t, []byte(text))); err != nil {
				t.Errorf("the schema does not have it: %v", err)
			}
			m := parsed(t, text)
			fields := m.Fields()
			if !slices.ContainsFunc(fields, func(f MappedField) bool { return f.Field == p.Field }) {
				t.Errorf("it is not among the mapping's fields %v", fields)
			}
			b := bind(t, m, rows)
			checkValue(t, b, rows[1], 0, p, want)

			if p.Field != importer.FieldTripID {
				checkValue(t, bind(t, parsed(t, returnWith(p.Field, value)), rows), rows[1], 1, p, want)
			}
		})
	}
}

// checkValue checks that the row's trip of that number has the property's value
// from the third column, and that the explanation says so.
func checkValue(t *testing.T, b *Bound, row importer.Row, number int, p importer.Property, want string) {
	t.Helper()
	trip := b.Map(row, nil).Trips[number]
	if got := string(p.AppendValue(nil, &trip)); got != want {
		t.Errorf("the trip has %q, want %q: %v", got, want, sentences(b.Map(row, nil)))
	}
	if columns := trip.Origin.Columns(p.Field); !slices.ContainsFunc(columns, func(c importer.Column) bool { return c.Num == 3 }) {
		t.Errorf("the trip takes it for made of %v", columns)
	}
	explained := slices.ContainsFunc(b.Explain(row), func(e Explanation) bool {
		return e.Leg == trip.Leg && e.Field == p.Field && e.Value != "" && e.Rule != "" && len(e.Cells) > 0
	})
	if !explained {
		t.Errorf("the explanation does not have it: %+v", b.Explain(row))
	}
}

// mappingWith returns a mapping in which the field has the value and everything
// else that a mapping needs is constant.
func mappingWith(field importer.Field, value string) string {
	trip := map[importer.Field]string{
		importer.FieldProvider: "{const: P}", importer.FieldFundingSource: "{const: F}", importer.FieldTripID: "Trip",
		importer.FieldRiderID: "{const: R}", importer.FieldSpaceType: "{const: AMB}",
	}
	events := map[importer.Field]map[importer.Field]string{
		importer.FieldPickup:  {importer.FieldLatitude: "{const: 42.3}", importer.FieldLongitude: "{const: -83.2}"},
		importer.FieldDropoff: {importer.FieldLatitude: "{const: 42.4}", importer.FieldLongitude: "{const: -83.3}"},
	}
	if event, part := field.Split(); event != "" {
		events[event][part] = value
	} else {
		trip[part] = value
	}

	var b strings.Builder
	b.WriteString("mapping: 1\nname: x\nread: {header_row: 1}\ntrip:\n")
	for key, value := range trip {
		fmt.Fprintf(&b, "  %s: %s\n", key, value)
	}
	for event, parts := range events {
		fmt.Fprintf(&b, "  %s:\n", event)
		for key, value := range parts {
			fmt.Fprintf(&b, "    %s: %s\n", key, value)
		}
	}
	return b.String() + "  pickup_only: return\n"
}

// returnWith returns a mapping in which only the return has the field.
func returnWith(field importer.Field, value string) string {
	line := fmt.Sprintf("    %s: %s\n", field, value)
	if event, part := field.Split(); event != "" {
		line = fmt.Sprintf("    %s: {%s: %s}\n", event, part, value)
	}
	return mappingWith(importer.FieldTripID, "Trip") +
		"round_trip:\n  when: {flag: Back}\n  trip_id: {outbound: \"{trip_id}-A\", return: \"{trip_id}-B\"}\n  return:\n" + line
}
