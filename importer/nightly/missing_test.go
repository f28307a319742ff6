package nightly

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tripimport/importer/results"
)

// TestMissingResults names results that are gone, if their run left something to people, and only
// then.
func TestMissingResults(t *testing.T) {
	o := newOffice(t)
	o.write("in/lakeshore-1.csv", strings.Replace(scheduleOf("12/4/2026", "A-1", "A-2"), "AMB", "Gurney", 1))
	o.must(o.wake("2026-12-03 21:30"))
	first := o.removeResults()
	o.drop("lakeshore-2.csv", "12/5/2026", "B-1", "B-2")
	o.mails = nil
	o.must(o.wake("2026-12-04 21:30"))
	o.removeResults() // all of it is booked
	m := o.morning()
	if len(m.Missing) != 1 || m.Missing[0].File != first {
		t.Errorf("%v are missing, want %s", m.Missing, first)
	}
	if text := (results.MissingResults{File: first, Host: "front-desk"}).String(); !strings.Contains(text, "not where a run on front-desk wrote it") {
		t.Error(text)
	}
}

// removeResults removes the results of runs, and returns the name of one.
func (o *officeAtNight) removeResults() (name string) {
	paths, err := filepath.Glob(filepath.Join(o.dir, "results", "*.results.csv"))
	if o.must(err); len(paths) == 0 {
		o.Fatal("there are no results")
	}
	for _, path := range paths {
		o.must(os.Remove(path))
	}
	return filepath.Base(paths[0])
}

// wantMailsWith wants a text in one of the mails.
func (o *officeAtNight) wantMailsWith(text string) {
	for _, m := range o.mails {
		if strings.Contains(m.Text, text) {
			return
		}
	}
	o.Errorf("no mail says %q: %v", text, o.mails)
}
