package returned

import (
	"maps"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// typedIn returns the cells of a row in which a person wrote although nobody asked for it there: another text in place of the
// row's own, and in other columns what may be an answer. apart are the numbers of the columns
// with the schedule's cells.
func (r *Results) typedIn(t *table, row importer.Row, key *seal.RowKey, apart ...int) (typed []Answer) {
	// In these columns the schedule's texts, headers and names may have the words of an answer.
	quoting := []string{seal.TripHeader, seal.RiderHeader, seal.WhereHeader, seal.PlaceHeader, seal.CellHeader}
	apart = append(slices.Clone(apart), t.answer, t.key, t.column(seal.SurplusHeader), t.column(seal.FixedHeader))
	for i, c := range row.Cells {
		text, header := strings.TrimSpace(c.Text), t.headerOf(i+1)
		own := slices.Index(seal.TextHeaders(), header)
		isOwn := own >= 0 && own < len(key.Texts)
		switch {
		case text == "" || slices.Contains(apart, i+1):
		case isOwn && r.sealer.Words(own, text) == key.Texts[own]: // it is as it was
		case isOwn, isVerdict(text, key.Trips...), isLoose(text) && !slices.Contains(quoting, header):
			typed = append(typed, Answer{At: t.ref(row, i+1), Text: text})
		}
	}
	return typed
}

// refuseLoose refuses a file with a row of ours that is not below the headers of a table, where it would not be read, and one with
// an answer that stands beside no trip, in a cell or in a comment on it: in a sheet that asks for none, ours or one that people
// added, or in a row of a table that is not ours. Nobody can tell of which trip such an answer is.
func (r *Results) refuseLoose() error {
	for _, sheet := range r.file.sheets() {
		t := table{sheet: sheet}
		if i := slices.IndexFunc(r.tables, func(t table) bool { return t.sheet == sheet }); i >= 0 {
			t = r.tables[i]
		}
		commented := maps.Clone(r.comments[sheet]) // the rows that have comments and are not ours
		for row, err := range r.file.rows(sheet) {
			switch {
			case err != nil:
			case t.isBelow(row) && r.isKey(row.Cell(t.key)):
				delete(commented, row.Num)
			default:
				err = r.refuseLooseIn(&t, row)
			}
			if err != nil {
				return err
			}
		}
		for _, row := range slices.Sorted(maps.Keys(commented)) {
			for _, a := range answersIn(commented[row], importer.Ref{Sheet: sheet, Row: row}) {
				return r.refuse(a.At, besideNoTrip, moveAnswer+r.fresh())
			}
		}
	}
	return nil
}

// isBelow reports whether a row is below the headers of a table with keys.
func (t *table) isBelow(row importer.Row) bool { return t.key != 0 && row.Num > t.header }

// refuseLooseIn refuses a row that is not one of ours below the headers of their table, if it is ours or has an answer.
func (r *Results) refuseLooseIn(t *table, row importer.Row) error {
	if !t.isBelow(row) && slices.ContainsFunc(row.Cells, r.isKey) {
		return r.refuse(importer.Ref{Sheet: t.sheet, Row: row.Num}, "the row is not below the headers: they were sorted with the rows, or they or the hidden column "+seal.KeyHeader+" are gone",
			"move the headers back to the top, delete the row here if it is a copy, or "+r.fresh())
	}
	if head := headersAt(row); head != nil && t.key == 0 {
		t.header, t.answer = head.header, head.answer
	}
	for i, c := range row.Cells {
		if t.key == 0 && c.Text == seal.TripIDHeader { // of a table of trips
			t.source = append(t.source, i+1)
		}
		isAnswer := row.Num > t.header && i+1 == t.answer && r.mayMean(t, c.Text)
		if !slices.Contains(t.source, i+1) && (isAnswer || isAlone(c.Text)) {
			return r.refuse(importer.Ref{Sheet: t.sheet, Row: row.Num, Col: i + 1}, besideNoTrip, moveAnswer+r.fresh())
		}
	}
	return nil
}

// mayMean reports whether a text in a table's column for answers is one. A remark below the rows of results is none.
func (r *Results) mayMean(t *table, text string) bool {
	return len(verdictsIn(text, nil)) > 0 || strings.TrimSpace(text) != "" && (t.key == 0 || r.Morning)
}

const (
	besideNoTrip = "an answer stands beside no trip"
	moveAnswer   = "write it under " + seal.AnswerHeader + " beside its trip, and delete it here, or "
)

// answersIn returns the comments of a row that may have an answer, perhaps after their author's name. They are given by their columns.
func answersIn(comments map[int]string, at importer.Ref, trips ...seal.TripKey) (typed []Answer) {
	for _, col := range slices.Sorted(maps.Keys(comments)) {
		if text := strings.Join(strings.Fields(comments[col]), " "); mayAnswer(text, trips...) || isVerdict(text[strings.LastIndex(text, ":")+1:], trips...) {
			at.Col, at.Header = col, "comment"
			typed = append(typed, Answer{At: at, Text: text})
		}
	}
	return typed
}

// isAlone reports whether a text that may stand anywhere is loose, or such an answer or `not there`. A GUID may be of a list that
// somebody pasted.
func isAlone(text string) bool {
	v, guid, _ := importer.ParseVerdict(text)
	return isLoose(text) || guid == "" && (v.KeepsUnsent() || v == importer.NotThere)
}

// keepsUnsent reports whether a text is, or has the words of, an answer that a trip is not to be sent.
func keepsUnsent(text string) bool {
	return names(text, []importer.Verdict{importer.BookedByHand, importer.LeaveIt})
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
