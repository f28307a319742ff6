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

// Fields returns every field that the mapping makes from columns. The columns that only decide whether a value
// is used are left out, and those of a will call, unless a flag says it.
func (m *Mapping) Fields() []MappedField { return slices.Clone(m.fields) }

// note adds what compile names, as the columns of a field, and of no other one.
func (c *compiler) note(field importer.Field, compile func()) {
	fields, before := c.fields, len(c.refs)
	compile()
	c.fields = fields
	if named := c.refs[before:]; len(named) > 0 {
		c.fields = append(fields, MappedField{field, slices.Clone(named)})
	}
}

// FieldNames returns the fields that a mapping may make from columns, in the
// order in which a person reads a trip. Coordinates stand for both of them, and for each.
func FieldNames() []importer.Field {
	names := []importer.Field{FieldCancelled}
	for _, s := range (&legSpec{}).specs() {
		if event, part := s.field.Split(); part == FieldCoordinates {
			names = append(names, event.Of(importer.FieldLatitude), event.Of(importer.FieldLongitude))
		}
		names = append(names, s.field)
	}
	return append(names, FieldRoundTrip, FieldReturnTime)
}

// A fieldSpec is a field of a leg with what the mapping says about it, in one of the
// types of the document.
type fieldSpec struct {
	field importer.Field
	spec  any
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
			list = append(list, fieldSpec{prefix + name, spec.Interface()})
		}
	}
	return list
}
