package places_test

import (
	"context"
	"strings"

	"tripimport/importer/places"
)

// A position is where the server says an address is.
type position struct {
	lat, lng float64
	street   string // as the server spells it
	isHouse  bool   // whether it is the house, or else the middle of the street
}

// positions returns every position that an address may have: none, one or two.
func positions(street, city, state, zip string) []position {
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
	p := position{m.Latitude, m.Longitude, street, true}

	switch {
	case strings.Contains(street, "DOUBLE"):
		other := p
		other.lat += 0.01
		return []position{p, other}
	case strings.Contains(street, "ROUGHLY"):
		p.street = strings.ReplaceAll(street, "ROUGHLY", "ROUGHLEY")
	case strings.Contains(street, "MIDWAY"):
		p.isHouse = false
	}
	return []position{p}
}
