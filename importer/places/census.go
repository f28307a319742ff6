package places

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"mime/multipart"
	"strconv"
	"strings"

	"tripimport/importer"

	"github.com/gocarina/gocsv"
)

// A censusLine is a line of a request. It has no header.
type censusLine struct {
	Number                   int
	Street, City, State, Zip string
}

// askCensus makes a request to the batch geocoder of the United States Census Bureau, or a compatible one, as its
// Geocoding Services Web Application Programming Interface documents it: a form with a file of at most 10,000 lines
// with number, street, city, state and ZIP code. The reply is a file with a line for each address and may take minutes. It
// knows streets by ranges of house numbers, and so homes better than facilities. It needs no key.
func askCensus(_ importer.Secret, queries []Unplaced) request {
	lines := make([]censusLine, len(queries))
	for i, q := range queries {
		lines[i] = censusLine{i, q.Address1, q.City, q.State, q.Zip}
	}
	var body bytes.Buffer // it accepts everything, so that nothing below fails
	form := multipart.NewWriter(&body)
	file, _ := form.CreateFormFile("addressFile", "addresses.csv")
	_ = errors.Join(gocsv.MarshalWithoutHeaders(lines, file), form.WriteField("benchmark", "Public_AR_Current"), form.Close())
	return request{path: "locations/addressbatch", contentType: form.FormDataContentType(), body: body.Bytes()}
}

// readCensus parses a reply. Its lines have the number, the address as sent, and
// Match, No_Match or Tie; with a match also Exact or Non_Exact, the address found,
// "longitude,latitude", and the street's line and side. It reports false for
// anything else.
func readCensus(reply []byte) (map[int][]match, bool) {
	r := csv.NewReader(bytes.NewReader(reply))
	r.FieldsPerRecord = -1
	answers := map[int][]match{}
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
			answers[number] = []match{m}
		case "No_Match", "Tie": // a tie has no positions
			answers[number] = nil
		default:
			return nil, false
		}
	}
}

// censusMatch parses the line of a match.
func censusMatch(f []string) (match, bool) {
	if len(f) < 6 {
		return match{}, false
	}
	lng, lat, _ := strings.Cut(f[5], ",")
	m := match{Line: f[4], House: true}
	var errLat, errLng error
	m.Latitude, errLat = strconv.ParseFloat(strings.TrimSpace(lat), 64)
	m.Longitude, errLng = strconv.ParseFloat(strings.TrimSpace(lng), 64)
	return m, errLat == nil && errLng == nil
}
