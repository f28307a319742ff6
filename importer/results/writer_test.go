package results_test

import (
	"os"
	"testing"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
)

// Files of one name, and several files in one CSV, are refused.
func TestInputsThatCantBeTogether(t *testing.T) {
	o := resultstest.Options(t, results.CSV)
	second := resultstest.Input()
	second.Name = "other.csv"
	o.Inputs = append(o.Inputs, second)
	if _, err := results.New(o); err == nil {
		t.Error("two files became one CSV")
	}
	o.Format = results.XLSX
	if _, err := results.New(o); err != nil {
		t.Error(err)
	}
	o.Inputs = []results.Input{second, second}
	if _, err := results.New(o); err == nil {
		t.Error("two files of one name were taken")
	}
}

// A folder that can't be written to is found before anything is sent.
func TestNoFolder(t *testing.T) {
	for _, format := range []results.Format{results.XLSX, results.CSV} {
		o := resultstest.Options(t, format)
		o.Path = o.Path + "/nowhere/results"
		w, err := results.New(o)
		if err != nil {
			t.Fatal(err)
		}
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
	for _, format := range []results.Format{results.XLSX, results.CSV} {
		o := resultstest.Options(t, format)
		dir := t.TempDir() + "/out"
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		o.Path = dir + "/results"
		w, err := results.New(o)
		if err != nil {
			t.Fatal(err)
		}
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
