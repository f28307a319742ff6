package returned

import (
	"strings"
	"testing"

	"tripimport/importer"
)

func TestIsTable(t *testing.T) {
	for _, c := range []struct {
		headers string
		want    bool
	}{
		{"Status|Row|Trip|Problem|tripimport key|Trip ID", true},
		{"Trip ID|tripimport key k3abc", true},
		{"How to fix it|What we found|Trip ID", true},
		{"Status|Row|Trip|Passenger|Problem|Where|Notice|Needs|Trip GUID|Pickup", false},
		{"Trip ID|What we found", false},
	} {
		header := importer.Row{Num: 2}
		for text := range strings.SplitSeq(c.headers, "|") {
			header.Cells = append(header.Cells, importer.Cell{Type: importer.Text, Text: text})
		}
		title := importer.Row{Num: 1, Cells: []importer.Cell{{Type: importer.Text, Text: "REHEARSAL"}}}
		if got := IsTable([]importer.Row{title, header}); got != c.want {
			t.Errorf("%s: a table of results: %v, want %v", c.headers, got, c.want)
		}
	}
}

// TestFixedOtherwise: lines that were copied may fix one cell in two ways.
func TestFixedOtherwise(t *testing.T) {
	fix := func(row int64, column int, is string) *LineFix {
		return &LineFix{Fix: Fix{At: importer.Ref{Col: column}, Is: is}, Shown: importer.Outcome{RowNumber: row}}
	}
	for _, c := range []struct {
		other *LineFix
		want  bool
	}{{fix(1, 3, "AMB"), false}, {fix(1, 3, "WCH"), true}, {fix(2, 3, "WCH"), false}, {fix(1, 4, "WCH"), false}} {
		if got := fix(1, 3, "AMB").differs(*c.other); got != c.want {
			t.Errorf("%+v: differs %v", c.other, got)
		}
	}
}
