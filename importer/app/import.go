package app

import (
	"context"
	"errors"
)

// Import books the trips of files, each once. A trip that the ledger has as booked is not
// sent again, so an import may be repeated at any time. A real import never makes a ledger
// and is refused without one. The error is nil if every trip is booked; otherwise StatusOf
// says how the import ended.
func (a *App) Import(ctx context.Context, o Options, e Events, paths ...string) (err error) {
	if given, ok := givenResults(paths); ok {
		return a.importResults(ctx, o, e, given, len(paths))
	}
	schedules, err := a.openSchedules(paths)
	if err != nil {
		return err
	}
	defer closeSchedules(schedules)

	j, err := a.newJob("import", o, e, schedules)
	if err != nil {
		return err
	}
	if err := j.openTarget(); err != nil {
		return err
	}
	target := j.target
	defer func() { err = errors.Join(err, target.close()) }()
	return j.run(ctx)
}

// openTarget opens the real service and ledger, or those of the rehearsals.
func (j *job) openTarget() (err error) {
	if j.opts.Rehearsal {
		j.target, err = j.rehearsalTarget(j.command)
	} else {
		j.target, err = j.realTarget(j.command, j.opts.LockWait)
	}
	if err == nil {
		j.ledger, j.address = j.target.ledger, j.target.address
	}
	return err
}
