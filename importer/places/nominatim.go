package places

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"tripimport/importer"
)

// nominatim is a Nominatim server of the office's own. A request has one address.
// The public server forbids such use, so it is refused and is not the default.
type nominatim struct{ *client }

// NewNominatim returns the Nominatim server, or a compatible one, at base. The
// public server is an *importer.InputError.
func NewNominatim(base string) (Geocoder, error) {
	c, err := newClient("nominatim", base, 1)
	if err != nil {
		return nil, err
	}
	if host := c.base.Hostname(); host == "openstreetmap.org" || strings.HasSuffix(host, ".openstreetmap.org") {
		return nil, &importer.InputError{
			File: "configuration", Reason: "the public Nominatim server allows no lists of addresses",
			Fix: "use a server of your own, or another geocoder",
		}
	}
	return nominatim{c}, nil
}

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

func (n nominatim) Geocode(ctx context.Context, queries []Query) (map[int][]Match, error) {
	q := queries[0]
	var found []nominatimPlace
	reply, err := n.send(ctx, "search", url.Values{
		"street": {q.Street}, "city": {q.City}, "state": {q.State}, "postalcode": {q.Zip},
		"countrycodes": {"us"}, "format": {"jsonv2"}, "addressdetails": {"1"}, "limit": {"5"},
	}, "", nil)
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(reply, &found) != nil || found == nil {
		return nil, n.unexpectedReply()
	}
	var matches []Match
	for _, p := range found {
		m, ok := p.match()
		if !ok {
			return nil, n.unexpectedReply()
		}
		matches = append(matches, m)
	}
	return map[int][]Match{0: matches}, nil
}

func (p nominatimPlace) match() (Match, bool) {
	lat, errLat := strconv.ParseFloat(p.Lat, 64)
	lng, errLng := strconv.ParseFloat(p.Lon, 64)
	a := p.Address
	city := cmp.Or(a.City, a.Town, a.Village, a.Hamlet)
	return Match{
		Latitude: lat, Longitude: lng, House: a.HouseNumber != "",
		Line: strings.TrimSpace(a.HouseNumber+" "+a.Road) + ", " + city + ", " + a.State + " " + a.Postcode, // as usps.ParseLine parses it
	}, errLat == nil && errLng == nil
}
