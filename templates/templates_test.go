package templates

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestList checks that each template has a name, a title, the line that names
// the schema to editors, and its files.
func TestList(t *testing.T) {
	list := List()
	if len(list) < 17 {
		t.Fatalf("%d templates only", len(list))
	}
	for _, x := range list {
		if x.Name == "" || x.Title == "" || !strings.HasPrefix(x.Text, "# yaml-language-server: $schema=tripimport-mapping.json\nmapping: 1\n") {
			t.Errorf("%q has the title %q and begins with %.40q", x.Name, x.Title, x.Text)
		}
		if n := strings.Count(x.Text, "\n"); n > 70 {
			t.Errorf("%s has %d lines", x.Name, n)
		}
		files := x.Files()
		if len(files) == 0 || files[0].Name != x.Name+".yaml" {
			t.Errorf("%s has %d files", x.Name, len(files))
		}
	}
}

// TestTables checks that a template comes with the tables that it names.
func TestTables(t *testing.T) {
	for _, x := range List() {
		if x.Name != "serials-repeated-headers" {
			continue
		}
		files := x.Files()
		if len(files) != 2 || files[1].Name != "riders.csv" {
			t.Fatal(files)
		}
		table, err := Open("riders.csv")
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(table)
		if err != nil || !bytes.Equal(content, files[1].Content) {
			t.Errorf("%q %v", content, err)
		}
		return
	}
	t.Error("the template is not there")
}
