package service

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// contractSchema compiles a part of the schema by which the sandbox validates
// requests.
func contractSchema(t testing.TB, def string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../sandbox/contract.json#/$defs/" + def)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// validates fails the test if a JSON text is not valid by the schema.
func validates(t testing.TB, schema *jsonschema.Schema, text []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if err := schema.Validate(value); err != nil {
		t.Fatalf("%v\nin %s", err, text)
	}
}
