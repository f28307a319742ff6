package imitation

import (
	"hash/fnv"
	"math"
	"strings"

	"tripimport/importer/usps"
)

// A spot is where the imitation says an address is.
type spot struct {
	lat, lng float64
	street   string // as it is known there
	house    bool   // whether the house itself is known
}

// spots gives every place that an address can be: none, one or two.
func spots(street, city, state, zip string) []spot {
	street = strings.ToUpper(strings.Join(strings.Fields(street), " "))
	in, known := usps.StateOf(state)
	lat, lng := in.Latitude, in.Longitude
	if !known || !in.HasArea() || street == "" || street[0] < '0' || street[0] > '9' {
		return nil
	}
	// A ZIP is a few miles wide and lies somewhere in its state; a small
	// territory has room for the few miles alone.
	area := 0.04
	if lat < 22 || in.Code == "DC" || in.Code == "RI" {
		area = 0
	}
	lat += area * share("lat", zip, city)
	lng += area * share("lng", zip, city)
	at := spot{round(lat + 0.02*share("lat", street, zip)), round(lng + 0.02*share("lng", street, zip)), street, true}
	switch {
	case strings.Contains(street, "NOWHERE"):
		return nil
	case strings.Contains(street, "TWIN"):
		other := at
		other.lat = round(other.lat + 0.01)
		return []spot{at, other}
	case strings.Contains(street, "ROUGHLY"):
		at.street = strings.ReplaceAll(street, "ROUGHLY", "ROUGHLEY")
	case strings.Contains(street, "MIDWAY"):
		at.house = false
	}
	return []spot{at}
}

// share spreads texts evenly over -1 to 1.
func share(texts ...string) float64 {
	h := fnv.New64a()
	for _, s := range texts {
		_, _ = h.Write([]byte(strings.ToUpper(s) + "\x00")) // never fails
	}
	return float64(h.Sum64()>>11)/(1<<52) - 1
}

func round(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// houseAndRoad cuts a street in its number and its name.
func houseAndRoad(street string) (house, road string) {
	house, road, _ = strings.Cut(street, " ")
	return house, road
}
