package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/app"
)

// TestReferencePage requires that the tables of REFERENCE.md are those of the code. With
// TRIPIMPORT_UPDATE set it writes them.
func TestReferencePage(t *testing.T) {
	const file = "REFERENCE.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}

	page := string(text)
	for name, table := range map[string]string{
		"states": tableOfStates(), "statuses": tableOfStatuses(),
		"settings": "```text\n" + settingsPage(80) + "```\n",
	} {
		before, rest, found := strings.Cut(page, "<!-- "+name+" -->\n")
		_, after, closed := strings.Cut(rest, "<!-- /"+name+" -->")
		if !found || !closed {
			t.Fatalf("the page has no place for the table of %s", name)
		}
		page = before + "<!-- " + name + " -->\n" + table + "<!-- /" + name + " -->" + after
	}

	if os.Getenv("TRIPIMPORT_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(page, string(text)); diff != "" {
		t.Error(diff)
	}
}

func tableOfStates() string {
	var out strings.Builder
	out.WriteString("| in the results | in JSON | means | the next run |\n|---|---|---|---|\n")
	for s := range importer.State(importer.StateCount) {
		means, next := s.Meaning()
		fmt.Fprintf(&out, "| %s | `%s` | %s | %s |\n", s, s.Code(), means, next)
	}
	return out.String()
}

func tableOfStatuses() string {
	var out strings.Builder
	out.WriteString("| exit | meaning |\n|---|---|\n")
	for _, s := range app.Statuses() {
		fmt.Fprintf(&out, "| %d | %s |\n", s, s.Meaning())
	}
	return out.String() + "\n" + fill(app.StatusOrder, 88) + "\n"
}
