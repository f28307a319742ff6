package mapping

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
	"tripimport/mapping/values"
)

// An eventMaker completes a pickup or a dropoff whose texts the leg's maker has
// filled in.
type eventMaker struct {
	event                              importer.Field // pickup or dropoff; the fields under it are:
	address1, zip, latitude, longitude importer.Field
	zipCol                             int // the first column of the ZIP; 0 if there is none

	whole       *value // an address that is split into its parts
	lat, lng    *value
	coordinates *value // latitude and longitude in one cell
}

// event compiles a pickup or a dropoff.
func (c *compiler) event(m *legMaker, event importer.Field, s *locationSpec) eventMaker {
	e := eventMaker{
		event: event, address1: event.Of(importer.FieldAddress1), zip: event.Of(importer.FieldZip),
		latitude: event.Of(importer.FieldLatitude), longitude: event.Of(importer.FieldLongitude),
		whole: c.value(s.Address, useOf(event.Of(FieldAddress))),
	}
	if e.whole != nil && (s.CompleteAddress != nil || s.Address1 != nil || s.City != nil || s.Zip != nil) {
		c.finding(s.Address.position, "address is the whole address, and its parts are given too", "keep address alone, or its parts")
	}

	switch position := s.Coordinates; {
	case position == nil:
	case len(position.Column.Several) == 2:
		e.lat, e.lng = c.value(position.part(0), useOf(e.latitude)), c.value(position.part(1), useOf(e.longitude))
	case position.Column.Several != nil:
		c.finding(position.position, "coordinates are one column, or the latitude and the longitude", "write coordinates: [Latitude, Longitude]")
	default:
		e.coordinates = c.value(position, useOf(e.latitude))
	}

	e.setOrigins(m)
	return e
}

// setOrigins sets the columns of the address and of the position.
func (e *eventMaker) setOrigins(m *legMaker) {
	parts := []importer.Field{
		importer.FieldCompleteAddress, importer.FieldAddress1, importer.FieldAddress2,
		importer.FieldCity, importer.FieldState, importer.FieldZip,
	}
	if e.whole != nil {
		for _, part := range parts {
			field := e.event.Of(part)
			m.origins[field] = distinctColumns(slices.Concat(e.whole.columns, m.origins[field]))
		}
	}

	if columns := m.origins[e.zip]; len(columns) > 0 {
		e.zipCol = columns[0].Num
	}
	var address []importer.Column
	for _, part := range parts {
		address = append(address, m.origins[e.event.Of(part)]...)
	}
	m.origins[e.event] = distinctColumns(address)

	m.setOrigin(e.latitude, e.lat)
	m.setOrigin(e.longitude, e.lng)
	m.setOrigin(e.latitude, e.coordinates)
	m.setOrigin(e.longitude, e.coordinates)
}

// fill splits the address, normalizes the ZIP and fills in the position.
func (e *eventMaker) fill(r *rowContext, event *importer.Event) {
	if e.whole != nil {
		r.field = e.address1
		if v := e.whole.read(r); !v.bad && v.text != "" {
			fillAddress(event, v.text)
		}
	}

	if e.whole == nil && event.Zip != "" {
		e.normalizeZIP(r, event)
	}

	switch {
	case e.coordinates != nil:
		e.fillCoordinates(r, &event.Position)
	case e.lat != nil || e.lng != nil:
		p := &event.Position
		p.Latitude, p.HasLatitude = readDegrees(r, e.lat, e.latitude)
		p.Longitude, p.HasLongitude = readDegrees(r, e.lng, e.longitude)
	}
}

// normalizeZIP puts the hyphen into a ZIP of nine digits. If it restores a zero
// that a spreadsheet program has dropped, it adds a notice.
func (e *eventMaker) normalizeZIP(r *rowContext, event *importer.Event) {
	zip, restored, ok := usps.NormalZIP(event.Zip, event.State)
	if !ok {
		return
	}

	if restored {
		r.field = e.zip
		r.report("zip-restored", fmt.Sprintf("the ZIP %s has lost its zero: %s is sent", event.Zip, zip), "keep ZIP codes as text in the export", e.zipCol)
	}

	event.Zip = zip
}

// readDegrees reads a latitude or a longitude. A nil value reads nothing.
func readDegrees(r *rowContext, v *value, field importer.Field) (float64, bool) {
	if v == nil {
		return 0, false
	}

	r.field = field
	cell := v.read(r)
	if cell.bad || cell.text == "" {
		return 0, false
	}

	text := cell.text
	if text[len(text)-1] > '9' {
		text = strings.TrimRight(text, "° ")
	}
	n, ok := values.Number(text)
	if !ok {
		fix := "write it as 42.2951 or -83.248"
		if _, ok := values.Number(strings.Replace(cell.text, ",", ".", 1)); ok {
			fix = "write it with a point in place of the comma, " + strings.Replace(cell.text, ",", ".", 1) + ", or save the schedule as an .xlsx workbook"
		}
		r.report("number-unreadable", fmt.Sprintf("%q is not a number of degrees", cell.text), fix, cell.col)
	}
	return n, ok
}

// fillCoordinates reads a latitude and a longitude that stand in one cell.
func (e *eventMaker) fillCoordinates(r *rowContext, p *importer.Position) {
	r.field = e.latitude
	v := e.coordinates.read(r)
	if v.bad || v.text == "" {
		return
	}

	parts := strings.FieldsFunc(strings.Trim(v.text, "()[]"), func(x rune) bool { return strings.ContainsRune(",;/ ", x) })
	if len(parts) == 2 {
		first, ok := values.Number(parts[0])
		second, ok2 := values.Number(parts[1])
		if ok && ok2 {
			if isLongitude(first) && !isLongitude(second) {
				first, second = second, first
			}
			*p = importer.Position{Latitude: first, Longitude: second, HasLatitude: true, HasLongitude: true}
			return
		}
	}

	r.report("number-unreadable", fmt.Sprintf("%q is not a latitude and a longitude", v.text), "write it as 42.2951, -83.248", v.col)
}

// isLongitude reports whether degrees are a longitude of the United States, which is beyond
// any of its latitudes.
func isLongitude(degrees float64) bool { return degrees < -60 }
