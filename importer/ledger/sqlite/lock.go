package sqlite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/gofrs/flock"

	"tripimport/importer/ledger"
)

// A lock is the lock file beside a ledger. The lock itself is the operating
// system's and dies with its process, so there is never a stale one to remove.
//
// The file says who holds it, and how many commits the ledger had when it was
// last written: a ledger with fewer is an older copy. Its first byte is of no
// meaning, because Windows lets nobody read a byte that is locked; the count
// follows in digits, then the holder in JSON.
type lock struct {
	path string
	os   *flock.Flock
	file *os.File // for writing; nil without the lock
}

const (
	countAt    = 1
	countWidth = 20
	holderAt   = countAt + countWidth + 1
	// graceWait is how long a run that was told not to wait still does: someone
	// who only looks at the ledger may hold the lock for an instant.
	graceWait = 250 * time.Millisecond
)

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
		orElse(h.Command, "a run"), orElse(h.Who, "someone"), orElse(h.Host, "this computer"), h.PID,
		h.Since.Local().Format("2006-01-02 15:04"))
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// take takes the lock, waiting for it at most as long as o says.
func (l *lock) take(ctx context.Context, path string, o options) error {
	ctx, cancel := context.WithTimeout(ctx, max(o.LockWait, graceWait))
	defer cancel()
	held, err := l.os.TryLockContext(ctx, 50*time.Millisecond)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return l.heldFault(path)
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return readOnlyFault(path, err)
	case !held:
		return l.heldFault(path)
	}
	l.file, err = os.OpenFile(l.path, os.O_RDWR, 0)
	if err != nil {
		return errors.Join(readOnlyFault(path, err), l.os.Unlock())
	}
	return nil
}

func (l *lock) heldFault(path string) *ledger.Error {
	return &ledger.Error{
		Code: "ledger-locked", Locked: true,
		Reason: fmt.Sprintf("the ledger %s is in use: %s", path, l.holder()),
		Fix:    "wait until it has ended, or run the same command with --lock-wait 30m",
	}
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

// write says who holds the lock now and how many commits the ledger has.
func (l *lock) write(h holder, commits int64) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	content := fmt.Appendf(nil, "#%0*d\n%s\n", countWidth, commits, text)
	if _, err := l.file.WriteAt(content, 0); err != nil {
		return err
	}
	if err := l.file.Truncate(int64(len(content))); err != nil {
		return err
	}
	return l.file.Sync()
}

// count notes the number of commits. It is not forced to the disk: after a
// power cut the file may name fewer than the ledger has, which harms nothing.
func (l *lock) count(commits int64) error {
	_, err := l.file.WriteAt(fmt.Appendf(nil, "%0*d", countWidth, commits), countAt)
	return err
}

// seen gives the number of commits that the ledger had when it was last used, 0
// where the file does not say.
func (l *lock) seen() int64 {
	n, _ := strconv.ParseInt(string(l.read(countAt, countWidth)), 10, 64)
	return n
}

func (l *lock) holder() holder {
	var h holder
	if json.Unmarshal(bytes.TrimSpace(l.read(holderAt, 4096)), &h) != nil {
		return holder{}
	}
	return h
}

func (l *lock) read(at, size int64) []byte {
	f, err := os.Open(l.path)
	if err != nil {
		return nil
	}
	content, err := io.ReadAll(io.NewSectionReader(f, at, size))
	if errors.Join(err, f.Close()) != nil {
		return nil
	}
	return content
}

// release gives the lock back and takes the holder's name out of the file; the
// count stays, and so does the file: removing it would let two runs hold two
// locks of one name.
func (l *lock) release() error {
	if l.file == nil {
		return nil
	}
	err := errors.Join(l.forgetHolder(), l.file.Sync(), l.file.Close(), l.os.Unlock())
	l.file = nil
	return err
}

// forgetHolder leaves a lock file that says nothing as it is.
func (l *lock) forgetHolder() error {
	info, err := l.file.Stat()
	if err != nil || info.Size() <= holderAt {
		return err
	}
	return l.file.Truncate(holderAt)
}
