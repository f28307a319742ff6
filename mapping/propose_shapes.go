package mapping

import (
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// looks says which part of a column's values have the shape that a field's
// values have; known is false where the column is blank, or a field has no
// shape.
func looks(field importer.Field, values []found) (share float64, known bool) {
	fits := shapeOf(field)
	if fits == nil {
		return 0, false
	}
	n, fitting := 0, 0
	for _, v := range values {
		if v.text == "" {
			continue
		}
		n++
		if fits(v) {
			fitting++
		}
	}
	if n == 0 {
		return 0, false
	}
	return float64(fitting) / float64(n), true
}

// shapeOf gives the test for a field's values; nil where anything may stand
// there.
func shapeOf(field importer.Field) func(found) bool {
	_, part, under := strings.Cut(string(field), ".") // "pickup.city" has the shape of a city
	if !under {
		part = string(field)
	}
	anyDates := &values.DateFormats{Order: "mdy", Compact: []string{"YYYYMMDD"}, Serials: 1900, Offsets: "keep"}
	switch importer.Field(part) {
	case fieldDate:
		return func(f found) bool {
			_, t, bad := anyDates.DateTime(f.text)
			return bad == nil && (t == nil || *t == importer.TimeOfDay{})
		}
	case importer.FieldPickupTime, importer.FieldApptTime:
		return func(f found) bool {
			_, _, bad := anyDates.Time(f.typ, f.text, "start")
			return bad == nil || strings.Contains(strings.ToLower(f.text), "call")
		}
	case "return.pickup_time": // 0 stands there for no time
		return func(f found) bool {
			_, t, bad := anyDates.Time(f.typ, f.text, "start")
			return bad == nil && t != importer.TimeOfDay{}
		}
	case importer.FieldPhone, importer.FieldPhoneNumber:
		return func(f found) bool { n := len(values.OnlyDigits(f.text)); return n == 7 || n == 10 || n == 11 }
	case importer.FieldZip:
		return func(f found) bool {
			n := len(values.OnlyDigits(f.text))
			return (n >= 3 && n <= 5 || n == 9) && n >= len(f.text)-1
		}
	case importer.FieldState:
		return func(f found) bool { return isState(f.text) }
	case importer.FieldLatitude, importer.FieldLongitude:
		return func(f found) bool {
			n, ok := values.Number(f.text)
			return ok && n != 0 && (n > 0) == (part == "latitude") && strings.Contains(f.text, ".")
		}
	case fieldWillCall, fieldRoundTrip:
		return func(f found) bool { _, known := values.Flag(f.text); return known }
	case importer.FieldBillableDistance:
		return func(f found) bool { _, ok := values.Distance(f.text); return ok }
	case importer.FieldAdditional:
		return func(f found) bool { _, ok := values.Count(f.text); return ok }
	case fieldAddress:
		return func(f found) bool { return len(f.text) > 8 && strings.ContainsAny(f.text, "0123456789") }
	case importer.FieldTripID, importer.FieldRiderID:
		return func(f found) bool {
			_, t, noDate := anyDates.DateTime(f.text)
			return strings.ContainsAny(f.text, "0123456789") && !strings.Contains(f.text, ", ") &&
				f.typ != importer.DateCell && (noDate != nil || t != nil || values.AllDigits(f.text))
		}
	}
	return nil
}
