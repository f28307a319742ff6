package sheet_test

import (
	"os"
	"path/filepath"
	"testing"

	"tripimport/importer/sheet"
)

// TestEndsWhole tells a file that was cut off from one whose last line has no end.
func TestEndsWhole(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"an end", "a,b,c\n1,2,3\n4\n", true},
		{"an end of two bytes", "a,b,c\r\n1,2,3\r\n4\r\n", true},
		{"an end in UTF-16", "a\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00", true},
		{"all fields", "a,b,c\n1,2,3\n4,5,6", true},
		{"a field is not there", "a,b,c\n1,2,3\n4,5", false},
		{"a separator in the text before", "a,b,c\n1,2,\"x, y\"\n4,5,6", true},
		{"a separator in the last text", "a,b,c\n1,2,3\n4,\"5, 6\"", false},
		{"a line end in the text before", "a,b,c\n1,2,\"x\ny\"\n4,5,6", true},
		{"within quotes", "a,b,c\n1,2,3\n4,5,\"6", false},
		{"quotes in quotes", "a,b,c\n1,2,\"x \"\"y, z\"\"\"\n4,5,6", true},
		{"a quote in a field", "a,b,c\n1,2,6\"\" step\n4,5,6", true},
		{"other separators", "a|b|c\n1|2|3\n4|5", false},
		{"a single line", "a,b,c\n1", true},
	} {
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := sheet.EndsWhole(path); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}
