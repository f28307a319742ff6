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
