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
)

// applicationID marks the file as one of ours ("trip" in ASCII): another
// program's SQLite file is refused.
const applicationID = 0x74726970

//go:embed schema/*.sql
var schemaFiles embed.FS

// schema gives the steps that lead from an empty file to today's schema. The
// version of a file is the number of steps it has behind it.
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

// version reads the schema's version, and refuses a file that is not a ledger.
func version(ctx context.Context, path string, q querier) (int, error) {
	var id, v int
	if err := q.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return 0, err
	}
	if id != applicationID {
		return 0, &ledger.Error{
			Code:   "ledger-other-file",
			Reason: fmt.Sprintf("%s is not a ledger of tripimport", path),
			Fix:    "name the ledger with --ledger or in tripimport.yaml",
		}
	}
	err := q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v)
	return v, err
}

// migrate takes the file from a version to today's, whole or not at all.
func migrate(ctx context.Context, conn *sql.Conn, steps []string, from int) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()

	for _, statements := range steps[from:] {
		if _, err := tx.ExecContext(ctx, statements); err != nil {
			return err
		}
	}
	// A pragma takes no parameters.
	mark := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(steps))
	if _, err := tx.ExecContext(ctx, mark); err != nil {
		return err
	}
	return tx.Commit()
}

// upgrade takes the ledger to today's schema, behind a backup of it as it is. The
// backup stays beside the ledger; it goes again where nothing was changed.
func (l *Ledger) upgrade(ctx context.Context, conn *sql.Conn, steps []string) error {
	from, err := version(ctx, l.path, conn)
	if err != nil || from == len(steps) {
		return err
	}
	backup := upgradeBackup(l.path, from, time.Now())
	if err := l.backup(ctx, backup); err != nil {
		return err
	}
	if err := migrate(ctx, conn, steps, from); err != nil {
		return errors.Join(writeFault(l.path, err), os.Remove(backup), os.Remove(keyPath(backup)))
	}
	return nil
}

// upgradeBackup names the backup that is made before an upgrade.
func upgradeBackup(path string, schema int, at time.Time) string {
	return fmt.Sprintf("%s.schema%d.%s", path, schema, at.UTC().Format("20060102T150405Z"))
}

func newerFault(path string) *ledger.Error {
	return &ledger.Error{
		Code:   "ledger-newer",
		Reason: fmt.Sprintf("the ledger %s was written by a newer tripimport", path),
		Fix:    "install the newest tripimport on this computer",
	}
}

// A querier is what reads: a connection, or several.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}
