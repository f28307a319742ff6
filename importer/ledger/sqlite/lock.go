package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gofrs/flock"

	"tripimport/importer/ledger"
)

// A lock is the lock file beside a ledger. The operating system holds the lock
// and drops it when its process dies, so there is never a stale one to remove.
//
// The file says who holds the lock. Its first byte means nothing, because on
// Windows nobody can read a byte that is locked. The holder follows in JSON.
type lock struct {
	path string
	os   *flock.Flock
	file *os.File // for writing; nil without the lock
}

const (
	holderAt = 1
	// minLockWait is how long a run waits that was told not to: somebody who
	// reads the ledger may test the lock at that moment.
	minLockWait = 250 * time.Millisecond
)

// lockPath gives the path of the lock file of the ledger at path.
func lockPath(path string) string { return path + ".lock" }

func newLock(path string) *lock {
	p := lockPath(path)
	return &lock{path: p, os: flock.New(p, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))}
}

// A holder is who holds the lock.
type holder struct {
	Who     string    `json:"who"`
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

func (h holder) String() string {
	if h.PID == 0 {
		return "another run"
	}
	return fmt.Sprintf("%s by %s on %s (process %d, since %s)",
		cmp.Or(h.Command, "a run"), cmp.Or(h.Who, "someone"), cmp.Or(h.Host, "this computer"), h.PID,
		h.Since.Local().Format("2006-01-02 15:04"))
}

// take takes the lock of the ledger at path. It waits for another holder at most
// as long as wait says, and gives up with ctx.Err() when ctx ends.
func (l *lock) take(ctx context.Context, path string, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, max(wait, minLockWait))
	defer cancel()
	held, err := l.os.TryLock() // a machine that is slow may spend the wait before the first try
	if err == nil && !held {
		held, err = l.os.TryLockContext(ctx, 50*time.Millisecond)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, context.DeadlineExceeded), err == nil && !held:
		return &ledger.Error{
			Code: "ledger-locked", Locked: true,
			Reason: fmt.Sprintf("the ledger %s is in use: %s", path, l.holder()),
			Fix:    "wait until it has ended",
		}
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

// write writes the whole file.
func (l *lock) write(h holder) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}

	content := append(append([]byte{'#'}, text...), '\n')
	if _, err := l.file.WriteAt(content, 0); err != nil {
		return err
	}

	if err := l.file.Truncate(int64(len(content))); err != nil {
		return err
	}
	return l.file.Sync()
}

// holder reads who holds the lock; the zero holder where the file does not say.
func (l *lock) holder() holder {
	var h holder
	f, err := os.Open(l.path)
	if err != nil {
		return h
	}

	content, err := io.ReadAll(io.NewSectionReader(f, holderAt, 4096))
	if errors.Join(err, f.Close()) != nil || json.Unmarshal(bytes.TrimSpace(content), &h) != nil {
		return holder{}
	}
	return h
}

// release gives the lock back and takes the holder out of the file. The file
// stays: if it were removed, two runs could hold two locks of one name.
func (l *lock) release() error {
	if l.file == nil {
		return nil
	}
	err := errors.Join(l.removeHolder(), l.file.Sync(), l.file.Close(), l.os.Unlock())
	l.file = nil
	return err
}

// removeHolder takes the holder out of the file, if it has got that far.
func (l *lock) removeHolder() error {
	info, err := l.file.Stat()
	if err != nil || info.Size() <= holderAt {
		return err
	}
	return l.file.Truncate(holderAt)
}
