package propose

import (
	"math"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/values"
)

// share returns which share of the cells fits; 0 where there are none.
func oldShare(cells []cell, fits func(cell) bool) float64 {
	n := 0
	for _, c := range cells {
		if fits(c) {
			n++
		}
	}
	return float64(n) / math.Max(float64(len(cells)), 1)
}

// shareThatFits returns which share of a column's values has the shape of the
// field's values. It is not known where the column is blank or the field has no
// shape.
func shareThatFits(field importer.Field, cells []cell) (part float64, known bool) {
	fits := shapeOf(field)
	var given []cell
	for _, c := range cells {
		if c.text != "" {
			given = append(given, c)
		}
	}
	if fits == nil || len(given) == 0 {
		return 0, false
	}
	return oldShare(given, fits), true
}

// shapeOf returns the test for a field's values; nil where any text may stand
// there. The part of an event has the same shape on either side of the trip.
func shapeOf(field importer.Field) func(cell) bool {
	if field == mapping.FieldReturnTime {
		return oldIsReturnTime
	}
	_, part := field.Split()
	return map[importer.Field]func(cell) bool{
		importer.FieldDate:             oldIsDate,
		importer.FieldPickupTime:       oldIsTimeOrCall,
		importer.FieldApptTime:         oldIsTimeOrCall,
		importer.FieldPhone:            oldIsPhone,
		importer.FieldPhoneNumber:      oldIsPhone,
		importer.FieldZip:              oldIsZIP,
		importer.FieldState:            func(c cell) bool { return len(c.text) == 2 && !strings.ContainsFunc(c.text, isNoLetter) },
		importer.FieldLatitude:         func(c cell) bool { n, ok := oldDegrees(c); return ok && n > 0 },
		importer.FieldLongitude:        func(c cell) bool { n, ok := oldDegrees(c); return ok && n < 0 },
		mapping.FieldWillCall:          oldIsFlag,
		mapping.FieldRoundTrip:         oldIsFlag,
		importer.FieldBillableDistance: func(c cell) bool { _, ok := values.Distance(c.text); return ok },
		importer.FieldAdditional:       func(c cell) bool { _, ok := values.Count(c.text); return ok },
		mapping.FieldAddress:           func(c cell) bool { return len(c.text) > 8 && oldHasDigit(c.text) },
		importer.FieldTripID:           oldIsID,
		importer.FieldRiderID:          oldIsID,
	}[part]
}

// oldAnyDates reads dates and times in every form that can be told from a number.
func oldAnyDates() *values.DateFormats {
	return &values.DateFormats{Order: "mdy", Compact: []string{"YYYYMMDD"}, Serials: 1900, Offsets: "keep"}
}

func oldIsDate(c cell) bool {
	_, t, bad := oldAnyDates().DateTime(c.text)
	return bad == nil && (t == nil || *t == importer.TimeOfDay{})
}

func timeOf(c cell) (importer.TimeOfDay, bool) {
	_, t, bad := oldAnyDates().Time(c.kind, c.text, "start")
	return t, bad == nil
}

func oldIsTimeOrCall(c cell) bool {
	_, ok := timeOf(c)
	return ok || strings.Contains(strings.ToLower(c.text), "call")
}

// oldIsReturnTime reports whether a text is a time other than 0:00, which stands for
// none.
func oldIsReturnTime(c cell) bool {
	t, ok := timeOf(c)
	return ok && t != importer.TimeOfDay{}
}

func oldIsPhone(c cell) bool {
	n := len(values.OnlyDigits(c.text))
	return n == 7 || n == 10 || n == 11
}

func oldIsFlag(c cell) bool {
	_, known := values.Flag(c.text)
	return known
}

func oldIsZIP(c cell) bool {
	n := len(values.OnlyDigits(c.text))
	return (n >= 3 && n <= 5 || n == 9) && n >= len(c.text)-1
}

// oldDegrees reads a coordinate, which has a fraction.
func oldDegrees(c cell) (float64, bool) {
	n, ok := values.Number(c.text)
	return n, ok && strings.Contains(c.text, ".")
}

// oldIsID reports whether a text may be an id: it has a digit and is neither an
// address nor a date.
func oldIsID(c cell) bool {
	_, t, bad := oldAnyDates().DateTime(c.text)
	day := bad == nil && t == nil && !values.AllDigits(c.text)
	return oldHasDigit(c.text) && !strings.Contains(c.text, ", ") && c.kind != importer.DateCell && !day
}

func oldHasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func isNoLetter(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }
