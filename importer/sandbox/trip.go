package sandbox

import "slices"

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

// A tripType is one of the three trip types.
type tripType uint8

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
