package results_test

import (
	"os"
	"testing"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
)

// A folder that can't be written to is found before anything is sent.
func TestNoFolder(t *testing.T) {
	for _, format := range results.Formats() {
		o := resultstest.Options(t, format)
		o.Path = o.Path + "/nowhere/results"
		w := results.New(o)
		if err := w.Start(resultstest.RunStart()); err == nil {
			t.Errorf("%s: results were begun in a folder that does not exist", format)
		}
		w.Close()
	}
}

// A folder that has gone when the results are to be written is an error, and
// nothing is left of them.
func TestFolderGone(t *testing.T) {
	temporary := temporaryFolder(t)
	for _, format := range results.Formats() {
		o := resultstest.Options(t, format)
		dir := t.TempDir() + "/out"
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		o.Path = dir + "/results"
		w := results.New(o)
		if err := w.Start(resultstest.RunStart()); err != nil {
			t.Fatal(err)
		}
		if err := w.Row(resultstest.Result(2, importer.Booked)); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			w.Close()
			t.Skipf("the system keeps folders with open files: %v", err)
		}
		if err := w.End(importer.RunResult{}); err == nil || len(w.Summary().Files) != 0 {
			t.Errorf("%s: written to %v, error %v", string(format), w.Summary().Files, err)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) != 0 {
			t.Errorf("%v is left (%v)", left, err)
		}
	}
}
