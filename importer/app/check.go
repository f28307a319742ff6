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
	schedules, err := a.openSchedules(paths)
	if err != nil {
		return err
	}
	defer closeSchedules(schedules)
	j, err := a.newJob("check", o, e, schedules)
	if err != nil {
		return err
	}

	if err := j.openAccess(ctx); err != nil {
		return err
	}
	return j.run(ctx)
}

// openAccess gets the access list that the options name, if any. The names of providers and
// funding sources are checked against it.
func (j *job) openAccess(ctx context.Context) error {
	if j.opts.Saved {
		j.access, _ = j.savedAccess() // none is saved yet
	}
	if !j.opts.Online {
		return nil
	}
	access, err := j.Access(ctx)
	j.access = &access
	return err
}
