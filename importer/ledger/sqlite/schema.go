package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
	"tripimport/importer/ledger/tables"
)

// applicationID marks a SQLite file as a ledger ("trip" in ASCII).
const applicationID = 0x74726970

//go:embed schema/*.sql
var schemaFiles embed.FS

// schema returns the statements that lead from an empty file to today's schema, in steps.
// The version of a file is the number of steps that were applied to it. A released step
// is never changed.
func (h hooks) schema() ([]string, error) {
	if h.steps != nil {
		return h.steps, nil
	}

	names, err := fs.Glob(schemaFiles, "schema/*.sql")
	if err != nil {
		return nil, err
	}

	slices.Sort(names)
	steps := make([]string, len(names))
	for i, name := range names {
		text, err := schemaFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		steps[i] = string(text)
	}
	return steps, nil
}

// version reads the version of a file's schema, and refuses a file that is not a
// ledger.
func version(ctx context.Context, path string, q tables.Querier) (int, error) {
	var id, v int
	if err := q.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return 0, err
	}

	if id != applicationID {
		return 0, ledger.NewError("ledger-other-file", "name the ledger with --ledger or in tripimport.yaml",
			"%s is not a ledger of tripimport", path)
	}

	err := q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v)
	return v % closedSchema, err
}

// checkVersion returns the version of a file's schema without changing the file. It
// refuses a file that is not a ledger, one that is newer than the program, and those that
// refuseMoved and refuseRehearsal refuse.
func checkVersion(ctx context.Context, path string, steps []string, o options) (int, error) {
	db, err := openReaders(path)
	if err != nil {
		return 0, openError(path, err)
	}

	v, err := version(ctx, path, db)
	if err == nil {
		err = errors.Join(refuseMoved(ctx, path, db, o), refuseRehearsal(ctx, path, db, o))
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return 0, openError(path, err)
	}

	if v > len(steps) {
		return 0, ledger.NewError("ledger-newer", "install the newest tripimport on this computer",
			"the ledger %s was written by a newer tripimport", path)
	}
	return v, nil
}

// migrate upgrades a file from a version to today's, completely or not at all. h has the
// ledger's hashes; a new ledger needs none.
func migrate(ctx context.Context, conn *sql.Conn, steps []string, from int, h *keyed.Hashes) error {
	return inTransaction(ctx, conn, func(tx *sql.Tx) error {
		had, err := hasRowKeys(ctx, tx)
		if err != nil {
			return err
		}
		for _, statements := range steps[from:] {
			if _, err := tx.ExecContext(ctx, statements); err != nil {
				return err
			}
		}
		if has, err := hasRowKeys(ctx, tx); err != nil {
			return err
		} else if has && !had {
			if err := deriveRows(ctx, tx, h); err != nil {
				return err
			}
		}
		// A pragma takes no parameters.
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(steps)))
		return err
	})
}

// upgrade migrates the ledger to today's schema, after it has made a backup. The backup
// stays beside the ledger. It is removed if the migration failed and the ledger still has
// its old schema.
func (l *Ledger) upgrade(ctx context.Context, conn *sql.Conn, steps []string) error {
	from, err := version(ctx, l.path, conn)
	if err != nil || from == len(steps) {
		return err
	}

	backup := fmt.Sprintf("%s.schema%d.%s", l.path, from, time.Now().UTC().Format("20060102T150405Z"))
	if err := l.backup(ctx, backup); err != nil {
		return err
	}

	if err := migrate(ctx, conn, steps, from, l.hashes); err != nil {
		err = writeError(l.path, err)
		if still, versionErr := version(ctx, l.path, conn); versionErr == nil && still == from {
			err = errors.Join(err, os.Remove(backup), os.Remove(keyPath(backup)))
		}
		return err
	}

	// VACUUM removes deleted content of this upgrade and earlier ones from the file.
	_, err = conn.ExecContext(ctx, "VACUUM")
	return err
}
