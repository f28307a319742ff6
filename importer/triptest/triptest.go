// Package triptest makes trips for tests that must know every field of a trip,
// also one that is added later: it fills a trip field by field, by reflection.
// Only tests import it.
package triptest

import (
	"fmt"
	"reflect"

	"tripimport/importer"
)

// Full returns a trip in which every field that a mapping can set has a value
// of its own: texts differ from each other, times differ by a minute, and
// positions come from the row. It is not a trip that the checks would pass.
func Full() importer.Trip {
	t := importer.Trip{}
	n := 0
	Each(&t, func(_ string, leaf reflect.Value) {
		n++
		Set(leaf, n)
	})
	t.AdditionalRiders = []importer.AdditionalRiders{{SpaceType: "AMB", Count: 2}}
	return t
}

// Each calls visit for every field of the trip that a mapping can set, with
// its path ("Pickup.City"). Fields that are parts of one value, such as those
// of a DateTime, are visited as that value. The slice of additional riders is
// visited as a whole.
func Each(t *importer.Trip, visit func(path string, leaf reflect.Value)) {
	each("", reflect.ValueOf(t).Elem(), visit)
}

func each(path string, v reflect.Value, visit func(string, reflect.Value)) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name := field.Name
		if path != "" {
			name = path + "." + name
		}
		switch {
		case notMapped(name):
		case field.Type == reflect.TypeFor[importer.Event]() || field.Type == reflect.TypeFor[importer.Position]():
			each(name, v.Field(i), visit)
		default:
			visit(name, v.Field(i))
		}
	}
}

// notMapped lists the fields that are not values of the trip: what a trip is
// within its row, and where its values came from.
func notMapped(path string) bool {
	switch path {
	case "Leg", "Link", "Alias", "Row", "Origin", "Problems":
		return true
	case "Pickup.Position.Source", "Dropoff.Position.Source":
		return true
	}
	return false
}

// Set sets a field that Each visits to the n-th value of its type.
func Set(leaf reflect.Value, n int) {
	switch v := leaf.Addr().Interface().(type) {
	case *string:
		*v = fmt.Sprintf("value-%d", n)
	case *float64:
		*v = float64(n) + 0.5
	case *bool:
		*v = true
	case *importer.TripType:
		*v = importer.Appointment
	case *importer.Miles:
		*v = importer.Miles{Value: float64(n), Given: true}
	case *importer.DateTime:
		day, _ := importer.ParseDate("2026-12-02")
		*v = importer.DateTime{Date: day, TimeOfDay: importer.TimeOfDay{Hour: 8, Minute: n % 60}}
	case *[]importer.AdditionalRiders:
		*v = []importer.AdditionalRiders{{SpaceType: "AMB", Count: n}}
	default:
		panic("triptest: a trip has a field of the type " + leaf.Type().String() + ": say here how tests set it")
	}
}

// SetOther sets a field to a value that no field of Full has.
func SetOther(leaf reflect.Value) {
	switch v := leaf.Addr().Interface().(type) {
	case *bool:
		*v = false
	case *importer.TripType:
		*v = importer.Return
	default:
		Set(leaf, 59)
	}
}
