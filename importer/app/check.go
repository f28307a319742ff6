package app

import "context"

// Check checks files against their mapping and the rules. It sends nothing and changes no
// ledger. Each problem is reported to Events.Finding and written to the results. The results
// are kept only if there is a problem, or if Options.Output names their file. A results file
// is read as Retry reads it. If rows have faults, the error's status is FixRows.
func (a *App) Check(ctx context.Context, o Options, e Events, paths ...string) error {
	if given, ok := givenResults(paths); ok {
		return a.checkResults(ctx, o, e, given, len(paths))
	}
	return a.do(ctx, "check", o, e, paths)
}
