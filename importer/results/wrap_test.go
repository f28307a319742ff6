package results_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tripimport/importer/results"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 40, ""},
		{"  it fits", 40, "  it fits"},
		{"one two three four", 10, "one two\n  three\n  four"},
		{"  one two three", 10, "  one two\n    three"},
		{"é é é é é é é é", 10, "é é é é é\n  é é é"},
		{"/srv/schedules/monday.csv is long", 10, "/srv/schedules/monday.csv\n  is long"},
		{"run (`tripimport setup token`) first", 10, "run\n  (`tripimport setup token`)\n  first"},
		{`see "/srv/my schedules/a.csv", then "go home"`, 10, `see` + "\n  " + `"/srv/my schedules/a.csv",` + "\n  " + `then "go` + "\n  " + `home"`},
		{"   tripimport check --today 2026-12-01 night.csv", 20, "   tripimport check --today 2026-12-01 night.csv"},
		{"a log has whole lines", 0, "a log has whole lines"},
	} {
		if got := strings.Join(results.Wrap(c.text, c.width, "  "), "\n"); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}

// TestWrapKeepsWords wraps texts at the widths of small, usual and wide terminals: no word
// is broken or lost, and a line is longer than the width only if it is one word.
func TestWrapKeepsWords(t *testing.T) {
	words := rapid.SampledFrom([]string{"a", "row", "needs", "`tripimport check night.csv`", "/srv/schedules/of/this/office/lakeshore_20261201.csv", "it’s", `"x/y z"`})
	rapid.Check(t, func(t *rapid.T) {
		given := rapid.SliceOfN(words, 1, 40).Draw(t, "words")
		width := rapid.SampledFrom([]int{40, 80, 120}).Draw(t, "width")
		lines := results.Wrap(strings.Join(given, " "), width, "    ")
		var got []string
		for _, line := range lines {
			got = append(got, strings.TrimSpace(line))
			if n := len([]rune(line)); n > width && !slices.Contains(given, strings.TrimSpace(line)) {
				t.Errorf("%d characters: %q", n, line)
			}
		}
		if strings.Join(got, " ") != strings.Join(given, " ") {
			t.Errorf("%q became %q", given, lines)
		}
	})
}
