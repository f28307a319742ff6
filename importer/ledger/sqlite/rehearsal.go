package sqlite

import (
	"context"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// metaRehearsal is the name of the entry in files that record only rehearsals. It is
// written when the file is made, and never later.
const metaRehearsal = "rehearsal"

// refuseRehearsal refuses a ledger of rehearsals unless the options ask for one, because
// its trips are not really booked.
func refuseRehearsal(ctx context.Context, path string, q tables.Querier, o options) error {
	is, err := tables.Meta(ctx, q, metaRehearsal)
	if err != nil || is == "" || o.Rehearsal {
		return err
	}
	return ledger.NewError("ledger-rehearsal", "name the office's own ledger in tripimport.yaml",
		"the ledger %s records rehearsals: nothing of what it has was booked", path)
}

// relax makes the commits of a connection not wait for the disk. They survive the end of
// the process, but a power cut may damage the file.
func relax(ctx context.Context, db tables.Database) error {
	return db.Exec(ctx, "PRAGMA synchronous = OFF")
}

// relaxRehearsal relaxes the connection to a file with the entry metaRehearsal.
func relaxRehearsal(ctx context.Context, db tables.Database) error {
	is, err := tables.Meta(ctx, db, metaRehearsal)
	if err != nil || is == "" {
		return err
	}
	return relax(ctx, db)
}
