package mapping

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
	"tripimport/mapping/values"
)

// A fieldMaker fills in a part of a trip that is made of one value.
type fieldMaker struct {
	field importer.Field // that its problems are about
	value *value
	fill  filler
}

// A filler sets a part of a trip to a value, which is not blank.
type filler func(*rowContext, cellValue, *importer.Trip)

// field compiles a field whose problems are about a field of the trip. It does nothing
// without a filler.
func (c *compiler) field(m *legMaker, field, about importer.Field, s *source, fill filler) {
	if fill == nil {
		return
	}
	v := c.value(s, useOf(field))
	m.setOrigin(about, v)
	m.fields = append(m.fields, fieldMaker{about, v, fill})
}

// fillerOf returns what fills in a field; nil for the trip's id and its times, and for what
// fields of an event become together.
func fillerOf(f importer.Field) filler {
	i := slices.IndexFunc(importer.TripProperties(), func(p importer.Property) bool { return p.Field == f })
	event, part := f.Split()
	switch {
	case f == importer.FieldBillableDistance:
		return fillDistance
	case f == FieldLinkedBy:
		return func(_ *rowContext, v cellValue, t *importer.Trip) { t.Link = values.FoldCase(v.text) }
	case f == importer.FieldTripID, i < 0, importer.TripProperties()[i].Text == nil:
		return nil
	}

	text := importer.TripProperties()[i].Text
	switch part {
	case importer.FieldState:
		return func(_ *rowContext, v cellValue, t *importer.Trip) { *text(t) = normalState(v.text) }
	case importer.FieldZip:
		return func(r *rowContext, v cellValue, t *importer.Trip) {
			*text(t) = normalZIP(r, v, eventOf(t, event).State)
		}
	case importer.FieldPhone, importer.FieldPhoneNumber:
		return func(r *rowContext, v cellValue, t *importer.Trip) { *text(t) = normalPhone(r, v) }
	}
	return func(_ *rowContext, v cellValue, t *importer.Trip) { *text(t) = v.text }
}

func eventOf(t *importer.Trip, event importer.Field) *importer.Event {
	if event == importer.FieldPickup {
		return &t.Pickup
	}
	return &t.Dropoff
}

// fillDistance fills in the distance in miles.
func fillDistance(r *rowContext, v cellValue, t *importer.Trip) {
	n, ok := values.Distance(v.text)
	if !ok || n < 0 {
		r.report("number-unreadable", fmt.Sprintf("%q is not a distance", v.text), "write a number, or leave the cell empty", v.col)
		return
	}
	t.BillableDistance = importer.Miles{Value: n, Given: true}
}

// event compiles the address and the position of a pickup or a dropoff whose other fields
// are compiled.
func (c *compiler) event(m *legMaker, event importer.Field, s *locationSpec) {
	if s.Address != nil {
		if s.CompleteAddress != nil || s.Address1 != nil || s.City != nil || s.Zip != nil {
			c.finding(s.Address.position, "address is the whole address, and its parts are given too", "keep address alone, or its parts")
		}
		c.field(m, event.Of(FieldAddress), event.Of(importer.FieldAddress1), s.Address, func(_ *rowContext, v cellValue, t *importer.Trip) {
			fillAddress(eventOf(t, event), v.text)
		})
	}
	m.setAddressOrigin(event, s.Address != nil)

	latitude, longitude := event.Of(importer.FieldLatitude), event.Of(importer.FieldLongitude)
	switch position := s.Coordinates; {
	case position == nil:
	case len(position.Column.Several) == 2:
		c.field(m, latitude, latitude, position.part(0), func(r *rowContext, v cellValue, t *importer.Trip) {
			p := &eventOf(t, event).Position
			p.Latitude, p.HasLatitude = readDegrees(r, v)
		})
		c.field(m, longitude, longitude, position.part(1), func(r *rowContext, v cellValue, t *importer.Trip) {
			p := &eventOf(t, event).Position
			p.Longitude, p.HasLongitude = readDegrees(r, v)
		})
	case position.Column.Several != nil:
		c.finding(position.position, "coordinates are one column, or the latitude and the longitude", "write coordinates: [Latitude, Longitude]")
	default:
		c.field(m, latitude, latitude, position, func(r *rowContext, v cellValue, t *importer.Trip) {
			fillCoordinates(r, v, &eventOf(t, event).Position)
		})
		m.origins[longitude] = m.origins[latitude]
	}
}

// setAddressOrigin sets the columns of an event's address. A whole one is the origin of each of
// its parts.
func (m *legMaker) setAddressOrigin(event importer.Field, isWhole bool) {
	var address []importer.Column
	whole := m.origins[event.Of(importer.FieldAddress1)]
	for _, part := range []importer.Field{
		importer.FieldCompleteAddress, importer.FieldAddress1, importer.FieldAddress2,
		importer.FieldCity, importer.FieldState, importer.FieldZip,
	} {
		field := event.Of(part)
		if isWhole {
			m.origins[field] = distinctColumns(slices.Concat(whole, m.origins[field]))
		}
		address = append(address, m.origins[field]...)
	}
	m.origins[event] = distinctColumns(address)
}

// normalZIP puts the hyphen into a ZIP of nine digits. If it restores a zero that a
// spreadsheet program has dropped, it adds a notice.
func normalZIP(r *rowContext, v cellValue, state string) string {
	zip, restored, ok := usps.NormalZIP(v.text, state)
	if !ok {
		return v.text
	}
	if restored {
		r.report("zip-restored", fmt.Sprintf("the ZIP %s has lost its zero: %s is sent", v.text, zip), "keep ZIP codes as text in the export", v.col)
	}
	return zip
}

// readDegrees reads a latitude or a longitude.
func readDegrees(r *rowContext, v cellValue) (float64, bool) {
	text := v.text
	if text[len(text)-1] > '9' {
		text = strings.TrimRight(text, "° ")
	}
	n, ok := values.Number(text)
	if !ok {
		r.report("number-unreadable", fmt.Sprintf("%q is not a number of degrees", v.text), "write it as 42.2951 or -83.248, with a point", v.col)
	}
	return n, ok
}

// fillCoordinates reads a latitude and a longitude that stand in one cell.
func fillCoordinates(r *rowContext, v cellValue, p *importer.Position) {
	read, ok := PositionOf(v.text)
	if !ok {
		r.report("number-unreadable", fmt.Sprintf("%q is not a latitude and a longitude", v.text), "write it as 42.2951, -83.248", v.col)
		return
	}
	*p = read
}

// PositionOf reads a latitude and a longitude that stand in one text, in either order.
func PositionOf(text string) (p importer.Position, ok bool) {
	parts := strings.FieldsFunc(strings.Trim(text, "()[]"), func(x rune) bool { return strings.ContainsRune(",;/ ", x) })
	if len(parts) != 2 {
		return p, false
	}
	first, ok := values.Number(parts[0])
	second, ok2 := values.Number(parts[1])
	if isLongitude(first) && !isLongitude(second) {
		first, second = second, first
	}
	return importer.Position{Latitude: first, Longitude: second, HasLatitude: true, HasLongitude: true}, ok && ok2
}

// isLongitude reports whether degrees are a longitude of the United States, which is beyond
// any of its latitudes.
func isLongitude(degrees float64) bool { return degrees < -60 }
