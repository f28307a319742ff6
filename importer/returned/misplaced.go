package returned

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// misplaced returns the cells of a row in which an answer stands although nobody asked for it there: in
// a column of the program's own other than the one for answers, or one that a trip is not to be sent in a column that
// people added or gave another header. apart are the numbers of the columns that are left out, and trips those of the row.
func (t *table) misplaced(row importer.Row, apart []int, trips []seal.TripKey) (typed []typedText) {
	apart = append(slices.Clone(apart), t.answer, t.key, t.surplus, t.column(seal.NameHeader), t.column(seal.FixedHeader))
	for i, c := range row.Cells {
		text := strings.TrimSpace(c.Text)
		isIt := keepsUnsent(text)
		if isOwn(t.headers[i+1]) {
			isIt = isAnswer(text, trips) // its own texts name answers
		}
		if slices.Contains(apart, i+1) || !isIt {
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

// keepsUnsent reports whether a text is, or has the words of, an answer that a trip is not to be sent.
func keepsUnsent(text string) bool {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	return slices.ContainsFunc([]importer.Verdict{importer.BookedByHand, importer.LeaveIt}, func(v importer.Verdict) bool {
		return strings.Contains(text, v.String())
	})
}

// isClear reports whether a text under What we found is an answer, so that words elsewhere are remarks.
func isClear(text string) bool { return strings.TrimSpace(text) != "" && HasAnswer(text) }

// isOwn reports whether a header is one of the program's own.
func isOwn(header string) bool {
	return slices.Contains(slices.Concat(seal.ReservedHeaders(0), seal.LineHeaders(), []string{seal.PlaceHeader, seal.CellHeader}), header)
}
