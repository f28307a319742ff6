package mapping

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"tripimport/importer"
)

// SchemaID names the schema in a mapping's first line:
// # yaml-language-server: $schema=tripimport-mapping.json
const SchemaID = "tripimport-mapping.json"

// Schema gives the JSON Schema of the mapping language, for editors. It is
// made from the types that the decoder fills.
func Schema() ([]byte, error) {
	r := &jsonschema.Reflector{FieldNameTag: "yaml", Mapper: mapped, Anonymous: true, RequiredFromJSONSchemaTags: true}
	s := r.Reflect(&document{})
	for _, part := range []any{&tableSpec{}, &willCall{}} { // reached by short forms alone
		for name, d := range r.Reflect(part).Definitions {
			s.Definitions[name] = d
		}
	}
	s.Definitions["problemCode"] = turnableCodes()
	s.Definitions["text"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}}}
	for _, part := range []any{
		readSpec{},
		source{},
		condition{},
		dateTimeSpec{},
		countSpec{},
		distance{},
		coordinates{},
		constSource{},
		templateSource{},
		legSpec{},
		returnSpec{},
		thirdSpec{},
	} {
		t := reflect.TypeOf(part)
		completeChoices(t, s.Definitions[t.Name()])
	}
	s.Title = "tripimport mapping"
	s.ID = SchemaID
	s.Definitions["document"].Properties.Set("mapping", &jsonschema.Schema{
		Const: 1, Description: "The version of the mapping language: 1.",
	})
	return json.MarshalIndent(s, "", "  ")
}

// mapped gives the schema of types whose short forms reflection can't see.
func mapped(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[text]():
		return anyText()
	case reflect.TypeFor[[]text]():
		return oneOrMore(anyText())
	case reflect.TypeFor[leaveOuts]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: definition("condition")}
	case reflect.TypeFor[replacements]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: anyText()}
	case reflect.TypeFor[tables]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: aTable()}
	case reflect.TypeFor[tableRef]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string", Description: "The name of a table."}, aTable()}}
	case reflect.TypeFor[[]problemCode]():
		return oneOrMore(definition("problemCode"))
	case reflect.TypeFor[[]willCall]():
		return oneOrMore(definition("willCall"))
	}
	return nil
}

func definition(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

// anyText is a value whose text counts as it is written.
func anyText() *jsonschema.Schema { return definition("text") }

// completeChoices lists the words that a field may have, for an editor to
// complete. The library itself does so for plain strings alone.
func completeChoices(t reflect.Type, s *jsonschema.Schema) {
	if s == nil {
		return // reached through its short form or an inlined type alone
	}
	object := s
	if s.AnyOf != nil {
		object = s.AnyOf[len(s.AnyOf)-1]
	}
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			completeChoices(field.Type, s)
			continue
		}
		for _, word := range strings.Split(field.Tag.Get("jsonschema"), ",") {
			choice, ok := strings.CutPrefix(word, "enum=")
			property, known := object.Properties.Get(field.Tag.Get("yaml"))
			if !ok || !known || field.Type != reflect.TypeFor[text]() {
				continue
			}
			property.Ref = ""
			property.Enum = append(property.Enum, choice)
			if n, err := strconv.Atoi(choice); err == nil {
				property.Enum = append(property.Enum, n)
			}
		}
	}
}

// turnableCodes is any of the codes that a mapping may turn, each with its
// meaning.
func turnableCodes() *jsonschema.Schema {
	codes := &jsonschema.Schema{}
	for _, c := range importer.Codes() {
		if c.Turnable {
			codes.AnyOf = append(codes.AnyOf, &jsonschema.Schema{Const: c.Code, Description: c.Meaning + " (a " + c.Severity.String() + ")"})
		}
	}
	return codes
}

func oneOrMore(item *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{item, {Type: "array", Items: item}}}
}

func aTable() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "object", AdditionalProperties: anyText(), Not: &jsonschema.Schema{Required: []string{"file"}}},
		definition("tableSpec"),
	}}
}

// The types with a short form are that form, or the object that reflection
// finds.

func (source) JSONSchemaExtend(s *jsonschema.Schema) { orShort(s, anyText()) }

func (condition) JSONSchemaExtend(s *jsonschema.Schema) {
	orShort(s, &jsonschema.Schema{Type: "string"}, &jsonschema.Schema{Type: "array", Items: definition("condition")})
}

func (willCall) JSONSchemaExtend(s *jsonschema.Schema) {
	orShort(s, &jsonschema.Schema{Type: "string"})
}

func orShort(s *jsonschema.Schema, short ...*jsonschema.Schema) {
	object := *s
	*s = jsonschema.Schema{AnyOf: append(short, &object)}
}
