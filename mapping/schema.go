package mapping

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
)

// SchemaID is the file name of the schema. A mapping names it in its first line:
// # yaml-language-server: $schema=tripimport-mapping.json
const SchemaID = "tripimport-mapping.json"

// Schema returns the JSON Schema of the mapping language, by which editors
// complete and check mappings. It is made from the types that the decoder
// fills.
func Schema() ([]byte, error) {
	r := &jsonschema.Reflector{FieldNameTag: "yaml", Mapper: schemaOf, Anonymous: true, RequiredFromJSONSchemaTags: true}
	s := r.Reflect(&document{})
	for _, part := range []any{&willCall{}, &condition{}, &countSpec{}, &statusSpec{}, &source{}} { // the library does not look into the schemas of schemaOf
		for name, d := range r.Reflect(part).Definitions {
			s.Definitions[name] = d
		}
	}

	s.Definitions["text"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}}}

	types := map[string]reflect.Type{}
	collectStructs(reflect.TypeFor[document](), types)
	for name, t := range types {
		if d := s.Definitions[name]; d != nil {
			addChoices(t, d)
		}
	}

	s.Title = "tripimport mapping"
	s.ID = SchemaID
	s.Definitions["document"].Properties.Set("mapping", &jsonschema.Schema{
		Const: 1, Description: "The version of the mapping language: 1.",
	})

	return json.MarshalIndent(s, "", "  ")
}

// collectStructs collects, by name, the struct types that t is made of.
func collectStructs(t reflect.Type, types map[string]reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		collectStructs(t.Elem(), types)
	case reflect.Struct:
		if types[t.Name()] != nil {
			return
		}
		types[t.Name()] = t
		for i := range t.NumField() {
			collectStructs(t.Field(i).Type, types)
		}
	}
}

// addChoices adds the words that a text may have, for editors to complete them.
// The library itself adds them to plain strings alone.
func addChoices(t reflect.Type, s *jsonschema.Schema) {
	object := s
	if s.AnyOf != nil { // the short forms come first
		object = s.AnyOf[len(s.AnyOf)-1]
	}
	if object.Properties == nil {
		return
	}

	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			addChoices(field.Type, s)
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

// schemaOf returns the schema of a type that decodes itself, whose forms the
// library can't see. It returns nil for any other type.
func schemaOf(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[text]():
		return anyText()
	case reflect.TypeFor[[]text]():
		return oneOrMore(anyText())
	case reflect.TypeFor[columnSpec]():
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{anyText(), {Type: "array", Items: definition("source")}}}
	case reflect.TypeFor[ordered[*condition]]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: definition("condition")}
	case reflect.TypeFor[ordered[*statusSpec]]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: definition("statusSpec")}
	case reflect.TypeFor[ordered[*countSpec]]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: definition("countSpec")}
	case reflect.TypeFor[ordered[*source]]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: definition("source")}
	case reflect.TypeFor[ordered[text]]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: anyText()}
	case reflect.TypeFor[[]willCall]():
		return oneOrMore(definition("willCall"))
	}

	return nil
}

func definition(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

// anyText accepts a value that is taken as it is written: a text, a number, yes.
func anyText() *jsonschema.Schema { return definition("text") }

func oneOrMore(item *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{item, {Type: "array", Items: item}}}
}

// JSONSchemaExtend adds the short forms: a column, and a list of values that are joined.
func (source) JSONSchemaExtend(s *jsonschema.Schema) {
	addShortForms(s, anyText(), &jsonschema.Schema{Type: "array", Items: definition("source")})
}

// JSONSchemaExtend adds the short form, a list of conditions of which any holds.
func (condition) JSONSchemaExtend(s *jsonschema.Schema) {
	addShortForms(s, &jsonschema.Schema{Type: "array", Items: definition("condition")})
}

// JSONSchemaExtend adds the short forms: a column, and a list of counts that are added up.
func (countSpec) JSONSchemaExtend(s *jsonschema.Schema) {
	addShortForms(s, anyText(), &jsonschema.Schema{Type: "array", Items: definition("countSpec")})
}

// addShortForms makes s accept any of the short forms as well as the object.
func addShortForms(s *jsonschema.Schema, short ...*jsonschema.Schema) {
	object := *s
	*s = jsonschema.Schema{AnyOf: append(short, &object)}
}
