package app_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"tripimport/importer/app"
	"tripimport/importer/results"
)

// An office prints the summary of each job.
type office struct{ app.Silent }

func (office) Summary(s *results.Summary) error {
	fmt.Println(s.Sentence)
	return nil
}

// This rehearses the import of a schedule: the service is a sandbox inside the
// process, and nothing is booked.
func Example() {
	dir, err := os.MkdirTemp("", "schedule")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	schedule := filepath.Join(dir, "schedule.csv")
	text, err := os.ReadFile("../../testdata/schedule.csv")
	if err == nil {
		err = os.WriteFile(schedule, text, 0o600)
	}

	if err != nil {
		panic(err)
	}

	home := func(name string) (string, bool) { return dir, name == "TRIPIMPORT_HOME" }
	a, err := app.New(app.Environment{Lookup: home}, nil)
	if err != nil {
		panic(err)
	}
	a.Mapping = "plain"

	err = a.Import(context.Background(), app.Options{Rehearsal: true}, office{}, schedule)
	fmt.Println("status", app.StatusOf(err))
	// Output:
	// Rehearsal, nothing was booked: all 290 trips would be booked.
	// status 0
}
