package postgres

import (
	"context"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// checkNewest refuses a ledger that is behind this machine's mark, because the server was
// put back to an earlier state, or a standby took over that lacked the last commits. It
// also refuses a ledger that is being adopted. With adopt, it begins to adopt it instead.
func (e *engine) checkNewest(ctx context.Context, adopt bool) error {
	// A mark is written after its commit, so a number that is read after the marks is not
	// behind those of other processes of this machine.
	marks := e.mark.Seen()
	age, err := e.writer.Age(ctx, marks)
	e.number.Store(age.Event)
	e.lastRun = age.Run
	switch {
	case err != nil:
		return e.location.errorOf(ctx, err)
	case adopt:
		return tables.BeginAdopting(e, marks)
	case !age.Older && age.Backup == "":
		return nil
	}
	return ledger.NewError("ledger-older-copy",
		"have the server's newest state put in its place; if that is lost, take this one into use, as the user who made it, with the results of the runs since, which prove what they booked",
		"the ledger at %s is an older copy: it lacks what was booked since, and those trips would be booked again", e.location).Or("then", importer.AdoptLedger, "FILE")
}
