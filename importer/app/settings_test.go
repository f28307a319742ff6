package app

import "testing"

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
