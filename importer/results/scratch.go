package results

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

const (
	scratchPattern = "tripimport-results-*"
	scratchLock    = "lock"
)

// A scratch is a folder for this user and this process alone, in which a long
// workbook is kept while it is written. Rows are in it in the clear, so it is
// emptied at the end, and each new one removes those whose process has died.
type scratch struct {
	dir  string
	lock *flock.Flock
}

// newScratch makes the folder below base; empty for the system's own.
func newScratch(base string) (*scratch, error) {
	if base == "" {
		base = os.TempDir()
	}
	sweepScratch(base)
	dir, err := os.MkdirTemp(base, scratchPattern)
	if err != nil {
		return nil, err
	}
	s := &scratch{dir: dir, lock: flock.New(filepath.Join(dir, scratchLock))}
	ok, err := s.lock.TryLock()
	if err == nil && !ok {
		err = errors.New("a new folder is locked already")
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return s, nil
}

// sweepScratch removes the folders that no process holds any more. One that
// can't be looked into belongs to somebody else and is left alone.
func sweepScratch(base string) {
	dirs, _ := filepath.Glob(filepath.Join(base, scratchPattern))
	for _, dir := range dirs {
		path := filepath.Join(dir, scratchLock)
		// A folder without a lock file is just being made by another process.
		if _, err := os.Stat(path); err != nil {
			continue
		}
		lock := flock.New(path, flock.SetFlag(os.O_RDWR))
		if ok, err := lock.TryLock(); err != nil || !ok {
			continue
		}
		_ = lock.Unlock()
		_ = os.RemoveAll(dir)
	}
}

// remove empties and removes the folder.
func (s *scratch) remove() error {
	// Windows can't remove a locked file.
	unlock := s.lock.Unlock()
	return errors.Join(unlock, os.RemoveAll(s.dir))
}
