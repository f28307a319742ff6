package sandbox

import (
	"bytes"
	_ "embed" // for the schema
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// schemaText is the JSON Schema of the service's request bodies and of its list
// of providers, written from the contract. Tests of other packages read the
// file as well.
//
//go:embed contract.json
var schemaText []byte

// A contract is the compiled schema. It is safe for concurrent use.
type contract struct {
	insert *jsonschema.Schema // the body of an insertion
	change *jsonschema.Schema // the body of a change
	time   *jsonschema.Schema // a date and time
}

// readContract compiles the schema once, which takes a few milliseconds. It fails
// only if contract.json is not a valid schema.
var readContract = sync.OnceValues(func() (*contract, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		return nil, fmt.Errorf("the sandbox's schema: %w", err)
	}

	const url = "https://sandbox.invalid/contract.json"
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(url, document); err != nil {
		return nil, fmt.Errorf("the sandbox's schema: %w", err)
	}

	c := &contract{}
	for name, schema := range map[string]**jsonschema.Schema{"insert": &c.insert, "change": &c.change, "time": &c.time} {
		if *schema, err = compiler.Compile(url + "#/$defs/" + name); err != nil {
			return nil, fmt.Errorf("the sandbox's schema: %w", err)
		}
	}
	return c, nil
})

// violations validates a body against a schema and returns one sentence for each
// thing that is wrong, sorted; nil if the body is valid.
func violations(schema *jsonschema.Schema, b body) []string {
	if b.err != nil {
		return []string{fmt.Sprintf("the request is not JSON: %v", b.err)}
	}

	err := schema.Validate(b.value)
	var invalid *jsonschema.ValidationError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &invalid):
		return []string{"the request can't be validated: " + err.Error()}
	}

	all := sentences(invalid)
	slices.Sort(all) // the validator visits the fields in random order
	return all
}

// sentences returns the sentences for a validation error and all its causes.
func sentences(e *jsonschema.ValidationError) []string {
	if len(e.Causes) == 0 {
		return sentencesFor(e.InstanceLocation, e.ErrorKind)
	}
	var all []string
	for _, cause := range e.Causes {
		all = append(all, sentences(cause)...)
	}
	return all
}

// sentencesFor returns the sentences for a validation error without causes.
func sentencesFor(location []string, what jsonschema.ErrorKind) []string {
	var fields []string // the fields of location that are wrong; nil for location itself
	says := "is not what the contract asks for"
	switch k := what.(type) {
	case *kind.Required:
		fields, says = k.Missing, "is missing"
	case *kind.AdditionalProperties:
		fields, says = k.Properties, "is not a field of this request"
	case *kind.Type:
		says = "is not " + typeName(k)
	case *kind.MinLength, *kind.MinItems:
		says = "is empty"
	case *kind.Minimum, *kind.Maximum:
		says = "is out of range"
	case *kind.Pattern: // only dates and times have one
		says = "is not a date and time of the form YYYY-MM-DD HH:mm:ss.fff"
	case *kind.Enum:
		says = "is none of Appointment, Return and willcall"
		if k.Got == "" {
			says = "is empty"
		} else if location[len(location)-1] == "Key" {
			says = fmt.Sprintf("%q is not one that can be changed", k.Got)
		}
	}

	if fields == nil {
		return []string{path(location) + " " + says}
	}

	all := make([]string, len(fields))
	for i, field := range fields {
		all[i] = path(append(slices.Clip(location), field)) + " " + says
	}
	return all
}

// typeName returns the name of the type that a value should have.
func typeName(k *kind.Type) string {
	switch k.Want[0] {
	case "object":
		return "an object"
	case "array":
		return "a list"
	case "string":
		return "a text"
	case "integer":
		if k.Got == "number" {
			return "a whole number"
		}
	}
	return "a number"
}

// path formats a location as the contract does: pickup.event_location.city,
// additional_passengers[0].count.
func path(location []string) string {
	if len(location) == 0 {
		return "the request"
	}

	var text strings.Builder
	for i, step := range location {
		if _, err := strconv.Atoi(step); err == nil {
			text.WriteString("[" + step + "]")
			continue
		}
		if i > 0 {
			text.WriteString(".")
		}
		text.WriteString(step)
	}
	return text.String()
}

// An Operation is an operation of the service.
type Operation string

// The operations that the contract shows.
const (
	Access Operation = "access" // lists providers and funding sources
	Insert Operation = "insert" // books a trip
	Change Operation = "change" // changes properties of a booked trip
)
