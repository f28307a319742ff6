package sandbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
)

// The layouts of a date and time.
const (
	fullLayout  = "2006-01-02 15:04:05.000"
	shortLayout = "2006-01-02 15:04"   // allowed for the pickup_time of will calls
	usLayout    = "01/02/2006 3:04 PM" // allowed for appt_time
)

// brokenTimes returns a sentence for every rule that a trip's times break: each trip type has
// certain times, and the pickup is not later than the appointment. What is not known of a trip
// breaks no rule.
func brokenTimes(trip map[string]string) []string {
	pickupTime, pickupAppt, dropoffAppt := trip["pickup.pickup_time"], trip["pickup.appt_time"], trip["dropoff.appt_time"]
	var broken []string
	add := func(bad bool, sentence string) {
		if bad {
			broken = append(broken, sentence)
		}
	}

	parse := func(name, otherLayout string) time.Time {
		at, ok := parseTime(trip[name], otherLayout)
		add(!ok, name+" is not a possible date and time")
		return at
	}
	pickup, appt := parse("pickup.pickup_time", shortLayout), parse("dropoff.appt_time", usLayout)
	parse("pickup.appt_time", usLayout)
	parse("dropoff.pickup_time", shortLayout)

	switch readType(trip["trip_type"]) {
	case importer.WillCall:
		add(pickupTime == "", "a will call needs pickup.pickup_time")
		add(!pickup.IsZero() && pickup.Format("15:04:05.000") != "23:59:00.000", "a will call has the pickup time 23:59")
	case importer.Appointment:
		add(dropoffAppt == "", "an appointment needs dropoff.appt_time")
	case importer.Return:
		add(pickupTime == "", "a return needs pickup.pickup_time")
		add(dropoffAppt != "" || pickupAppt != "", "a return has no appt_time")
	}
	if readType(trip["trip_type"]) != importer.WillCall {
		_, short := parseLayout(pickupTime, shortLayout)
		add(short, "only will calls have a pickup time without seconds")
	}

	add(!pickup.IsZero() && !appt.IsZero() && pickup.After(appt), "the pickup time is later than the appointment time")
	return broken
}

// parseTime parses a date and time in the full layout or in the other layout
// that its field allows. An empty text is the zero time. It returns false for a
// text in neither layout, and for a date or time that does not exist.
func parseTime(text, otherLayout string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, true
	}
	if t, ok := parseLayout(text, fullLayout); ok {
		return t, true
	}
	return parseLayout(text, otherLayout)
}

func parseLayout(text, layout string) (time.Time, bool) {
	t, err := time.Parse(layout, text)
	return t, err == nil && (layout == usLayout || len(text) == len(layout)) // time.Parse takes 8:30 for 08:30
}

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
