package main

import (
	"bytes"
	"strings"
	"testing"

	"tripimport/importer/app"
	"tripimport/importer/results"
)

// TestNotKnownIsNotNothing prints no count of what is to be done while files are not known: it
// would not be true.
func TestNotKnownIsNotNothing(t *testing.T) {
	for _, c := range []struct {
		m    results.Morning
		want string
	}{
		{results.Morning{}, "to do before the next pickup: 0 trips\n"},
		{results.Morning{Lost: []results.LostRun{{File: "night.csv", Reason: "it is gone", Fix: "look for it"}}}, "to do before the next pickup:\n  night.csv: what is open in it is not known"},
	} {
		var out bytes.Buffer
		s := &session{environment: environment{Out: &out}}
		s.printMorning(&c.m, app.Taken{}, false)
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%q, want %q", out.String(), c.want)
		}
	}
}
