package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Backup copies the ledger, as it is at one instant, to a new file at dest with
// its hash key beside it, both for this user alone. A run may go on meanwhile.
// A file that is there already is never overwritten. The copy knows that it is
// one: Open refuses to write to it, since trips sent after it would be missing.
func (l *Ledger) Backup(ctx context.Context, dest string) (err error) {
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
		return &Fault{
			Code: "ledger-backup-exists", cause: err,
			Reason: fmt.Sprintf("%s is there already, and backups are never overwritten", dest),
			Fix:    "name another file",
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Fault{
		Code: "ledger-backup-failed", cause: err,
		Reason: fmt.Sprintf("the backup %s can't be written", dest),
		Fix:    "see that its folder is there, that you may write to it and that the disk is not full",
	}
}

func markBackup(ctx context.Context, path, made string) error {
	db, err := sql.Open("sqlite", dsn(path, "rw", "synchronous(FULL)"))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES (?, ?)", metaBackup, made)
	return errors.Join(err, db.Close())
}
