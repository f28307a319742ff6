package places

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
)

// nominatim asks a Nominatim server of one's own, one address a request. The
// public one forbids such use, so there is no default address and it is refused.
type nominatim struct{ *web }

// NewNominatim gives the Nominatim-compatible geocoder at base.
func NewNominatim(base string) (Geocoder, error) {
	w, err := newWeb("nominatim", base, 30*time.Second)
	if err != nil {
		return nil, err
	}
	if host := w.base.Hostname(); host == "openstreetmap.org" || strings.HasSuffix(host, ".openstreetmap.org") {
		return nil, &importer.InputError{
			File: "configuration", Reason: "the public Nominatim server allows no lists of addresses",
			Fix: "use a server of your own, or another geocoder",
		}
	}
	return nominatim{w}, nil
}

func (nominatim) Name() string { return "nominatim" }

func (nominatim) Batch() int { return 1 }

// A nominatimPlace is one place of the jsonv2 format with address details.
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

func (n nominatim) Geocode(ctx context.Context, queries []Query) ([]Answer, error) {
	q := queries[0]
	reply, err := n.get(ctx, "search", url.Values{
		"street": {q.Street}, "city": {q.City}, "state": {q.State}, "postalcode": {q.Zip},
		"countrycodes": {"us"}, "format": {"jsonv2"}, "addressdetails": {"1"}, "limit": {"5"},
	})
	if err != nil {
		return nil, err
	}
	var found []nominatimPlace
	if json.Unmarshal(reply, &found) != nil || found == nil {
		return nil, n.notUnderstood()
	}
	a := Answer{Number: q.Number}
	for _, p := range found {
		m, ok := p.match()
		if !ok {
			return nil, n.notUnderstood()
		}
		a.Matches = append(a.Matches, m)
	}
	return []Answer{a}, nil
}

func (p nominatimPlace) match() (Match, bool) {
	lat, errLat := strconv.ParseFloat(p.Lat, 64)
	lng, errLng := strconv.ParseFloat(p.Lon, 64)
	a := p.Address
	city := cmp.Or(a.City, a.Town, a.Village, a.Hamlet)
	return Match{
		Latitude: lat, Longitude: lng, House: a.HouseNumber != "",
		Line: oneLine(a.HouseNumber+" "+a.Road, city, a.State, a.Postcode),
	}, errLat == nil && errLng == nil
}

// oneLine writes an address as readLine reads it.
func oneLine(street, city, state, zip string) string {
	return strings.TrimSpace(street) + ", " + city + ", " + state + " " + zip
}
