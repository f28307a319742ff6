package mapping

import "tripimport/importer"

// An Explanation says what one property of a trip became.
type Explanation struct {
	Leg   importer.Leg
	Field importer.Field
	// Value is what is sent; empty if nothing is.
	Value string
	// Cells are the cells that the value came from, the most telling first; none
	// for a constant.
	Cells []importer.Ref
}

// Explain says for every property of the row's trips what it became, and from which cells;
// nothing for a row that is left out. It contains what the row contains: it is for the
// terminal of the person who asks, never for a log.
func (b *Bound) Explain(row importer.Row) []Explanation {
	m := b.Map(row, nil)
	if m.LeftOut != "" {
		return nil
	}
	var all []Explanation
	for i := range m.Trips {
		t := &m.Trips[i]
		for _, p := range importer.TripProperties() {
			e := Explanation{Leg: t.Leg, Field: p.Field, Value: string(p.AppendValue(nil, t))}
			for _, column := range t.Origin.Columns(p.Field) {
				at := t.Row
				at.Col, at.Header = column.Num, column.Header
				e.Cells = append(e.Cells, at)
			}
			if e.Value != "" || e.Cells != nil {
				all = append(all, e)
			}
		}
	}
	return all
}
