// Package atomicfile writes files that are never seen half written. They may hold
// patients' data, so only this user can read them, and what a killed process leaves behind
// is removed when the next process begins.
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

// filePattern matches the names of unfinished files. No other program uses them, so that
// what a dead process left can be recognized.
const filePattern = ".tripimport-*.part"

// besides ends the name of a folder that belongs to an unfinished file.
const besides = ".d"

// A File is written beside its target. It gets the target's name only when it is complete
// and on the disk. It is its own lock, so that no other process sweeps it away; the lock is
// nil on Windows. Where the file system has no locks, nothing is swept.
type File struct {
	*os.File
	lock *flock.Flock
}

// Create begins a file that will be named target. It first removes the unfinished files
// of dead processes from the target's folder.
func Create(target string) (*File, error) {
	dir := filepath.Dir(target)
	sweep(dir)
	for {
		f, err := os.CreateTemp(dir, filePattern)
		if err != nil {
			return nil, err
		}

		// Windows needs no lock, because an open file can't be removed there. A locked
		// file could not even be written.
		if runtime.GOOS == "windows" {
			return &File{f, nil}, nil
		}
		if lock, ours := hold(f.Name()); ours {
			return &File{f, lock}, nil
		}
		_ = f.Close()
	}
}

// Dir makes a folder for what is on the disk only until the file is complete, and returns its path. Discard removes it, also
// after Commit, and so does the next process after one that was killed.
func (f *File) Dir() (string, error) {
	dir := f.Name() + besides
	return dir, os.Mkdir(dir, 0o700)
}

// maxNames limits the names that are tried if the target's is taken.
const maxNames = 1000

// Commit gives the file its name and returns the name: the target's or, if that is taken,
// the next free one, such as report-2.xlsx after report.xlsx. It never overwrites a file.
// After an error the file is still there until Discard.
func (f *File) Commit(target string) (string, error) {
	if err := f.Sync(); err != nil {
		return "", err
	}
	_ = os.RemoveAll(f.Name() + besides) // on Windows Discard does, once nothing there is open

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

// Discard removes a file that was not committed, and the folder of Dir.
func (f *File) Discard() {
	_ = f.Close()
	_ = os.RemoveAll(f.Name() + besides)
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

// LongestName returns the longest name that Commit may give a file.
func LongestName(target string) string { return nthName(target, maxNames-1) }

func nthName(target string, n int) string {
	if n == 1 {
		return target
	}
	ext := filepath.Ext(target)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(target, ext), n, ext)
}

// rename renames the file, and returns fs.ErrExist if the name is taken. It makes a link,
// which fails on a taken name, while a rename would replace the other file. The file
// stays open until it has the name, because on Windows another process would sweep a
// closed file.
func (f *File) rename(to string) error {
	from := f.Name()
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	_ = f.Close() // what was written is on the disk
	if err == nil {
		_ = os.Remove(from) // if this fails, a later sweep removes it
		return nil
	}

	// Some file systems (FAT, some shares) have no links.
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return atomic.ReplaceFile(from, to)
}

// syncDir makes a new name in the folder durable. Not every system can do that; the
// file's content is already safe.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// hold locks the file at path, so that no other process sweeps it away; where there are no locks, it holds none. It reports false
// if another process is removing the file, or has removed it, because it had no lock yet.
func hold(path string) (lock *flock.Flock, ours bool) {
	lock = flock.New(path, flock.SetFlag(os.O_RDWR))
	held, err := lock.TryLock()
	if _, gone := os.Lstat(path); gone != nil || err == nil && !held {
		release(lock)
		return nil, false
	}
	return lock, true
}

// release gives up a lock. The end of the process releases it as well.
func release(lock *flock.Flock) {
	if lock != nil {
		_ = lock.Unlock()
	}
}

// sweep removes the unfinished files in dir that no process holds. It leaves alone what
// can't be opened, which belongs to somebody else.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if ours, _ := filepath.Match(filePattern, entry.Name()); !ours {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if runtime.GOOS == "windows" {
			if os.Remove(path) == nil { // fails while a process writes it
				_ = os.RemoveAll(path + besides)
			}
			continue
		}
		lock := flock.New(path, flock.SetFlag(os.O_RDWR))
		if held, err := lock.TryLock(); err == nil && held {
			_ = os.RemoveAll(path + besides)
			_ = os.Remove(path)
			release(lock)
		}
	}
}
