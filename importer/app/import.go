package app

import (
	"context"
	"errors"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/returned"
)

// Import books the trips of a file, each once. A trip that the ledger has as booked is not
// sent again, so an import may be repeated at any time. A real import never makes a ledger
// and is refused without one. The error is nil if every trip is booked; otherwise StatusOf
// says how the import ended.
func (a *App) Import(ctx context.Context, o Options, e Events, path string) error {
	switch given, ok := returned.TraceOf(path); {
	case given.Check, given.Rehearsal: // a rehearsal's is booked for real, or rehearsed again
		return a.Retry(ctx, o, e, path)
	case ok:
		return usageStep(importer.Do("import schedules alone; send what you fixed or answered in it", importer.RetryResults, path), "%s is a results file or a list, not a schedule", filepath.Base(path))
	}
	return a.do(ctx, "import", o, e, path)
}

// do checks or imports a schedule.
func (a *App) do(ctx context.Context, command string, o Options, e Events, path string) (err error) {
	j, err := a.openJob(command, o, e, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	if err := j.openTarget(ctx); err != nil {
		return err
	}
	return j.run(ctx)
}

// Check checks a file against its mapping and the rules. It sends nothing and changes no
// ledger. Each problem is in a row that Events.Row gets, and is written to the results. The results
// are kept only if there is a problem, or if Options.Output names their file. A results file
// is read as Retry reads it. If rows have faults, the error's status is FixRows.
func (a *App) Check(ctx context.Context, o Options, e Events, path string) error {
	switch given, ok := returned.TraceOf(path); {
	case given.Morning:
		return usageStep(importer.Do("what was answered and fixed in it is taken, and sent, by a retry", importer.RetryResults, given.Path), "%s is a morning list, which has nothing to check", filepath.Base(given.Path))
	case ok:
		return a.newBareJob("check", o, e, given.Path).doResults(ctx)
	}
	return a.do(ctx, "check", o, e, path)
}
