package results

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"
)

// partPattern is how results are called while they are written. The name is our
// own, so that what a dead process left can be told from other people's files.
const partPattern = ".tripimport-*.part"

// sweepParts removes the results that processes which have died left half
// written in a folder: rows are in them in the clear.
func sweepParts(dir string) {
	files, _ := os.ReadDir(dir) // what can't be read can't be swept
	for _, file := range files {
		if ours, _ := filepath.Match(partPattern, file.Name()); !ours {
			continue
		}
		path := filepath.Join(dir, file.Name())
		if held, err := lockPart(path); err == nil {
			_ = os.Remove(path)
			unlockPart(held)
		}
	}
}

// errPartHeld says that another process has the lock.
var errPartHeld = errors.New("the file is being written by another process")

// lockPart takes the lock of a file that is being written. Windows needs none: a
// file that is open there can't be removed, and one that is locked can't be
// written.
func lockPart(path string) (*flock.Flock, error) {
	if runtime.GOOS == "windows" {
		return nil, nil
	}
	held := flock.New(path, flock.SetFlag(os.O_RDWR))
	ok, err := held.TryLock()
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, errPartHeld
	}
	return held, nil
}

func unlockPart(held *flock.Flock) {
	if held != nil {
		_ = held.Unlock() // the end of the process does it as well
	}
}
