package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"

	"tripimport/importer"
)

// A tripBody is the body of an insertion. Empty optional fields are left out. A test
// compares its fields with importer.TripProperties.
type tripBody struct {
	APIKey               string           `json:"tp_api_key"`
	TripID               string           `json:"trip_id"`
	RiderID              string           `json:"rider_id"`
	Pickup               eventBody        `json:"pickup"`
	Dropoff              eventBody        `json:"dropoff"`
	FundingSource        string           `json:"funding_source_name"`
	SpaceType            string           `json:"space_type"`
	BillableDistance     *float64         `json:"billable_distance,omitempty"`
	Phone                string           `json:"phone,omitempty"`
	TripType             string           `json:"trip_type"`
	AdditionalPassengers []passengersBody `json:"additional_passengers,omitempty"`
}

type eventBody struct {
	Name            string       `json:"event_name,omitempty"`
	Comment         string       `json:"event_comment,omitempty"`
	CompleteAddress string       `json:"complete_address,omitempty"`
	Location        locationBody `json:"event_location"`
	ApptTime        string       `json:"appt_time,omitempty"`
	PickupTime      string       `json:"pickup_time,omitempty"`
	PhoneNumber     string       `json:"phone_number,omitempty"`
}

type locationBody struct {
	Name      string  `json:"location_name,omitempty"`
	Address1  string  `json:"address1,omitempty"`
	Address2  string  `json:"address2,omitempty"`
	City      string  `json:"city,omitempty"`
	State     string  `json:"state,omitempty"`
	Zip       string  `json:"zip,omitempty"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

type passengersBody struct {
	SpaceType string `json:"space_type"`
	Count     int    `json:"count"`
}

// encode returns the body of an insertion. It returns an error, a sentence for a
// dispatcher, for a trip that cannot be sent. The checks have refused such trips before.
func encode(t *importer.Trip, key importer.Secret) ([]byte, error) {
	for _, p := range []importer.Position{t.Pickup.Position, t.Dropoff.Position} {
		if !p.IsSet() || !finite(p.Latitude) || !finite(p.Longitude) {
			return nil, errors.New("its pickup or its dropoff has no coordinates, so it was not sent")
		}
	}

	body := tripBody{
		APIKey:        key.Reveal(),
		TripID:        t.ID,
		RiderID:       t.RiderID,
		Pickup:        encodeEvent(&t.Pickup),
		Dropoff:       encodeEvent(&t.Dropoff),
		FundingSource: t.FundingSource,
		SpaceType:     t.SpaceType,
		Phone:         t.Phone,
		TripType:      t.Type.String(),
	}

	body.Pickup.PickupTime = pickupTime(t)
	if t.BillableDistance.Given {
		if !finite(t.BillableDistance.Value) {
			return nil, errors.New("its billable distance is not a number, so it was not sent")
		}
		body.BillableDistance = &t.BillableDistance.Value
	}
	for _, a := range t.AdditionalRiders {
		body.AdditionalPassengers = append(body.AdditionalPassengers, passengersBody(a))
	}

	return encodeJSON(body)
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

// encodeEvent returns the body of an event without its pickup time, which the
// service accepts only on the pickup.
func encodeEvent(e *importer.Event) eventBody {
	return eventBody{
		Name:            e.Name,
		Comment:         e.Comment,
		CompleteAddress: e.CompleteAddress,
		Location: locationBody{
			Name:     e.LocationName,
			Address1: e.Address1, Address2: e.Address2,
			City: e.City, State: e.State, Zip: e.Zip,
			Latitude: e.Position.Latitude, Longitude: e.Position.Longitude,
		},
		ApptTime:    fullTime(e.Appt),
		PhoneNumber: e.Phone,
	}
}

// pickupTime formats the pickup time: without seconds for a will call, in full
// for other trips.
func pickupTime(t *importer.Trip) string {
	at := t.Pickup.PickupTime
	if t.Type == importer.WillCall && at.Second == 0 {
		return at.String()
	}
	return fullTime(at)
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

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
