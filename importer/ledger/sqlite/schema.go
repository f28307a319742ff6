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

// checkFile refuses a file that is not a ledger with today's schema. It changes nothing.
func checkFile(ctx context.Context, path string) error {
	db, err := openReaders(path)
	if err != nil {
		return errorOf(path, err)
	}
	id, err := tables.QueryOne(ctx, db, tables.ScanOne[int], "PRAGMA application_id")
	version, versionErr := tables.QueryOne(ctx, db, tables.ScanOne[int], "PRAGMA user_version")
	switch err = errors.Join(err, versionErr, db.Close()); {
	case err != nil:
		return errorOf(path, err)
	case id != applicationID:
		return ledger.NewError("ledger-other-file", "name the ledger in tripimport.yaml",
			"%s is not a ledger of tripimport", path)
	case version != firstVersion+tables.SchemaVersion-1:
		return ledger.OtherBuildError(path)
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
