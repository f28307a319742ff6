package mapping

import (
	"fmt"
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
	"tripimport/mapping/values"
)

// An eventMaker finishes a pickup or a dropoff, whose texts are already there.
type eventMaker struct {
	field     importer.Field // pickup or dropoff, and the fields under it:
	fields    struct{ address1, latitude, longitude, zip importer.Field }
	whole     *value // an address to be taken apart
	lat, lng  *value
	both      *value // coordinates in one cell
	lngFirst  bool
	splitUnit bool
	zip       *value
}

// eventMaker compiles an event; its texts go to the leg's.
func (c *compiler) eventMaker(p *legMaker, at importer.Field, s *eventSpec) eventMaker {
	event := func(t *importer.Trip) *importer.Event { return &t.Pickup }
	if at == importer.FieldDropoff {
		event = func(t *importer.Trip) *importer.Event { return &t.Dropoff }
	}
	add := func(part importer.Field, s *source, target func(*importer.Event) *string, finish func(*rowContext, cellValue) string) {
		p.text(c, at.Of(part), s, func(t *importer.Trip) *string { return target(event(t)) }, finish)
	}
	add(importer.FieldEventName, s.EventName, func(e *importer.Event) *string { return &e.Name }, nil)
	add(importer.FieldEventComment, s.EventComment, func(e *importer.Event) *string { return &e.Comment }, nil)
	add(importer.FieldLocationName, s.LocationName, func(e *importer.Event) *string { return &e.LocationName }, nil)
	add(importer.FieldCompleteAddress, s.CompleteAddress, func(e *importer.Event) *string { return &e.CompleteAddress }, nil)
	add(importer.FieldAddress1, s.Address1, func(e *importer.Event) *string { return &e.Address1 }, nil)
	add(importer.FieldAddress2, s.Address2, func(e *importer.Event) *string { return &e.Address2 }, nil)
	add(importer.FieldCity, s.City, func(e *importer.Event) *string { return &e.City }, nil)
	add(importer.FieldState, s.State, func(e *importer.Event) *string { return &e.State }, stateCode)
	add(importer.FieldZip, s.Zip, func(e *importer.Event) *string { return &e.Zip }, nil)
	add(importer.FieldPhoneNumber, s.PhoneNumber, func(e *importer.Event) *string { return &e.Phone }, phoneDigits)
	plan := eventMaker{field: at, splitUnit: s.SplitUnit, whole: c.value(s.Address), lat: c.value(s.Latitude), lng: c.value(s.Longitude), zip: c.value(s.Zip)}
	plan.fields.address1, plan.fields.zip = at.Of(importer.FieldAddress1), at.Of(importer.FieldZip)
	plan.fields.latitude, plan.fields.longitude = at.Of(importer.FieldLatitude), at.Of(importer.FieldLongitude)
	if plan.whole != nil && (s.CompleteAddress != nil || s.Address1 != nil || s.City != nil || s.Zip != nil) {
		c.finding(s.Address.position, "address is the whole address, and parts of it stand beside it", "keep address alone, or its parts")
	}
	if s.Coordinates != nil {
		c.decoder.choice(s.Coordinates.Order, "lat_lng", "lng_lat")
		plan.both, plan.lngFirst = c.value(&s.Coordinates.source), s.Coordinates.Order.Value == "lng_lat"
		if plan.lat != nil || plan.lng != nil {
			c.finding(s.Coordinates.position, "coordinates and latitude or longitude stand here together", "keep one of them")
		}
	}
	plan.setOrigin(p)
	return plan
}

// setOrigin tells the columns of the address and of the position.
func (e *eventMaker) setOrigin(p *legMaker) {
	var address []importer.Column
	parts := []importer.Field{
		importer.FieldCompleteAddress, importer.FieldAddress1, importer.FieldAddress2,
		importer.FieldCity, importer.FieldState, importer.FieldZip,
	}
	if e.whole != nil {
		for _, part := range parts {
			p.origins[e.field.Of(part)] = unique(append(e.whole.columns[:len(e.whole.columns):len(e.whole.columns)], p.origins[e.field.Of(part)]...))
		}
	}
	if line := p.origins[e.field.Of(importer.FieldAddress1)]; e.splitUnit {
		unit := e.field.Of(importer.FieldAddress2)
		p.origins[unit] = unique(append(p.origins[unit][:len(p.origins[unit]):len(p.origins[unit])], line...))
	}
	for _, part := range parts {
		address = append(address, p.origins[e.field.Of(part)]...)
	}
	p.origins[e.field] = unique(address)
	p.setOrigin(e.field.Of(importer.FieldLatitude), e.lat)
	p.setOrigin(e.field.Of(importer.FieldLongitude), e.lng)
	if e.both != nil {
		p.setOrigin(e.field.Of(importer.FieldLatitude), e.both)
		p.setOrigin(e.field.Of(importer.FieldLongitude), e.both)
	}
}

// finish takes the address apart, restores the ZIP and reads the position.
func (e *eventMaker) finish(r *rowContext, event *importer.Event) {
	if e.whole != nil {
		r.field = e.fields.address1
		if f := e.whole.read(r); !f.bad && f.text != "" {
			fillAddress(event, f.text)
		}
	}
	if e.splitUnit && event.Address1 != "" {
		street, unit := cutUnit(event.Address1)
		event.Address1, event.Address2 = street, joinNonBlank(unit, event.Address2)
	}
	if e.zip != nil && event.Zip != "" {
		e.restoreZip(r, event)
	}
	switch {
	case e.both != nil:
		e.readBoth(r, &event.Position)
	case e.lat != nil || e.lng != nil:
		p := &event.Position
		p.Latitude, p.HasLatitude = readDegrees(r, e.lat, e.fields.latitude)
		p.Longitude, p.HasLongitude = readDegrees(r, e.lng, e.fields.longitude)
	}
}

// restoreZip puts the hyphen back into a nine-digit ZIP, and says so where it
// puts back a zero that a spreadsheet program has dropped.
func (e *eventMaker) restoreZip(r *rowContext, event *importer.Event) {
	zip, restored, ok := usps.NormalZIP(event.Zip, event.State)
	if !ok {
		return
	}
	if restored {
		r.field = e.fields.zip
		col := 0
		if len(e.zip.columns) > 0 {
			col = e.zip.columns[0].Num
		}
		r.notice(codeZip, fmt.Sprintf("the ZIP %s has lost its zero: %s is sent", event.Zip, zip), "keep ZIP codes as text in the export", col)
	}
	event.Zip = zip
}

func readDegrees(r *rowContext, v *value, field importer.Field) (float64, bool) {
	if v == nil {
		return 0, false
	}
	r.field = field
	f := v.read(r)
	if f.bad || f.text == "" {
		return 0, false
	}
	n, ok := values.Number(f.text)
	if !ok {
		n, ok = values.Number(strings.TrimRight(f.text, "° "))
	}
	if !ok {
		r.fault(codeNumber, fmt.Sprintf("%q is not a number of degrees", f.text), "write it as 42.2951 or -83.248", f.col)
	}
	return n, ok
}

// readBoth reads a latitude and a longitude that stand in one cell.
func (e *eventMaker) readBoth(r *rowContext, p *importer.Position) {
	r.field = e.fields.latitude
	f := e.both.read(r)
	if f.bad || f.text == "" {
		return
	}
	parts := strings.FieldsFunc(strings.Trim(f.text, "()[]"), func(x rune) bool { return strings.ContainsRune(",;/ ", x) })
	if len(parts) == 2 {
		first, ok := values.Number(parts[0])
		second, ok2 := values.Number(parts[1])
		if ok && ok2 {
			if e.lngFirst {
				first, second = second, first
			}
			*p = importer.Position{Latitude: first, Longitude: second, HasLatitude: true, HasLongitude: true}
			return
		}
	}
	r.fault(codeNumber, fmt.Sprintf("%q is not a latitude and a longitude", f.text), "write it as 42.2951, -83.248", f.col)
}
