package main

import (
	"maps"
	"slices"
	"strconv"
)

// A faultRow is a row of testdata/faults.csv: a good trip with something wrong
// planted in it.
type faultRow struct {
	// notes says what is wrong with the row.
	notes string
	// cells are the values in which the row differs from a good row.
	cells map[string]string
	// extra adds a field at the end of the line.
	extra bool
	// plain lists what a check with the plain template finds, each as code@Header.
	// A notice has a question mark after its code; a problem of the whole line has
	// no header.
	plain []string
	// strict lists what a check with testdata/faults.yaml finds; nil for the same.
	strict []string
}

// strictOnly are the columns that faults.yaml maps and the plain template does
// not.
func strictOnly() []string {
	return []string{"Status", "Visit", "Rider Name", "Order", "Order Leg", "Dropoff Full Address"}
}

// faultHeaders returns the headers of faults.csv. The first column says what is wrong
// with the row.
func faultHeaders() []string {
	return slices.Concat([]string{"Notes"}, plainHeaders(), strictOnly())
}

// firstFaultLine is the line of faults.csv on which the first planted row is.
const firstFaultLine = 2

// goodCells returns the cells of a trip without a fault. Each line has a rider of its
// own.
func goodCells(line int) map[string]string {
	n := strconv.Itoa(1000 + line)[1:]
	return map[string]string{
		"Trip ID": "F-" + n, "Date": "2026-12-02", "Rider ID": "R-" + n, "Rider Phone": "(414) 555-0121", "Space Type": "AMB",
		"Pickup Time": "8:30 AM", "Appointment Time": "9:30 AM",
		"Pickup Address": "418 Larkmoor Ave", "Pickup City": "Milwaukee", "Pickup State": "WI", "Pickup ZIP": "53212",
		"Pickup Latitude": "43.0712", "Pickup Longitude": "-87.9065",
		"Dropoff Name": "Harbor Kidney Center", "Dropoff Address": "2200 Foundrygate St", "Dropoff Address 2": "Suite 110",
		"Dropoff City": "Milwaukee", "Dropoff State": "WI", "Dropoff ZIP": "53204", "Dropoff Phone": "(414) 555-0110",
		"Dropoff Latitude": "43.0231", "Dropoff Longitude": "-87.9266",
		"Provider": "Lakeshore Transit", "Funding Source": "County Medicaid Plan",
	}
}

// faultCells returns the cells of the i-th planted row.
func faultCells(i int, row faultRow) map[string]string {
	cells := goodCells(firstFaultLine + i)
	maps.Copy(cells, row.cells)
	cells["Notes"] = row.notes
	return cells
}

// planting returns cells from pairs of a header and a value.
func planting(pairs ...string) map[string]string {
	cells := map[string]string{}
	for pair := range slices.Chunk(pairs, 2) {
		cells[pair[0]] = pair[1]
	}
	return cells
}

// just returns a list of one problem.
func just(problem string) []string { return []string{problem} }

// nothing returns the list of a row in which no problem is found; it is not nil.
func nothing() []string { return []string{} }

// faultRows returns the rows of faults.csv.
func faultRows() []faultRow {
	return slices.Concat(missingRows(), timeRows(), placeRows(), textRows(), duplicateRows(), unreadableRows(), strictRows())
}

func missingRows() []faultRow {
	return []faultRow{
		{notes: "no transportation provider", cells: planting("Provider", ""), plain: just("value-missing@Provider")},
		{notes: "no funding source", cells: planting("Funding Source", ""), plain: just("value-missing@Funding Source")},
		{notes: "no trip id", cells: planting("Trip ID", ""), plain: just("value-missing@Trip ID")},
		{notes: "no rider id", cells: planting("Rider ID", ""), plain: just("value-missing@Rider ID")},
		{notes: "no space type", cells: planting("Space Type", ""), plain: just("value-missing@Space Type")},
		{notes: "a space type that the mapping does not have", cells: planting("Space Type", "Gurney"), plain: just("space-type-unknown@Space Type")},
		{
			notes: "no time at all, and no will call", cells: planting("Pickup Time", "", "Appointment Time", ""),
			plain: just("time-missing@Appointment Time"),
		},
	}
}

func timeRows() []faultRow {
	return []faultRow{
		{
			notes: "a pickup at 23:59 that is not marked as a will call", cells: planting("Pickup Time", "11:59 PM", "Appointment Time", ""),
			plain: just("will-call-undeclared@Pickup Time"), strict: []string{"will-call-undeclared@Pickup Time", "pickup-only@Pickup Time"},
		},
		{notes: "picked up after the appointment", cells: planting("Pickup Time", "10:30 AM"), plain: just("pickup-after-appointment@Pickup Time")},
		{notes: "picked up 13 hours before the appointment (a notice)", cells: planting("Appointment Time", "9:30 PM"), plain: just("pickup-long-before-appointment?@Pickup Time")},
		{notes: "an appointment at midnight (a notice)", cells: planting("Pickup Time", "", "Appointment Time", "0:00"), plain: just("time-midnight?@Appointment Time")},
		{notes: "a day that is past", cells: planting("Date", "2026-11-30"), plain: just("date-past@Date")},
		{notes: "a day a year off", cells: planting("Date", "2027-12-02"), plain: just("date-far@Date")},
		{notes: "fetched back before the appointment", cells: planting("Round Trip", "Yes", "Return Time", "9:00 AM"), plain: just("return-before-appointment@Return Time")},
		{notes: "fetched back on the next day (a notice)", cells: planting("Round Trip", "Yes", "Return Time", "2026-12-03 1:45 PM"), plain: just("return-on-another-day?@Return Time")},
		{notes: "a will call with a time beside it (a notice)", cells: planting("Will Call", "Yes", "Appointment Time", ""), plain: just("will-call-time?@Pickup Time")},
		{notes: "a return time, and no round trip (a notice)", cells: planting("Return Time", "1:45 PM"), plain: just("return-time-unused?@Return Time")},
	}
}

func placeRows() []faultRow {
	return []faultRow{
		{
			notes: "no pickup address, though its coordinates", cells: planting("Pickup Address", "", "Pickup City", "", "Pickup State", "", "Pickup ZIP", ""),
			plain: just("address-missing@Pickup Address"),
		},
		{
			notes: "neither a pickup address nor coordinates",
			cells: planting("Pickup Address", "", "Pickup City", "", "Pickup State", "", "Pickup ZIP", "", "Pickup Latitude", "", "Pickup Longitude", ""),
			plain: just("address-missing@Pickup Address"), // which is why there are no coordinates
		},
		{notes: "a dropoff without its city", cells: planting("Dropoff City", ""), plain: just("address-incomplete@Dropoff City")},
		{notes: "a state that is not one", cells: planting("Pickup State", "Wisc"), plain: just("state-unknown@Pickup State")},
		{notes: "a ZIP of three digits", cells: planting("Pickup ZIP", "532"), plain: just("zip-shape@Pickup ZIP")},
		{notes: "a ZIP of Illinois in Wisconsin (a notice)", cells: planting("Pickup ZIP", "60601"), plain: just("zip-not-in-state?@Pickup ZIP")},
		{
			notes: "a ZIP of Massachusetts that has lost its zero (a notice)",
			cells: planting("Pickup City", "Somerville", "Pickup State", "MA", "Pickup ZIP", "2144", "Pickup Latitude", "42.3905", "Pickup Longitude", "-71.1117",
				"Dropoff City", "Boston", "Dropoff State", "MA", "Dropoff ZIP", "02109", "Dropoff Latitude", "42.3612", "Dropoff Longitude", "-71.0531"),
			plain: just("zip-restored?@Pickup ZIP"),
		},
		{notes: "an address that nothing has coordinates for", cells: planting("Pickup Latitude", "", "Pickup Longitude", ""), plain: just("position-unknown@Pickup Address")},
		{notes: "a latitude without its longitude", cells: planting("Pickup Longitude", ""), plain: just("position-wrong@Pickup Longitude")},
		{notes: "coordinates 0, 0", cells: planting("Pickup Latitude", "0", "Pickup Longitude", "0"), plain: just("position-wrong@Pickup Latitude")},
		{notes: "a latitude that the globe does not have", cells: planting("Pickup Latitude", "143.0712"), plain: just("position-wrong@Pickup Latitude")},
		{notes: "latitude and longitude exchanged", cells: planting("Pickup Latitude", "-87.9065", "Pickup Longitude", "43.0712"), plain: just("position-wrong@Pickup Latitude")},
		{notes: "a longitude without its minus, in China", cells: planting("Pickup Longitude", "87.9065"), plain: just("position-wrong@Pickup Latitude")},
		{
			notes: "an address in Milwaukee with coordinates in Chicago", cells: planting("Pickup Latitude", "41.8781", "Pickup Longitude", "-87.6298"),
			plain: just("position-wrong@Pickup Latitude"),
		},
		{notes: "coordinates of one decimal", cells: planting("Pickup Latitude", "43.1", "Pickup Longitude", "-87.9"), plain: just("position-wrong@Pickup Latitude")},
		{notes: "a distance below zero", cells: planting("Distance", "-4"), plain: just("number-unreadable@Distance")},
	}
}

func textRows() []faultRow {
	return []faultRow{
		{notes: "a phone without its area code (a notice)", cells: planting("Rider Phone", "555-0121"), plain: just("phone-shape?@Rider Phone")},
		{notes: "a phone with an extension (a notice)", cells: planting("Dropoff Phone", "(414) 555-0110 x12"), plain: just("phone-extension?@Dropoff Phone")},
		{notes: "a trip id with a soft hyphen, which can't be seen", cells: planting("Trip ID", "F-\u00adhidden"), plain: just("id-unusable@Trip ID")},
		{notes: "a rider id that is a question mark", cells: planting("Rider ID", "?"), plain: just("id-unusable@Rider ID")},
		{notes: "a letter that was lost on the way (a notice)", cells: planting("Dropoff Name", "Ca\ufffdon Kidney Center"), plain: just("text-unusual?@Dropoff Name")},
	}
}

func duplicateRows() []faultRow {
	return []faultRow{
		{notes: "the trip id of the next row", cells: planting("Trip ID", "F-twice"), plain: just("trip-id-twice@Trip ID")},
		{notes: "the trip id of the row above", cells: planting("Trip ID", "F-twice"), plain: just("trip-id-twice@Trip ID")},
		{notes: "the trip id of the next row, which is cancelled", cells: planting("Trip ID", "F-off"), plain: just("trip-id-cancelled@Trip ID")},
		{notes: "cancelled: left out", cells: planting("Trip ID", "F-off", "Cancelled", "Yes"), plain: nothing()},
		{notes: "the trip id of the next row, which is left out", cells: planting("Trip ID", exampleID), plain: nothing()},
		{notes: "the blank workbook's example: left out", cells: planting("Trip ID", exampleID, "Rider ID", exampleID), plain: nothing()},
		{notes: "the next row's rider, places and time", cells: planting("Rider ID", "R-double"), plain: just("double-booking@Rider ID")},
		{notes: "the rider, places and time of the row above", cells: planting("Rider ID", "R-double", "Pickup Time", "8:40 AM"), plain: just("double-booking@Rider ID")},
		{notes: "the next row's trip id, rider and day, with zeros before its number", cells: planting("Trip ID", "F-00777", "Rider ID", "R-respelt"), plain: just("trip-id-twice@Trip ID")},
		{notes: "the trip id of the row above without its zeros, three hours later", cells: planting("Trip ID", "F-777", "Rider ID", "R-respelt", "Pickup Time", "11:30 AM", "Appointment Time", "12:30 PM"), plain: just("trip-id-twice@Trip ID")},
		{notes: "the next row, as one trip", cells: planting("Trip ID", "F-shapes", "Rider ID", "R-shapes"), plain: just("row-twice@Trip ID")},
		{notes: "the row above, as a round trip three hours later", cells: planting("Trip ID", "F-shapes", "Rider ID", "R-shapes", "Pickup Time", "11:30 AM", "Appointment Time", "12:30 PM", "Round Trip", "Yes", "Return Time", "2:30 PM"), plain: just("row-twice@Trip ID")},
	}
}

func unreadableRows() []faultRow {
	return []faultRow{
		{notes: "a field too many in the line", extra: true, plain: just("row-ragged@")},
		{notes: "neither yes nor no", cells: planting("Will Call", "maybe"), plain: just("flag-unknown@Will Call")},
		{notes: "a trip id that a spreadsheet program has made a number", cells: planting("Trip ID", "4.8213E+11"), plain: just("id-damaged@Trip ID")},
		{notes: "not a date", cells: planting("Date", "TBD"), plain: just("date-unreadable@Date")},
		{notes: "a Wednesday that is called a Monday", cells: planting("Date", "Monday, 2026-12-02"), plain: just("date-contradicts@Date")},
		{notes: "no date", cells: planting("Date", ""), plain: just("date-missing@Date")},
		{notes: "not a time", cells: planting("Appointment Time", "after lunch"), plain: just("time-unreadable@Appointment Time")},
		{notes: "a span of time", cells: planting("Pickup Time", "8:30-9:00"), plain: just("time-unreadable@Pickup Time")},
		{notes: "a time with an offset", cells: planting("Appointment Time", "2026-12-02T09:30:00-06:00"), plain: just("time-offset@Appointment Time")},
		{notes: "not a distance", cells: planting("Distance", "about 12"), plain: just("number-unreadable@Distance")},
		{notes: "not a number of passengers", cells: planting("Additional AMB", "two"), plain: just("number-unreadable@Additional AMB")},
	}
}

// strictRows returns rows with problems that only faults.yaml finds. With the plain
// template they are good rows, or rows with another problem.
func strictRows() []faultRow {
	return []faultRow{
		{notes: "faults.yaml: a date whose order is not declared", cells: planting("Date", "12/3/2026"), plain: nothing(), strict: just("date-order-undeclared@Date")},
		{
			notes: "faults.yaml: a time that daylight saving skips", cells: planting("Date", "2027-03-14", "Pickup Time", "2:30 AM", "Appointment Time", "4:00 AM"),
			plain: nothing(), strict: just("time-skipped@Pickup Time"),
		},
		{notes: "faults.yaml: a pickup time alone", cells: planting("Appointment Time", ""), plain: nothing(), strict: just("pickup-only@Pickup Time")},
		{
			notes: "faults.yaml: a whole address and its parts", cells: planting("Dropoff Full Address", "2200 Foundrygate St, Milwaukee, WI 53204"),
			plain: nothing(), strict: just("address-both-styles@Dropoff Full Address"),
		},
		{
			notes: "faults.yaml: a pickup time with another date than the row's", cells: planting("Pickup Time", "2026-12-03 8:30 AM"),
			plain: just("date-contradicts@Pickup Time"),
		},
		{notes: "faults.yaml: a round trip without a time for the way back", cells: planting("Round Trip", "Yes"), plain: nothing(), strict: just("return-time-missing@Return Time")},
		{notes: "faults.yaml: a pickup time alone", cells: planting("Appointment Time", ""), plain: nothing(), strict: just("pickup-only@Pickup Time")},
		{notes: "faults.yaml: a status that the mapping does not know", cells: planting("Status", "pending"), plain: nothing(), strict: just("word-new?@Status")},
		{
			notes: "faults.yaml: a rider who is not in the list", cells: planting("Rider ID", "", "Rider Name", "Unlisted, Thaddeus"),
			plain: just("value-missing@Rider ID"), strict: just("rider-unknown@Rider Name"),
		},
		{notes: "faults.yaml: a funding source that is not in the table", cells: planting("Funding Source", "Conty Medicaid Plan"), plain: nothing(), strict: just("not-in-table@Funding Source")},
		{notes: "faults.yaml: a trip id that does not look like one", cells: planting("Trip ID", "X-1"), plain: nothing(), strict: just("id-shape@Trip ID")},
		{
			notes: "faults.yaml: a trip id of two parts, one of them blank", cells: planting("Trip ID", "", "Order", "F-900"),
			plain: just("value-missing@Trip ID"), strict: just("id-part-missing@Order Leg"),
		},
	}
}
