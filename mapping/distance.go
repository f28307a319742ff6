package mapping

import (
	"fmt"
	"math"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// distance compiles the distance of a leg, with the factor that turns it into
// miles.
func (c *compiler) distance(m *legMaker) {
	s := m.spec.BillableDistance
	if s == nil {
		return
	}

	c.decoder.choice(s.Unit, "miles", "km", "m")
	m.distance = c.value(&s.source)
	m.unitsPerMile = map[string]float64{"": 1, "miles": 1, "km": 1.609344, "m": 1609.344}[s.Unit.Value]
	m.setOrigin(importer.FieldBillableDistance, m.distance)
}

// fillDistance fills in the distance in miles. A converted one has two decimals.
func (m *legMaker) fillDistance(r *rowContext, t *importer.Trip) {
	if m.distance == nil {
		return
	}

	r.field = importer.FieldBillableDistance
	v := m.distance.read(r)
	if v.bad || v.text == "" {
		return
	}

	n, ok := values.Distance(v.text)
	if !ok {
		r.fault("number-unreadable", fmt.Sprintf("%q is not a distance", v.text), "write a number, or leave the cell empty", v.col)
		return
	}

	if m.unitsPerMile != 1 {
		n = math.Round(n/m.unitsPerMile*100) / 100
	}

	t.BillableDistance = importer.Miles{Value: n, Given: true}
}
