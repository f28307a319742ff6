package places

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A nominatimPlace is a place in the jsonv2 format with address details.
type nominatimPlace struct {
	Lat     string `json:"lat"`
	Lon     string `json:"lon"`
	Address struct {
		HouseNumber string `json:"house_number"`
		Road        string `json:"road"`
		City        string `json:"city"`
		Town        string `json:"town"`
		Village     string `json:"village"`
		Hamlet      string `json:"hamlet"`
		State       string `json:"state"`
		Postcode    string `json:"postcode"`
	} `json:"address"`
}

// askNominatim makes a request to a Nominatim server of the office's own, or a compatible one. It has one
// address. The public server forbids such use, so it is refused.
func askNominatim(_ importer.Secret, queries []Unplaced) request {
	q := queries[0]
	return request{path: "search", params: url.Values{
		"street": {q.Address1}, "city": {q.City}, "state": {q.State}, "postalcode": {q.Zip},
		"countrycodes": {"us"}, "format": {"jsonv2"}, "addressdetails": {"1"}, "limit": {"5"},
	}}
}

func readNominatim(reply []byte) (map[int][]match, bool) {
	var found []nominatimPlace
	if json.Unmarshal(reply, &found) != nil || found == nil {
		return nil, false
	}
	var matches []match
	for _, p := range found {
		m, ok := p.match()
		if !ok {
			return nil, false
		}
		matches = append(matches, m)
	}
	return map[int][]match{0: matches}, true
}

func (p nominatimPlace) match() (match, bool) {
	lat, errLat := strconv.ParseFloat(p.Lat, 64)
	lng, errLng := strconv.ParseFloat(p.Lon, 64)
	a := p.Address
	city := cmp.Or(a.City, a.Town, a.Village, a.Hamlet)
	return match{
		Latitude: lat, Longitude: lng, House: a.HouseNumber != "",
		Line: strings.TrimSpace(a.HouseNumber+" "+a.Road) + ", " + city + ", " + a.State + " " + a.Postcode, // as usps.ParseLine parses it
	}, errLat == nil && errLng == nil
}
