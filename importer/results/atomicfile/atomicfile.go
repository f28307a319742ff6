// Package atomicfile writes files that are never seen half written. They may hold
// patients' data, so only this user can read them, and what a killed process leaves behind
// is removed by the first process that begins a day later.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/natefinch/atomic"
)

// filePattern matches the names of unfinished files. No other program uses them, so that
// what a dead process left can be recognized.
const filePattern = ".tripimport-*.part"

// besides ends the name of a folder that belongs to an unfinished file.
const besides = ".d"

// unfinishedFor is how long a file may take. Later it is one that a dead process left.
const unfinishedFor = 24 * time.Hour

// A File is written beside its target. It gets the target's name only when it is complete
// and on the disk.
type File struct{ *os.File }

// Create begins a file that will be named target. It first removes the unfinished files
// of dead processes from the target's folder.
func Create(target string) (*File, error) {
	dir := filepath.Dir(target)
	sweep(dir)
	f, err := os.CreateTemp(dir, filePattern)
	return &File{f}, err
}

// Dir makes a folder for what is on the disk only until the file is complete, and returns its path. Discard removes it, also
// after Commit, and so does a later process after one that was killed.
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
// which fails on a taken name, while a rename would replace the other file.
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

// sweep removes the unfinished files in dir that are too old, with their folders. It leaves alone what can't be removed.
func sweep(dir string) {
	names, _ := fs.Glob(os.DirFS(dir), filePattern)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > unfinishedFor {
			_ = os.RemoveAll(path + besides)
			_ = os.Remove(path)
		}
	}
}
