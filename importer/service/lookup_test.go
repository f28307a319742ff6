package service

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"tripimport/importer"
)

type fixedToken string

func (t fixedToken) Token(context.Context) (importer.Secret, error) {
	return importer.NewSecret(string(t)), nil
}

func TestLookUp(t *testing.T) {
	const (
		guid  = "0b8f1e9a-5c3d-4e2f-9a1b-7c6d5e4f3a2b"
		other = "1b8f1e9a-5c3d-4e2f-9a1b-7c6d5e4f3a2b"
		id    = "T 1&x=2"
	)
	tests := []struct {
		name, answer, place string
		status              int
		want                string
		fails               bool
	}{
		{"in an object", `{"trip_id":"` + id + `","trip_guid":"` + guid + `"}`, "trip_guid", 200, guid, false},
		{"beside the id of its envelope", `{"TripID":"` + id + `","trip":{"trip_guid":"` + guid + `"}}`, "trip.trip_guid", 200, guid, false},
		{"in a list", `{"trips":[{"trip_id":"` + id + `","id":{"guid":"` + guid + `"}}]}`, "trips.0.id.guid", 200, guid, false},
		{"in the second element", `[{"trip_id":"T-2","guid":"` + other + `"},{"trip_id":"` + id + `","guid":"` + guid + `"}]`, "0.guid", 200, guid, false},
		{"twice", `[{"trip_id":"` + id + `","guid":"` + guid + `"},{"trip_id":"` + id + `","guid":"` + guid + `"}]`, "0.guid", 200, guid, false},
		{"two trips with our id", `[{"trip_id":"` + id + `","guid":"` + guid + `"},{"trip_id":"` + id + `","guid":"` + other + `"}]`, "0.guid", 200, "", false},
		{"another trip", `{"trip_id":"T-2","trip_guid":"` + guid + `"}`, "trip_guid", 200, "", false},
		{"no trip named", `{"trip_guid":"` + guid + `"}`, "trip_guid", 200, "", false},
		{"no trip named in the list", `{"trip_id":"` + id + `","trips":[{"trip_guid":"` + guid + `"}]}`, "trips.0.trip_guid", 200, "", false},
		{"another trip in our envelope", `{"trip_id":"` + id + `","trip":{"trip_id":"T-2","trip_guid":"` + guid + `"}}`, "trip.trip_guid", 200, "", false},
		{"only another trip in the list", `[{"trip_id":"T-2","guid":"` + guid + `"}]`, "0.guid", 200, "", false},
		{"an empty list proves nothing", `{"trips":[]}`, "trips.0.id.guid", 200, "", false},
		{"no such name", `{"x":1}`, "trip_guid", 200, "", false},
		{"no GUID's shape", `{"trip_id":"` + id + `","trip_guid":"soon"}`, "trip_guid", 200, "", false},
		{"zeros", `{"trip_id":"` + id + `","trip_guid":"00000000-0000-0000-0000-000000000000"}`, "trip_guid", 200, "", false},
		{"not found", `{}`, "trip_guid", 404, "", false},
		{"an error", `{"trip_id":"` + id + `","trip_guid":"` + guid + `"}`, "trip_guid", 500, "", true},
		{"a page", `<html>sign in</html>`, "trip_guid", 200, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked *http.Request
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = r
				w.WriteHeader(tt.status)
				_, _ = w.Write([]byte(tt.answer))
			}))
			defer server.Close()
			c, err := New(Config{BaseURL: server.URL, Token: fixedToken("tok")})
			if err != nil {
				t.Fatal(err)
			}
			defer c.CloseIdle()
			day, _ := importer.NewDate(2026, 12, 2)
			got, err := c.LookUp(t.Context(), Lookup{Path: "/v1/trips?id={trip_id}&day={date}", GUID: tt.place}, id, day)
			if got != tt.want || (err != nil) != tt.fails {
				t.Errorf("gives %q, %v; want %q", got, err, tt.want)
			}
			if asked.Method != http.MethodGet || asked.URL.Query().Get("id") != "T 1&x=2" || asked.URL.Query().Get("day") != "2026-12-02" {
				t.Errorf("asked %s %s", asked.Method, asked.URL)
			}
			if asked.Header.Get("Authorization") != "bearer tok" {
				t.Error("the token was not sent as the contract says")
			}
		})
	}
}

func TestLookupCheck(t *testing.T) {
	good := Lookup{Path: "/v1/trips?id={trip_id}", GUID: "trip_guid"}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for _, l := range []Lookup{
		{Path: "https://elsewhere.example/{trip_id}", GUID: "g"},
		{Path: "//elsewhere.example/{trip_id}", GUID: "g"},
		{Path: "/v1/trips", GUID: "g"},
		{Path: "/v1/trips?id={trip_id}"},
	} {
		if l.Check() == nil {
			t.Errorf("%+v is taken", l)
		}
	}
}
