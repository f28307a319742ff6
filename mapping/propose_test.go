package mapping

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
)

// truth gives, for every field of a layout's mapping, the columns it is made
// of.
func truth(m *Mapping, rows []importer.Row) map[importer.Field][]string {
	columns := map[importer.Field][]string{}
	h, _ := m.findHead(rows)
	c := &compiler{Mapping: m}
	for _, f := range c.fields() {
		for _, ref := range f.columns {
			if column, why := h.find(ref); why == "" {
				columns[f.name] = append(columns[f.name], importer.ColumnName(column.Num))
			}
		}
	}
	return columns
}

// TestProposeUnknownLayouts holds proposals for the twelve layouts, each as
// though its own mapping did not exist, against that mapping: nine fields of
// ten found, and none wrong of which the proposal is sure.
func TestProposeUnknownLayouts(t *testing.T) {
	names := layoutNames()
	var all []*Mapping
	for _, name := range names {
		all = append(all, template(t, name))
	}
	right, fields := 0, 0
	for i, name := range names {
		rows := readCSV(t, "../testdata/layouts/"+name+".csv")
		p := Propose(rows, rows, slices.Delete(slices.Clone(all), i, i+1))
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

// TestProposeKnownLayouts holds that a file with all columns of a mapping is
// recognised.
func TestProposeKnownLayouts(t *testing.T) {
	var all []*Mapping
	for _, name := range layoutNames() {
		all = append(all, template(t, name))
	}
	for i, name := range layoutNames() {
		rows := readCSV(t, "../testdata/layouts/"+name+".csv")
		p := Propose(rows, rows, all)
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

// TestProposedDraftsParse holds that what is written for any of the layouts,
// also with columns shuffled and taken away, is a mapping, a draft, and has the
// columns of its file.
func TestProposedDraftsParse(t *testing.T) {
	shuffle := rand.New(rand.NewPCG(7, 7))
	for _, name := range layoutNames() {
		rows := readCSV(t, "../testdata/layouts/"+name+".csv")
		for range 8 {
			p := Propose(rows, rows, nil)
			text := p.YAML("draft of " + name)
			m, err := Parse("draft.yaml", []byte(text), nil)
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

// TestProposedDraft shows one draft whole.
func TestProposedDraft(t *testing.T) {
	rows := readCSV(t, "../testdata/layouts/routegenie.csv")
	p := Propose(rows, rows, nil)
	golden(t, "proposed-routegenie", p.YAML("RouteGenie export")+fmt.Sprintf("# missing: %v\n", p.Missing))
}

// TestProposedTotalCount holds that a count of all passengers does not become
// one of companions.
func TestProposedTotalCount(t *testing.T) {
	rows := readCSV(t, "../testdata/layouts/veyo.csv")
	p := Propose(rows, rows, nil)
	if text := p.YAML("x"); !strings.Contains(text, `count: {column: "# of Passengers", less: 1}`) {
		t.Error(text)
	}
}

// TestProposalHasNoRowContent holds that nothing of the riders gets into a
// draft, which is likely to be mailed about.
func TestProposalHasNoRowContent(t *testing.T) {
	for _, name := range layoutNames() {
		rows := readCSV(t, "../testdata/layouts/"+name+".csv")
		p := Propose(rows, rows, nil)
		text := p.YAML(name)
		for _, secret := range []string{"Marchbanks", "MARCHBANKS", "Goldenrod", "3135550121", "1948"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: the draft contains %q", name, secret)
			}
		}
	}
}
