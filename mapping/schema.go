package mapping

import (
	"encoding/json"
	"reflect"
	"strings"
)

// SchemaID is the file name of the schema. A mapping names it in its first line:
// # yaml-language-server: $schema=tripimport-mapping.json
const SchemaID = "tripimport-mapping.json"

// A schema is a JSON Schema, or a part of one.
type schema map[string]any

// Schema returns the JSON Schema of the mapping language, by which editors
// complete and check mappings. It is made from the types that the decoder
// fills.
func Schema() ([]byte, error) {
	definitions := schema{"text": schema{"type": []string{"string", "number", "boolean"}}}
	definitions.of(reflect.TypeFor[document]())
	return json.MarshalIndent(schema{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SchemaID, "title": "tripimport mapping",
		"$ref": definition("document")["$ref"], "$defs": definitions,
	}, "", "  ")
}

// of returns the schema of a type of the document. It adds the structs that the type is made
// of to the definitions.
func (definitions schema) of(t reflect.Type) schema {
	switch t.Kind() {
	case reflect.Pointer:
		return definitions.of(t.Elem())
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Int:
		return schema{"type": "integer"}
	case reflect.Slice:
		if strings.HasPrefix(t.Name(), "ordered[") {
			value, _ := t.Elem().FieldByName("Value")
			return schema{"type": "object", "additionalProperties": definitions.of(value.Type)}
		}
		item := definitions.of(t.Elem())
		return anyOf(item, listOf(item))
	}
	if definitions[t.Name()] == nil {
		definitions[t.Name()] = schema{} // until it is known: a type may contain itself
		definitions[t.Name()] = definitions.forms(t)
	}
	return definition(t.Name())
}

// forms returns the schema of all forms of a struct: its keys and its short forms.
func (definitions schema) forms(t reflect.Type) schema {
	text := definition("text")
	switch t {
	case reflect.TypeFor[columnSpec]():
		return anyOf(text, listOf(definition("source")))
	case reflect.TypeFor[source]():
		return anyOf(text, listOf(definition("source")), definitions.object(t))
	case reflect.TypeFor[condition]():
		return anyOf(listOf(definition("condition")), definitions.object(t))
	}
	return definitions.object(t)
}

// object returns the schema of the keys of a struct.
func (definitions schema) object(t reflect.Type) schema {
	properties, required := schema{}, []string{}
	for _, key := range keysIn(t) {
		property := definitions.of(key.Type)
		choices := key.choices()
		switch {
		case choices != nil && key.Type.Kind() == reflect.Int:
			property = schema{"const": json.Number(choices[0])}
		case choices != nil:
			property = schema{"enum": choices}
		}
		if strings.Contains(key.Tag.Get("jsonschema"), "required") {
			required = append(required, key.name)
		}
		property["description"] = key.Tag.Get("jsonschema_description")
		properties[key.name] = property
	}
	return schema{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

func definition(name string) schema { return schema{"$ref": "#/$defs/" + name} }

func anyOf(forms ...schema) schema { return schema{"anyOf": forms} }

func listOf(item schema) schema { return schema{"type": "array", "items": item} }
