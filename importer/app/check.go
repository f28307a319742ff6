package app

import (
	"context"
	"path/filepath"

	"tripimport/importer"
)

// Check checks files against their mapping and the rules. It sends nothing and changes no
// ledger. Each problem is reported to Events.Finding and written to the results. The results
// are kept only if there is a problem, or if Options.Output names their file. A results file
// is read as Retry reads it. If rows have faults, the error's status is FixRows.
func (a *App) Check(ctx context.Context, o Options, e Events, paths ...string) error {
	switch given, ok := givenResults(paths); {
	case ok && len(paths) > 1:
		return Usage("give it a command of its own", "%s is a results file", filepath.Base(given.Path))
	case given.Morning:
		return usageStep(importer.Do("what was answered and fixed in it is taken, and sent, by a retry", importer.RetryResults, given.Path), "%s is a morning list, which has nothing to check", filepath.Base(given.Path))
	case ok:
		return a.newBareJob("check", o, e, given.Path).doResults(ctx)
	}
	return a.do(ctx, "check", o, e, paths)
}
