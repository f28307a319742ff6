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

	"github.com/gocarina/gocsv"
)

// CensusURL is the address of the United States Census Bureau's geocoder.
const CensusURL = "https://geocoding.geo.census.gov/geocoder"

// census is the batch geocoder of the Census Bureau, as its Geocoding Services Web
// Application Programming Interface documents it. A request is a file of at most
// 10,000 lines without a header; the reply is a file with a line for each address
// and may take minutes. It knows streets by ranges of house numbers, and so homes
// better than facilities.
type census struct{ *client }

// NewCensus returns the Census Bureau's geocoder, or a compatible one, at base. It
// needs no key.
func NewCensus(base string) (Geocoder, error) {
	c, err := newClient("census", base, 10_000)
	if err != nil {
		return nil, err
	}
	return census{c}, nil
}

func (c census) Geocode(ctx context.Context, queries []Query) (map[int][]Match, error) {
	body, contentType, err := censusForm(queries)
	if err != nil {
		return nil, c.failure("can't be asked", false)
	}
	reply, err := c.send(ctx, "locations/addressbatch", nil, contentType, body)
	if err != nil {
		return nil, err
	}
	answers, ok := readCensus(reply)
	if !ok {
		return nil, c.unexpectedReply()
	}
	return answers, nil
}

// A censusLine is a line of a request. It has no header.
type censusLine struct {
	Number                   int
	Street, City, State, Zip string
}

// censusForm returns the body of a request, and its content type: a form with a
// file of number, street, city, state and ZIP code.
func censusForm(queries []Query) (*bytes.Buffer, string, error) {
	lines := make([]censusLine, len(queries))
	for i, q := range queries {
		lines[i] = censusLine{i, q.Street, q.City, q.State, q.Zip}
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("addressFile", "addresses.csv")
	if err != nil {
		return nil, "", err
	}
	err = errors.Join(gocsv.MarshalWithoutHeaders(lines, file), form.WriteField("benchmark", "Public_AR_Current"), form.Close())
	return &body, form.FormDataContentType(), err
}

// readCensus parses a reply. Its lines have the number, the address as sent, and
// Match, No_Match or Tie; with a match also Exact or Non_Exact, the address found,
// "longitude,latitude", and the street's line and side. It reports false for
// anything else.
func readCensus(reply []byte) (map[int][]Match, bool) {
	r := csv.NewReader(bytes.NewReader(reply))
	r.FieldsPerRecord = -1
	answers := map[int][]Match{}
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
		switch strings.TrimSpace(f[2]) {
		case "Match":
			m, ok := censusMatch(f)
			if !ok {
				return nil, false
			}
			answers[number] = []Match{m}
		case "No_Match", "Tie": // a tie has no positions
			answers[number] = nil
		default:
			return nil, false
		}
	}
}

// censusMatch parses the line of a match.
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
