package places

import (
	"context"
	"net/url"
)

// pelias is a Pelias server of the office's own. A request has one address.
type pelias struct{ *client }

// NewPelias returns the Pelias server, or a compatible one, at base.
func NewPelias(base string) (Geocoder, error) {
	c, err := newClient("pelias", base, 1)
	if err != nil {
		return nil, err
	}
	return pelias{c}, nil
}

// A peliasReply is a GeoJSON collection of places.
type peliasReply struct {
	Type     string `json:"type"`
	Features []struct {
		Geometry struct {
			Coordinates []float64 `json:"coordinates"` // longitude, latitude
		} `json:"geometry"`
		Properties struct {
			Layer       string `json:"layer"`
			Accuracy    string `json:"accuracy"`
			HouseNumber string `json:"housenumber"`
			Street      string `json:"street"`
			Locality    string `json:"locality"`
			RegionCode  string `json:"region_a"`
			PostalCode  string `json:"postalcode"`
		} `json:"properties"`
	} `json:"features"`
}

func (p pelias) Geocode(ctx context.Context, queries []Query) ([]Answer, error) {
	q := queries[0]
	var found peliasReply
	err := p.getJSON(ctx, "v1/search/structured", url.Values{
		"address": {q.Street}, "locality": {q.City}, "region": {q.State}, "postalcode": {q.Zip},
		"country": {"USA"}, "layers": {"address"}, "size": {"5"},
	}, &found)
	if err != nil {
		return nil, err
	}
	if found.Type != "FeatureCollection" {
		return nil, p.unexpectedReply()
	}
	a := Answer{Number: q.Number}
	for _, f := range found.Features {
		at, is := f.Geometry.Coordinates, f.Properties
		if len(at) < 2 {
			return nil, p.unexpectedReply()
		}
		a.Matches = append(a.Matches, Match{
			Latitude: at[1], Longitude: at[0],
			House: is.Layer == "address" && (is.Accuracy == "point" || is.Accuracy == "interpolated"),
			Line:  oneLine(is.HouseNumber+" "+is.Street, is.Locality, is.RegionCode, is.PostalCode),
		})
	}
	return []Answer{a}, nil
}
