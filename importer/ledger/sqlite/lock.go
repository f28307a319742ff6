package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gofrs/flock"

	"tripimport/importer/ledger"
)

// A lock is the lock file beside a ledger. The operating system releases the lock when
// its process dies, so there is never a stale lock to remove.
//
// The file says who holds the lock. The holder is written in words after the first byte,
// which has no meaning: it is the byte that is locked, and on Windows nobody can read a
// locked byte.
type lock struct {
	path string
	os   *flock.Flock
	file *os.File // for writing; nil without the lock
}

const (
	holderAt = 1
	// minLockWait is the shortest wait for the lock, because a process that only reads
	// the ledger may be testing the lock at that moment.
	minLockWait = 250 * time.Millisecond
)

// lockPath returns the path of the lock file of the ledger at path.
func lockPath(path string) string { return path + ".lock" }

func newLock(path string) *lock {
	p := lockPath(path)
	return &lock{path: p, os: flock.New(p, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))}
}

// holderOf describes the process that opens a ledger, for others that find it locked.
func holderOf(o ledger.Options) string {
	return fmt.Sprintf("%s by %s on %s (process %d, since %s)", cmp.Or(o.Command, "a run"), cmp.Or(o.Who, "someone"), cmp.Or(o.Host, "this computer"),
		os.Getpid(), time.Now().Format("2006-01-02 15:04"))
}

// take takes the lock of the ledger at path. It waits for another holder at most
// as long as wait says, tells waiting (nil for nobody) who that is, and gives up with ctx.Err() when
// ctx ends.
func (l *lock) take(ctx context.Context, path string, wait time.Duration, waiting func(string)) error {
	ctx, cancel := context.WithTimeout(ctx, max(wait, minLockWait))
	defer cancel()
	held, err := l.os.TryLock() // on a slow machine the wait may end before TryLockContext first tries
	if err == nil && !held {
		if waiting != nil && wait > 0 {
			waiting(fmt.Sprintf("waiting for the ledger, for at most %s: it is in use: %s", wait, l.holder()))
		}
		held, err = l.os.TryLockContext(ctx, 50*time.Millisecond)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, context.DeadlineExceeded), err == nil && !held:
		locked := ledger.NewError("ledger-locked", "wait until it has ended", "the ledger %s is in use: %s", path, l.holder())
		locked.Locked = true
		return locked
	case err != nil:
		return notWritableError(path, err)
	}

	l.file, err = os.OpenFile(l.path, os.O_RDWR, 0)
	if err != nil {
		return errors.Join(notWritableError(path, err), l.os.Unlock())
	}
	return nil
}

// held reports whether another process holds the lock.
func (l *lock) held() bool {
	if _, err := os.Stat(l.path); err != nil {
		return false
	}
	free, err := l.os.TryRLock()
	if free {
		err = errors.Join(err, l.os.Unlock())
	}
	return !free && err == nil
}

// write writes the holder into the file.
func (l *lock) write(holder string) error {
	if _, err := l.file.WriteAt([]byte("#"+holder), 0); err != nil {
		return err
	}
	return errors.Join(l.file.Truncate(holderAt+int64(len(holder))), l.file.Sync())
}

// holder reads the holder from the file, if the file has one.
func (l *lock) holder() string {
	const unknown = "another run"
	f, err := os.Open(l.path)
	if err != nil {
		return unknown
	}
	content, err := io.ReadAll(io.NewSectionReader(f, holderAt, 4096))
	if errors.Join(err, f.Close()) != nil {
		return unknown
	}
	return cmp.Or(string(content), unknown)
}

// release releases the lock and removes the holder from the file. The file stays, because
// two runs could otherwise hold locks on two files of the same name.
func (l *lock) release() error {
	if l.file == nil {
		return nil
	}
	err := errors.Join(l.file.Truncate(holderAt), l.file.Sync(), l.file.Close(), l.os.Unlock())
	l.file = nil
	return err
}
