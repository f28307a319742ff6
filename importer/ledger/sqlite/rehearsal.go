package sqlite

import (
	"context"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// metaRehearsal says that a file records rehearsals and nothing real. It is written when
// the file is made, and never to another one.
const metaRehearsal = "rehearsal"

// refuseRehearsal refuses the ledger of rehearsals where it was not asked for: what it has
// as booked is not booked.
func refuseRehearsal(ctx context.Context, path string, q tables.Querier, o options) error {
	is, err := tables.Meta(ctx, q, metaRehearsal)
	if err != nil || is == "" || o.Rehearsal {
		return err
	}
	return ledger.NewError("ledger-rehearsal", "name the office's own ledger with --ledger or in tripimport.yaml; `tripimport ledger new` makes one",
		"the ledger %s records rehearsals: nothing of what it has was booked", path)
}

// relax has a connection not wait for the disk. Commits survive the end of the process,
// and a power cut may damage the file.
func relax(ctx context.Context, conn tables.Execer) error {
	_, err := conn.ExecContext(ctx, "PRAGMA synchronous = OFF")
	return err
}

// relaxRehearsal relaxes the connection to a file that says itself that it records
// rehearsals. One that was made before files said so stays as durable as the office's.
func relaxRehearsal(ctx context.Context, conn tables.Database) error {
	is, err := tables.Meta(ctx, conn, metaRehearsal)
	if err != nil || is == "" {
		return err
	}
	return relax(ctx, conn)
}
