package sandbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A trip is the body of an insertion, without its API key; with a GUID it is
// the body of the response.
type trip struct {
	GUID          string       `json:"trip_guid,omitempty"`
	ID            string       `json:"trip_id"`
	RiderID       string       `json:"rider_id"`
	Pickup        event        `json:"pickup"`
	Dropoff       event        `json:"dropoff"`
	FundingSource string       `json:"funding_source_name"`
	SpaceType     string       `json:"space_type"`
	Distance      *float64     `json:"billable_distance,omitempty"`
	Phone         string       `json:"phone,omitempty"`
	Type          string       `json:"trip_type"`
	Passengers    []passengers `json:"additional_passengers,omitempty"`
}

type event struct {
	Name            string   `json:"event_name,omitempty"`
	Comment         string   `json:"event_comment,omitempty"`
	CompleteAddress string   `json:"complete_address,omitempty"`
	Location        location `json:"event_location"`
	ApptTime        string   `json:"appt_time,omitempty"`
	PickupTime      string   `json:"pickup_time,omitempty"`
	PhoneNumber     string   `json:"phone_number,omitempty"`
}

type location struct {
	Name      string  `json:"location_name,omitempty"`
	Address1  string  `json:"address1,omitempty"`
	Address2  string  `json:"address2,omitempty"`
	City      string  `json:"city,omitempty"`
	State     string  `json:"state,omitempty"`
	Zip       string  `json:"zip,omitempty"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

type passengers struct {
	SpaceType string  `json:"space_type"`
	Count     float64 `json:"count"` // a whole number, which JSON may write as 2.0
}

// An insertion is the whole body of an insertion.
type insertion struct {
	Key string `json:"tp_api_key"`
	trip
}

// readInsertion validates the body of an insertion against the schema and
// returns it, or what is wrong with it.
func (c *contract) readInsertion(b body) (insertion, []string) {
	var in insertion
	wrong := violations(c.insert, b)
	if wrong == nil {
		wrong = b.into(&in)
	}
	return in, wrong
}

// values returns the trip's values for its BookedTrip; b is the body of its insertion.
func (t *trip) values(b body) map[string]string {
	values := map[string]string{}
	flatten(values, "", b.value)
	delete(values, "tp_api_key")
	values["trip_type"] = strconv.Itoa(int(readType(t.Type)))
	values["billable_distance"] = fmt.Sprint(*t.Distance)
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

// object returns the trip as a JSON object. Its numbers are numbers, and its
// additional passengers a text.
func (t BookedTrip) object() map[string]any {
	object := map[string]any{"trip_guid": t.GUID, "trip_id": t.TripID}
	for key, text := range t.Values {
		inner, names := object, strings.Split(key, ".")
		last := names[len(names)-1]
		for _, name := range names[:len(names)-1] {
			if inner[name] == nil {
				inner[name] = map[string]any{}
			}
			inner = inner[name].(map[string]any)
		}

		inner[last] = text
		if n, err := strconv.ParseFloat(text, 64); err == nil && slices.Contains([]string{"latitude", "longitude", "billable_distance"}, last) {
			inner[last] = n
		}
	}
	return object
}

// A tripType is one of the three trip types.
type tripType uint8

// The types have the numbers of the contract.
const (
	noType tripType = iota
	willCall
	appointment
	returnTrip
)

// readType returns the trip type of any text that the contract has for it.
func readType(text string) tripType {
	switch {
	case slices.Contains([]string{"willcall", "Willcall", "1"}, text):
		return willCall
	case slices.Contains([]string{"Appointment", "2"}, text):
		return appointment
	case slices.Contains([]string{"Return", "3"}, text):
		return returnTrip
	}
	return noType
}
