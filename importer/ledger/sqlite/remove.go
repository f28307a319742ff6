package sqlite

import (
	"errors"
	"io/fs"
	"os"
)

// Remove removes the ledger at a path with its key and its lock. Only ledgers that record nothing
// real may be removed, such as those of rehearsals.
func Remove(path string) error {
	for _, file := range []string{path, path + "-wal", path + "-shm", keyPath(path), lockPath(path)} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
