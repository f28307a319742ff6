package mapping

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
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

// TestSchemaFindsUnknownKeys checks that an editor marks misspelt keys and
// words.
func TestSchemaFindsUnknownKeys(t *testing.T) {
	schema := compiledSchema(t)
	for _, doc := range []string{
		"mapping: 1\nbroker: x\ntrip: {provder: A}\n",
		"mapping: 1\nbroker: x\ntrip: {provider: {colum: A}}\n",
		"mapping: 1\nbroker: x\ntrip: {pickup: {citty: A}}\n",
		"mapping: 2\nbroker: x\ntrip: {}\n",
		"mapping: 1\nbroker: x\nids: sometimes\ntrip: {}\n",
		"mapping: 1\nbroker: x\nread: {offsets: guess}\ntrip: {}\n",
		"mapping: 1\nbroker: x\nstatus: {Status: {live: [VALID]}}\ntrip: {}\n",
		"mapping: 1\nbroker: x\nskip: {x: {column: A, iss: [B]}}\ntrip: {}\n",
		"mapping: 1\nbroker: x\ntrip: {phone: {column: P, case: upper}}\n",
		"mapping: 1\nbroker: x\ntrip: {additional_passengers: {AMB: {column: P, les: 1}}}\n",
		"mapping: 1\nbroker: x\ntrip: {}\nround_trip: {when: {flag: R}, return: {blank_time: later}}\n",
	} {
		if schema.Validate(asJSON(t, []byte(doc))) == nil {
			t.Errorf("the schema takes %q", doc)
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
