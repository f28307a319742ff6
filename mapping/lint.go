package mapping

import (
	"fmt"
	"reflect"
	"strings"

	"tripimport/importer"
)

// Lint returns what still keeps a valid mapping from being used every night: what is open, a
// provider that every file would get, ids that may change. Who approved it is in the ledger.
// Parse reports everything else.
func Lint(m *Mapping) Findings {
	d := m.decoder()
	d.findings = append(m.Open(), m.ChangingIDs()...)
	m.lintFiles(d)
	return d.findings.sorted()
}

// FindingAt returns a finding at the place where the mapping defines a field, or else
// where its trip: begins.
func (m *Mapping) FindingAt(field importer.Field, message, fix string) Finding {
	d, at := m.decoder(), m.doc.Trip.position
	for _, s := range m.specs() {
		if value, ok := s.spec.(*source); ok && s.field == field {
			at = value.position
		}
	}
	d.finding(at, message, fix)
	return d.findings[0]
}

// lintFiles reports a constant provider or funding source that every file with
// these columns would get. While something is open, no file is taken anyway.
func (m *Mapping) lintFiles(d *decoder) {
	if len(m.doc.Files) > 0 || len(d.findings) > 0 {
		return
	}
	for _, s := range []*source{m.doc.Trip.Provider, m.doc.Trip.FundingSource} {
		if s != nil && s.Const.given() {
			d.finding(s.Const.position, fmt.Sprintf("%q is the same for every file that has these columns, and no files: says which files are meant", s.Const.Value), `add files: with the names of the broker's exports, such as "lakeshore_*.csv"`)
		}
	}
}

// ChangingIDs reports ids of trips that are made of a column that is also a time, an
// address, a phone or a status in the mapping. Parse reports the columns whose header says
// so.
func (m *Mapping) ChangingIDs() Findings {
	c := &compiler{Mapping: m, decoder: m.decoder()}
	holds := map[string]string{}
	for _, status := range m.doc.Status {
		holds[ColumnRef{name: status.Key}.Key()] = "a status"
	}
	for _, f := range m.Fields() {
		for _, ref := range f.Columns {
			what := changingField(f.Field)
			if what != "" && (holds[ref.Key()] == "" || len(f.Columns) == 1) { // a time may be joined from a date and a time
				holds[ref.Key()] = what
			}
		}
	}

	refs := c.referencesIn(newFieldSpec(importer.FieldTripID, reflect.ValueOf(m.doc.Trip.TripID)))
	for _, ref := range refs {
		what := holds[ref.Key()]
		if what != "" && what != aDate && (what != "a status" || len(distinct(refs)) > 1) { // an id may itself say that it is cancelled
			c.changing(ref, what)
		}
	}
	return c.decoder.findings.sorted()
}

// aDate may be part of an id, although it may change.
const aDate = "a date"

// changingField says what a field holds if that may change.
func changingField(f importer.Field) string {
	switch f {
	case FieldCancelled, FieldRoundTrip, FieldWillCall:
		return "a status"
	case importer.FieldDate:
		return aDate
	}
	thing := changingThing(string(f))
	if thing == "" && strings.Contains(string(f), ".") && !strings.HasSuffix(string(f), string(importer.FieldEventComment)) {
		return "an address"
	}
	return thing
}
