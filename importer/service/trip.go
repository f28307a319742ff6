package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"tripimport/importer"
)

// encode returns the body of an insertion. The checks have refused trips that can't be sent.
func encode(t *importer.Trip, key importer.Secret) ([]byte, error) {
	values := wireValues(t)
	values["tp_api_key"] = key.Reveal()
	delete(values, "dropoff.pickup_time") // the service sets it
	body := importer.PropertyObject(values)
	if len(t.AdditionalRiders) > 0 {
		body["additional_passengers"] = importer.Each(t.AdditionalRiders, func(a importer.AdditionalRiders) map[string]any {
			return map[string]any{"space_type": a.SpaceType, "count": a.Count}
		})
	}
	return encodeJSON(body)
}

// wireValues returns the trip's values of all properties by their keys, as texts in the service's form,
// which are empty if there is no value.
func wireValues(t *importer.Trip) map[string]string {
	properties := importer.TripProperties()
	values := make(map[string]string, len(properties))
	for i := range properties {
		values[properties[i].Key] = string(properties[i].AppendValue(nil, t))
	}
	for event, e := range map[string]*importer.Event{"pickup.": &t.Pickup, "dropoff.": &t.Dropoff} {
		values[event+"event_location.latitude"] = decimal(e.Position.IsSet(), e.Position.Latitude)
		values[event+"event_location.longitude"] = decimal(e.Position.IsSet(), e.Position.Longitude)
		values[event+"appt_time"] = fullTime(e.Appt)
		values[event+"pickup_time"] = fullTime(e.PickupTime)
	}
	if at := t.Pickup.PickupTime; t.Type == importer.WillCall && at.Second == 0 {
		values["pickup.pickup_time"] = at.String() // without seconds
	}
	values["billable_distance"] = decimal(t.BillableDistance.Given, t.BillableDistance.Value)
	return values
}

// encodeJSON returns the JSON of a body, without escapes for <, > and &.
func encodeJSON(body any) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, errors.New("it can't be written as the service wants it, so it was not sent")
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// fullTime formats a time as YYYY-MM-DD HH:mm:ss.fff, or "" for the zero time. It does
// not use time.Time, so that no time zone can change the schedule's wall clock.
func fullTime(at importer.DateTime) string {
	if at.IsZero() {
		return ""
	}
	text := at.String()
	if at.Second == 0 {
		text += ":00"
	}
	return text + ".000"
}

// decimal formats a number without an exponent. It returns "" if the number is not known.
func decimal(known bool, value float64) string {
	if !known {
		return ""
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}
