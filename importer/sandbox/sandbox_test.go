package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A client is an HTTP client of a sandbox that listens on loopback.
type client struct {
	t       *testing.T
	sandbox *Sandbox
	url     string
	key     string
}

// start makes a sandbox with the provider Lakeshore Transit and its funding
// source Northwind Health Plan, and serves it until the test ends.
func start(t *testing.T, cfg Config) *client {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.Allow("Lakeshore Transit", "Northwind Health Plan")
	server, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if err := server.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return &client{t, s, server.URL(), s.providers[0].Key.Reveal()}
}

// booked returns the trips in the store, in the order of booking.
func (c *client) booked() []BookedTrip { return c.sandbox.Trips() }

// do sends a request with the right token and returns status and body.
func (c *client) do(method, path, body string) (int, string) {
	c.t.Helper()
	resp, text, err := c.try(method, path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp.StatusCode, text
}

func (c *client) try(method, path, body string) (*http.Response, string, error) {
	resp, err := http.DefaultTransport.RoundTrip(c.request(c.t.Context(), method, path, body))
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 4<<20))
	return resp, string(text), err
}

// request makes a request with the right token and content type.
func (c *client) request(ctx context.Context, method, path, body string) *http.Request {
	c.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "bearer "+DefaultToken)
	req.Header.Set("Content-Type", "application/json")
	return req
}

// trip returns a valid appointment; edit changes it as a JSON object.
func (c *client) trip(edit func(map[string]any)) string {
	c.t.Helper()
	return tripJSON(c.t, c.key, edit)
}

func tripJSON(t testing.TB, key string, edit func(map[string]any)) string {
	t.Helper()
	trip := map[string]any{
		"tp_api_key": key, "trip_id": "T-1001", "rider_id": "R-77",
		"funding_source_name": "Northwind Health Plan", "space_type": "AMB", "trip_type": "Appointment",
		"pickup": map[string]any{
			"complete_address": "12 Willow Lane, Duluth, MN 55802",
			"event_location":   map[string]any{"latitude": 46.78, "longitude": -92.1},
			"pickup_time":      "2026-12-02 08:30:00.000",
		},
		"dropoff": map[string]any{
			"event_location": map[string]any{
				"address1": "400 Clinic Road", "city": "Duluth", "state": "MN", "zip": "55805",
				"latitude": 46.8, "longitude": -92.08,
			},
			"appt_time": "2026-12-02 09:15:00.000",
		},
	}
	if edit != nil {
		edit(trip)
	}
	text, err := json.Marshal(trip)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// set returns an edit that sets a value by its dotted path, or deletes it if
// value is nil.
func set(path string, value any) func(map[string]any) {
	return func(trip map[string]any) {
		parts := strings.Split(path, ".")
		for _, p := range parts[:len(parts)-1] {
			trip = trip[p].(map[string]any)
		}
		last := parts[len(parts)-1]
		if value == nil {
			delete(trip, last)
			return
		}
		trip[last] = value
	}
}

// answered is the answer to an insertion or a change, as far as tests read it.
type answered struct {
	GUID     string   `json:"trip_guid"`
	ID       string   `json:"trip_id"`
	Distance *float64 `json:"billable_distance"`
	Dropoff  struct {
		Location struct {
			Address1 string `json:"address1"`
		} `json:"event_location"`
	} `json:"dropoff"`
}

func TestInsertGivesTheTripBackWithItsGUID(t *testing.T) {
	c := start(t, Config{GUIDPrefix: "00000000-"})
	status, text := c.do("POST", "/v1/singletrip", c.trip(nil))
	var got answered
	if err := json.Unmarshal([]byte(text), &got); status != 200 || err != nil {
		t.Fatalf("%d %s", status, text)
	}
	if len(got.GUID) != 36 || !strings.HasPrefix(got.GUID, "00000000-") || got.ID != "T-1001" ||
		got.Dropoff.Location.Address1 != "400 Clinic Road" {
		t.Errorf("got %s", text)
	}
	if got.Distance == nil || *got.Distance < 1 || *got.Distance > 4 {
		t.Errorf("the distance was not calculated: %s", text)
	}
	if strings.Contains(text, c.key) {
		t.Error("the answer repeats the API key")
	}
}

func TestAccessListsWhatIsAllowed(t *testing.T) {
	c := start(t, Config{})
	c.sandbox.Allow("Pine Valley Rides", "County Plan")
	c.sandbox.Allow("pine  valley rides", "COUNTY plan") // the same names
	c.sandbox.Allow("Pine Valley Rides", "Private Pay")
	status, text := c.do("GET", "/v1/access", "")
	want := `[{"APIKey":"` + keyFor("Lakeshore Transit").Reveal() + `","TranportationProviderName":"Lakeshore Transit","FundingSources":[` +
		`{"FundingSourceId":1,"FundingSourceName":"Northwind Health Plan"}]},` +
		`{"APIKey":"` + keyFor("PINE valley rides").Reveal() + `","TranportationProviderName":"Pine Valley Rides","FundingSources":[` +
		`{"FundingSourceId":2,"FundingSourceName":"County Plan"},{"FundingSourceId":3,"FundingSourceName":"Private Pay"}]}]`
	if status != 200 || text != want {
		t.Errorf("%d %s\nwant %s", status, text, want)
	}
}

func TestStateFindsTripsAgain(t *testing.T) {
	t.Run("ids in clear", func(t *testing.T) { testState(t, nil) })
	t.Run("ids encrypted", func(t *testing.T) { testState(t, bytes.Repeat([]byte{7}, 32)) })
}

func testState(t *testing.T, key []byte) {
	dir := t.TempDir()
	cfg := Config{State: filepath.Join(dir, "state"), StateKey: key, Log: filepath.Join(dir, "log")}
	c := start(t, cfg)
	c.do("POST", "/v1/singletrip", c.trip(nil))
	c.do("POST", "/v1/singletrip", c.trip(set("trip_id", "T-2")))
	first := c.booked()
	if err := c.sandbox.Close(); err != nil {
		t.Fatal(err)
	}
	// A crash leaves half a line.
	state, err := os.ReadFile(cfg.State)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cfg.State, append(state, state[:20]...), 0o600); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(state, []byte("Willow")) || bytes.Contains(state, []byte("R-77")) {
		t.Error("the state file holds row content")
	}
	if bytes.Contains(state, []byte("T-2")) == (key != nil) {
		t.Errorf("the state file has %s", state)
	}

	c = start(t, cfg)
	c.do("POST", "/v1/singletrip", c.trip(nil))
	again := c.booked()
	if len(again) != 3 || again[0].GUID != first[0].GUID || again[1].GUID != first[1].GUID ||
		again[0].Values["pickup.pickup_time"] != "2026-12-02 08:30:00.000" || again[2].Again != 1 {
		t.Errorf("after %v the book holds %v", first, again)
	}
	entries, err := readLog(cfg.Log)
	if err != nil {
		t.Fatal(err)
	}
	last := entries[len(entries)-1]
	if len(entries) != 6 || last.Phase != Committed || last.Again != 1 || last.GUID != again[2].GUID || last.TripID != "T-1001" {
		t.Errorf("the log holds %+v", entries)
	}
}
