package sandbox

import (
	"bytes"
	_ "embed" // for the schema
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tripimport/importer"
)

// schemaText is the JSON Schema of the service's request bodies and of its list
// of providers, written from the contract. Tests of other packages read the
// file as well.
//
//go:embed contract.json
var schemaText []byte

// bodySchemas compiles the schemas of the bodies of an insertion and a change once, which takes
// a few milliseconds. It fails only if contract.json is not a valid schema. They are safe for
// concurrent use.
var bodySchemas = sync.OnceValues(func() (map[Operation]*jsonschema.Schema, error) {
	const url = "https://sandbox.invalid/contract.json"
	compiler, schemas := jsonschema.NewCompiler(), map[Operation]*jsonschema.Schema{}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err == nil {
		err = compiler.AddResource(url, document)
	}
	for _, operation := range []Operation{Insert, Change} { // which have the names of the definitions
		if err == nil {
			schemas[operation], err = compiler.Compile(url + "#/$defs/" + string(operation))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the sandbox's schema: %w", err)
	}
	return schemas, nil
})

// violations validates a body against a schema and returns one sentence for each
// thing that is wrong, sorted; nil if the body is valid.
func violations(schema *jsonschema.Schema, b body) []string {
	if b.err != nil {
		return []string{fmt.Sprintf("the request is not JSON: %v", b.err)}
	}

	err := schema.Validate(b.value)
	if err == nil {
		return nil
	}
	// Behind its first line the error has one line for each cause.
	all := importer.Each(strings.Split(err.Error(), "- at ")[1:], strings.TrimSpace)
	slices.Sort(all) // the validator visits the fields in random order
	return all
}

// An Operation is an operation of the service.
type Operation string

// The operations that the contract shows.
const (
	Access Operation = "access" // lists providers and funding sources
	Insert Operation = "insert" // books a trip
	Change Operation = "change" // changes properties of a booked trip
)

// A body is the body of a request, parsed as JSON.
type body struct {
	text  []byte
	value any   // as json.Unmarshal returns it; nil if err is set
	err   error // why text is not JSON, or not JSON that the sandbox accepts
}

// parse parses a text that must be one JSON value. It refuses invalid UTF-8, which the schema cannot
// find, because json.Unmarshal replaces invalid bytes.
func parse(text []byte) body {
	if !utf8.Valid(text) {
		return body{text: text, err: errors.New("it is not UTF-8")}
	}

	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return body{text: text, err: err}
	}
	return body{text: text, value: value}
}

// field returns a text at the top level of the body, or "" if there is none.
func (b body) field(name string) string {
	object, _ := b.value.(map[string]any)
	text, _ := object[name].(string)
	return text
}
