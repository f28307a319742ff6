package mapping

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// openLine is a line of a template that an office has to complete.
var openLine = regexp.MustCompile(`(?m)^  # (\w+: .*?)   # open: .*$`)

// officeDecisions completes a template as an office would.
func officeDecisions(text string) string {
	text = openLine.ReplaceAllString(text, "  $1")
	return strings.ReplaceAll(text, "Harborview Health", "Lakeshore Health Plan")
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
		})
	}
}

// TestTemplatesSayWhatIsOpen checks that lint reports what an office has to complete, and
// that a template of which something is open binds to no file.
func TestTemplatesSayWhatIsOpen(t *testing.T) {
	for _, name := range mappingtest.Layouts() {
		m := template(t, name)
		open := m.Open()
		if len(open) == 0 || len(open) != len(openLine.FindAllString(strings.Join(m.text, "\n"), -1)) {
			t.Errorf("%s: %v is open", name, open)
		}
		if len(Lint(m)) < len(open) {
			t.Errorf("lint does not say what %s leaves open", name)
		}
		if _, err := m.Bind(mappingtest.ReadCSV(t, "../testdata/layouts/"+name+".csv"), name+".csv"); err == nil {
			t.Errorf("%s binds with something open", name)
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
