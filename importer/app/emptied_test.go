package app_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tripimport/importer/app"
	"tripimport/templates"
)

// noticed keeps what a check says.
type noticed struct {
	app.Silent

	texts []string
}

func (n *noticed) Notice(text string) { n.texts = append(n.texts, text) }

// TestEmptiedColumn empties each column of a good schedule: then rows have faults, or a notice
// names the column. Only an optional column of the mapping may be empty without a message.
func TestEmptiedColumn(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "schedule.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}

	plain, ok := templates.Find("plain")
	if !ok {
		t.Fatal("there is no template plain")
	}

	o := newFixture(t, "")
	emptied := 0
	for col, name := range rows[0] {
		file := make([][]string, len(rows))
		filled := false
		for i, row := range rows {
			file[i] = slices.Clone(row)
			if i > 0 {
				filled = filled || row[col] != ""
				file[i][col] = ""
			}
		}
		if !filled || strings.Contains(plain.Text, "column: "+name+", optional: true") {
			continue
		}
		emptied++

		var b strings.Builder
		o.must(csv.NewWriter(&b).WriteAll(file))
		o.write("emptied.csv", b.String())
		var said noticed
		err := o.app().Check(context.Background(), app.Options{Today: "2026-12-01"}, &said, "emptied.csv")
		named := slices.ContainsFunc(said.texts, func(text string) bool { return strings.Contains(text, `"`+name+`"`) })
		if err == nil && !named {
			t.Errorf("%s is blank in all rows, and nothing is said: %q", name, said.texts)
		}
	}
	if emptied < 15 {
		t.Errorf("%d columns were emptied", emptied)
	}
}
