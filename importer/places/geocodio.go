package places

import (
	"encoding/json"
	"net/url"
	"strconv"

	"tripimport/importer"
)

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

// askGeocodio makes a request to Geocodio's service for health data, which promises not to keep the addresses: a
// JSON object with at most 10,000 addresses by number. The reply is one with the results by number. It needs the
// key of an account.
func askGeocodio(key importer.Secret, queries []Unplaced) request {
	body := make(map[string]geocodioQuery, len(queries))
	for i, q := range queries {
		body[strconv.Itoa(i)] = geocodioQuery{q.Address1, q.City, q.State, q.Zip, "USA"}
	}
	text, _ := json.Marshal(body) // texts can always be encoded
	// The service takes the key as a parameter only. A Geocoder shows the URL of
	// a request to nobody.
	params := url.Values{"api_key": {key.Reveal()}, "limit": {"5"}}
	return request{path: "v1.7/geocode", params: params, contentType: "application/json", body: text}
}

func readGeocodio(reply []byte) (map[int][]match, bool) {
	var found geocodioReply
	if json.Unmarshal(reply, &found) != nil || found.Results == nil {
		return nil, false
	}
	answers := map[int][]match{}
	for key, r := range found.Results {
		number, err := strconv.Atoi(key)
		if err != nil {
			return nil, false
		}
		answers[number] = nil
		for _, m := range r.Response.Results {
			answers[number] = append(answers[number], match{m.Location.Lat, m.Location.Lng, m.Line, m.house()})
		}
	}
	return answers, true
}

// house reports whether the accuracy type is one that places the house by its
// number. The nearest rooftop is a neighbour's.
func (m geocodioResult) house() bool {
	return m.AccuracyType == "rooftop" || m.AccuracyType == "point" || m.AccuracyType == "range_interpolation"
}
