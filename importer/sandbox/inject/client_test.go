package inject

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"tripimport/importer/sandbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A client is an HTTP client of a sandbox that listens on loopback.
type client struct {
	t       *testing.T
	sandbox *sandbox.Sandbox
	url     string
	key     string
}

// start serves a sandbox with one provider and one funding source until the test ends.
func start(t *testing.T, cfg sandbox.Config) *client {
	t.Helper()
	s, err := sandbox.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.Allow("Lakeshore Transit", "Northwind Health Plan")
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		server.Close()
	})
	return &client{t, s, server.URL, providerKey(t)}
}

// providerKey returns the key of the provider, which is the same in every sandbox.
func providerKey(t *testing.T) string {
	t.Helper()
	s, err := sandbox.New(sandbox.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s.Allow("Lakeshore Transit", "Northwind Health Plan")
	answer, request := httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/access", http.NoBody)
	request.Header.Set("Authorization", "bearer "+sandbox.DefaultToken)
	s.ServeHTTP(answer, request)
	var access []struct{ APIKey string }
	if err := json.Unmarshal(answer.Body.Bytes(), &access); err != nil {
		t.Fatalf("the access list is %s", answer.Body)
	}
	return access[0].APIKey
}

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
	req.Header.Set("Authorization", "bearer "+sandbox.DefaultToken)
	req.Header.Set("Content-Type", "application/json")
	return req
}

// trip returns a valid appointment with that id.
func (c *client) trip(id string) string {
	return c.json(map[string]any{
		"tp_api_key": c.key, "trip_id": id, "rider_id": "R-77",
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
	})
}

// change returns a change of one property of the first trip that was booked.
func (c *client) change(key, value string) string {
	return c.json(map[string]any{
		"tp_api_key": c.key, "trip_guid": c.sandbox.Trips()[0].GUID,
		"properties_to_change": []any{map[string]any{"Key": key, "Value": value}},
	})
}

func (c *client) json(object map[string]any) string {
	c.t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

// An entryLog keeps what a sandbox logs.
type entryLog struct {
	mu      sync.Mutex
	entries []sandbox.Entry
}

func (l *entryLog) add(e sandbox.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, e)
}

func (l *entryLog) all() []sandbox.Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries)
}
