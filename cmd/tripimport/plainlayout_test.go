package main

import (
	"fmt"
	"math"
	"strconv"

	"tripimport/importer"
)

// A plainColumn is a column of the layout that templates/plain.yaml maps, as the
// generated spreadsheets have it.
type plainColumn struct {
	header string
	kind   plainKind
	need   need
	width  float64 // characters
	// note tells people who fill in the blank workbook what goes in.
	note string
	// example is its value in the example row of the blank workbook.
	example any
}

// A plainKind is how a workbook types a column's cells.
type plainKind uint8

const (
	asText   plainKind = iota // also ids, ZIP codes and phones, which must stay as typed
	asDate                    // m/d/yyyy
	asTime                    // h:mm AM/PM
	asNumber                  // a count or a distance
	asDegree                  // a latitude or a longitude
)

// format returns the kind's number format in a workbook.
func (k plainKind) format() string {
	switch k {
	case asDate:
		return "m/d/yyyy"
	case asTime:
		return "h:mm AM/PM"
	case asNumber:
		return "General"
	case asDegree:
		return "0.0000##"
	case asText:
	}
	return "@"
}

// A need says whether a cell has to be filled in.
type need uint8

const (
	always    need = iota
	sometimes      // in rows that its note names
	optional
)

// plainLayout returns the columns of the plain layout, in the order of the blank
// workbook.
func plainLayout() []plainColumn {
	day, _ := importer.NewDate(2026, 12, 2)
	columns := []plainColumn{
		{"Trip ID", asText, always, 13, "Your own number for this trip. It must never repeat, not on another day either, and never change: it is how a trip is known later.", exampleID},
		{"Date", asDate, always, 11, "The day of the trip, such as 12/2/2026.", day},
		{"Rider ID", asText, always, 13, "The rider's number, as the transportation service knows it.", exampleID},
		{"Rider Phone", asText, optional, 16, "The rider's own phone, ten digits. A facility's phone goes to Pickup Phone or Dropoff Phone.", "(414) 555-0142"},
		{"Space Type", asText, always, 11, "The space that the rider needs: AMB walks, WCH travels in a wheelchair, STR on a stretcher.", "WCH"},
		{"Additional AMB", asNumber, optional, 11, "How many people come along who walk. The rider is not counted.", 1.0},
		{"Additional WCH", asNumber, optional, 11, "How many people come along in wheelchairs. The rider is not counted.", nil},
		{"Pickup Time", asTime, sometimes, 11, "When the rider is picked up, such as 8:30 AM. A trip with an appointment can do without. A pickup time alone makes a return: the rider is ready then. Leave it empty for a will call.", clockAt(8, 30)},
		{"Appointment Time", asTime, sometimes, 13, "When the rider has to be there, such as 9:30 AM. Empty for a return or a will call. After midnight, write the next day's date before the time.", clockAt(9, 30)},
		{"Will Call", asText, optional, 8, "Yes if the rider calls when ready. Such a trip has a date and no times.", nil},
		{"Round Trip", asText, optional, 8, "Yes if the rider is taken back as well: the row makes two trips, and the places change over.", "Yes"},
		{"Return Time", asTime, sometimes, 11, "When the rider of a round trip is ready to go back. Left empty, the way back is a will call.", clockAt(13, 45)},
	}

	columns = append(columns, eventColumns("Pickup", "the rider is picked up", "Ring the side bell", []any{nil, "418 Larkmoor Ave", "Apt 4", "Milwaukee", "WI", "53212", nil})...)
	columns = append(columns, eventColumns("Dropoff", "the rider is taken", "Entrance on Pinehurst Way", []any{"Harbor Kidney Center", "2200 Foundry St", "Suite 110", "Milwaukee", "WI", "53204", "(414) 555-0110"})...)
	return append(columns,
		plainColumn{"Provider", asText, always, 19, "The transportation provider, by the very name that `tripimport access` shows.", "Lakeshore Transit"},
		plainColumn{"Funding Source", asText, always, 21, "Who pays, by the very name that `tripimport access` shows.", "County Medicaid Plan"},
		plainColumn{"Distance", asNumber, optional, 9, "Miles to be billed. Leave it empty: the service works it out.", nil},
		plainColumn{"Cancelled", asText, optional, 10, "Yes if the trip is off: it is not booked. If it was booked earlier, you are told to cancel it.", nil},
		plainColumn{"Pickup Latitude", asDegree, sometimes, 11, degreesNote("43.0712"), 43.0712},
		plainColumn{"Pickup Longitude", asDegree, sometimes, 11, degreesNote("-87.9065, with its minus"), -87.9065},
		plainColumn{"Dropoff Latitude", asDegree, sometimes, 11, degreesNote("43.0231"), 43.0231},
		plainColumn{"Dropoff Longitude", asDegree, sometimes, 11, degreesNote("-87.9266, with its minus"), -87.9266},
	)
}

// exampleID is the trip id and the rider id of the example row of the blank workbook.
// The mapping leaves out a row in which both are this.
const exampleID = "EXAMPLE"

// eventColumns returns the columns of the pickup or the dropoff.
func eventColumns(end, what, notes string, example []any) []plainColumn {
	return []plainColumn{
		{end + " Name", asText, optional, 24, "The name of the place, if it has one.", example[0]},
		{end + " Address", asText, always, 24, "Street number and street where " + what + ".", example[1]},
		{end + " Address 2", asText, optional, 11, "Apartment, suite or room.", example[2]},
		{end + " City", asText, always, 14, "The city.", example[3]},
		{end + " State", asText, always, 8, "The state's two letters, such as WI.", example[4]},
		{end + " ZIP", asText, always, 11, "Five digits, or nine with a hyphen. A zero in front counts.", example[5]},
		{end + " Phone", asText, optional, 16, "The phone of the place, ten digits. The rider's own goes to Rider Phone.", example[6]},
		{end + " Notes", asText, optional, 30, "What the driver has to know there.", notes},
	}
}

// degreesNote returns the note of a latitude or longitude.
func degreesNote(like string) string {
	return "Degrees, such as " + like + ". Needed unless your places list has the address; leave both cells empty then."
}

// clockAt returns a time of day.
func clockAt(hour, minute int) importer.TimeOfDay {
	return importer.TimeOfDay{Hour: hour, Minute: minute}
}

// plainHeaders returns the headers in order.
func plainHeaders() []string {
	var headers []string
	for _, c := range plainLayout() {
		headers = append(headers, c.header)
	}
	return headers
}

// A plainRow has the values of a row by their headers: each is a string, a float64,
// an importer.Date or an importer.TimeOfDay. A missing one is a blank cell.
type plainRow map[string]any

// csvText returns the text of a value in a CSV file.
func csvText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case importer.Date:
		return fmt.Sprintf("%d/%d/%d", v.Month, v.Day, v.Year)
	case importer.TimeOfDay:
		half := "AM"
		if v.Hour >= 12 {
			half = "PM"
		}
		return fmt.Sprintf("%d:%02d %s", (v.Hour+11)%12+1, v.Minute, half)
	}
	panic(fmt.Sprintf("a plain row has no %T", value))
}

// workbookValue returns a value as a workbook has it: a date as its serial number, a
// time as a part of a day.
func workbookValue(value any) any {
	switch v := value.(type) {
	case importer.Date:
		return importer.Date{Year: 1899, Month: 12, Day: 30}.DaysUntil(v)
	case importer.TimeOfDay:
		const precision = 1e15 // fifteen digits, as spreadsheet programs have
		return math.Round(float64(v.Hour*60+v.Minute)/(24*60)*precision) / precision
	}
	return value
}

// workbookCell returns what the reader makes of a workbook's cell with that value.
func workbookCell(value any, kind plainKind) importer.Cell {
	cell := importer.Cell{Text: csvText(value), Format: kind.format()}
	if kind == asNumber { // the reader has no name for General
		cell.Format = ""
	}

	switch v := value.(type) {
	case nil:
		return importer.Cell{}
	case string:
		cell.Type = importer.Text
	case float64:
		cell.Type = importer.Number
	case importer.Date:
		cell.Type, cell.Text = importer.DateCell, v.String()
	case importer.TimeOfDay:
		cell.Type, cell.Text = importer.TimeCell, fmt.Sprintf("%02d:%02d:%02d", v.Hour, v.Minute, v.Second)
	}
	return cell
}
