package app

import (
	"context"
	"errors"
)

// Import books the trips of files, each once. A trip that the ledger has as booked is not
// sent again, so an import may be repeated at any time. A real import never makes a ledger
// and is refused without one. The error is nil if every trip is booked; otherwise StatusOf
// says how the import ended.
func (a *App) Import(ctx context.Context, o Options, e Events, paths ...string) error {
	if given, ok := givenResults(paths); ok {
		return a.importResults(ctx, o, e, given, len(paths))
	}
	return a.do(ctx, "import", o, e, paths)
}

// do checks or imports schedules.
func (a *App) do(ctx context.Context, command string, o Options, e Events, paths []string) (err error) {
	j, err := a.openJob(command, o, e, paths...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	if err := j.openTarget(ctx); err != nil {
		return err
	}
	return j.run(ctx)
}

// openTarget opens the real service and ledger, or those of the rehearsals. A check has the access list
// instead that the options name, if any: the names of providers and funding sources are compared with it.
func (j *job) openTarget(ctx context.Context) (err error) {
	switch {
	case j.command == "check":
		return j.openAccess(ctx)
	case j.opts.Rehearsal:
		j.target, err = j.rehearsalTarget(j.command)
	default:
		j.target, err = j.realTarget(j.command, j.opts.LockWait)
	}
	if err == nil {
		j.ledger, j.address = j.target.ledger, j.target.address
		j.closers = append(j.closers, j.target.close)
	}
	return err
}

// openAccess gets the access list that the options name, if any.
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
