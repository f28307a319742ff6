package sqlite

import (
	"context"
	"errors"
	"fmt"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// applicationID marks a SQLite file as a ledger ("trip" in ASCII).
const applicationID = 0x74726970

// firstVersion is the number of the first version of the schema in a file. Files of the builds
// before it have smaller numbers.
const firstVersion = 102

// checkFile refuses a file that is not a ledger with today's schema, and a ledger of rehearsals
// unless the options ask for one. It changes nothing.
func checkFile(ctx context.Context, path string, o options) error {
	db, err := openReaders(path)
	if err != nil {
		return errorOf(path, err)
	}
	err = checkVersion(ctx, path, db)
	if err == nil {
		err = refuseRehearsal(ctx, path, db, o)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return errorOf(path, err)
	}
	return nil
}

func checkVersion(ctx context.Context, path string, q tables.Querier) error {
	id, err := tables.QueryOne(ctx, q, tables.ScanOne[int], "PRAGMA application_id")
	if err != nil {
		return err
	}
	if id != applicationID {
		return ledger.NewError("ledger-other-file", "name the ledger in tripimport.yaml",
			"%s is not a ledger of tripimport", path)
	}
	version, err := tables.QueryOne(ctx, q, tables.ScanOne[int], "PRAGMA user_version")
	switch {
	case err != nil:
		return err
	case version < firstVersion:
		return ledger.NewError("ledger-older", "keep the file, and make a new ledger: trips that the old one booked ahead have to be looked for in the service first",
			"the ledger %s was written by an older build of tripimport, which this one can't read", path)
	case version > firstVersion+tables.SchemaVersion-1:
		return ledger.NewError("ledger-newer", "install the newest tripimport on this computer",
			"the ledger %s was written by a newer tripimport", path)
	}
	return nil
}

// makeTables makes the tables of a new file, completely or not at all.
func makeTables(ctx context.Context, w tables.Database) error {
	statements := append([]string{"BEGIN IMMEDIATE"}, tables.Schema("BLOB", "INTEGER", "WITHOUT ROWID")...)
	// A pragma takes no parameters.
	for _, statement := range append(statements,
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
		fmt.Sprintf("PRAGMA user_version = %d", firstVersion+tables.SchemaVersion-1),
		"COMMIT") {
		if err := w.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
