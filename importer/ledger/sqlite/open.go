package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

// The names of what a file says about itself.
const (
	metaIdentity = "identity"
	metaKeyCheck = "key_check"
	metaCommits  = "commits"
	metaBackup   = "backup" // when a backup was made; the ledger in use has none
)

// open opens the ledger at a path.
func open(ctx context.Context, path string, o options) (_ *Ledger, err error) {
	path, err = absolute(path)
	if err != nil {
		return nil, err
	}

	if err := refuseMissing(path); err != nil {
		return nil, err
	}

	if err := refuseNetworkDrive(path, o); err != nil {
		return nil, err
	}

	key, err := readKeyFile(path)
	if err != nil {
		return nil, err
	}

	hashes, err := keyed.New(key.key)
	if err != nil {
		return nil, err
	}

	l := &Ledger{
		path:     path,
		identity: key.identity,
		key:      key.key,
		hashes:   hashes,
		open:     map[int64]openClaim{},
		liveRuns: map[string]bool{},
		accounts: map[importer.Account]int64{},
	}

	if o.ReadOnly {
		err = l.openToRead(ctx, o)
	} else {
		err = l.openToWrite(ctx, o)
	}

	if err != nil {
		_ = l.Close() // the first error says what is wrong
		return nil, err
	}
	return l, nil
}

func (l *Ledger) openToWrite(ctx context.Context, o options) error {
	lock := newLock(l.path)
	if err := lock.take(ctx, l.path, o.LockWait); err != nil {
		return err
	}

	l.lock = lock
	seen := lock.commitsSeen()

	// Another program's file is refused before anything is done to it.
	steps, err := o.schema()
	if err != nil {
		return err
	}

	if _, err := checkVersion(ctx, l.path, steps); err != nil {
		return err
	}

	db, conn, err := openWriter(ctx, l.path)
	if err != nil {
		return openError(l.path, err)
	}

	l.writers = db

	commits, err := l.prepareFile(ctx, conn, steps, seen, o)
	if err == nil {
		err = lock.write(holder{o.Who, o.Host, os.Getpid(), o.Command, time.Now().UTC().Truncate(time.Second)}, commits)
	}

	if err == nil {
		l.commits, err = newCommitter(ctx, l, conn, commits)
	}

	if err != nil {
		return openError(l.path, errors.Join(err, conn.Close()))
	}

	l.cache = newNegativeCache()
	return l.openReaders(ctx)
}

// prepareFile proves that the file is sound, ours and the newest, upgrades its
// schema, ends the runs that were broken off, and gives its number of commits.
func (l *Ledger) prepareFile(ctx context.Context, conn *sql.Conn, steps []string, seen int64, o options) (commits int64, err error) {
	if err := quickCheck(ctx, l.path, conn); err != nil {
		return 0, err
	}

	if err := l.checkKey(ctx, conn); err != nil {
		return 0, err
	}

	if o.adopt {
		commits, err = adoptFile(ctx, conn, seen, o)
	} else {
		commits, err = l.checkNewest(ctx, conn, seen, o.upgradeOnly)
	}

	if err != nil {
		return 0, err
	}

	if err := l.upgrade(ctx, conn, steps); err != nil {
		return 0, err
	}
	return commits, endBrokenRuns(ctx, conn)
}

func (l *Ledger) openToRead(ctx context.Context, o options) error {
	lock := newLock(l.path)
	l.heldByOther = lock.held()
	// The lock file is read before the ledger: a run may commit between the two.
	seen := lock.commitsSeen()

	if err := l.upgradeToRead(ctx, o); err != nil {
		return err
	}

	if err := l.openReaders(ctx); err != nil {
		return err
	}

	err := quickCheck(ctx, l.path, l.readers)
	if err == nil {
		err = l.checkKey(ctx, l.readers)
	}

	if err == nil {
		_, err = l.checkNewest(ctx, l.readers, seen, true)
	}

	if err != nil {
		return openError(l.path, err)
	}
	return nil
}

// upgradeToRead opens a ledger of an older schema for writing once, which
// upgrades it.
func (l *Ledger) upgradeToRead(ctx context.Context, o options) error {
	steps, err := o.schema()
	if err != nil {
		return err
	}

	v, err := checkVersion(ctx, l.path, steps)
	if err != nil || v == len(steps) {
		return err
	}

	o.ReadOnly, o.upgradeOnly = false, true
	older, err := open(ctx, l.path, o)
	if err != nil {
		return err
	}
	return older.Close()
}

// openReaders opens the connections that read, and prepares their statements.
func (l *Ledger) openReaders(ctx context.Context) error {
	db, err := openReaders(l.path)
	if err != nil {
		return openError(l.path, err)
	}

	l.readers = db
	if l.lookUps, err = prepareLookUps(ctx, db); err == nil {
		err = db.QueryRowContext(ctx, hasOldSQL).Scan(&l.hasOld)
	}

	if err != nil {
		return openError(l.path, err)
	}
	return nil
}

func refuseMissing(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missingError(path)
	case err != nil:
		return openError(path, err)
	case !info.Mode().IsRegular():
		return &ledger.Error{
			Code:   "ledger-other-file",
			Reason: fmt.Sprintf("%s is not a file", path),
			Fix:    "name the ledger itself with --ledger, not its folder",
		}
	}
	return nil
}

// refuseNetworkDrive refuses a path on a network file system, symbolic links
// resolved.
func refuseNetworkDrive(path string, o options) error {
	networkDriveOf := o.networkDrive
	if networkDriveOf == nil {
		networkDriveOf = networkDrive
	}

	folder := filepath.Dir(path)
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}

	if kind := networkDriveOf(folder); kind != "" {
		return &ledger.Error{
			Code:   "ledger-network",
			Reason: fmt.Sprintf("the ledger %s is on a network drive (%s), where two computers can't be kept from writing at once", path, kind),
			Fix:    "keep the ledger on a disk of the one computer that imports",
		}
	}
	return nil
}

// quickCheck lets SQLite read every page of the file.
func quickCheck(ctx context.Context, path string, q querier) error {
	var result string
	if err := q.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&result); err != nil {
		return err
	}
	if result != "ok" {
		return damagedError(path, nil)
	}
	return nil
}

// meta reads what the file says about itself; it is empty for nothing.
func meta(ctx context.Context, q querier, name string) (string, error) {
	var value string
	err := q.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = ?", name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// commitsIn reads the number of commits in the file's life.
func commitsIn(ctx context.Context, q querier) (int64, error) {
	text, err := meta(ctx, q, metaCommits)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// checkKey refuses the key of another ledger.
func (l *Ledger) checkKey(ctx context.Context, q querier) error {
	identity, err := meta(ctx, q, metaIdentity)
	if err != nil {
		return err
	}

	check, err := meta(ctx, q, metaKeyCheck)
	if err != nil {
		return err
	}

	if identity == l.identity && check == l.hashes.Check() {
		return nil
	}

	return &ledger.Error{
		Code:   "ledger-key-other",
		Reason: fmt.Sprintf("the hash key %s belongs to another ledger", keyPath(l.path)),
		Fix:    "put the ledger's own key file beside it: both come from the same backup",
	}
}

// checkNewest refuses a file with fewer commits than the lock file has seen, and
// a backup unless backups are allowed. It gives the file's number of commits.
func (l *Ledger) checkNewest(ctx context.Context, q querier, seen int64, backupAllowed bool) (int64, error) {
	commits, err := commitsIn(ctx, q)
	if err != nil {
		return 0, err
	}

	backup, err := meta(ctx, q, metaBackup)
	if err != nil {
		return 0, err
	}

	const fix = "put the newest copy of the ledger in its place; if there is none, see in the service which trips were booked since, " +
		"then take this one into use with: tripimport ledger adopt"
	switch {
	case commits < seen:
		return 0, &ledger.Error{
			Code: "ledger-older-copy",
			Reason: fmt.Sprintf("the ledger %s is an older copy: %d entries that were in it are missing, and their trips would be booked again",
				l.path, seen-commits),
			Fix: fix,
		}
	case backup != "" && !backupAllowed:
		return 0, &ledger.Error{
			Code:   "ledger-backup",
			Reason: fmt.Sprintf("the ledger %s is a backup made at %s: trips sent after that are not in it and would be booked again", l.path, backup),
			Fix:    fix,
		}
	}
	return commits, nil
}
