package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"tripimport/importer/ledger"
)

// backup copies the ledger, as it is at one instant, to a new file at dest. The
// copy is marked as one, so that open refuses to write to it.
func (l *Ledger) backup(ctx context.Context, dest string) (err error) {
	dest, err = absolute(dest)
	if err != nil {
		return err
	}
	key := keyFile{l.identity, l.key}
	if err := key.write(dest); err != nil {
		return backupFault(keyPath(dest), err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(keyPath(dest))
		}
	}()
	// The name is taken first and filled in last: there is never half a backup
	// under it.
	if err := writeNew(dest, nil); err != nil {
		return backupFault(dest, err)
	}
	part := dest + ".part"
	err = l.copyTo(ctx, part)
	if err == nil {
		err = os.Rename(part, dest)
	}
	if err != nil {
		_ = os.Remove(part)
		_ = os.Remove(dest)
		return backupFault(dest, err)
	}
	return syncFolder(filepath.Dir(dest))
}

// copyTo writes the copy to a new file and marks it as a backup.
func (l *Ledger) copyTo(ctx context.Context, part string) error {
	if err := writeNew(part, nil); err != nil {
		return err
	}
	made := time.Now().UTC().Format(time.RFC3339)
	if err := vacuumInto(ctx, l.path, part); err != nil {
		return err
	}
	if err := markBackup(ctx, part, made); err != nil {
		return err
	}
	return syncFile(part)
}

// vacuumInto has SQLite copy the file at path, as its last commit left it. The
// connection is of its own: the others may write nowhere at all.
func vacuumInto(ctx context.Context, path, part string) error {
	db, err := sql.Open("sqlite", dsn(path, "ro"))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", part)
	return errors.Join(err, db.Close())
}

// syncFile puts the file on the disk for good.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func backupFault(dest string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return &ledger.Error{
			Code: "ledger-backup-exists", Err: err,
			Reason: fmt.Sprintf("%s is there already, and backups are never overwritten", dest),
			Fix:    "name another file",
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &ledger.Error{
		Code: "ledger-backup-failed", Err: err,
		Reason: fmt.Sprintf("the backup %s can't be written", dest),
		Fix:    "see that its folder is there, that you may write to it and that the disk is not full",
	}
}

func markBackup(ctx context.Context, path, made string) error {
	db, err := sql.Open("sqlite", dsn(path, "rw", "synchronous(FULL)"))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", metaBackup, made)
	return errors.Join(err, db.Close())
}
