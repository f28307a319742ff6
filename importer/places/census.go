package places

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"mime/multipart"
	"strconv"
	"strings"
	"time"
)

// CensusURL is the address of the United States Census Bureau's geocoder.
const CensusURL = "https://geocoding.geo.census.gov/geocoder"

// census asks the batch geocoder of the Census Bureau: a file of at most 10,000
// lines without a header goes up, and a file of one line an address comes back.
// Large batches take minutes. It knows streets by ranges of house numbers, so
// homes better than facilities. (Its documentation: Geocoding Services Web
// Application Programming Interface.)
type census struct{ *web }

// NewCensus gives the Census Bureau's geocoder, or one that speaks like it, at
// base. It needs no key.
func NewCensus(base string) (Geocoder, error) {
	w, err := newWeb("census", base, 15*time.Minute)
	if err != nil {
		return nil, err
	}
	return census{w}, nil
}

func (census) Name() string { return "census" }

func (census) Batch() int { return 10_000 }

func (c census) Geocode(ctx context.Context, queries []Query) ([]Answer, error) {
	body, contentType, err := censusForm(queries)
	if err != nil {
		return nil, c.refusal("can't be asked", false)
	}
	reply, err := c.post(ctx, "locations/addressbatch", "", contentType, body)
	if err != nil {
		return nil, err
	}
	answers, ok := readCensus(reply)
	if !ok {
		return nil, c.notUnderstood()
	}
	return answers, nil
}

// censusForm writes id, street, city, state and ZIP as a file in a form.
func censusForm(queries []Query) (*bytes.Buffer, string, error) {
	var lines bytes.Buffer
	w := csv.NewWriter(&lines)
	for _, q := range queries {
		// csv.Writer keeps its first error for Error, below.
		_ = w.Write([]string{strconv.Itoa(q.Number), q.Street, q.City, q.State, q.Zip})
	}
	w.Flush()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("addressFile", "addresses.csv")
	if err != nil {
		return nil, "", err
	}
	_, err = file.Write(lines.Bytes())
	err = errors.Join(w.Error(), err, form.WriteField("benchmark", "Public_AR_Current"), form.Close())
	return &body, form.FormDataContentType(), err
}

// readCensus reads lines of id, address as sent, Match, No_Match or Tie, and
// for a match Exact or Non_Exact, the address found, "longitude,latitude", and
// the street's line and side. It reports false for anything else.
func readCensus(reply []byte) ([]Answer, bool) {
	r := csv.NewReader(bytes.NewReader(reply))
	r.FieldsPerRecord = -1
	var answers []Answer
	for {
		f, err := r.Read()
		if errors.Is(err, io.EOF) {
			return answers, true
		}
		if err != nil || len(f) < 3 {
			return nil, false
		}
		number, err := strconv.Atoi(strings.TrimSpace(f[0]))
		if err != nil {
			return nil, false
		}
		a := Answer{Number: number}
		switch strings.TrimSpace(f[2]) {
		case "Match":
			m, ok := censusMatch(f)
			if !ok {
				return nil, false
			}
			a.Matches = []Match{m}
		case "No_Match", "Tie": // a tie comes without its places
		default:
			return nil, false
		}
		answers = append(answers, a)
	}
}

func censusMatch(f []string) (Match, bool) {
	if len(f) < 6 {
		return Match{}, false
	}
	lng, lat, _ := strings.Cut(f[5], ",")
	m := Match{Line: f[4], House: true}
	var errLat, errLng error
	m.Latitude, errLat = strconv.ParseFloat(strings.TrimSpace(lat), 64)
	m.Longitude, errLng = strconv.ParseFloat(strings.TrimSpace(lng), 64)
	return m, errLat == nil && errLng == nil
}
