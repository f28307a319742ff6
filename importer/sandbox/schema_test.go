package sandbox

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"tripimport/importer"
)

func theContract(t testing.TB) map[Operation]*jsonschema.Schema {
	t.Helper()
	c, err := bodySchemas()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The schema of an insertion has every property of a trip, and no other.
func TestSchemaHasEveryProperty(t *testing.T) {
	inSchema := map[string]bool{}
	for _, key := range keysOf("", theContract(t)[Insert]) {
		inSchema[key] = true
	}
	for _, p := range importer.TripProperties() {
		if !inSchema[p.Key] {
			t.Errorf("%s is a property of a trip, but not in contract.json: $defs/insert", p.Key)
		}
		delete(inSchema, p.Key)
	}
	for key := range inSchema {
		t.Errorf("%s is in contract.json and is not a property of a trip", key)
	}
}

// keysOf returns the dotted names of an object's fields.
func keysOf(path string, schema *jsonschema.Schema) []string {
	for schema.Ref != nil {
		schema = schema.Ref
	}
	if len(schema.Properties) == 0 {
		return []string{path}
	}
	var keys []string
	for name, property := range schema.Properties {
		keys = append(keys, keysOf(strings.TrimPrefix(path+"."+name, "."), property)...)
	}
	return keys
}

// The keys of the change operation are the properties that are listed as
// changeable, and caller, which is not a property of our trips.
func TestChangeableKeys(t *testing.T) {
	pair := theContract(t)[Change].Properties["properties_to_change"].Items2020
	inSchema := map[any]bool{}
	for _, key := range pair.Properties["Key"].Enum.Values {
		inSchema[key] = true
	}
	if !inSchema["caller"] {
		t.Error("caller is not in contract.json: $defs/change")
	}
	delete(inSchema, "caller")
	for _, p := range importer.TripProperties() {
		if p.Changeable != inSchema[p.Key] {
			t.Errorf("%s: listed as changeable: %v, in contract.json: %v", p.Key, p.Changeable, inSchema[p.Key])
		}
		delete(inSchema, p.Key)
	}
	for key := range inSchema {
		t.Errorf("%s is in contract.json and is not a property of a trip", key)
	}
}

// Valid bodies are accepted, and what is read of them is everything that was in them.
func TestGoodBodiesAreReadWhole(t *testing.T) {
	c := theContract(t)
	rapid.Check(t, func(r *rapid.T) {
		sent := anyInsert(r)
		b := parse(jsonOf(r, sent))
		if found := violations(c[Insert], b); found != nil {
			r.Fatalf("refused: %q", found)
		}
		delete(sent, "tp_api_key")
		sent["trip_type"] = strconv.Itoa(int(readType(sent["trip_type"].(string))))
		want := map[string]string{}
		flatten(want, "", parse(jsonOf(r, sent)).value)
		if diff := cmp.Diff(want, valuesOf(b)); diff != "" {
			r.Fatal(diff)
		}
	})
	rapid.Check(t, func(r *rapid.T) {
		sent := anyChange(r)
		b, ch := parse(jsonOf(r, sent)), changeBody{}
		if found := violations(c[Change], b); found != nil {
			r.Fatalf("refused: %q", found)
		}
		if err := json.Unmarshal(b.text, &ch); err != nil {
			r.Fatal(err)
		}
		holdSame(r, sent, ch)
	})
}

// The values have every field of the schema.
func TestEveryFieldIsRead(t *testing.T) {
	c := theContract(t)
	sent := example(c[Insert]).(map[string]any)
	values := valuesOf(parse(jsonOf(t, sent)))
	for _, key := range keysOf("", c[Insert]) {
		if values[key] == "" && key != "tp_api_key" {
			t.Errorf("%s is not among the trip's values", key)
		}
	}
}

// example makes a value with every field that the schema has.
func example(schema *jsonschema.Schema) any {
	for schema.Ref != nil {
		schema = schema.Ref
	}
	switch {
	case schema.Enum != nil:
		return schema.Enum.Values[0]
	case schema.Pattern != nil:
		return "2026-12-02 08:30:00.000"
	case schema.Items2020 != nil:
		return []any{example(schema.Items2020)}
	case schema.Types.ToStrings()[0] == "string":
		return "text"
	case len(schema.Properties) == 0:
		return 1
	}
	object := map[string]any{}
	for name, property := range schema.Properties {
		object[name] = example(property)
	}
	return object
}

// Everything that is wrong with a body has a sentence of its own, and every valid body fits the structs.
func TestSpoiledBodiesAreExplained(t *testing.T) {
	c := theContract(t)
	bad := 0
	rapid.Check(t, func(r *rapid.T) {
		read := func(b body) []string { return violations(c[Insert], b) }
		sent := any(anyInsert(r))
		if rapid.Bool().Draw(r, "change") {
			read = func(b body) []string { return violations(c[Change], b) }
			sent = anyChange(r)
		}
		for range rapid.IntRange(1, 3).Draw(r, "times") {
			sent = spoil(r, sent)
		}
		text := jsonOf(r, sent)
		found := read(parse(text))
		if again := read(parse(text)); len(found) != len(again) {
			r.Fatalf("%s: %q the first time, %q the second", text, found, again)
		}
		for _, sentence := range found {
			if strings.Contains(sentence, "what the contract asks for") || strings.Contains(sentence, "can't be read") {
				r.Fatalf("%s: %q", text, sentence)
			}
		}
		if found != nil {
			bad++
		}
	})
	enough := 20
	if testing.Short() {
		enough = 3 // rapid tries a fifth then
	}
	if bad < enough {
		t.Errorf("%d bad bodies are too few to prove anything", bad)
	}
}

// holdSame compares the JSON of a struct with the body from which it was read. The struct
// omits empty values.
func holdSame(r rapid.TB, sent map[string]any, read any) {
	var got, want any
	if err := errors.Join(json.Unmarshal(jsonOf(r, sent), &want), json.Unmarshal(jsonOf(r, read), &got)); err != nil {
		r.Fatal(err)
	}
	if diff := cmp.Diff(withoutEmpty(want), withoutEmpty(got)); diff != "" {
		r.Fatal(diff)
	}
}

func withoutEmpty(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	maps.DeleteFunc(object, func(_ string, v any) bool {
		list, isList := v.([]any)
		return v == "" || isList && len(list) == 0
	})
	for name, v := range object {
		object[name] = withoutEmpty(v)
	}
	return object
}

func jsonOf(r rapid.TB, value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		r.Fatal(err)
	}
	return text
}

// The response of the access operation is valid by the schema as well.
func TestAccessKeepsToTheSchema(t *testing.T) {
	c := start(t, Config{})
	_, text := c.do("GET", "/v1/access", "")
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.NewCompiler().Compile("contract.json#/$defs/access")
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
}

func anyInsert(r *rapid.T) map[string]any {
	filled := rapid.StringMatching(`\S{1,8}`)
	body := map[string]any{
		"trip_type": rapid.SampledFrom([]string{"Appointment", "Return", "willcall", "Willcall", "1", "2", "3"}).Draw(r, "type"),
		"pickup":    anyEvent(r), "dropoff": withoutPickupTime(anyEvent(r)),
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
	maybe(r, place, "location_name", rapid.String().AsAny())
	event := map[string]any{"event_location": place}
	filled := rapid.StringN(1, 8, -1).AsAny()
	if maybe(r, event, "complete_address", filled); event["complete_address"] == nil {
		for _, name := range []string{"address1", "city", "state", "zip"} {
			place[name] = filled.Draw(r, name)
		}
		maybe(r, place, "address2", rapid.String().AsAny())
	}
	for _, name := range []string{"event_name", "event_comment", "phone_number"} {
		maybe(r, event, name, rapid.String().AsAny())
	}
	at := rapid.SampledFrom([]any{
		"2026-12-02 08:30:00.000", "2026-12-02 23:59", "12/02/2026 8:30 AM", "99/99/9999 99:99 PM", "0000-00-00 00:00",
	})
	maybe(r, event, "appt_time", at)
	maybe(r, event, "pickup_time", at)
	return event
}

func withoutPickupTime(event map[string]any) map[string]any {
	delete(event, "pickup_time")
	return event
}

func anyChange(r *rapid.T) map[string]any {
	values := map[string]*rapid.Generator[string]{
		"space_type": rapid.StringMatching(`\S+`), "trip_type": rapid.SampledFrom([]string{"1", "2", "3"}),
		"billable_distance": rapid.StringMatching(`[0-9]{1,9}(\.[0-9]{1,9})?`), "additional_passengers": rapid.SampledFrom([]string{"AMB|1", "AMB|1;WCH|20"}),
		"pickup.event_location.latitude": rapid.SampledFrom([]string{"90", "-90.0", "46.78", "0"}), "pickup.event_location.longitude": rapid.SampledFrom([]string{"180.0", "-179.99", "92", "0.5"}),
		"caller": rapid.String(), "pickup.event_name": rapid.String(), "dropoff.event_location.zip": rapid.String(), "dropoff.pickup_time": rapid.String(),
	}
	keys := rapid.SampledFrom(slices.Sorted(maps.Keys(values)))
	return map[string]any{
		"trip_guid": rapid.StringN(1, 8, -1).Draw(r, "guid"), "tp_api_key": rapid.StringN(1, 8, -1).Draw(r, "key"),
		"properties_to_change": rapid.SliceOfN(rapid.Custom(func(r *rapid.T) any {
			key := keys.Draw(r, "key")
			return map[string]any{"Key": key, "Value": values[key].Draw(r, "value")}
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

// No body makes the sandbox panic, and every valid body has values.
func FuzzReadInsertion(f *testing.F) {
	f.Add(tripJSON(f, "key-1", nil))
	f.Add(tripJSON(f, "key-1", set("additional_passengers", []any{map[string]any{"space_type": "AMB", "count": 2.0}})))
	f.Add(strings.Replace(tripJSON(f, "key-1", set("billable_distance", 7)), ":7", ":7.0e0", 1))
	f.Add(`{"trip_id":"a","trip_id":"b"}`)
	f.Add(`{"pickup":{"event_location":{"latitude":1e999}}}`)
	f.Add(`[[[[`)
	c := theContract(f)
	f.Fuzz(func(t *testing.T, text string) {
		b := parse([]byte(text))
		if violations(c[Insert], b) != nil {
			return
		}
		brokenTimes(valuesOf(b))
	})
}
