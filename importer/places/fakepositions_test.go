package places_test

import (
	"hash/fnv"
	"math"
	"strings"
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
	lat, lng := spot(state)
	p := position{lat + spread("lat", street, zip), lng + spread("lng", street, zip), street, true}

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

// spread returns a number between -0.05 and 0.05 for some texts, always the same one.
func spread(texts ...string) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(texts, "|"))) // never fails
	return math.Round((float64(h.Sum64()>>11)/(1<<52)-1)*5e4) / 1e6
}
