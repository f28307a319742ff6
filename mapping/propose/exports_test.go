package propose

import (
	"fmt"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// exportAnswers are the answers of an office, by words of the question: the number of a
// choice, or a text of its own. Other questions are answered with their first choice.
func exportAnswers() map[string]map[string]string {
	return map[string]map[string]string{
		"hospital": {"of a trip": "1", "identifies a trip": "1"},
		"county":   {},
		"dialysis": {`"WC"`: "2", "funding": "County Plan"},
		"medicaid": {`does "C" mean`: "2", `"W"`: "2", `"S"`: "3"},
		"fleet":    {"identifies the rider": "later"},
		"portal":   {`"WC Van"`: "2"},
	}
}

// TestExports drafts mappings for exports as offices have them, answers the questions, and
// compares each row with what a person made of it: the golden files. None of the layouts is
// derived from those of the vocabulary.
func TestExports(t *testing.T) {
	for name, answers := range exportAnswers() {
		rows := mappingtest.ReadCSV(t, "testdata/exports/"+name+".csv")
		p := Mapping(rows, rows, nil)
		d := p.Draft(name, Names{})
		text := d.Text
		for i := range d.Questions {
			text = answeredBy(&p, &d.Questions[i], text, answers)
		}
		if name == "fleet" { // whose riders are in a list, by name and phone
			text = strings.Replace(text, d.Questions[2].line, "  rider_id: {column: Job, replace: {'^.*$': R-1}}", 1)
		}

		bound, err := bindText(name+".yaml", text, rows)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		var got strings.Builder
		for _, row := range rows {
			if row.Num > bound.HeaderRow() {
				writeRow(&got, bound.Map(row, nil))
			}
		}
		mappingtest.Golden(t, "exports/"+name, got.String())
	}
}

func answeredBy(p *Proposal, q *Question, text string, answers map[string]string) string {
	answer := "1"
	if strings.Contains(q.Ask, "provider drives") {
		answer = "Lakeshore Transit"
	}
	for words, own := range answers {
		if strings.Contains(q.Ask, words) {
			answer = own
		}
	}
	text, _ = p.Answer(text, q, answer)
	return text
}

// writeRow writes what a row becomes, a line for each trip.
func writeRow(w *strings.Builder, m importer.Mapped) {
	fmt.Fprintf(w, "row %d:", m.Row.Num)
	if m.LeftOut != "" {
		fmt.Fprintf(w, " left out: %s\n", m.LeftOut)
		return
	}
	for i := range m.Trips {
		t := &m.Trips[i]
		fmt.Fprintf(w, "\n  %s rider %s %s %v %v %s by %s: pickup %s %q %s %v; dropoff %s %q %s %v", t.ID, t.RiderID, t.SpaceType, t.AdditionalRiders, t.Type, t.FundingSource, t.Provider,
			t.Pickup.PickupTime, t.Pickup.LocationName, t.Pickup.Address(), t.Pickup.Position, t.Dropoff.Appt, t.Dropoff.LocationName, t.Dropoff.Address(), t.Dropoff.Position)
	}
	for _, p := range m.AllProblems() {
		fmt.Fprintf(w, "\n  %s: %s", p.Code, p.Message)
	}
	for _, word := range m.NewWords {
		fmt.Fprintf(w, "\n  waits: %s", word.Words())
	}
	w.WriteString("\n")
}

// TestUnknownHeaders drafts mappings for files whose headers nobody knows, and for files
// without any: everything is a question.
func TestUnknownHeaders(t *testing.T) {
	for file, want := range map[string]string{
		"Xq,Zw,Vv\n1,2,3\n":   "# trip_id: ",
		"1,2,3\n4,5,6\n":      "# trip_id: ",
		"Only one\nvalue 1\n": "# trip_id: ",
		"\n":                  "# trip_id: ",
	} {
		rows := mappingtest.Rows(t, "unknown.csv", file)
		p := Mapping(rows, rows, nil)
		if text := p.Draft("unknown", Names{}).Text; !strings.Contains(text, want) {
			t.Errorf("%q: no %s in\n%s", file, want, text)
		}
	}
}
