package app

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// harmlessKeys are the settings that a file in the current folder may set without trust. A new
// setting is not among them until somebody has thought about it.
func harmlessKeys() []string {
	return []string{"mapping", "mappings", "places", "results_format", "workers", "log_format"}
}

// TestTrustIsAsked fails by name for a setting that needs trust, if a job uses it without
// checking that it is trusted.
func TestTrustIsAsked(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}

	asked := map[string]bool{}
	call := regexp.MustCompile(`\.trusted\((?:("[^)]*")|ServiceKeys\(\)\.\.\.)\)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range call.FindAllStringSubmatch(string(text), -1) {
			keys := strings.Split(m[1], ",")
			if m[1] == "" {
				keys = ServiceKeys()
			}
			for _, key := range keys {
				asked[strings.Trim(key, `" `)] = true
			}
		}
	}

	for _, s := range KnownSettings() {
		free := strings.Contains(" "+strings.Join(harmlessKeys(), " ")+" ", " "+s.Key+" ")
		if !free && !asked[s.Key] {
			t.Errorf("no job asks whether a file beside the work may set %s: name it in Settings.trusted where it is used", s.Key)
		}
		own := Settings{s.Key: {Text: "1"}}
		if got := own.harmless(s.Key, "2"); got != free && s.Key != "timeout" {
			t.Errorf("a file beside the work may set %s: %v, want %v", s.Key, got, free)
		}
	}
}

// TestHarmlessValues shows which values a file in the current folder may set without trust.
func TestHarmlessValues(t *testing.T) {
	for _, test := range []struct {
		key, without, with string
		want               bool
	}{
		{"rate", "10", "9.5", true},
		{"rate", "10", "10", true},
		{"rate", "10", "10.5", false},
		{"rate", "10", "0", false}, // no limit
		{"rate", "10", "-1", false},
		{"rate", "10", "NaN", false},
		{"rate", "10", "fast", false},
		{"rate", "0", "500", true},
		{"burst", "10", "1", true},
		{"burst", "10", "11", false},
		{"timeout", "60s", "2m", true},
		{"timeout", "60s", "59s", false},
		{"timeout", "60s", "soon", false},
		{"base_url", "", "https://trips.example", false},
		{"base_url", "https://trips.example", "https://trips.example", true},
		{"ledger", "/a/ledger.db", "ledger.db", false},
		{"token_command", "", "", true},
		{"token_file", "/home/token", "", false},
		{"group", "", "users", false},
		{"workers", "8", "2", true},
	} {
		own := Settings{test.key: {Text: test.without}}
		if got := own.harmless(test.key, test.with); got != test.want {
			t.Errorf("%s: %q instead of %q: %v, want %v", test.key, test.with, test.without, got, test.want)
		}
	}
}
