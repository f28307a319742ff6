package places

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"tripimport/importer"
)

// GeocodioURL is the address of Geocodio's service for health data, which
// promises not to keep the addresses.
const GeocodioURL = "https://api-hipaa.geocod.io"

// geocodio is Geocodio. A request is a JSON object with at most 10,000 addresses by
// number, and the reply one with the results by number.
type geocodio struct {
	*client
	key importer.Secret
}

// NewGeocodio returns Geocodio at base, with the key of an account. A missing key
// is an *importer.InputError.
func NewGeocodio(base string, key importer.Secret) (Geocoder, error) {
	c, err := newClient("geocodio", base, 10_000)
	if err != nil {
		return nil, err
	}
	if key.Empty() {
		return nil, &importer.InputError{
			File: "configuration", Reason: "the geocoder geocodio has no key", Fix: "give the file that holds the key",
		}
	}
	return geocodio{c, key}, nil
}

type geocodioQuery struct {
	Street     string `json:"street"`
	City       string `json:"city,omitempty"`
	State      string `json:"state,omitempty"`
	PostalCode string `json:"postal_code,omitempty"`
	Country    string `json:"country"`
}

type geocodioReply struct {
	Results map[string]struct {
		Response struct {
			Results []geocodioResult `json:"results"`
		} `json:"response"`
	} `json:"results"`
}

type geocodioResult struct {
	Line     string `json:"formatted_address"`
	Location struct {
		Lat float64 `json:"lat"`
		Lng float64 `json:"lng"`
	} `json:"location"`
	AccuracyType string `json:"accuracy_type"`
}

func (g geocodio) Geocode(ctx context.Context, queries []Query) (map[int][]Match, error) {
	body := make(map[string]geocodioQuery, len(queries))
	for i, q := range queries {
		body[strconv.Itoa(i)] = geocodioQuery{q.Street, q.City, q.State, q.Zip, "USA"}
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, g.failure("can't be asked", false)
	}
	// The service takes the key as a parameter only. The client shows the URL of
	// a request to nobody.
	params := url.Values{"api_key": {g.key.Reveal()}, "limit": {"5"}}
	reply, err := g.send(ctx, "v1.7/geocode", params, "application/json", bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var found geocodioReply
	if json.Unmarshal(reply, &found) != nil || found.Results == nil {
		return nil, g.unexpectedReply()
	}
	answers := map[int][]Match{}
	for key, r := range found.Results {
		number, err := strconv.Atoi(key)
		if err != nil {
			return nil, g.unexpectedReply()
		}
		answers[number] = nil
		for _, m := range r.Response.Results {
			answers[number] = append(answers[number], Match{m.Location.Lat, m.Location.Lng, m.Line, m.house()})
		}
	}
	return answers, nil
}

// house reports whether the accuracy type is one that places the house by its
// number. The nearest rooftop is a neighbour's.
func (m geocodioResult) house() bool {
	return m.AccuracyType == "rooftop" || m.AccuracyType == "point" || m.AccuracyType == "range_interpolation"
}
