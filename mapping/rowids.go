package mapping

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A rowIDMaker makes the keys of rows.
type rowIDMaker struct {
	named   importer.RowIDs
	use     importer.IDUse
	columns []importer.Column // those of trip_id, without the date
	// addsDate reports that the date is added to trip_id, because its text does not have
	// it.
	addsDate bool
}

// rowIDs compiles how rows are named. trip is the compiled leg of a row that is
// one trip.
func (c *compiler) rowIDs(trip *legMaker) rowIDMaker {
	m := rowIDMaker{named: importer.RowIDs{Broker: importer.BrokerText(c.Name())}}
	dated := false
	if trip.tripID != nil {
		dated = trip.tripID.source.namesDate()
		for _, column := range distinctColumns(trip.tripID.columns) {
			if slices.Contains(trip.origins[importer.FieldDate], column) && column.Num > 0 {
				dated = true
			} else {
				m.columns = append(m.columns, column)
			}
		}
	}

	switch {
	case dated || c.doc.IDs.Value == "repeat":
		m.use = importer.RepeatedIDs
	case c.doc.IDs.Value == "unique":
		m.use = importer.UniqueIDs
	}
	if dated && c.doc.IDs.Value != "repeat" && trip.tripID.source.namesDate() {
		c.finding(trip.tripID.source.position, "trip_id has the date, as ids that come again do", "write ids: repeat, or take the date out of trip_id")
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

// key returns the key of a row whose first trip is on the date. Problems in its cells are
// reported with the trip.
func (m *rowIDMaker) key(r *rowContext, date importer.Date) importer.RowKey {
	key := importer.RowKey{Broker: m.named.Broker, IDs: m.use, Date: date}
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
