package mapping

import (
	"fmt"
	"strconv"
	"strings"

	"tripimport/importer"
)

// An Explanation says what one field of a trip became, and why.
type Explanation struct {
	Leg   importer.Leg
	Field importer.Field // empty for the row as a whole
	// Value is what is sent; empty if nothing is.
	Value string
	// Cells are the cells that the value came from, the most telling first; none
	// for a constant.
	Cells []importer.Ref
	// Rule says how the value came about, with the line of the mapping.
	Rule string
}

// Explain says for every mapped field of the row's trips what it became, from
// which cells and by which rule. It contains what the row contains: it is for
// the terminal of the person who asks, never for a log.
func (b *Bound) Explain(row importer.Row) []Explanation {
	m := b.Map(row, nil)
	if m.LeftOut != "" {
		return []Explanation{{Cells: []importer.Ref{row.Ref(0)}, Rule: "the row is left out: " + m.LeftOut}}
	}
	makers := b.makers(&rowContext{row: row, bound: b})
	var all []Explanation
	for i := range m.Trips {
		all = append(all, makers[i].explain(b, &m.Trips[i])...)
	}
	return all
}

// explain explains the trip's fields in the order of FieldNames.
func (m *legMaker) explain(b *Bound, t *importer.Trip) []Explanation {
	var all []Explanation
	for _, s := range m.spec.specs() {
		rule, line := m.ruleOf(s, t)
		if rule == "" {
			continue
		}
		if line > 0 {
			rule += " (" + b.mapping.file + ", line " + strconv.Itoa(line) + ")"
		}

		fields := []importer.Field{s.field}
		switch event, part := s.field.Split(); part {
		case FieldAddress:
			fields = []importer.Field{event}
		case FieldCoordinates:
			fields = []importer.Field{event.Of(importer.FieldLatitude), event.Of(importer.FieldLongitude)}
		}
		for _, field := range fields {
			if value, ok := valueOf(t, field); ok {
				all = append(all, Explanation{Leg: t.Leg, Field: field, Value: value, Cells: m.cells(t.Row, field), Rule: rule})
			}
		}
	}
	return all
}

// cells returns the cells of the row that a field is made of.
func (m *legMaker) cells(row importer.Ref, field importer.Field) []importer.Ref {
	var cells []importer.Ref
	for _, column := range m.origins[field] {
		row.Col, row.Header = column.Num, column.Header
		cells = append(cells, row)
	}
	return cells
}

// ruleOf says in words what the mapping makes a field of, and in which line. The
// rule is empty if the mapping does not fill the field, the line 0 if no single
// line does.
func (m *legMaker) ruleOf(s fieldSpec, t *importer.Trip) (rule string, line int) {
	event, part := s.field.Split()
	rule, line = sourceRule(s.spec)
	switch {
	case s.field == importer.FieldTripID && m.legID != nil:
		return m.legID.source.describe() + ", from " + rule, m.legID.source.Line
	case s.field == importer.FieldTripType && rule == "":
		return m.typeRule(t)
	case part == importer.FieldAddress2 && rule == "":
		return m.unitRule(event)
	}
	return rule, line
}

// valueOf returns what is sent for a field, for people. It reports false for a
// field that is no property of a trip. For an event it is the whole address.
func valueOf(t *importer.Trip, field importer.Field) (value string, ok bool) {
	event := &t.Pickup
	side, part := field.Split()
	if side == importer.FieldDropoff || field == importer.FieldDropoff {
		event = &t.Dropoff
	}

	switch part {
	case importer.FieldPickup, importer.FieldDropoff:
		return event.Address(), true
	case importer.FieldLatitude:
		return degrees(event.Position.Latitude, event.Position.HasLatitude), true
	case importer.FieldLongitude:
		return degrees(event.Position.Longitude, event.Position.HasLongitude), true
	case importer.FieldAdditional:
		return companions(t.AdditionalRiders), true
	}

	for _, p := range importer.TripProperties() {
		if p.Field == field {
			return string(p.AppendValue(nil, t)), true
		}
	}

	return "", false
}

func degrees(v float64, known bool) string {
	if !known {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func companions(riders []importer.AdditionalRiders) string {
	var parts []string
	for _, a := range riders {
		parts = append(parts, fmt.Sprintf("%d %s", a.Count, a.SpaceType))
	}
	return strings.Join(parts, ", ")
}

// sourceRule is ruleOf for a field that has a spec of its own in the mapping.
func sourceRule(spec any) (rule string, line int) {
	switch s := spec.(type) {
	case *dateTimeSpec:
		rule = s.valueSource().describe()
		if s.Date != nil && s.Time != nil {
			rule = "date from " + s.Date.describe() + ", time from " + rule
		}
		return rule, s.Line
	case valueSpec:
		return s.valueSource().describe(), s.valueSource().Line
	case []passengersSpec:
		return "counted", s[0].Line
	}

	return "", 0
}

// typeRule says why the trip is of its type, for a type that no column gives.
func (m *legMaker) typeRule(t *importer.Trip) (rule string, line int) {
	switch {
	case t.Type == importer.NoType:
		return "", 0
	case t.Type == importer.Appointment:
		return "it has an appointment time", 0
	case t.Type == importer.Return:
		return "it has a pickup time alone", m.spec.PickupOnly.Line
	case m.blankTime == importer.WillCall:
		return "it has no pickup time: blank_time", 0
	}
	return "will_call holds", 0
}

// unitRule says where the second line of an address comes from if no column gives
// it.
func (m *legMaker) unitRule(event importer.Field) (rule string, line int) {
	spec := &m.spec.Pickup
	if event == importer.FieldDropoff {
		spec = &m.spec.Dropoff
	}
	if !spec.SplitUnit {
		return "", 0
	}
	if spec.Address1 != nil {
		line = spec.Address1.Line
	}
	return "split off the street", line
}

// describe says in words where a value comes from and by which table.
func (s *source) describe() string {
	var b strings.Builder
	switch {
	case s.Column.given() || s.Letter.given():
		b.WriteString(s.ref().String())
	case s.Const.given():
		fmt.Fprintf(&b, "always %q", s.Const.Value)
	case s.Template.given():
		fmt.Fprintf(&b, "template %q", s.Template.Value)
	case s.Join != nil:
		b.WriteString("joined from " + describeAll(s.Join))
	case s.First != nil:
		b.WriteString("the first given of " + describeAll(s.First))
	case s.Lookup != nil:
		b.WriteString("looked up by " + describeAll(s.Lookup))
	case s.Expr.given():
		fmt.Fprintf(&b, "calculated by %s", s.Expr.Value)
	}

	if s.Table != nil && s.Table.Name.given() {
		b.WriteString(" in the table " + s.Table.Name.Value)
	} else if s.Table != nil {
		b.WriteString(" by its table")
	}

	return b.String()
}

func describeAll(list []*source) string {
	var names []string
	for _, s := range list {
		names = append(names, s.describe())
	}
	return strings.Join(names, ", ")
}
