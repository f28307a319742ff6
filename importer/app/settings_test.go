package app

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
)

// TestSettingsAreRead names each setting that nothing reads, and each name of a setting that is read and that there
// is not.
func TestSettingsAreRead(t *testing.T) {
	read := map[string]bool{}
	for _, pattern := range []string{"*.go", "../../cmd/tripimport/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") }) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?:Settings|all)\.(?:Text|number)\("(\w+)"\)`).FindAllStringSubmatch(string(text), -1) {
				read[m[1]] = true
			}
		}
	}
	for _, s := range KnownSettings() {
		if !read[s.Key] {
			t.Errorf("nothing reads the setting %s as Settings.Text(%q)", s.Key, s.Key)
		}
		delete(read, s.Key)
	}
	for key := range read {
		t.Errorf("there is no setting %q, and something reads it", key)
	}
}

// TestResultsFormats checks each word of the setting results_format: a file of it is written, known by its name as
// ours, and asked for by the name of an output.
func TestResultsFormats(t *testing.T) {
	i := slices.IndexFunc(KnownSettings(), func(s Setting) bool { return s.Key == "results_format" })
	setting, heads := KnownSettings()[i], map[string]string{}
	for _, word := range setting.Words {
		path, _ := resultstest.Write(t, resultstest.Options(t, results.Format(word)), resultstest.RunStart(), resultstest.Night(1))
		if _, ours := results.Made(filepath.Base(path)); !ours || filepath.Ext(path) != "."+word {
			t.Errorf("%s: results.Made does not know %s", word, filepath.Base(path))
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		head := string(text[:min(20, len(text))])
		if other, is := heads[head]; is {
			t.Errorf("%s: results.Writer.Start writes what %s is", word, other)
		}
		heads[head] = word

		j := &job{App: &App{Settings: Settings{setting.Key: {Text: setting.Default}}}, opts: Options{Output: "out." + word}}
		if got := j.format(); got != results.Format(word) {
			t.Errorf("-o out.%s writes %s", word, got)
		}
	}
}

// TestHarmlessValues shows which values a file in the current folder may set. A new setting is
// not among them until somebody has thought about it.
func TestHarmlessValues(t *testing.T) {
	free := map[string]bool{"mappings": true, "places": true, "results_format": true}
	for _, s := range KnownSettings() {
		if got := (Settings{s.Key: {Text: "1"}}).harmless(s.Key, "2"); got != free[s.Key] {
			t.Errorf("a file beside the work may set %s: %v, want %v", s.Key, got, free[s.Key])
		}
	}
	for _, test := range []struct {
		without, with string
		want          bool
	}{
		{"10", "9.5", true},
		{"10", "10", true},
		{"10", "10.5", false},
		{"10", "0", false}, // no limit
		{"10", "-1", false},
		{"10", "NaN", false},
		{"10", "fast", false},
		{"0", "500", true},
	} {
		own := Settings{"rate": {Text: test.without}}
		if got := own.harmless("rate", test.with); got != test.want {
			t.Errorf("a rate of %q instead of %q: %v, want %v", test.with, test.without, got, test.want)
		}
	}
}
