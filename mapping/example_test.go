package mapping_test

import (
	"fmt"
	"log"

	"tripimport/importer"
	"tripimport/mapping"
)

// A mapping is parsed once, bound to each file, and then maps row after row.
func Example() {
	m, err := mapping.Parse("lakeshore.yaml", []byte(`
mapping: 1
broker: Lakeshore Health Plan
read: {dates: mdy}
trip:
  provider: {const: Lakeshore Transit}
  funding_source: {const: Lakeshore Health}
  trip_id: Trip Number
  rider_id: Member ID
  space_type: {column: Mobility, table: {Ambulatory: AMB, Wheelchair: WCH}}
  date: Date
  pickup: {address: From, pickup_time: Pickup}
  dropoff: {address: To}
  pickup_only: return
`), nil)
	if err != nil {
		log.Fatal(err) // every finding, with its line and column
	}
	rows := []importer.Row{
		row(1, "Trip Number", "Member ID", "Mobility", "Date", "From", "Pickup", "To"),
		row(2, "48213", "0045120987", "Wheelchair", "12/02/2026", "418 Larch Ave, Dearborn, MI 48124", "8:30 AM", "9 Oak St, Detroit, MI 48209"),
		row(3, "48214", "0045120988", "Walker", "12/02/2026", "77 Elm St, Detroit, MI 48201", "9:15 AM", "9 Oak St, Detroit, MI 48209"),
	}

	bound, err := m.Bind(rows, "lakeshore.csv")
	if err != nil {
		log.Fatal(err) // a column that the file does not have
	}
	for _, row := range rows[bound.HeaderRow():] {
		mapped := bound.Map(row, nil)
		for _, trip := range mapped.Trips {
			fmt.Printf("trip %s: %v at %v from %s\n", trip.ID, trip.Type, trip.Time(), trip.Pickup.City)
		}
		for _, p := range mapped.AllProblems() {
			fmt.Printf("%v: %s [%s]\n", p.Cells[0], p.Message, p.Code)
		}
	}
	// Output:
	// trip 48213: Return at 2026-12-02 08:30 from Dearborn
	// trip 48214: Return at 2026-12-02 09:15 from Detroit
	// line 3, column C (Mobility): "Walker" is not in the mapping's table [space-type-unknown]
}

// Parse reports everything that is wrong with a mapping at once.
func ExampleParse() {
	_, err := mapping.Parse("lakeshore.yaml", []byte(`mapping: 1
broker: Lakeshore Health Plan
trip:
  provdier: {const: Lakeshore Transit}
  pickup: [From]
`), nil)
	fmt.Println(err)
	// Output:
	// lakeshore.yaml:4:3: there is no key "provdier" here (did you mean "provider"?)
	// lakeshore.yaml:5:11: keys with values are wanted here, not a list (write lines with key: value below it, or {key: value})
}

func row(number int, texts ...string) importer.Row {
	r := importer.Row{File: "lakeshore.csv", Num: number, Width: len(texts)}
	for _, text := range texts {
		r.Cells = append(r.Cells, importer.Cell{Type: importer.Text, Text: text})
	}
	return r
}
