package sandbox

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
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
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		server.Close()
	})
	return &client{t, s, server.URL, s.providers[0].Key.Reveal()}
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
	GUID    string `json:"trip_guid"`
	ID      string `json:"trip_id"`
	Dropoff struct {
		Location struct {
			Address1 string `json:"address1"`
		} `json:"event_location"`
	} `json:"dropoff"`
}

func TestInsertGivesTheTripBackWithItsGUID(t *testing.T) {
	c := start(t, Config{Rehearsal: true})
	status, text := c.do("POST", "/v1/singletrip", c.trip(nil))
	var got answered
	if err := json.Unmarshal([]byte(text), &got); status != 200 || err != nil {
		t.Fatalf("%d %s", status, text)
	}
	if len(got.GUID) != 36 || !strings.HasPrefix(got.GUID, "00000000-") || got.ID != "T-1001" ||
		got.Dropoff.Location.Address1 != "400 Clinic Road" {
		t.Errorf("got %s", text)
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

// What an earlier process booked can be changed, and its values need not be known.
func TestEarlierTrips(t *testing.T) {
	const plain, other = "00000000-7c1e-4c58-9a7e-0d4b6f1e2a33", "00000000-7c1e-4c58-9a7e-0d4b6f1e2a34"
	c := start(t, Config{Rehearsal: true})
	for name, g := range map[string]struct {
		guid, key, value string
		want             int
	}{
		"a time":         {plain, "pickup.pickup_time", "2026-12-02 08:15:00.000", 200},
		"no time":        {plain, "pickup.pickup_time", "tomorrow", 400},
		"an appointment": {plain, "dropoff.appt_time", "2026-12-02 09:00:00.000", 200},
		"a phone":        {other, "pickup.phone_number", "218-555-0117", 200},
		"nobody's":       {"3f0c9a52-7c1e-4c58-9a7e-0d4b6f1e2a36", "pickup.phone_number", "218-555-0117", 400},
	} {
		if status, answer := c.change(g.guid, g.key, g.value); status != g.want {
			t.Errorf("%s: %d %v, want %d", name, status, answer, g.want)
		}
	}
	if n := len(c.booked()); n != 2 {
		t.Errorf("%d trips were changed, want 2", n)
	}
}
