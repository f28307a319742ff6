package imitation

import (
	"hash/fnv"
	"math"
	"strings"
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
	lat, lng, known := middle(strings.ToUpper(strings.TrimSpace(state)))
	if !known || street == "" || street[0] < '0' || street[0] > '9' {
		return nil
	}
	// A ZIP is a few miles wide and lies somewhere in its state; a small
	// territory has room for the few miles alone.
	area := 0.04
	if lat < 22 || state == "DC" || state == "RI" {
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

// middle gives a spot well within a state.
func middle(state string) (lat, lng float64, known bool) {
	switch state {
	case "AL":
		return 33.5, -86.8, true
	case "AK":
		return 61.2, -149.9, true
	case "AZ":
		return 33.4, -112.0, true
	case "AR":
		return 34.7, -92.3, true
	case "CA":
		return 36.7, -119.8, true
	case "CO":
		return 39.7, -104.9, true
	case "CT":
		return 41.7, -72.7, true
	case "DE":
		return 39.1, -75.5, true
	case "DC":
		return 38.9, -77.03, true
	case "FL":
		return 28.5, -81.4, true
	case "GA":
		return 33.7, -84.4, true
	case "HI":
		return 21.35, -157.9, true
	case "ID":
		return 43.6, -116.2, true
	case "IL":
		return 40.1, -88.9, true
	case "IN":
		return 39.8, -86.1, true
	case "IA":
		return 41.6, -93.6, true
	case "KS":
		return 38.5, -98.0, true
	case "KY":
		return 37.8, -85.5, true
	case "LA":
		return 30.5, -91.8, true
	case "ME":
		return 44.5, -69.5, true
	case "MD":
		return 39.2, -76.7, true
	case "MA":
		return 42.3, -71.3, true
	case "MI":
		return 42.6, -83.8, true
	case "MN":
		return 45.0, -93.5, true
	case "MS":
		return 32.4, -90.0, true
	case "MO":
		return 38.5, -92.5, true
	case "MT":
		return 46.8, -110.5, true
	case "NE":
		return 41.0, -98.5, true
	case "NV":
		return 39.0, -117.0, true
	case "NH":
		return 43.2, -71.5, true
	case "NJ":
		return 40.2, -74.5, true
	case "NM":
		return 35.0, -106.5, true
	case "NY":
		return 42.7, -74.5, true
	case "NC":
		return 35.6, -79.5, true
	case "ND":
		return 47.3, -100.5, true
	case "OH":
		return 40.2, -82.8, true
	case "OK":
		return 35.5, -97.5, true
	case "OR":
		return 44.2, -121.5, true
	case "PA":
		return 40.6, -77.5, true
	case "RI":
		return 41.7, -71.5, true
	case "SC":
		return 34.0, -81.0, true
	case "SD":
		return 44.4, -100.0, true
	case "TN":
		return 35.8, -86.5, true
	case "TX":
		return 30.4, -97.8, true
	case "UT":
		return 40.3, -111.8, true
	case "VT":
		return 44.0, -72.7, true
	case "VA":
		return 37.5, -78.5, true
	case "WA":
		return 47.4, -121.5, true
	case "WV":
		return 38.7, -80.7, true
	case "WI":
		return 44.0, -89.5, true
	case "WY":
		return 43.0, -107.5, true
	case "PR":
		return 18.25, -66.4, true
	case "VI":
		return 17.75, -64.75, true
	case "GU":
		return 13.45, 144.8, true
	case "AS":
		return -14.3, -170.7, true
	case "MP":
		return 15.2, 145.75, true
	}
	return 0, 0, false
}
