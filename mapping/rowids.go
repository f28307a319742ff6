package mapping

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A rowIDMaker makes the keys of rows.
type rowIDMaker struct {
	named importer.RowIDs
	use   importer.IDUse
	// value is what the mapping gives as row_id; nil if the id is made of columns.
	value   *value
	columns []importer.Column
	// addsDate reports that the date is added to trip_id, because its template
	// does not have it.
	addsDate bool
}

// rowIDs compiles how rows are named. trip is the compiled leg of a row that is
// one trip.
func (c *compiler) rowIDs(trip *legMaker) rowIDMaker {
	m := rowIDMaker{named: importer.RowIDs{Broker: values.Clean(c.doc.Broker.Value)}}
	if m.named.Broker == "" {
		m.named.Broker = c.Name()
	}

	dated := c.tripIDDated
	if trip.tripID != nil {
		for _, column := range distinctColumns(trip.tripID.columns) {
			if slices.Contains(trip.origins[importer.FieldDate], column) && column.Num > 0 {
				dated = true
			} else {
				m.columns = append(m.columns, column)
			}
		}
	}

	if m.value = c.ownID(c.doc.RowID); m.value != nil {
		m.columns = distinctColumns(m.value.columns)
	}

	c.decoder.choice(c.doc.IDs, "unique", "repeat")
	switch {
	case dated || c.doc.IDs.Value == "repeat":
		m.use = importer.RepeatedIDs
	case c.doc.IDs.Value == "unique":
		m.use = importer.UniqueIDs
	}
	if dated && c.doc.IDs.Value == "unique" {
		c.finding(c.doc.IDs.position, "ids that are used once need no date, and trip_id has it", "take the date out of trip_id, or write ids: repeat")
	}
	m.addsDate = m.use == importer.RepeatedIDs && !dated

	var names []string
	for _, column := range m.columns {
		if name := values.HeaderKey(column.Header); name != "" {
			names = append(names, name)
		} else {
			names = append(names, "column "+importer.ColumnName(column.Num))
		}
	}
	m.named.Columns = strings.Join(names, "+")
	return m
}

// key returns the key of a row whose first trip is on the date. It reports
// problems in the cells of row_id. Those in the cells of trip_id are reported
// with the trip.
func (m *rowIDMaker) key(r *rowContext, date importer.Date) importer.RowKey {
	key := importer.RowKey{Broker: m.named.Broker, IDs: m.use, TripID: r.rowTripID, Date: date}
	if m.value != nil {
		own := &rowContext{row: r.row, bound: r.bound, date: key.Date}
		v := m.value.read(own)
		if r.problems = own.problems; !v.bad && !importer.StandsForNoID(v.text) {
			key.ID = v.text
		}
		return key
	}

	if r.noID && !date.IsZero() { // without a date it may be only that which is missing
		return key
	}
	given := false
	var memory [4]string // most ids are made of fewer columns
	parts := slices.Grow(memory[:0], len(m.columns))[:len(m.columns)]
	for i, column := range m.columns {
		if cell := r.row.Cell(column.Num); cell.Type != importer.ErrorCell {
			parts[i] = values.Clean(cell.Text)
		}
		if slices.ContainsFunc(r.bound.mapping.doc.Read.Blank, func(t text) bool { return strings.EqualFold(t.Value, parts[i]) }) {
			parts[i] = ""
		}
		given = given || parts[i] != ""
	}
	if key.ID = strings.Join(parts, "\x1f"); !given || importer.StandsForNoID(key.ID) {
		key.ID = ""
	}
	return key
}

// RowIDs implements importer.Mapper.
func (b *Bound) RowIDs() importer.RowIDs { return b.rowIDs.named }
