package service

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// contractSchema is the project's schema of the contract's bodies. It stands
// with the sandbox, whose tests prove that the two agree.
func contractSchema(t testing.TB, def string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../sandbox/contract.json#/$defs/" + def)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// validates holds a JSON text against a schema.
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
