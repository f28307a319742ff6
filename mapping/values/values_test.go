package values

import "testing"

// TestNumbers checks which texts are numbers, distances and counts.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		text     string
		number   float64
		isNumber bool
	}{
		{"12", 12, true},
		{"-83.248", -83.248, true},
		{"1,234.5", 0, false},
		{"1e3", 1000, true},
		{"1,23", 0, false},
		{"0x10", 0, false},
		{"NaN", 0, false},
		{"1_000", 0, false},
		{"", 0, false},
	} {
		if n, ok := Number(c.text); ok != c.isNumber || ok && n != c.number {
			t.Errorf("Number(%q) = %v, %v", c.text, n, ok)
		}
	}
	for _, text := range []string{"12", "12 mi", "12 Miles"} {
		if n, ok := Distance(text); !ok || n != 12 {
			t.Errorf("Distance(%q) = %v, %v", text, n, ok)
		}
	}
	if _, ok := Distance("12 km"); ok {
		t.Error("kilometres are taken for miles")
	}
	for text, want := range map[string]int{"0": 0, "2": 2, "2.0": 2, "50": 50} {
		if n, ok := Count(text); !ok || n != want {
			t.Errorf("Count(%q) = %v, %v", text, n, ok)
		}
	}
	for _, text := range []string{"", "-1", "1.5", "51", "two"} {
		if n, ok := Count(text); ok {
			t.Errorf("Count(%q) = %v", text, n)
		}
	}
}

// TestFlags checks which texts are yes and no.
func TestFlags(t *testing.T) {
	for _, text := range []string{"Y", "yes", "TRUE", "1", "x", "Sí", "SI"} {
		if set, known := Flag(text); !set || !known {
			t.Errorf("Flag(%q) = %v, %v", text, set, known)
		}
	}
	for _, text := range []string{"", "n", "No", "false", "0"} {
		if set, known := Flag(text); set || !known {
			t.Errorf("Flag(%q) = %v, %v", text, set, known)
		}
	}
	if set, known := Flag("maybe"); set || known {
		t.Errorf("Flag(maybe) = %v, %v", set, known)
	}
}

// TestTexts checks the forms in which texts are compared.
func TestTexts(t *testing.T) {
	for text, want := range map[string]string{
		" a  b ": "a b", "a\u00a0b": "a b", "a\r\nb": "a b", "\ufeffa": "a", "a b": "a b", "é  x": "é x", "": "",
	} {
		if got := Clean(text); got != want {
			t.Errorf("Clean(%q) = %q", text, got)
		}
	}
	if got := FoldCase(" W/C  Van"); got != "w/c van" {
		t.Errorf("FoldCase = %q", got)
	}
	if got := HeaderKey("Member's ID #"); got != "membersid" {
		t.Errorf("HeaderKey = %q", got)
	}
}
