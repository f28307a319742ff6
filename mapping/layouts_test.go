package mapping

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// officeDecisions writes what an office would write in place of the decisions
// that a template leaves open.
func officeDecisions(text string) string {
	for question, answer := range map[string]string{
		"which transportation provider": "{const: Lakeshore Transit}",
		"which funding source":          "{const: Lakeshore Health Plan}",
		"by Name and Member DOB":        "{lookup: [Name, {column: Member DOB, as: date}], table: riders}",
		"by Name and DOB":               "{lookup: [Name, {column: DOB, as: date}], table: riders}",
		"by Member Name and Phone":      "{lookup: [Member Name, {expr: 'digits(row[\"Phone Number\"])'}], table: riders}",
	} {
		for {
			at := strings.Index(text, question)
			if at < 0 {
				break
			}
			begin := strings.LastIndex(text[:at], "{decide:")
			end := at + strings.Index(text[at:], "}") + 1
			text = text[:begin] + answer + text[end:]
		}
	}
	key := "[name, birth_date]"
	if strings.Contains(text, "digits(row") {
		key = "[name, phone]"
	}
	if strings.Contains(text, "table: riders}") && !strings.Contains(text, "riders: {file") {
		text = strings.Replace(text, "read:\n", "tables:\n  riders: {file: riders.csv, key: "+key+", value: rider_id}\nread:\n", 1)
	}
	return text
}

func decided(t testing.TB, name string) *Mapping {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "templates", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(name+".yaml", []byte(officeDecisions(string(text))), mappingtest.OpenIn("../testdata/layouts"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTemplatesTakeTheirExports checks that each layout's export becomes trips
// without a fault once the office has made its decisions, and that a template is
// short enough to be read.
func TestTemplatesTakeTheirExports(t *testing.T) {
	for _, name := range mappingtest.Layouts() {
		t.Run(name, func(t *testing.T) {
			m := decided(t, name)
			if n := len(m.text); n > 71 {
				t.Errorf("the template has %d lines", n)
			}
			rows := mappingtest.ReadCSV(t, "../testdata/layouts/"+name+".csv")
			b := bind(t, m, rows)
			for _, row := range rows[1:] {
				mapped := b.Map(row, nil)
				if mapped.Faulty() {
					t.Errorf("%v: %q", row.Ref(0), sentences(mapped))
				}
			}
			mappingtest.Golden(t, "layout-"+name, possibleValues(t, m, rows))
		})
	}
}

// TestTemplatesSayWhatIsOpen checks that lint reports every open decision, and
// that a template with open decisions binds to no file.
func TestTemplatesSayWhatIsOpen(t *testing.T) {
	for _, name := range mappingtest.Layouts() {
		m := template(t, name)
		open := m.openDecisions()
		if len(open) == 0 {
			t.Errorf("%s leaves nothing to decide", name)
		}
		if len(Lint(m)) < len(open) {
			t.Errorf("lint does not say what %s leaves open", name)
		}
		if _, err := m.Bind(mappingtest.ReadCSV(t, "../testdata/layouts/"+name+".csv"), name+".csv"); err == nil {
			t.Errorf("%s binds with decisions open", name)
		}
	}
}

// TestEachExportHasOneTemplate checks that only the template of a layout matches
// its export.
func TestEachExportHasOneTemplate(t *testing.T) {
	paths, err := filepath.Glob("../templates/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []*Mapping
	for _, path := range paths {
		all = append(all, template(t, strings.TrimSuffix(filepath.Base(path), ".yaml")))
	}
	exports := map[string][]importer.Row{}
	for _, name := range mappingtest.Layouts() {
		exports[name] = mappingtest.ReadCSV(t, "../testdata/layouts/"+name+".csv")
	}
	for _, name := range []string{"round-trip-rows", "two-leg-rows", "single-datetime"} {
		exports[name] = mappingtest.ReadCSV(t, "../testdata/samples/"+name+".csv")
	}
	exports["serials-repeated-headers"] = typedRows()
	for name, rows := range exports {
		var fits []string
		for _, m := range all {
			if m.Match(rows, name+".csv").OK {
				fits = append(fits, m.File())
			}
		}
		if len(fits) != 1 || fits[0] != name+".yaml" {
			t.Errorf("%s.csv is taken by %q", name, fits)
		}
	}
}
