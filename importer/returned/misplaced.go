package returned

import (
	"maps"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/seal"
)

// misplaced returns the cells of a row in which an answer stands although nobody asked for it there:
//   - any answer in a column of the program's own other than the one for answers, and in any column if the row asks for one or the
//     column for answers may be that one;
//   - one that a trip is not to be sent in a column that people added or gave another header;
//   - any text over Needs or a GUID, if the row asks.
//
// apart are the numbers of the columns that are left out, and trips those of the row.
func (t *table) misplaced(row importer.Row, apart []int, trips []seal.TripKey) (typed []Answer) {
	// The program's texts name answers, and the schedule's texts, headers and name may have any.
	quoting := append(seal.TextHeaders(), seal.TripHeader, seal.RiderHeader, seal.WhereHeader, seal.PlaceHeader, seal.CellHeader)
	asks := slices.ContainsFunc(trips, func(t seal.TripKey) bool { return t.Asks() })
	apart = append(slices.Clone(apart), t.answer, t.key, t.column(seal.SurplusHeader), t.column(seal.FixedHeader))
	for i, c := range row.Cells {
		text := strings.TrimSpace(c.Text)
		if text == "" || slices.Contains(apart, i+1) {
			continue
		}
		own, header := t.own[i+1], t.headerOf(i+1)
		n := len(verdictsIn(text, trips))
		switch alone := n > 0 && n == len(splitByLeg(text)); { // no text of the program's own that quotes answers has answers alone
		case alone && (own || asks || t.answer == 0 || isVerdict(text)):
		case keepsUnsent(text) && !slices.Contains(quoting, header):
		case own && asks && !mayBeOurs(header, text, trips):
		default:
			continue
		}
		typed = append(typed, Answer{At: t.ref(row, i+1), Text: text})
	}
	return typed
}

// mayBeOurs reports whether results may have a text under Needs or a GUID's header, as far as it stands there.
func mayBeOurs(header, text string, trips []seal.TripKey) bool {
	if !strings.HasPrefix(header, seal.GUIDHeader) {
		return header != seal.NeedsHeader || results.IsNeed(text)
	}
	return !slices.ContainsFunc(strings.Fields(text), func(id string) bool {
		return !slices.ContainsFunc(trips, func(t seal.TripKey) bool { return strings.EqualFold(t.GUID, id) })
	})
}

// keepsUnsent reports whether a text is, or has the words of, an answer that a trip is not to be sent.
func keepsUnsent(text string) bool {
	return names(text, []importer.Verdict{importer.BookedByHand, importer.LeaveIt})
}

// ownColumns returns the columns of which the headers are the program's.
func ownColumns(headers []string) map[int]bool {
	all := slices.Concat(seal.ReservedHeaders(), seal.LineHeaders(), []string{seal.PlaceHeader, seal.CellHeader})
	own := map[int]bool{}
	for column, header := range headers {
		own[column] = slices.Contains(all, header)
	}
	return own
}

// refuseLoose refuses a file with an answer that stands beside no trip, in a cell or in a comment on it: in a sheet that asks for
// none, ours or one that people added, or in a row of a table that is not ours. Nobody can tell of which trip such an answer is.
func (r *Results) refuseLoose() error {
	for _, sheet := range r.file.sheets() {
		var t table
		if i := slices.IndexFunc(r.tables, func(t table) bool { return t.sheet == sheet }); i >= 0 {
			t = r.tables[i]
		}
		commented := maps.Clone(r.comments[sheet]) // the rows that have comments and are not ours
		id := 0                                    // the column with the schedule's texts in a table of trips
		for row, err := range r.file.rows(sheet) {
			if err != nil {
				return err
			}
			if t.key != 0 && r.isKey(row.Cell(t.key)) {
				delete(commented, row.Num)
			}
			for i, c := range row.Cells {
				if t.key == 0 && c.Text == seal.TripIDHeader {
					id = i + 1
				}
				if i+1 != id && r.isLooseAt(&t, row, i+1) {
					return r.refuse(importer.Ref{Sheet: sheet, Row: row.Num, Col: i + 1}, besideNoTrip, moveAnswer)
				}
			}
		}
		for _, row := range slices.Sorted(maps.Keys(commented)) {
			for _, a := range answersIn(commented[row], importer.Ref{Sheet: sheet, Row: row}, nil, nil) {
				return r.refuse(a.At, besideNoTrip, moveAnswer)
			}
		}
	}
	return nil
}

const (
	besideNoTrip = "an answer stands beside no trip"
	moveAnswer   = "write it under " + seal.AnswerHeader + " beside its trip, and delete it here"
)

// answersIn returns the answers that may be in a row's comments, which are given by their columns, also those that go on in the
// next line. Lines of our own notes are none, nor are GUIDs of the row's trips.
func answersIn(comments map[int]string, at importer.Ref, own []string, trips []seal.TripKey) (typed []Answer) {
	for _, col := range slices.Sorted(maps.Keys(comments)) {
		var found, all []string
		for line := range strings.Lines(comments[col]) {
			if line = strings.TrimSpace(line); slices.Contains(own, strings.TrimPrefix(line, "→ ")) {
				continue
			}
			all = append(all, line)
			if (isLoose(line) || hasAnswer(line, trips...)) && !slices.Contains(found, line) {
				found = append(found, line) // once: programs that know no threads get them as notes too
			}
		}
		for i := range all {
			if text := strings.Join(all[i:], " "); found == nil && (isLoose(text) || hasAnswer(text, trips...)) {
				found = []string{text}
			}
		}
		if at.Col, at.Header = col, "comment"; found != nil {
			typed = append(typed, Answer{At: at, Text: strings.Join(found, "; ")})
		}
	}
	return typed
}

// isLooseAt reports whether a cell of a row that is not ours has the words of an answer that a trip is not to be sent, or
// such an answer or `not there`, or stands in the column for answers and has one; in a list, any text there.
func (r *Results) isLooseAt(t *table, row importer.Row, column int) bool {
	text := strings.TrimSpace(row.Cell(column).Text)
	answered := column == t.answer && row.Num > t.header && (hasAnswer(text) || r.Morning && text != "")
	return (answered || isAlone(text)) && (t.key == 0 || !r.isKey(row.Cell(t.key)))
}

// isAlone reports whether a text that may stand anywhere is loose, or such an answer or `not there`. A GUID may be of a list
// that somebody pasted.
func isAlone(text string) bool {
	v, guid, _ := importer.ParseVerdict(text)
	return isLoose(text) || guid == "" && (v.KeepsUnsent() || v == importer.NotThere)
}

// isLoose reports whether a text has the words of an answer that a trip is not to be sent. The program's own texts have
// answers and cells in quotes; a quotation mark that is not closed begins none.
func isLoose(text string) bool {
	parts := strings.Split(strings.ReplaceAll(text, `"`, "`"), "`")
	for i, part := range parts {
		if quoted := i%2 == 1 && i < len(parts)-1; !quoted && keepsUnsent(part) {
			return true
		}
	}
	return false
}
