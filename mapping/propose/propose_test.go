package propose

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping"
	"tripimport/mapping/mappingtest"
)

// template parses a mapping of the templates folder.
func template(t testing.TB, name string) *mapping.Mapping {
	t.Helper()
	content, err := os.ReadFile("../../templates/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapping.Parse(name+".yaml", content, mappingtest.OpenIn("../../testdata/samples"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func layout(t testing.TB, name string) []importer.Row {
	t.Helper()
	return mappingtest.ReadCSV(t, "../../testdata/layouts/"+name+".csv")
}

// fieldsOf returns the fields of a mapping that proposals have. A whole address
// is proposed as an address to be split, whatever the mapping does with it.
func fieldsOf(m *mapping.Mapping) []mapping.MappedField {
	var all []mapping.MappedField
	for _, f := range m.Fields() {
		if event, part := f.Field.Split(); part == importer.FieldCompleteAddress {
			f.Field = event.Of(mapping.FieldAddress)
		}
		all = append(all, f)
	}
	return all
}

// truth returns, for every field of a layout's mapping, the columns it is made
// of.
func truth(m *mapping.Mapping, rows []importer.Row) map[importer.Field][]string {
	columns := map[importer.Field][]string{}
	h := m.Match(rows, "").Headers
	for _, f := range fieldsOf(m) {
		for _, ref := range f.Columns {
			if column, problem := h.Find(ref); problem == "" {
				columns[f.Field] = append(columns[f.Field], importer.ColumnName(column.Num))
			}
		}
	}
	return columns
}

// TestKnownLayouts checks that a file with all columns of a mapping is
// recognized.
func TestKnownLayouts(t *testing.T) {
	var all []*mapping.Mapping
	for _, name := range mappingtest.Layouts() {
		all = append(all, template(t, name))
	}
	for i, name := range mappingtest.Layouts() {
		rows := layout(t, name)
		if first := slices.IndexFunc(all, func(m *mapping.Mapping) bool { return m.Match(rows, "").Headers != nil }); first != i {
			t.Errorf("%s is taken for the mapping %d", name, first)
		}
	}
}

// TestDraftsParse checks that the draft for any of the layouts, also with
// columns shuffled and removed, is a mapping, and has the columns of
// its file.
func TestDraftsParse(t *testing.T) {
	shuffle := rand.New(rand.NewPCG(7, 7))
	for _, name := range mappingtest.Layouts() {
		rows := layout(t, name)
		for range 8 {
			p := Mapping(rows, rows, nil)
			text := p.Draft("draft of "+name, Names{}).Text
			m, err := mapping.Parse("draft.yaml", []byte(text), nil)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if m.Complete() != "" {
				t.Fatal("the draft says whether files are complete, and nobody was asked")
			}
			if match := m.Match(rows, name+".csv"); len(match.Missing) > 0 {
				t.Fatalf("%q\n%s", match.Missing, text)
			}
			width := len(rows[0].Cells)
			keep := shuffle.Perm(width)[:max(width*4/5, 5)]
			for i := range rows {
				var cells []importer.Cell
				for _, col := range keep {
					cells = append(cells, rows[i].Cell(col+1))
				}
				rows[i].Cells, rows[i].Width = cells, len(cells)
			}
		}
	}
}

// notProposed reports whether a property is made from none, or from the columns of another field.
func notProposed(f importer.Field) bool {
	switch f {
	case importer.FieldTripType, // it follows from the times
		importer.FieldPickup.Of(importer.FieldCompleteAddress), // it is proposed as an address
		importer.FieldDropoff.Of(importer.FieldCompleteAddress),
		importer.FieldPickup.Of(importer.FieldApptTime),    // an appointment is the drop-off's
		importer.FieldDropoff.Of(importer.FieldPickupTime): // the service sets it
		return true
	}
	return false
}

// TestEveryPropertyIsProposed checks that patterns lead to every property of a trip, or
// that notProposed names it.
func TestEveryPropertyIsProposed(t *testing.T) {
	led := map[importer.Field]bool{}
	for _, p := range wholePatterns() {
		if part, isSided := strings.CutPrefix(string(p.field), "@."); isSided {
			led[importer.FieldPickup.Of(importer.Field(part))], led[importer.FieldDropoff.Of(importer.Field(part))] = true, true
		}
		led[p.field] = true
	}
	order := mapping.FieldNames()
	for _, p := range importer.TripProperties() {
		if !led[p.Field] && !notProposed(p.Field) {
			t.Errorf("no pattern leads to %s: add one to fields.csv, or the field to notProposed", p.Field)
		}
		if !slices.Contains(order, p.Field) && !notProposed(p.Field) {
			t.Errorf("drafts have no place for %s", p.Field)
		}
	}
}

// TestDraft shows a whole draft.
func TestDraft(t *testing.T) {
	rows := layout(t, "routegenie")
	p := Mapping(rows, rows, nil)
	mappingtest.Golden(t, "routegenie", p.Draft("RouteGenie export", Names{}).Text)
}

// TestTotalCount checks that a count of all passengers does not become a count
// of additional ones.
func TestTotalCount(t *testing.T) {
	rows := layout(t, "veyo")
	p := Mapping(rows, rows, nil)
	if text := p.Draft("x", Names{}).Text; !strings.Contains(text, `AMB: {column: "# of Passengers", less: 1}`) {
		t.Error(text)
	}
}

// TestDraftsHaveNoRowContent checks that a draft, which may well be mailed,
// contains nothing of the riders.
func TestDraftsHaveNoRowContent(t *testing.T) {
	for _, name := range mappingtest.Layouts() {
		rows := layout(t, name)
		p := Mapping(rows, rows, nil)
		text := p.Draft(name, Names{}).Text
		for _, secret := range []string{"Marchbanks", "MARCHBANKS", "Goldenrod", "3135550121", "1948"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: the draft contains %q", name, secret)
			}
		}
	}
}

// TestCertaintyIsSaidOnce checks that what a draft says of a column is what the proposal
// says of it, which map prints as JSON.
func TestCertaintyIsSaidOnce(t *testing.T) {
	said := regexp.MustCompile(`# column ([A-Z]+): (\d+% sure)`)
	for _, c := range layoutCases(t) {
		p := Mapping(c.rows[:min(len(c.rows), 40)], c.rows, nil)
		sure := map[string][]string{}
		for _, f := range p.fields {
			sure[f.Ref()] = append(sure[f.Ref()], fmt.Sprintf("%.0f%% sure", f.Sure*100))
			if !strings.HasPrefix(f.Certainty(), sure[f.Ref()][len(sure[f.Ref()])-1]+", "+f.Why) {
				t.Errorf("%s: %+v is %s", c.name, f, f.Certainty())
			}
		}
		for _, m := range said.FindAllStringSubmatch(p.Draft(c.name, Names{}).Text, -1) {
			if sure[m[1]] != nil && !slices.Contains(sure[m[1]], m[2]) {
				t.Errorf("%s: column %s is %s in the draft, and %q in the proposal", c.name, m[1], m[2], sure[m[1]])
			}
		}
	}
}

func TestGuessHeader(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		want          int // index, -1 for none
	}{
		{"first row", "Trip,Rider,Time\n1,A,08:30", 0},
		{"title and dates above", "Trip manifest\nFrom: 12/01/2026,To: 12/02/2026\nTrip,Rider,Time,City\n1,A,08:30,Mesa", 2},
		{"two rows of header", "Trip,Pickup,,Dropoff,\nNumber,Street,City,Street,City\n1,Elm,Mesa,Oak,Mesa", 1},
		{"blank and repeated headers", "Trip,City,,City\n1,Mesa,x,Tempe", 0},
		{"headers with digits", "Trip #,Address 1,Address 2,DOB (mm/dd/yyyy)\n1,a,b,c", 0},
		{"unknown headers", "Kunde,Abholung,Ziel\n7,Elm,Oak", 0},
		{"no header", "70411,08:30,85210\n70412,09:15,85204", -1},
		{"no header but words", "70411,Mesa,12/02/2026,08:30\n70412,Tempe,12/02/2026,09:15", -1},
	} {
		var rows []importer.Row
		for i, line := range strings.Split(tt.content, "\n") {
			rows = append(rows, madeRow(i+1, strings.Split(line, ",")))
		}
		if got := GuessHeader(rows); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
	if got := GuessHeader(nil); got != -1 {
		t.Errorf("of nothing: %d", got)
	}
}
