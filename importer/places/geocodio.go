package places

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"tripimport/importer"
)

// GeocodioURL is the address of Geocodio's service for health data, which
// promises not to keep what it is asked.
const GeocodioURL = "https://api-hipaa.geocod.io"

// geocodio asks Geocodio: a JSON object of addresses under their numbers goes
// up, at most 10,000, and comes back with its results.
type geocodio struct {
	*web
	key importer.Secret
}

// NewGeocodio gives Geocodio at base, under an account's key.
func NewGeocodio(base string, key importer.Secret) (Geocoder, error) {
	w, err := newWeb("geocodio", base, 15*time.Minute)
	if err != nil {
		return nil, err
	}
	if key.Empty() {
		return nil, &importer.InputError{
			File: "configuration", Reason: "the geocoder geocodio has no key", Fix: "give the file that holds the key",
		}
	}
	return geocodio{w, key}, nil
}

func (geocodio) Name() string { return "geocodio" }

func (geocodio) Batch() int { return 10_000 }

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

func (g geocodio) Geocode(ctx context.Context, queries []Query) ([]Answer, error) {
	body := make(map[string]geocodioQuery, len(queries))
	for _, q := range queries {
		body[strconv.Itoa(q.Number)] = geocodioQuery{q.Street, q.City, q.State, q.Zip, "USA"}
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, g.refusal("can't be asked", false)
	}
	// The service takes its key in the address alone; web never shows that.
	params := url.Values{"api_key": {g.key.Reveal()}, "limit": {"5"}}
	reply, err := g.post(ctx, "v1.7/geocode", params.Encode(), "application/json", bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var found geocodioReply
	if json.Unmarshal(reply, &found) != nil || found.Results == nil {
		return nil, g.notUnderstood()
	}
	answers := make([]Answer, 0, len(found.Results))
	for key, r := range found.Results {
		number, err := strconv.Atoi(key)
		if err != nil {
			return nil, g.notUnderstood()
		}
		a := Answer{Number: number}
		for _, m := range r.Response.Results {
			a.Matches = append(a.Matches, Match{m.Location.Lat, m.Location.Lng, m.Line, m.house()})
		}
		answers = append(answers, a)
	}
	return answers, nil
}

// house reports the accuracy types that place the house by its number; the
// nearest rooftop is a neighbour's.
func (m geocodioResult) house() bool {
	return m.AccuracyType == "rooftop" || m.AccuracyType == "point" || m.AccuracyType == "range_interpolation"
}
