package fakegeocoder

import (
	"context"
	"strings"

	"tripimport/importer/places"
)

// A spot is where the server says an address is.
type spot struct {
	lat, lng float64
	street   string // as it is known there
	house    bool   // whether the house itself is known
}

// spots returns every spot that an address can be at: none, one or two.
func spots(street, city, state, zip string) []spot {
	street = strings.ToUpper(strings.Join(strings.Fields(street), " "))
	if street == "" || street[0] < '0' || street[0] > '9' || strings.Contains(street, "NOWHERE") {
		return nil
	}
	query := places.Query{Street: street, City: city, State: state, Zip: zip}
	answers, err := places.NewRehearsal("").Geocode(context.Background(), []places.Query{query})
	if err != nil || len(answers[0].Matches) == 0 {
		return nil
	}
	m := answers[0].Matches[0]
	at := spot{m.Latitude, m.Longitude, street, true}

	switch {
	case strings.Contains(street, "TWIN"):
		other := at
		other.lat += 0.01
		return []spot{at, other}
	case strings.Contains(street, "ROUGHLY"):
		at.street = strings.ReplaceAll(street, "ROUGHLY", "ROUGHLEY")
	case strings.Contains(street, "MIDWAY"):
		at.house = false
	}
	return []spot{at}
}

// houseAndRoad cuts a street in its number and its name.
func houseAndRoad(street string) (house, road string) {
	house, road, _ = strings.Cut(street, " ")
	return house, road
}
