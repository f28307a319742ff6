package mapping

import (
	"testing"

	"tripimport/importer"
)

// What a broker calls a row does not depend on what is sent as the trip id.
func TestRowKeys(t *testing.T) {
	const rest = `
broker: Lakeshore
trip:
  provider: {const: Lakeshore Transit}
  funding_source: {const: Harborview Health}
  date: Date
  pickup: {pickup_time: Time}
  pickup_only: return
`
	header := []string{"Order", "Leg", "Date", "Time"}
	row := []string{" 00701 ", "A", "2026-12-02", "08:30"}
	on := importer.Date{Year: 2026, Month: 12, Day: 2}

	for _, tt := range []struct {
		name, before, tripID string
		want                 importer.RowKey
		columns, sent        string
	}{
		{"a column", "", "Order", importer.RowKey{ID: "00701"}, "order", "00701"},
		{"a template", "", `"LK-{Order}"`, importer.RowKey{ID: "00701"}, "order", "LK-00701"},
		{"cleaned up", "", `{column: Order, replace: {'^0+': ""}}`, importer.RowKey{ID: "00701"}, "order", "701"},
		{"two columns", "", `"{Order}{Leg}"`, importer.RowKey{ID: "00701\x1fA"}, "order+leg", "00701A"},
		{"used once", "ids: unique", "Order", importer.RowKey{ID: "00701", IDs: importer.UniqueIDs}, "order", "00701"},
		{"come again", "ids: repeat", "Order", importer.RowKey{ID: "00701", IDs: importer.RepeatedIDs}, "order", "00701-20261202"},
		{"with the date", "ids: repeat", `"{date}/{Order}"`, importer.RowKey{ID: "00701", IDs: importer.RepeatedIDs}, "order", "20261202/00701"},
		{"with the date's column", "", `"{Order}/{Date}"`, importer.RowKey{ID: "00701", IDs: importer.RepeatedIDs}, "order", "00701/2026-12-02"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := bind(t, parsed(t, "mapping: 1\n"+tt.before+rest+"  trip_id: "+tt.tripID+"\n"), textRows(header, row))
			m := b.Map(textRows(header, row)[1], nil)
			want := tt.want
			want.Date = on
			if want.Broker == "" {
				want.Broker = "lakeshore"
			}
			if m.Key != want {
				t.Errorf("key %+v, want %+v", m.Key, want)
			}
			if got := b.RowIDs(); got != (importer.RowIDs{Broker: want.Broker, Columns: tt.columns}) {
				t.Errorf("row ids %+v", got)
			}
			if m.Trips[0].ID != tt.sent {
				t.Errorf("sent as %q, want %q", m.Trips[0].ID, tt.sent)
			}
		})
	}
}

// A row with a blank id has no row id, also if the blank is written in words.
func TestRowKeyMissing(t *testing.T) {
	m := parsed(t, `mapping: 1
broker: L
read: {blank: [n/a]}
trip:
  trip_id: Order
  provider: {const: Lakeshore Transit}
  funding_source: {const: Harborview Health}
  date: Date
  pickup: {pickup_time: Time}
  pickup_only: return
`)
	for _, id := range []string{"", "  ", "N/A"} {
		rows := textRows([]string{"Order", "Date", "Time"}, []string{id, "2026-12-02", "08:30"})
		if key := bind(t, m, rows).Map(rows[1], nil).Key; key.ID != "" {
			t.Errorf("%q: the row id is %q", id, key.ID)
		}
	}
}

// textRows are rows of texts, numbered from 1.
func textRows(rows ...[]string) []importer.Row {
	var all []importer.Row
	for i, texts := range rows {
		row := importer.Row{File: "night.csv", Num: i + 1, Width: len(texts)}
		for _, text := range texts {
			kind := importer.Text
			if text == "" {
				kind = importer.Empty
			}
			row.Cells = append(row.Cells, importer.Cell{Type: kind, Text: text})
		}
		all = append(all, row)
	}
	return all
}
