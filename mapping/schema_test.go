package mapping

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"tripimport/importer"
)

// TestSchemaTakesTheTemplates checks that the schema is valid for every mapping
// that Parse takes.
func TestSchemaTakesTheTemplates(t *testing.T) {
	schema := compiledSchema(t)
	paths, err := filepath.Glob("../templates/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal("no templates", err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(asJSON(t, content)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestSchemaFindsUnknownKeys checks that an editor marks misspelt keys, words
// and codes.
func TestSchemaFindsUnknownKeys(t *testing.T) {
	schema := compiledSchema(t)
	for _, doc := range []string{
		"mapping: 1\nname: x\ntrip: {provder: A}\n",
		"mapping: 1\nname: x\ntrip: {provider: {colum: A}}\n",
		"mapping: 1\nname: x\ntrip: {pickup: {citty: A}}\n",
		"mapping: 2\nname: x\ntrip: {}\n",
		"mapping: 1\nname: x\nread: {serials: 1901}\ntrip: {}\n",
		"mapping: 1\nname: x\nread: {offsets: guess}\ntrip: {}\n",
		"mapping: 1\nname: x\nrules: {notices: [id-shap]}\ntrip: {}\n",
		"mapping: 1\nname: x\nrules: {faults: trip-id-twice}\ntrip: {}\n",
		"mapping: 1\nname: x\ntrip: {phone: {column: P, case: Upper}}\n",
		"mapping: 1\nname: x\ntrip: {}\nround_trip: {when: {flag: R}, trip_id: {outbound: a, return: b}, return: {blank_time: later}}\n",
	} {
		if schema.Validate(asJSON(t, []byte(doc))) == nil {
			t.Errorf("the schema takes %q", doc)
		}
	}
}

// TestSchemaTakesTurnableCodes checks that the schema takes the codes that Parse
// takes under rules, and no others.
func TestSchemaTakesTurnableCodes(t *testing.T) {
	schema := compiledSchema(t)
	for _, c := range importer.Codes() {
		doc := "mapping: 1\nname: x\nrules: {notices: " + c.Code + ", faults: [" + c.Code + "]}\ntrip: {}\n"
		if err := schema.Validate(asJSON(t, []byte(doc))); (err == nil) != c.Turnable {
			t.Errorf("%s, which can be turned: %t: %v", c.Code, c.Turnable, err)
		}
	}
}

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(SchemaID, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(SchemaID)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// asJSON reads YAML as an editor does.
func asJSON(t *testing.T, content []byte) any {
	t.Helper()
	var v any
	if err := yaml.Load(content, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
