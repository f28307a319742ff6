package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tripimport/importer/app"
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

			for _, args := range [][]string{
				{"places", "add", filepath.Join(dir, "places.csv")},
				{"check", "--sandbox", "-m", path, filepath.Join(dir, name+".csv")},
			} {
				var out, errs bytes.Buffer
				status := execute(args,
					environment{In: strings.NewReader(""), Out: &out, Err: &errs, Environment: app.Environment{Approved: true, Lookup: func(name string) (string, bool) {
						return filepath.Join(dir, "home"), name == "TRIPIMPORT_HOME"
					}}})

				if status != exitDone {
					t.Errorf("%q: status %d\n%s%s", args, status, out.String(), errs.String())
				}
			}
		})
	}
}

// TestLayoutsWithoutDecisions checks with a template whose questions are open. The check
// is refused with a question.
func TestLayoutsWithoutDecisions(t *testing.T) {
	var out, errs bytes.Buffer
	status := execute([]string{"check", "-m", "mtm", filepath.Join("..", "..", "testdata", "layouts", "mtm.csv")},
		environment{In: strings.NewReader(""), Out: &out, Err: &errs, Environment: app.Environment{Approved: true, Lookup: func(name string) (string, bool) {
			return t.TempDir(), name == "TRIPIMPORT_HOME"
		}}})
	if status != exitUsage || !strings.Contains(errs.String(), "which transportation provider drives these trips?") {
		t.Errorf("status %d\n%s", status, errs.String())
	}
}

// decide completes a template as an office would.
func decide(text string) string {
	text = regexp.MustCompile(`(?m)^  # (\w+: .*?)   # open: .*$`).ReplaceAllString(text, "  $1")
	return strings.ReplaceAll(text, "Harborview Health", "Lakeshore Health Plan")
}

// TestSecondWeekAsksNothing takes the export of each layout with its template, and then the same
// export of the next week: once approved from the first week, and once not. No word is asked
// about.
func TestSecondWeekAsksNothing(t *testing.T) {
	t.Parallel()
	exports, err := filepath.Glob(filepath.Join("..", "..", "testdata", "*", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, export := range exports {
		name := strings.TrimSuffix(filepath.Base(export), ".csv")
		template, err := findTemplate(name)
		if err != nil {
			continue // a list of places or of riders
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, file := range []string{"places.csv", "riders.csv"} {
				copyFile(t, filepath.Join(filepath.Dir(export), file), filepath.Join(dir, file))
			}
			first, err := os.ReadFile(export)
			if err != nil {
				t.Fatal(err)
			}
			mapping := decide(template.Text)
			write := func(name, text string) string {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			monday, next := write(name+"-1.csv", string(first)), write(name+"-2.csv", nextWeek(string(first)))
			path := write("mine.yaml", mapping)
			if nextWeek(string(first)) == string(first) {
				t.Error("the next week has the same dates")
			}

			home := "approved"
			run := func(args ...string) string {
				var out, errs bytes.Buffer
				execute(args,
					environment{In: strings.NewReader(""), Out: &out, Err: &errs, Environment: app.Environment{Approved: true, Lookup: func(name string) (string, bool) {
						return filepath.Join(dir, home), name == "TRIPIMPORT_HOME" || name == "TRIPIMPORT_MARKS"
					}}})
				return out.String() + errs.String()
			}
			run("ledger", "new")
			approve := []string{"map", "approve", "--yes", path, monday}
			for _, asked := range regexp.MustCompile(`with --unused "?([^"\n]+)`).FindAllStringSubmatch(run(approve...), -1) {
				approve = append(approve, "--unused", asked[1])
			}
			if got := run(approve...); !strings.Contains(got, " is approved") && !strings.Contains(got, "approved: ") {
				t.Errorf("approve:\n%s", got)
			}
			for _, args := range [][]string{
				{"approved", monday}, {"approved", next}, {"older", monday}, {"older", next},
			} {
				home = args[0]
				run("places", "add", filepath.Join(dir, "places.csv"))
				got := run("import", "--sandbox", "-m", path, args[1])
				if args[0] == "approved" && strings.Contains(got, "the mapping does not use") || strings.Contains(got, "nobody has approved") || strings.Contains(got, "looks like a cancellation: ") || !strings.Contains(got, "booked") {
					t.Errorf("%q:\n%s", args, got)
				}
			}
		})
	}
}

// nextWeek moves every date of an export by seven days.
func nextWeek(text string) string {
	for form, layout := range map[string]string{
		`\b\d{1,2}/\d{1,2}/\d{4}\b`: "1/2/2006", `\b20\d{2}-\d{2}-\d{2}`: "2006-01-02", `\b20\d{6}\b`: "20060102",
	} {
		text = regexp.MustCompile(form).ReplaceAllStringFunc(text, func(date string) string {
			day, err := time.Parse(layout, date)
			if err != nil {
				return date
			}
			return day.AddDate(0, 0, 7).Format(layout)
		})
	}
	return text
}
