package mapping

import (
	"cmp"
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
		refs := c.referencesIn(s)
		event, part := s.field.Split()
		switch {
		case part == FieldCoordinates && len(refs) == 2:
			all = append(all, MappedField{event.Of(importer.FieldLatitude), refs[:1]}, MappedField{event.Of(importer.FieldLongitude), refs[1:]})
		case len(refs) > 0:
			all = append(all, MappedField{s.field, refs})
		}
	}
	return all
}

// FieldNames returns the fields that a mapping may make from columns, in the
// order in which a person reads a trip. Coordinates stand for both of them, and for each.
func FieldNames() []importer.Field {
	m := &Mapping{doc: &document{}}
	var names []importer.Field
	for _, s := range m.specs() {
		if event, part := s.field.Split(); part == FieldCoordinates {
			names = append(names, event.Of(importer.FieldLatitude), event.Of(importer.FieldLongitude))
		}
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
	roundTrip := cmp.Or(m.doc.RoundTrip, &roundTripSpec{})
	return slices.Concat(
		[]fieldSpec{{FieldCancelled, m.doc}},
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
	for _, key := range keysIn(v.Type()) {
		name, spec := importer.Field(key.name), v.FieldByIndex(key.Index)
		switch {
		case isGroup(spec):
			list = appendSpecs(list, name+".", spec)
		case key.Type != reflect.TypeFor[text](): // that is a setting, such as pickup_only
			list = append(list, newFieldSpec(prefix+name, spec))
		}
	}
	return list
}

// referencesIn returns the columns that a field is made of. For a will call, a
// round trip and a cancelled row those are the columns of the condition; for a
// value, the columns that only decide whether it is used are left out.
func (c *compiler) referencesIn(s fieldSpec) []ColumnRef {
	var refs []ColumnRef
	quiet := &compiler{Mapping: c.Mapping, decoder: &decoder{file: c.file}}
	quiet.resolve = func(ref ColumnRef) (importer.Column, bool) {
		refs = append(refs, ref)
		return importer.Column{}, true
	}

	into := &columnList{}
	switch spec := s.spec.(type) {
	case ordered[*source]:
		for i := range spec {
			quiet.reader(spec[i].Value, useOf(s.field), into)
		}
	case []willCall:
		for i := range spec {
			if spec[i].When != nil && spec[i].When.Flag != nil {
				quiet.condition(spec[i].When, into)
			}
		}
	case *condition:
		quiet.condition(spec, into)
	case *document: // what says that a row is cancelled
		refs = spec.cancelledBy()
		for i := range spec.Cancelled {
			quiet.condition(spec.Cancelled[i].Value, into)
		}
	case *source:
		always := *spec
		if _, part := s.field.Split(); len(always.Column.Several) == 2 && (part == importer.FieldPickupTime || part == importer.FieldApptTime) {
			always = *always.part(1)
		}
		always.When = nil
		quiet.reader(&always, useOf(s.field), into)
	}
	return refs
}

// cancelledBy returns the status columns of which a word says that a row is cancelled.
func (d *document) cancelledBy() (refs []ColumnRef) {
	for _, status := range d.Status {
		if status.Value.Cancelled != nil {
			refs = append(refs, ColumnRef{name: status.Key})
		}
	}
	return refs
}
