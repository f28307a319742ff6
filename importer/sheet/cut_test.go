package sheet_test

import (
	"testing"

	"tripimport/importer/sheet"
)

// TestEndsWhole tells a file that was cut off from one whose last line has no end. A file that ends
// between quotes can't be read.
func TestEndsWhole(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"an end", "a,b,c\n1,2,3\n4\n", true},
		{"an end of two bytes", "a,b,c\r\n1,2,3\r\n4\r\n", true},
		{"an end in UTF-16", string(wide("Trip,Rider,Note\n70411,Ada,x\n70412\n", false, true)), true},
		{"all fields", "a,b,c\n1,2,3\n4,5,6", true},
		{"a field is not there", "a,b,c\n1,2,3\n4,5", false},
		{"a separator in the text before", "a,b,c\n1,2,\"x, y\"\n4,5,6", true},
		{"a separator in the last text", "a,b,c\n1,2,3\n4,\"5, 6\"", false},
		{"a line end in the text before", "a,b,c\n1,2,\"x\ny\"\n4,5,6", true},
		{"quotes in quotes", "a,b,c\n1,2,\"x \"\"y, z\"\"\"\n4,5,6", true},
		{"other separators", "a|b|c\n1|2|3\n4|5", false},
		{"a single line", "a,b,c\n1", true},
	} {
		f := open(t, "a.csv", []byte(test.text), sheet.Options{})
		if _, err := lines(f); err != nil || f.EndsWhole() != test.want {
			t.Errorf("%s: %t, want %t, %v", test.name, f.EndsWhole(), test.want, err)
		}
	}
	f := open(t, "a.csv", []byte("a,b,c\n1,2,3\n4,5,\"6"), sheet.Options{})
	if _, err := lines(f); err == nil {
		t.Error("a file that ends between quotes was read")
	}
}
