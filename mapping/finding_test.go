package mapping

import (
	"errors"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tripimport/mapping/mappingtest"
)

// TestFindings checks what is reported about mappings with something wrong in
// them, where it is, and what to write instead.
func TestFindings(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/findings.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) < 40 {
		t.Fatalf("%d mappings only", len(archive.Files))
	}
	var said strings.Builder
	for _, file := range archive.Files {
		_, err := Parse("lakeshore.yaml", file.Data, openText(listsOfFindings()))
		var findings Findings
		if !errors.As(err, &findings) || len(findings) == 0 {
			t.Errorf("%s: nothing is said: %v", file.Name, err)
			continue
		}
		said.WriteString(file.Name + "\n")
		for _, f := range findings {
			said.WriteString(f.Long() + "\n")
			if f.Line == 0 || f.Message == "" || f.Fix == "" {
				t.Errorf("%s: %+v does not say where, or what to write", file.Name, f)
			}
		}
		said.WriteString("\n")
	}
	mappingtest.Golden(t, "findings", said.String())
}

func listsOfFindings() map[string]string {
	return map[string]string{
		"riders.csv": "name,birth_date,rider_id\nAda,1950-06-17,R1\n",
		"twice.csv":  "name,birth_date,rider_id\nAda,1950-06-17,R1\n\"A.D.A.\",1950-06-17,R2\n",
	}
}
