package mapping

import (
	"reflect"
	"slices"

	"tripimport/importer"
)

// The fields of a mapping that are no properties of a trip.
const (
	FieldLinkedBy   importer.Field = "linked_by"
	FieldWillCall   importer.Field = "will_call"
	FieldCancelled  importer.Field = "cancelled"
	FieldRoundTrip  importer.Field = "round_trip"
	FieldReturnTime importer.Field = "round_trip.return.pickup_time"

	// FieldAddress and FieldCoordinates belong to an event: the whole address in
	// one cell, latitude and longitude in one cell.
	FieldAddress     importer.Field = "address"
	FieldCoordinates importer.Field = "coordinates"
)

// A MappedField is a field of a mapping with the columns that it names.
type MappedField struct {
	Field   importer.Field // as the mapping writes it: pickup.address
	Columns []ColumnRef    // the most telling first; at least one
}

// Fields returns every field that the mapping makes from columns, in the order
// of FieldNames.
func (m *Mapping) Fields() []MappedField {
	c := &compiler{Mapping: m}
	var all []MappedField
	for _, s := range m.specs() {
		if refs := c.referencesIn(s.spec); len(refs) > 0 {
			all = append(all, MappedField{s.field, refs})
		}
	}
	return all
}

// FieldNames returns the fields that a mapping may make from columns, in the
// order in which a person reads a trip.
func FieldNames() []importer.Field {
	m := &Mapping{doc: &document{}}
	var names []importer.Field
	for _, s := range m.specs() {
		names = append(names, s.field)
	}
	return names
}

// A fieldSpec is a field with what the mapping says about it, in one of the
// types of the document; nil if the mapping says nothing.
type fieldSpec struct {
	field importer.Field
	spec  any
}

func newFieldSpec(field importer.Field, spec reflect.Value) fieldSpec {
	if spec.IsZero() || spec.Kind() == reflect.Slice && spec.Len() == 0 {
		return fieldSpec{field, nil}
	}
	return fieldSpec{field, spec.Interface()}
}

func (m *Mapping) specs() []fieldSpec {
	roundTrip := &roundTripSpec{}
	if m.doc.RoundTrip != nil {
		roundTrip = m.doc.RoundTrip
	}
	return slices.Concat(
		[]fieldSpec{newFieldSpec(FieldCancelled, reflect.ValueOf(m.doc.Cancelled))},
		m.doc.Trip.specs(),
		[]fieldSpec{
			newFieldSpec(FieldRoundTrip, reflect.ValueOf(roundTrip.When)),
			newFieldSpec(FieldReturnTime, reflect.ValueOf(roundTrip.Return.Pickup.PickupTime)),
		})
}

// specs returns the fields of a leg. They come from the types of the document, so
// that a key that is added there is never missing here.
func (l *legSpec) specs() []fieldSpec { return appendSpecs(nil, "", reflect.ValueOf(l).Elem()) }

func appendSpecs(list []fieldSpec, prefix importer.Field, v reflect.Value) []fieldSpec {
	for i := range v.NumField() {
		key, spec := v.Type().Field(i).Tag.Get("yaml"), v.Field(i)
		switch {
		case key == ",inline":
			list = appendSpecs(list, prefix, spec)
		case spec.Type() == reflect.TypeFor[eventSpec]():
			list = appendSpecs(list, importer.Field(key+"."), spec)
		case isFieldSpec(spec.Type()):
			list = append(list, newFieldSpec(prefix+importer.Field(key), spec))
		}
	}
	return list
}

// isFieldSpec reports whether a key of the type says what a field is made of.
// The others are settings, such as split_unit.
func isFieldSpec(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[bool](), reflect.TypeFor[text](), reflect.TypeFor[position]():
		return false
	}
	return true
}

// referencesIn returns the columns that a field is made of. For a will call, a
// round trip and a cancelled row those are the columns of the condition; for a
// value, the columns that only decide whether it is used are left out.
func (c *compiler) referencesIn(spec any) []ColumnRef {
	var refs []ColumnRef
	quiet := &compiler{Mapping: c.Mapping, decoder: &decoder{file: c.file}}
	quiet.resolve = func(ref ColumnRef) (importer.Column, bool) {
		refs = append(refs, ref)
		return importer.Column{}, true
	}

	switch s := spec.(type) {
	case []passengersSpec:
		for i := range s {
			if s[i].Count != nil {
				quiet.count(s[i].Count)
			}
		}
	case []willCall:
		for i := range s {
			if s[i].When != nil && s[i].When.Flag != nil {
				quiet.condition(s[i].When)
			}
		}
	case *condition:
		quiet.condition(s)
	case ordered[*condition]:
		for i := range s {
			quiet.condition(s[i].Value)
		}
	case valueSpec: // after *condition, which is a valueSpec too
		always := *s.valueSource()
		always.When = nil
		quiet.value(&always)
	}

	return refs
}

// A valueSpec is what the mapping says about a field with one value: a source,
// or what contains one.
type valueSpec interface {
	// valueSource returns where the value comes from; for a date and a time,
	// where the time comes from.
	valueSource() *source
}

func (s *source) valueSource() *source { return s }

func (s *dateTimeSpec) valueSource() *source {
	if s.Time != nil {
		return s.Time
	}
	return &s.source
}
