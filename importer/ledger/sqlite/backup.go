package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/tables"
)

// backup copies the ledger, as it is at one instant, to a new file at dest with its key
// file beside it. The copy is marked as a backup. If backup fails, it leaves nothing
// behind.
func (l *Ledger) backup(ctx context.Context, dest string) (err error) {
	dest, err = absolute(dest)
	if err != nil {
		return err
	}

	if _, err := os.Lstat(dest); err == nil {
		return ledger.NewError("ledger-backup-exists", "name another file", "%s is there already, and backups are never overwritten", dest)
	}
	if err := l.key.Write(keyPath(dest)); err != nil {
		return errorOf(keyPath(dest), err)
	}

	// Half a backup never has the name.
	part := dest + ".part"
	err = l.copyTo(ctx, part)
	if err == nil {
		err = os.Rename(part, dest)
	}
	if err != nil {
		_ = os.Remove(part)
		_ = os.Remove(keyPath(dest))
		return cmp.Or(ctx.Err(), error(errorOf(dest, err)))
	}
	return keyfile.SyncFolder(filepath.Dir(dest))
}

// copyTo copies the ledger to a new, durable file and marks that as a backup.
func (l *Ledger) copyTo(ctx context.Context, part string) error {
	if err := keyfile.WriteNew(part, nil); err != nil {
		return err
	}

	// The other connections may not write at all. This one may write to new files.
	if err := execute(ctx, dsn(l.path, "ro"), "VACUUM INTO ?", part); err != nil {
		return err
	}

	err := execute(ctx, dsn(part, "rw", "synchronous(FULL)"),
		"INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", tables.MetaBackup, tables.IsBackup)
	if err != nil {
		return err
	}

	f, err := os.OpenFile(part, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// execute executes a statement on a connection of its own.
func execute(ctx context.Context, dsn, statement string, args ...any) error {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, statement, args...)
	return errors.Join(err, db.Close())
}
