package sqlite

import (
	"context"
	"errors"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/next/tables"
)

const (
	// applicationID marks a SQLite file as a ledger ("trpl" in ASCII), and
	// earlierApplicationID the ledgers of builds before the first release ("trip").
	applicationID        = 0x7472706c
	earlierApplicationID = 0x74726970
	// schemaVersion is the number of tables.Schema.
	schemaVersion = 1
)

// checkVersion refuses a file that is not a ledger, that an older or newer program made, or
// that refuseRehearsal refuses. It does not change the file.
func checkVersion(ctx context.Context, path string, o options) error {
	db, err := openReaders(path)
	if err != nil {
		return openError(path, err)
	}

	err = refuseOther(ctx, path, db)
	if err == nil {
		err = refuseRehearsal(ctx, path, db, o)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return openError(path, err)
	}
	return nil
}

func refuseOther(ctx context.Context, path string, q tables.Querier) error {
	var id, version int
	err := q.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id)
	if err == nil {
		err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	}

	switch {
	case err != nil:
		return err
	case id == earlierApplicationID, id == applicationID && version < schemaVersion:
		return ledger.NewError("ledger-older", "keep it, see in the service which of its trips are booked, and make a new ledger with `tripimport ledger new`",
			"the ledger %s was made by a build of tripimport from before the first release, which this one can't read", path)
	case id != applicationID:
		return ledger.NewError("ledger-other-file", "name the ledger with --ledger or in tripimport.yaml",
			"%s is not a ledger of tripimport", path)
	case version > schemaVersion:
		return ledger.NewError("ledger-newer", "install the newest tripimport on this computer",
			"the ledger %s was written by a newer tripimport", path)
	}
	return nil
}
