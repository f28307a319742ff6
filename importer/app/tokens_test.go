package app_test

import (
	"strings"
	"testing"

	"tripimport/importer/app"
)

// What can't be a token is sent nowhere, and not repeated.
func TestCleanToken(t *testing.T) {
	for text, says := range map[string]string{
		"  tok-1\r\n":  "",
		"bearer tok-1": "does not look like a token",
		"":             "there is no token in standard input",
		" \n":          "there is no token in standard input",
		"Bearer tok-1": "does not look like a token",
		"tok-1\ntok-2": "does not look like a token",
		"tok 1":        "does not look like a token",
		"tok\x00":      "does not look like a token",
		"tök":          "does not look like a token",
	} {
		token, err := app.CleanToken(text, "standard input")
		if says == "" {
			if err != nil || token.Reveal() != "tok-1" {
				t.Errorf("%q: %q, %v", text, token.Reveal(), err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "tok-") {
			t.Errorf("%q gives %v, want %q", text, err, says)
		}
	}
}
