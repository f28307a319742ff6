package sandbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// valuesOf returns the values of a trip from the valid body of its insertion, in the form
// of BookedTrip.Values.
func valuesOf(b body) map[string]string {
	values := map[string]string{}
	flatten(values, "", b.value)
	delete(values, "tp_api_key")
	values["trip_type"] = strconv.Itoa(int(readType(values["trip_type"])))
	return values
}

// flatten stores the values in an object by their dotted keys.
func flatten(into map[string]string, key string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			flatten(into, strings.TrimPrefix(key+"."+name, "."), member)
		}
	case []any: // additional passengers
		for _, entry := range v {
			object, _ := entry.(map[string]any)
			into[key] = strings.TrimPrefix(fmt.Sprint(into[key], ";", object["space_type"], "|", object["count"]), ";")
		}
	default:
		into[key] = fmt.Sprint(v)
	}
}

// readType returns the trip type for any of its spellings in the contract. Its number is the contract's.
func readType(text string) importer.TripType {
	switch {
	case slices.Contains([]string{"willcall", "Willcall", "1"}, text):
		return importer.WillCall
	case slices.Contains([]string{"Appointment", "2"}, text):
		return importer.Appointment
	case slices.Contains([]string{"Return", "3"}, text):
		return importer.Return
	}
	return importer.NoType
}
