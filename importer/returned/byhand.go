package returned

import (
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// readByHand reads the answers about booked trips that the results list apart from the
// rows: those to cancel, and those that are gone from the schedule. They are in a sheet
// of their own in a workbook, and below the rows in a CSV file. A deleted line counts as
// not answered.
func (r *Results) readByHand() error {
	for i := range r.tables {
		t := &r.tables[i]
		for row, err := range r.file.rows(t.sheet) {
			if err != nil {
				return err
			}
			if row.Num <= t.header {
				continue
			}
			key, err := r.sealer.Decode(keyText(t, row))
			if err != nil || key.Input != 0 || len(key.Trips) != 1 || len(key.Cells) != 1 {
				continue
			}
			if err := r.readByHandRow(t, row, &key); err != nil {
				return err
			}
		}
	}
	return nil
}

// keyText returns the text of a row's key.
func keyText(t *table, row importer.Row) string {
	return strings.TrimSpace(row.Cell(t.key).Text)
}

// readByHandRow reads the answer about one trip. It refuses a row whose GUID is
// another trip's: columns were sorted apart, or cells filled down.
func (r *Results) readByHandRow(t *table, row importer.Row, key *seal.RowKey) error {
	at := importer.Ref{Sheet: t.sheet, Row: row.Num}
	guid := row.Cell(t.source[sourceName(seal.GUIDHeader)])
	if r.sealer.Cell(0, guid) != key.Cells[0].Digest {
		return r.refuse(at, "its GUID is not that of its trip: columns were sorted apart, or a cell was written over", r.fresh())
	}
	text := row.Cell(t.answer).Text
	if t.answer == 0 || strings.TrimSpace(text) == "" {
		return nil
	}

	trip := &key.Trips[0]
	status := strings.TrimSpace(row.Cell(t.status).Text)
	if t.status != 0 && status != "" && status != trip.State.String() {
		return r.refuse(at, "the status beside the answer is another trip's", r.fresh())
	}
	verdict, given, _ := importer.ParseVerdict(text)
	at.Col, at.Header = t.answer, seal.AnswerHeader
	r.answers = append(r.answers, Answer{At: at, Leg: trip.Leg, Shown: trip.Outcome(), Verdict: verdict, GUID: given, Text: text})
	return nil
}
