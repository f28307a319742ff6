package sqlite

import (
	"context"
	"errors"
	"fmt"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// The application ids mark a SQLite file as a ledger ("trip" in ASCII), or as one that records only
// rehearsals ("rehe").
const (
	applicationID = 0x74726970
	rehearsalID   = 0x72656865
)

// idOf returns the application id of the ledger that the options are for.
func idOf(o ledger.Options) int {
	if o.Rehearsal {
		return rehearsalID
	}
	return applicationID
}

// firstVersion is the number of the first version of the schema in a file. Files of the builds
// before it have smaller numbers.
const firstVersion = 102

// checkFile refuses a file that is not a ledger with today's schema, and a ledger of rehearsals
// unless the options ask for one, because its trips are not really booked. It changes nothing.
func checkFile(ctx context.Context, path string, o ledger.Options) error {
	db, err := openReaders(path)
	if err != nil {
		return errorOf(path, err)
	}
	id, err := tables.QueryOne(ctx, db, tables.ScanOne[int], "PRAGMA application_id")
	version, versionErr := tables.QueryOne(ctx, db, tables.ScanOne[int], "PRAGMA user_version")
	switch err = errors.Join(err, versionErr, db.Close()); {
	case err != nil:
		return errorOf(path, err)
	case id == rehearsalID && !o.Rehearsal:
		return ledger.NewError("ledger-rehearsal", "name the office's own ledger in tripimport.yaml",
			"the ledger %s records rehearsals: nothing of what it has was booked", path)
	case id != idOf(o):
		return ledger.NewError("ledger-other-file", "name the ledger in tripimport.yaml",
			"%s is not a ledger of tripimport", path)
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
func makeTables(ctx context.Context, w tables.Database, o ledger.Options) error {
	statements := append([]string{"BEGIN IMMEDIATE"}, tables.Schema("BLOB", "INTEGER", "WITHOUT ROWID")...)
	// A pragma takes no parameters.
	for _, statement := range append(statements,
		fmt.Sprintf("PRAGMA application_id = %d", idOf(o)),
		fmt.Sprintf("PRAGMA user_version = %d", firstVersion+tables.SchemaVersion-1),
		"COMMIT") {
		if err := w.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
