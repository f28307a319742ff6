package propose

import (
	"fmt"
	"math/rand/v2"
	"os"
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

// truth returns, for every field of a layout's mapping, the columns it is made
// of.
func truth(m *mapping.Mapping, rows []importer.Row) map[importer.Field][]string {
	columns := map[importer.Field][]string{}
	h := m.FindHeaders(rows)
	for _, f := range fieldsOf(m) {
		for _, ref := range f.Columns {
			if column, problem := h.Find(ref); problem == "" {
				columns[f.Field] = append(columns[f.Field], importer.ColumnName(column.Num))
			}
		}
	}
	return columns
}

// TestUnknownLayouts compares the proposals for the twelve layouts with their
// mappings, each as though its own mapping did not exist: nine of ten fields
// have to be found, and none may be wrong of which the proposal is sure.
func TestUnknownLayouts(t *testing.T) {
	names := mappingtest.Layouts()
	var all []*mapping.Mapping
	for _, name := range names {
		all = append(all, template(t, name))
	}
	right, fields := 0, 0
	for i, name := range names {
		rows := layout(t, name)
		p := Mapping(rows, rows, slices.Delete(slices.Clone(all), i, i+1))
		if p.Template != "" {
			t.Errorf("%s is taken for %s", name, p.Template)
		}
		want, found := truth(all[i], rows), map[importer.Field]bool{}
		for _, f := range p.Fields {
			found[f.Field] = slices.Contains(want[f.Field], f.Ref)
			if !found[f.Field] && f.Sure > 0.8 {
				t.Errorf("%s: %s is proposed wrong: %+v", name, f.Field, f)
			}
		}
		for f := range want {
			fields++
			if found[f] {
				right++
			} else {
				t.Logf("%s: %s is not found", name, f)
			}
		}
	}
	share := float64(right) / float64(fields)
	t.Logf("%d of %d fields are proposed right: %.0f %%", right, fields, share*100)
	if share < 0.9 {
		t.Error("less than nine of ten")
	}
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
		p := Mapping(rows, rows, all)
		if p.Template != name+".yaml" {
			t.Errorf("%s is taken for %q", name, p.Template)
		}
		want := truth(all[i], rows)
		for _, f := range p.Fields {
			if !slices.Contains(want[f.Field], f.Ref) {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if len(p.Fields) != len(want) {
			t.Errorf("%s: %d fields of %d", name, len(p.Fields), len(want))
		}
	}
}

// TestDraftsParse checks that the draft for any of the layouts, also with
// columns shuffled and removed, is a mapping, is a draft, and has the columns of
// its file.
func TestDraftsParse(t *testing.T) {
	shuffle := rand.New(rand.NewPCG(7, 7))
	for _, name := range mappingtest.Layouts() {
		rows := layout(t, name)
		for range 8 {
			p := Mapping(rows, rows, nil)
			text := p.YAML("draft of " + name)
			m, err := mapping.Parse("draft.yaml", []byte(text), nil)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if !m.Draft() {
				t.Fatal("the draft is none")
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

// TestEveryPropertyIsProposed checks that the words of headers lead to every
// property of a trip, or that notProposed names it.
func TestEveryPropertyIsProposed(t *testing.T) {
	words := map[importer.Field]bool{}
	for _, w := range tripWords() {
		words[w.field] = true
	}
	for _, w := range partWords() {
		words[importer.FieldPickup.Of(w.field)], words[importer.FieldDropoff.Of(w.field)] = true, true
	}
	order := mapping.FieldNames()
	for _, p := range importer.TripProperties() {
		if !words[p.Field] && !notProposed(p.Field) {
			t.Errorf("no words lead to %s: add them to words.go, or the field to notProposed", p.Field)
		}
		if !slices.Contains(order, p.Field) {
			t.Errorf("drafts have no place for %s", p.Field)
		}
	}
}

// TestDraft shows a whole draft.
func TestDraft(t *testing.T) {
	rows := layout(t, "routegenie")
	p := Mapping(rows, rows, nil)
	mappingtest.Golden(t, "routegenie", p.YAML("RouteGenie export")+fmt.Sprintf("# missing: %v\n", p.Missing))
}

// TestTotalCount checks that a count of all passengers does not become a count
// of additional ones.
func TestTotalCount(t *testing.T) {
	rows := layout(t, "veyo")
	p := Mapping(rows, rows, nil)
	if text := p.YAML("x"); !strings.Contains(text, `count: {column: "# of Passengers", less: 1}`) {
		t.Error(text)
	}
}

// TestDraftsHaveNoRowContent checks that a draft, which may well be mailed,
// contains nothing of the riders.
func TestDraftsHaveNoRowContent(t *testing.T) {
	for _, name := range mappingtest.Layouts() {
		rows := layout(t, name)
		p := Mapping(rows, rows, nil)
		text := p.YAML(name)
		for _, secret := range []string{"Marchbanks", "MARCHBANKS", "Goldenrod", "3135550121", "1948"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: the draft contains %q", name, secret)
			}
		}
	}
}
