package sandbox

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

func contractSchema(t testing.TB, def string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("testdata/contract.schema.json#/$defs/" + def)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The schema, which tests of other packages hold their bodies against, and the
// sandbox's own checks of a body's shape say the same of every body: good ones,
// and good ones with a fault or two put in.
func TestSchemaAndSandboxAgree(t *testing.T) {
	for def, faultsOf := range map[string]func([]byte) []string{
		"insert": func(body []byte) []string { _, faults := readTrip(parse(body)); return faults },
		"change": func(body []byte) []string { _, faults := readChange(parse(body)); return faults },
	} {
		schema := contractSchema(t, def)
		good, bad := 0, 0
		rapid.Check(t, func(r *rapid.T) {
			var body any
			if def == "insert" {
				body = anyInsert(r)
			} else {
				body = anyChange(r)
			}
			for range rapid.IntRange(0, 2).Draw(r, "faults") {
				body = spoil(r, body)
			}
			text, err := json.Marshal(body)
			if err != nil {
				r.Fatal(err)
			}
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
			if err != nil {
				r.Fatal(err)
			}
			wrong, faults := schema.Validate(value), faultsOf(text)
			if (wrong == nil) != (faults == nil) {
				r.Fatalf("%s\nschema:  %v\nsandbox: %v", text, wrong, faults)
			}
			if wrong == nil {
				good++
			} else {
				bad++
			}
		})
		enough := 20
		if testing.Short() {
			enough = 3 // rapid tries a fifth then
		}
		if good < enough || bad < enough {
			t.Errorf("%s: %d good and %d bad bodies are too few to prove anything", def, good, bad)
		}
	}
}

// The list that the sandbox gives keeps to the schema as well.
func TestAccessKeepsToTheSchema(t *testing.T) {
	c := start(t, Config{})
	_, text := c.do("GET", "/v1/access", "")
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := contractSchema(t, "access").Validate(value); err != nil {
		t.Error(err)
	}
}

func anyInsert(r *rapid.T) map[string]any {
	filled := rapid.StringN(1, 8, -1)
	body := map[string]any{
		"trip_type": rapid.SampledFrom([]string{"Appointment", "Return", "willcall", "Willcall", "1", "2", "3"}).Draw(r, "type"),
		"pickup":    anyEvent(r), "dropoff": anyEvent(r),
	}
	for _, name := range []string{"tp_api_key", "trip_id", "rider_id", "funding_source_name", "space_type"} {
		body[name] = filled.Draw(r, name)
	}
	maybe(r, body, "phone", rapid.String().AsAny())
	maybe(r, body, "billable_distance", rapid.Float64Range(0, 1e9).AsAny())
	if rapid.Bool().Draw(r, "companions") {
		body["additional_passengers"] = rapid.SliceOfN(rapid.Custom(func(r *rapid.T) any {
			return map[string]any{"space_type": filled.Draw(r, "space"), "count": rapid.IntRange(1, 9).Draw(r, "count")}
		}), 0, 3).Draw(r, "list")
	}
	return body
}

func anyEvent(r *rapid.T) map[string]any {
	place := map[string]any{
		"latitude":  rapid.Float64Range(-90, 90).Draw(r, "lat"),
		"longitude": rapid.Float64Range(-180, 180).Draw(r, "lng"),
	}
	for _, name := range []string{"location_name", "address1", "address2", "city", "state", "zip"} {
		maybe(r, place, name, rapid.String().AsAny())
	}
	event := map[string]any{"event_location": place}
	for _, name := range []string{"event_name", "event_comment", "complete_address", "phone_number"} {
		maybe(r, event, name, rapid.String().AsAny())
	}
	at := rapid.SampledFrom([]any{
		"2026-12-02 08:30:00.000", "2026-12-02 23:59", "12/02/2026 8:30 AM", "99/99/9999 99:99 PM", "0000-00-00 00:00",
	})
	maybe(r, event, "appt_time", at)
	maybe(r, event, "pickup_time", at)
	return event
}

func anyChange(r *rapid.T) map[string]any {
	key := rapid.SampledFrom([]string{
		"caller", "space_type", "trip_type", "billable_distance", "additional_passengers",
		"pickup.event_name", "dropoff.event_location.zip", "pickup.event_location.latitude", "dropoff.pickup_time",
	})
	return map[string]any{
		"trip_guid": rapid.StringN(1, 8, -1).Draw(r, "guid"), "tp_api_key": rapid.StringN(1, 8, -1).Draw(r, "key"),
		"properties_to_change": rapid.SliceOfN(rapid.Custom(func(r *rapid.T) any {
			return map[string]any{"Key": key.Draw(r, "key"), "Value": rapid.String().Draw(r, "value")}
		}), 1, 3).Draw(r, "list"),
	}
}

func maybe(r *rapid.T, object map[string]any, name string, value *rapid.Generator[any]) {
	if rapid.Bool().Draw(r, name) {
		object[name] = value.Draw(r, name)
	}
}

// spoil changes one value somewhere in a body: leaves it out, gives it another
// type or an extreme, or puts an unknown field beside it.
func spoil(r *rapid.T, value any) any {
	odd := rapid.SampledFrom([]any{
		nil, "", "x", true, 0, -1, 1.5, 91.0, 181.0, 1e300, 3e9, []any{}, map[string]any{}, "2026-12-02", "pickup.zip", "Pickup.event_name",
	})
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 {
			return odd.Draw(r, "odd")
		}
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(v))).Draw(r, "name")
		switch rapid.IntRange(0, 5).Draw(r, "how") {
		case 0:
			delete(v, name)
		case 1:
			v[strings.ToUpper(name)] = v[name]
		case 2:
			v[name] = odd.Draw(r, "odd")
		default:
			v[name] = spoil(r, v[name])
		}
		return v
	case []any:
		if len(v) == 0 {
			return odd.Draw(r, "odd")
		}
		i := rapid.IntRange(0, len(v)-1).Draw(r, "i")
		v[i] = spoil(r, v[i])
		return v
	}
	return odd.Draw(r, "odd")
}

// Whatever is sent: no panic, and nothing is taken that the schema refuses.
func FuzzReadTrip(f *testing.F) {
	f.Add(tripJSON(f, "key-1", nil))
	f.Add(tripJSON(f, "key-1", set("additional_passengers", []any{map[string]any{"space_type": "AMB", "count": 2}})))
	f.Add(`{"trip_id":"a","trip_id":"b"}`)
	f.Add(`{"pickup":{"event_location":{"latitude":1e999}}}`)
	f.Add(`[[[[`)
	schema := contractSchema(f, "insert")
	f.Fuzz(func(t *testing.T, body string) {
		trip, faults := readTrip(parse([]byte(body)))
		if faults != nil {
			return
		}
		trip.rules()
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s is taken: %v", body, err)
		}
	})
}
