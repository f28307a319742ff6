package main

import (
	"bufio"
	"strings"
	"testing"

	"tripimport/importer"
)

// TestAskOne types answers at the terminal. What is no answer is asked again.
func TestAskOne(t *testing.T) {
	const guid = "5f0c1234-0000-4000-8000-00000000abcd"
	for typed, want := range map[string]string{
		"y\n\n":                                 "there",
		"Y\n" + guid + "\n":                     "there " + guid,
		"there\nnot there\nlater\n":             "", // it was once taken for the GUID
		"y\n00000000000000000000000000000000\n": "",
		"y\nffffffff-ffff-ffff-ffff-ffffffffffff\nn\nyes\n": "not there",
		guid + "\n":                     "there " + guid,
		"there " + guid + "\n":          "there " + guid,
		"not there\nno\nlater\n":        "",
		"none\nmissing\nn\nyes\n":       "not there",
		"booked by hand " + guid + "\n": "booked by hand " + guid,
		"later\n":                       "",
		"":                              "",
	} {
		var out strings.Builder
		cards := &resolveCards{environment: environment{Out: &out}}
		verdict, got, err := cards.askOne(bufio.NewReader(strings.NewReader(typed)), "there / not there / later")
		if answer := strings.TrimSpace(verdict.String() + " " + got); answer != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", typed, answer, err, want)
		}
		if verdict == importer.NoVerdict && got != "" {
			t.Errorf("%q: a GUID without an answer", typed)
		}
	}
}
