package sandbox

import (
	"math"
	"slices"
)

// A trip is the request of trip insertion (contract, sections 2.3 to 2.6), and
// with a GUID the answer to it.
type trip struct {
	key string

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
	SpaceType string `json:"space_type"`
	Count     int    `json:"count"`
}

// readTrip reads an insert request. The faults are those of its shape: fields,
// types, ranges and forms, each field by itself. What fields must be to each
// other, the rules say.
func readTrip(p parsed) (trip, []string) {
	s := &shape{}
	f := s.request(p)
	t := trip{
		key:           f.mustText("tp_api_key"),
		ID:            f.mustText("trip_id"),
		RiderID:       f.mustText("rider_id"),
		FundingSource: f.mustText("funding_source_name"),
		SpaceType:     f.mustText("space_type"),
		Distance:      f.number("billable_distance", false, 0, math.MaxFloat64),
		Phone:         f.text("phone"),
		Pickup:        readEvent(f.object("pickup")),
		Dropoff:       readEvent(f.object("dropoff")),
		Type:          readType(f),
		Passengers:    readPassengers(f),
	}
	f.done()
	return t, s.faults
}

func readType(f *fields) string {
	text := f.mustText("trip_type")
	if text != "" && tripType(text) == noType {
		f.shape.fault("%strip_type is none of Appointment, Return and willcall", f.path)
	}
	return text
}

func readEvent(f *fields) event {
	e := event{
		Name:            f.text("event_name"),
		Comment:         f.text("event_comment"),
		CompleteAddress: f.text("complete_address"),
		Location:        readLocation(f.object("event_location")),
		ApptTime:        readTime(f, "appt_time"),
		PickupTime:      readTime(f, "pickup_time"),
		PhoneNumber:     f.text("phone_number"),
	}
	f.done()
	return e
}

func readLocation(f *fields) location {
	l := location{
		Name:     f.text("location_name"),
		Address1: f.text("address1"),
		Address2: f.text("address2"),
		City:     f.text("city"),
		State:    f.text("state"),
		Zip:      f.text("zip"),
	}
	if lat := f.number("latitude", true, -90, 90); lat != nil {
		l.Latitude = *lat
	}
	if lng := f.number("longitude", true, -180, 180); lng != nil {
		l.Longitude = *lng
	}
	f.done()
	return l
}

func readTime(f *fields, name string) string {
	_, given := f.left[name]
	text := f.text(name)
	if given && !timeForm.MatchString(text) {
		f.shape.fault("%s%s is not a date and time of the form YYYY-MM-DD HH:mm:ss.fff", f.path, name)
	}
	return text
}

func readPassengers(f *fields) []passengers {
	var all []passengers
	for _, p := range f.objects("additional_passengers", false) {
		all = append(all, passengers{SpaceType: p.mustText("space_type"), Count: p.count("count")})
		p.done()
	}
	return all
}

// A kind is one of the three trip types.
type kind uint8

const (
	noType kind = iota
	willCall
	appointment
	returning
)

// tripType reads the forms in which a trip type may be inserted (contract,
// section 2.5).
func tripType(text string) kind {
	switch {
	case slices.Contains([]string{"willcall", "Willcall", "1"}, text):
		return willCall
	case slices.Contains([]string{"Appointment", "2"}, text):
		return appointment
	case slices.Contains([]string{"Return", "3"}, text):
		return returning
	}
	return noType
}
