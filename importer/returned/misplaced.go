package returned

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// misplaced returns the cells of a row in which an answer stands although nobody asked for it there: in
// a column of the program's own other than the one for answers, or in one that people added or gave
// another header. apart are the numbers of the columns that are left out, and trips those of the row.
func (t *table) misplaced(row importer.Row, apart []int, trips []seal.TripKey) (typed []typedText) {
	apart = append(slices.Clone(apart), t.answer, t.key, t.surplus, t.column(seal.NameHeader), t.column(seal.FixedHeader))
	for i, c := range row.Cells {
		text := strings.TrimSpace(c.Text)
		if slices.Contains(apart, i+1) || !isAnswer(text, trips) {
			continue
		}
		typed = append(typed, typedText{importer.Ref{Sheet: t.sheet, Row: row.Num, Col: i + 1, Header: t.headers[i+1]}, text})
	}
	return typed
}

// isAnswer reports whether a text is an answer, and not the GUID of one of the trips.
func isAnswer(text string, trips []seal.TripKey) bool {
	_, guid, ok := importer.ParseVerdict(text)
	return ok && text != "" && !slices.ContainsFunc(trips, func(t seal.TripKey) bool {
		return importer.SameGUID(t.GUID, text) && importer.SameGUID(guid, text)
	})
}
