package mapping

import (
	"strings"
	"testing"

	"tripimport/importer"
)

// TestWithUnusedAnswersQuestions checks that a column which stays unused loses its question,
// and no other column does.
func TestWithUnusedAnswersQuestions(t *testing.T) {
	columns := []UnusedColumn{
		{Column: importer.Column{Num: 3, Header: "Ride Home"}, Name: "Ride Home"},
		{Column: importer.Column{Num: 4, Header: "Phone"}, Name: "Phone#1"},
		{Column: importer.Column{Num: 5, Header: "Phone"}, Name: "Phone#2"},
		{Column: importer.Column{Num: 6, Header: `The "other" time\date`}, Name: `The "other" time\date`},
		{Column: importer.Column{Num: 7}, Name: "=G"},
	}
	text := "mapping: 1\nunused:\n"
	for i := range columns {
		c := &columns[i]
		c.Open, c.Holds = true, "times"
		text += "  - " + c.YAML("it looks like times. Use it, or write in place of this line  - "+c.YAML("")) + "\n"
	}
	for _, c := range columns {
		got := WithUnused(text, []UnusedColumn{c})
		if n := strings.Count(got, "decide:"); n != len(columns)-1 || !strings.Contains(got, "\n  - "+c.YAML("")+"\n") {
			t.Errorf("%d questions are left, and no answer for %s:\n%s", n, c.YAML(""), got)
		}
	}
}
