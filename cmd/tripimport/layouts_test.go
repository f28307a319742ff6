package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLayouts checks the small export of each layout with its template, in which the
// questions to the office are answered. No problem is found.
func TestLayouts(t *testing.T) {
	layouts := filepath.Join("..", "..", "testdata", "layouts")
	names := []string{
		"access2care", "access2care-v2", "isi", "kaizen", "logisticare", "mtm",
		"mtm-v2", "ride-to-care", "routegenie", "saferide", "southeastrans", "veyo",
	}

	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, file := range []string{name + ".csv", "places.csv", "riders.csv"} {
				copyFile(t, filepath.Join(layouts, file), filepath.Join(dir, file))
			}

			template, err := findTemplate(name)
			if err != nil {
				t.Fatal(err)
			}

			path := filepath.Join(dir, name+".yaml")
			if err := os.WriteFile(path, []byte(decide(template.Text)), 0o600); err != nil {
				t.Fatal(err)
			}

			var out, errs bytes.Buffer
			status := execute([]string{"check", "--sandbox", "-m", path, "--places", filepath.Join(dir, "places.csv"), filepath.Join(dir, name+".csv")},
				environment{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) (string, bool) {
					return filepath.Join(dir, "home"), name == "TRIPIMPORT_HOME"
				}})

			if status != exitDone {
				t.Errorf("status %d\n%s%s", status, out.String(), errs.String())
			}
		})
	}
}

// TestLayoutsWithoutDecisions checks with a template whose questions are open. The check
// is refused with a question.
func TestLayoutsWithoutDecisions(t *testing.T) {
	var out, errs bytes.Buffer
	status := execute([]string{"check", "-m", "mtm", filepath.Join("..", "..", "testdata", "layouts", "mtm.csv")},
		environment{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) (string, bool) {
			return t.TempDir(), name == "TRIPIMPORT_HOME"
		}})
	if status != exitUsage || !strings.Contains(errs.String(), "which transportation provider drives these trips?") {
		t.Errorf("status %d\n%s", status, errs.String())
	}
}

// decide answers the questions of a template.
func decide(text string) string {
	key := "[name, birth_date]"
	open := regexp.MustCompile(`\{decide: "([^"]*)"\}`)
	text = open.ReplaceAllStringFunc(text, func(decision string) string {
		switch {
		case strings.Contains(decision, "provider drives"):
			return "{const: Lakeshore Transit}"
		case strings.Contains(decision, "funding source pays"):
			return "{const: Lakeshore Health Plan}"
		case strings.Contains(decision, "by Name and Member DOB"):
			return "{lookup: [Name, {column: Member DOB, as: date}], table: riders}"
		case strings.Contains(decision, "by Name and DOB"):
			return "{lookup: [Name, {column: DOB, as: date}], table: riders}"
		}

		key = "[name, phone]"
		return `{lookup: [Member Name, {expr: 'digits(row["Phone Number"])'}], table: riders}`
	})

	if strings.Contains(text, "table: riders}") && !strings.Contains(text, "riders: {file") {
		text = strings.Replace(text, "read:\n", "tables:\n  riders: {file: riders.csv, key: "+key+", value: rider_id}\nread:\n", 1)
	}
	return text
}
