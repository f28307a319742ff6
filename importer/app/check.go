package app

import "context"

// Check holds files against their mapping and the rules. It sends nothing and
// opens no ledger, except in a rehearsal's settings. Faults are in the results
// and in Events.Finding; results without a finding are not kept, unless Options
// name their file.
func (a *App) Check(ctx context.Context, o Options, e Events, paths ...string) error {
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

// openAccess gets the list that the names are held against, if any.
func (j *job) openAccess(ctx context.Context) (err error) {
	switch j.opts.Access {
	case SavedAccess:
		j.access, err = j.savedAccess()
	case OnlineAccess:
		access, err := j.Access(ctx, j.opts.TokenStdin)
		if err != nil {
			return err
		}
		j.access = &access
	case NoAccess:
	}
	return err
}
