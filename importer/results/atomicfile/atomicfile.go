// Package atomicfile writes files that are never seen half written, and keeps
// what is needed meanwhile in a folder of this process's own. Both may hold
// patients' data, so they are readable by this user alone, and what a killed
// process leaves behind is removed when the next one begins.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gofrs/flock"
	"github.com/natefinch/atomic"
)

// The names of what is not finished. They are our own, so that what a dead
// process left can be told from other people's files. A File is its own lock, a
// Dir has a file for that.
const (
	filePattern = ".tripimport-*.part"
	dirPattern  = "tripimport-results-*"
	dirLock     = "lock"
)

// A File is written beside its target. It takes the target's name only once it
// is complete and on the disk.
type File struct {
	*os.File
	lock *flock.Flock
}

// Create begins a file that is to be named target. It first removes those that
// processes which have died left half written in the target's folder.
func Create(target string) (*File, error) {
	dir := filepath.Dir(target)
	sweep(dir, filePattern, "")
	for {
		f, err := os.CreateTemp(dir, filePattern)
		if err != nil {
			return nil, err
		}

		// Windows needs no lock: a file that is open there can't be removed, and one
		// that is locked can't be written.
		if runtime.GOOS == "windows" {
			return &File{f, nil}, nil
		}
		lock, err := hold(f.Name(), os.O_RDWR)
		if err == nil {
			return &File{f, lock}, nil
		}
		_ = f.Close()
		if !errors.Is(err, errSwept) {
			return nil, err
		}
	}
}

// maxNames is how many names are tried where the target's is taken.
const maxNames = 1000

// Commit gives the file its name and returns it: the target's, or the next free
// one where that is taken, report-2.xlsx after report.xlsx. Nothing is ever
// overwritten. After an error the file is still there until Discard.
func (f *File) Commit(target string) (string, error) {
	if err := f.Sync(); err != nil {
		return "", err
	}

	for n := 1; n < maxNames; n++ {
		name := nthName(target, n)
		switch err := f.rename(name); {
		case err == nil:
			release(f.lock)
			syncDir(filepath.Dir(name))
			return name, nil
		case !errors.Is(err, fs.ErrExist):
			return "", err
		}
	}

	return "", fmt.Errorf("%s and the names like it are taken", target)
}

// Discard removes a file that was not committed. It does nothing after Commit.
func (f *File) Discard() {
	_ = f.Close()
	_ = os.Remove(f.Name())
	release(f.lock)
}

// FreeName returns the name that Commit would give a file now. A file that is
// open in Excel exists, so its name is taken.
func FreeName(target string) string {
	for n := 1; n < maxNames; n++ {
		if _, err := os.Lstat(nthName(target, n)); errors.Is(err, fs.ErrNotExist) {
			return nthName(target, n)
		}
	}
	return target
}

// LongestName returns the longest of the names that Commit may give a file.
func LongestName(target string) string { return nthName(target, maxNames-1) }

func nthName(target string, n int) string {
	if n == 1 {
		return target
	}
	ext := filepath.Ext(target)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(target, ext), n, ext)
}

// rename renames the file to a name that must be free. It reports fs.ErrExist
// where it is not: a link fails on a taken name, which a rename would replace. The file
// is open until it has the name: another process on Windows would sweep a closed one.
func (f *File) rename(to string) error {
	from := f.Name()
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	_ = f.Close() // what was written is on the disk
	if err == nil {
		_ = os.Remove(from) // the file has its name; the other is swept at the latest
		return nil
	}

	// Some file systems (FAT, some shares) have no links.
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return atomic.ReplaceFile(from, to)
}

// syncDir makes a new name durable. Not every system can; the file's content is
// safe by then.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// A Dir is a folder for this user and this process alone.
type Dir struct {
	// Path is where the folder is.
	Path string
	lock *flock.Flock
}

// NewDir makes a folder below base, the system's folder for temporary files
// where base is empty. It first removes those whose process has died.
func NewDir(base string) (*Dir, error) {
	if base == "" {
		base = os.TempDir()
	}
	sweep(base, dirPattern, dirLock)
	for {
		path, err := os.MkdirTemp(base, dirPattern)
		if err != nil {
			return nil, err
		}
		lock, err := hold(filepath.Join(path, dirLock), os.O_RDWR|os.O_CREATE)
		if err == nil {
			return &Dir{path, lock}, nil
		}
		_ = os.RemoveAll(path)
		if !errors.Is(err, errSwept) {
			return nil, err
		}
	}
}

// Remove removes the folder with all that is in it. On Windows its lock, which is empty,
// stays while another process looks at it: the next process that begins removes that.
func (d *Dir) Remove() {
	release(d.lock) // Windows can't remove a locked file
	_ = os.RemoveAll(d.Path)
}

// errSwept reports a file that another process is removing, or has removed,
// since it had no lock yet. Another one is to be begun.
var errSwept = errors.New("the file was swept away")

// hold locks the file at path, so that no other process sweeps it away. The
// lock is nil where the file system has no locks: nothing is swept there.
func hold(path string, flags int) (*flock.Flock, error) {
	lock := flock.New(path, flock.SetFlag(flags))
	held, err := lock.TryLock()
	if _, gone := os.Lstat(path); gone != nil {
		release(lock)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return nil, errSwept
	}

	if err == nil && !held {
		return nil, errSwept
	}
	if !held {
		lock = nil
	}
	return lock, nil
}

// release gives a lock up. The end of the process does it as well.
func release(lock *flock.Flock) {
	if lock != nil {
		_ = lock.Unlock()
	}
}

// sweep removes the files or folders in dir that no process holds. lockName is
// the name of a folder's lock; a file is its own. What can't be looked into, or
// has no lock yet, is left alone: it belongs to somebody else, or is just being
// made.
func sweep(dir, pattern, lockName string) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if ours, _ := filepath.Match(pattern, entry.Name()); !ours {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if runtime.GOOS == "windows" && lockName == "" {
			_ = os.Remove(path) // fails while a process writes it
			continue
		}
		lock := flock.New(filepath.Join(path, lockName), flock.SetFlag(os.O_RDWR))
		if held, err := lock.TryLock(); err != nil || !held {
			continue
		}
		if runtime.GOOS == "windows" {
			release(lock) // a locked file can't be removed there
		}
		_ = os.RemoveAll(path)
		release(lock)
	}
}
