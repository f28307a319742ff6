package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"tripimport/importer/app"
	"tripimport/importer/sandbox"
	"tripimport/importer/usps"
)

// A sample is an export in one of the four layouts, with the trips that must be booked
// from it.
type sample struct {
	name, mapping string
	// file writes the export into a folder and returns its path.
	file func(t *testing.T, dir string) string
	// trips are the bodies that the service receives, as bodyLine writes them.
	trips []string
	// counts are rows by outcome.
	counts map[string]int
	// addresses is how many different addresses its rows have.
	addresses int
}

func samples() []sample {
	round := []string{
		"81520-A Appointment pickup 2026-12-09 09:05:00.000 appt 2026-12-09 10:00:00.000 WCH +1 AMB",
		"81520-B Return pickup 2026-12-09 14:20:00.000 WCH +1 AMB",
		"81521-A Appointment appt 2026-12-09 11:45:00.000 AMB",
		"81521-B willcall pickup 2026-12-09 23:59 AMB",
		"81522 Return pickup 2026-12-09 15:30:00.000 STR",
		"81523 willcall pickup 2026-12-09 23:59 AMB",
	}

	serials := []string{
		"01-61855-A Appointment pickup 2026-12-11 06:45:00.000 appt 2026-12-11 08:00:00.000 WCH",
		"1-61704-A Appointment pickup 2026-12-09 06:45:00.000 appt 2026-12-09 08:00:00.000 WCH +1 AMB",
		"1-61704-B Appointment pickup 2026-12-09 10:15:00.000 appt 2026-12-09 11:00:00.000 WCH +1 AMB",
		"1-61704-C willcall pickup 2026-12-09 23:59 WCH +1 AMB",
	}

	return []sample{
		{
			name: "round trips on one row", mapping: "round-trip-rows", file: copied("round-trip-rows.csv"),
			trips: round, counts: map[string]int{"booked": 4, "fix": 1}, addresses: 6,
		},
		{
			name: "the same, typed", mapping: "round-trip-rows", file: typedRoundTrips,
			trips: round, counts: map[string]int{"booked": 4, "fix": 1}, addresses: 6,
		},
		{
			name: "a row a leg", mapping: "two-leg-rows", file: copied("two-leg-rows.csv"),
			trips: []string{
				"Q47HKRPWC0A Appointment appt 2026-12-10 08:15:00.000 AMB",
				"Q47HKRPWC0B willcall pickup 2026-12-10 23:59 AMB",
				"Q47LLSTYD0A Appointment appt 2026-12-10 11:15:00.000 WCH +1 AMB",
				"Q47LLSTYD0B willcall pickup 2026-12-10 23:59 WCH +1 AMB",
			},
			counts: map[string]int{"booked": 4, "left_out": 1}, addresses: 4,
		},
		{
			name: "one date-time", mapping: "single-datetime", file: copied("single-datetime.csv"),
			trips: []string{
				"V-77-001 Appointment pickup 2026-12-09 09:40:00.000 appt 2026-12-09 10:30:00.000 WCH",
				"V-77-002 Return pickup 2026-12-09 14:15:00.000 WCH",
			},
			counts: map[string]int{"booked": 2, "fix": 2, "left_out": 1}, addresses: 5,
		},
		{
			name: "serials", mapping: "serials-repeated-headers", file: serialRows(false),
			trips: serials, counts: map[string]int{"booked": 4, "fix": 1}, addresses: 6,
		},
		{
			name: "serials of 1904", mapping: "serials-repeated-headers", file: serialRows(true),
			trips: serials, counts: map[string]int{"booked": 4, "fix": 1}, addresses: 6,
		},
	}
}

// TestSamples imports the four layouts into a service on loopback, with coordinates from
// the places list, from a geocoder and without any, and validates every request body
// with the contract's schema.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, s := range samples() {
		for _, from := range []string{"the places list", "a geocoder", "nowhere"} {
			t.Run(s.name+", places from "+from, func(t *testing.T) {
				t.Parallel()
				d := newSampleOffice(t, s)
				counts := d.importSample(t, s, from)
				want, trips := s.counts, s.trips
				if from == "nowhere" {
					want, trips = map[string]int{"fix": s.counts["booked"] + s.counts["fix"]}, nil
					if n := s.counts["left_out"]; n > 0 {
						want["left_out"] = n
					}
				}

				if diff := cmp.Diff(want, counts); diff != "" {
					t.Errorf("rows (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(trips, d.booked()); diff != "" {
					t.Errorf("trips (-want +got):\n%s", diff)
				}

				if from == "nowhere" {
					d.checkUnplaced(t, s.addresses)
				}
			})
		}
	}
}

// TestSamplesWithoutRiders imports a layout without rider ids with a list of riders that
// does not have them. No trip is booked.
func TestSamplesWithoutRiders(t *testing.T) {
	s := samples()[4]
	d := newSampleOffice(t, s)
	if err := os.WriteFile(filepath.Join(d.dir, "riders.csv"), []byte("name,birth_date,rider_id\nNOBODY,1900-01-01,X-1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := d.importSample(t, s, "the places list"); got["fix"] != 5 || len(d.booked()) != 0 {
		t.Errorf("rows %v, trips %v", got, d.booked())
	}
}

// A sampleOffice has a folder with a sample and a service of its own.
type sampleOffice struct {
	dir, path string
	env       map[string]string

	mu     sync.Mutex
	bodies []string
}

func newSampleOffice(t *testing.T, s sample) *sampleOffice {
	t.Helper()
	d := &sampleOffice{dir: t.TempDir()}
	d.path = s.file(t, d.dir)
	for _, name := range []string{"places.csv", "riders.csv"} {
		copyFile(t, filepath.Join("..", "..", "testdata", "samples", name), filepath.Join(d.dir, name))
	}

	template, err := findTemplate(s.mapping)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.dir, "mapping.yaml"), []byte(template.Text), 0o600); err != nil {
		t.Fatal(err)
	}
	d.serve(t)
	return d
}

// serve starts the service and points the environment at it.
func (d *sampleOffice) serve(t *testing.T) {
	t.Helper()
	schema := insertSchema(t)
	box, err := sandbox.New(sandbox.Config{OnRequest: func(_ sandbox.Operation, body []byte) {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if err == nil {
			err = schema.Validate(v)
		}
		if err != nil {
			t.Errorf("a body that the contract does not allow: %v", err)
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.bodies = append(d.bodies, bodyLine(t, body))
	}})
	if err != nil {
		t.Fatal(err)
	}

	for _, source := range []string{"Lakeshore Health Plan", "Sonoran Health Plan", "Hill Country Medicaid", "Bay State Health"} {
		box.Allow("Lakeshore Transit", source)
	}

	for p, f := range templateNames(t, d.dir) {
		box.Allow(p, f)
	}

	server := httptest.NewServer(box)
	t.Cleanup(server.Close)
	d.env = map[string]string{
		"TRIPIMPORT_HOME": filepath.Join(d.dir, "home"), "TRIPIMPORT_BASE_URL": server.URL,
		"TRIPIMPORT_TOKEN": sandbox.DefaultToken, "TRIPIMPORT_RATE": "0",
		"TRIPIMPORT_MARKS": filepath.Join(d.dir, "marks"),
	}
}

// templateNames returns the provider and the funding source that the mapping names for
// all rows.
func templateNames(t *testing.T, dir string) map[string]string {
	t.Helper()
	m, err := app.ReadMapping(filepath.Join(dir, "mapping.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	provider, source := m.Constants()
	return map[string]string{provider: source}
}

func (d *sampleOffice) run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	status := execute(args, environment{In: strings.NewReader(""), Out: &out, Err: &errs, Environment: app.Environment{Approved: true, Lookup: func(name string) (string, bool) {
		v, ok := d.env[name]
		return v, ok
	}}})

	if status != exitDone && status != exitFix {
		t.Fatalf("%v: status %d\n%s%s", args, status, out.String(), errs.String())
	}
	return out.String()
}

// importSample imports the sample and returns how many rows have each outcome.
func (d *sampleOffice) importSample(t *testing.T, s sample, from string) map[string]int {
	t.Helper()
	args := []string{"import", "-m", filepath.Join(d.dir, "mapping.yaml"), "--today", "2026-12-08", "--json", d.path}
	d.run(t, "ledger", "new")
	switch from {
	case "the places list":
		d.run(t, "places", "add", filepath.Join(d.dir, "places.csv"))
	case "a geocoder":
		server := httptest.NewServer(http.HandlerFunc(censusBureau))
		defer server.Close()
		args = append(args, "--yes", "--set", "geocoder=census", "--set", "geocoder_url="+server.URL)
	}
	return rowCounts(t, d.run(t, args...))
}

// censusBureau answers as the geocoder of the Census Bureau does: it knows each address, in
// the middle of its state, or near it.
func censusBureau(w http.ResponseWriter, r *http.Request) {
	file, _, err := r.FormFile("addressFile")
	if err != nil {
		http.Error(w, "no file", http.StatusBadRequest)
		return
	}
	lines, _ := csv.NewReader(file).ReadAll()
	answer := csv.NewWriter(w)
	for i, f := range lines {
		state, _ := usps.StateOf(f[3])
		longitude := (state.West+state.East)/2 + float64(i)/20 // two places are some miles apart
		_ = answer.Write([]string{
			f[0], "as sent", "Match", "Exact", strings.Join(f[1:], ", "), fmt.Sprintf("%f,%f", longitude, (state.South+state.North)/2+0.0021), "1", "L",
		})
	}
	answer.Flush()
}

// rowCounts returns how many rows have each outcome, by a summary in JSON.
func rowCounts(t *testing.T, summary string) map[string]int {
	t.Helper()
	var s struct {
		Rows struct {
			Counts []struct {
				Code string
				N    int
			}
		}
		Balanced bool
	}

	if err := json.Unmarshal([]byte(summary), &s); err != nil {
		t.Fatal(err)
	}
	if !s.Balanced {
		t.Error("the control total does not balance")
	}

	counts := map[string]int{}
	for _, c := range s.Rows.Counts {
		counts[c.Code] = c.N
	}
	return counts
}

// booked returns the bodies that the service received, sorted.
func (d *sampleOffice) booked() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	slices.Sort(d.bodies)
	return d.bodies
}

// bodyLine returns the fields of a request body in which the samples differ, on one
// line.
func bodyLine(t *testing.T, body []byte) string {
	t.Helper()
	var b struct {
		TripID     string `json:"trip_id"`
		TripType   string `json:"trip_type"`
		SpaceType  string `json:"space_type"`
		Pickup     struct{ Pickup_time string }
		Dropoff    struct{ Appt_time string }
		Additional []struct {
			Space_type string
			Count      int
		} `json:"additional_passengers"`
	}

	if err := json.Unmarshal(body, &b); err != nil {
		t.Error(err)
	}

	line := b.TripID + " " + b.TripType
	if b.Pickup.Pickup_time != "" {
		line += " pickup " + b.Pickup.Pickup_time
	}

	if b.Dropoff.Appt_time != "" {
		line += " appt " + b.Dropoff.Appt_time
	}

	line += " " + b.SpaceType
	for _, a := range b.Additional {
		line += fmt.Sprintf(" +%d %s", a.Count, a.Space_type)
	}
	return line
}

// checkUnplaced requires that every address waits once in the file to be filled in.
func (d *sampleOffice) checkUnplaced(t *testing.T, want int) {
	t.Helper()
	text, err := os.ReadFile(d.path + ".places.csv")
	if err != nil {
		t.Fatal(err)
	}

	records, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}

	seen := map[string]bool{}
	for _, r := range records[1:] {
		seen[strings.Join(r[:5], "|")] = true
	}

	if len(records)-1 != want || len(seen) != want {
		t.Errorf("%d lines and %d addresses wait, want %d:\n%s", len(records)-1, len(seen), want, text)
	}
}

// insertSchema returns the contract's schema for the body of an insertion.
func insertSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	path := filepath.Join("..", "..", "importer", "sandbox", "contract.json")
	schema, err := jsonschema.NewCompiler().Compile(path + "#/$defs/insert")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
