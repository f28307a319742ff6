package ledgertest

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Copies returns a function that puts the same files into folders: those that fill puts
// into a first one, once. To copy an empty ledger takes a tenth of the time of making it.
// The copies are one ledger: they have its identity and its key.
func Copies(fill func(dir string) error) func(tb testing.TB, dir string) {
	first := sync.OnceValues(func() (files map[string][]byte, err error) {
		dir, err := os.MkdirTemp("", "tripimport-first-")
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		if err := fill(dir); err != nil {
			return nil, err
		}
		entries, err := os.ReadDir(dir)
		files = map[string][]byte{}
		for _, e := range entries {
			content, readErr := os.ReadFile(filepath.Join(dir, e.Name()))
			files[e.Name()], err = content, errors.Join(err, readErr)
		}
		return files, err
	})
	return func(tb testing.TB, dir string) {
		tb.Helper()
		files, err := first()
		err = errors.Join(err, os.MkdirAll(dir, 0o700))
		for name, content := range files {
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), content, 0o600))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
}
