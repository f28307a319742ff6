package places_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const textCSV, textJSON = "text/csv;charset=UTF-8", "application/json; charset=utf-8"

// census answers a form with a benchmark and the file addressFile, which has at
// most 10,000 lines without a header.
func census(r *http.Request, body []byte, half bool) (reply, contentType string, addresses, status int) {
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return "not a form", "text/plain", 0, http.StatusBadRequest
	}
	form, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).ReadForm(32 << 20)
	if err != nil || len(form.File["addressFile"]) != 1 || len(form.Value["benchmark"]) != 1 {
		return "addressFile and benchmark are required", "text/plain", 0, http.StatusBadRequest
	}
	file, err := form.File["addressFile"][0].Open()
	if err != nil {
		return "no file", "text/plain", 0, http.StatusBadRequest
	}
	defer func() { _ = file.Close() }() // it is in memory
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil || len(lines) > 10_000 {
		return "at most 10,000 lines of id, street, city, state, ZIP", "text/plain", len(lines), http.StatusBadRequest
	}
	var b bytes.Buffer
	for i, f := range slices.Backward(lines) { // the real one promises no order
		if len(f) == 5 && (!half || i%2 == 0) {
			censusLine(&b, f)
		}
	}
	return b.String(), textCSV, len(lines), http.StatusOK
}

// censusLine writes the answer to one line. It quotes every field, as the Census
// Bureau does.
func censusLine(b *bytes.Buffer, f []string) {
	sent := strings.Join(f[1:], ", ")
	line := []string{f[0], sent}
	switch found := positions(f[1], f[2], f[3], f[4]); len(found) {
	case 0:
		line = append(line, "No_Match")
	case 1:
		p, how := found[0], "Exact"
		if p.street != strings.ToUpper(f[1]) {
			how = "Non_Exact"
		}
		if !p.isHouse { // it knows streets by ranges of house numbers only
			line = append(line, "No_Match")
			break
		}
		line = append(line, "Match", how, strings.ToUpper(p.street+", "+f[2]+", "+f[3]+", "+f[4]),
			fmt.Sprintf("%.6f,%.6f", p.lng, p.lat), "105463914", "L")
	default:
		line = append(line, "Tie")
	}
	for i, s := range line {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + strings.ReplaceAll(s, `"`, `""`) + `"`)
	}
	b.WriteByte('\n')
}

// nominatim answers about one address, in the jsonv2 format.
func nominatim(r *http.Request, _ []byte, half bool) (reply, contentType string, addresses, status int) {
	q := r.URL.Query()
	if q.Get("format") != "jsonv2" || q.Get("street") == "" {
		return `{"error":"street and format=jsonv2 are required"}`, textJSON, 1, http.StatusBadRequest
	}
	list := []map[string]any{}
	for _, p := range positions(q.Get("street"), q.Get("city"), q.Get("state"), q.Get("postalcode")) {
		house, road, _ := strings.Cut(p.street, " ")
		address := map[string]string{
			"road": road, "city": q.Get("city"), "state": q.Get("state"), "postcode": q.Get("postalcode"), "country_code": "us",
		}
		kind := "street"
		if p.isHouse {
			address["house_number"], kind = house, "house"
		}
		list = append(list, map[string]any{
			"lat": coordinate(p.lat), "lon": coordinate(p.lng), "category": "place", "addresstype": kind, "address": address,
		})
	}
	return encode(unlessHalf(half, list)), textJSON, 1, http.StatusOK
}

// geocodio answers an object of addresses by the client's keys.
func geocodio(r *http.Request, body []byte, half bool) (reply, contentType string, addresses, status int) {
	if r.URL.Query().Get("api_key") == "" {
		return `{"error":"Invalid API key"}`, textJSON, 0, http.StatusForbidden
	}
	var asked map[string]struct {
		Street     string `json:"street"`
		City       string `json:"city"`
		State      string `json:"state"`
		PostalCode string `json:"postal_code"`
	}
	if json.Unmarshal(body, &asked) != nil || len(asked) > 10_000 {
		return `{"error":"an object of at most 10,000 addresses is required"}`, textJSON, 0, http.StatusUnprocessableEntity
	}
	results := map[string]any{}
	for key, q := range asked {
		if n, err := strconv.Atoi(key); half && err == nil && n%2 == 1 {
			continue
		}
		found := []any{}
		for _, p := range positions(q.Street, q.City, q.State, q.PostalCode) {
			kind := "rooftop"
			if !p.isHouse {
				kind = "street_center"
			}
			found = append(found, map[string]any{
				"formatted_address": p.street + ", " + q.City + ", " + q.State + " " + q.PostalCode,
				"location":          map[string]float64{"lat": p.lat, "lng": p.lng},
				"accuracy":          1, "accuracy_type": kind,
			})
		}
		results[key] = map[string]any{"query": q.Street, "response": map[string]any{"results": found}}
	}
	return encode(map[string]any{"results": results}), textJSON, len(asked), http.StatusOK
}

func coordinate(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }

// unlessHalf returns the answer about a single address: nothing if every second
// address is left out.
func unlessHalf[T any](half bool, answer []T) []T {
	if half {
		return []T{}
	}
	return answer
}

// encode returns JSON.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(b)
}
