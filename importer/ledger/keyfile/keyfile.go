// Package keyfile keeps the hash key of a ledger in a file of its own, which only this
// user can read. Whoever has the ledger without the key can neither guess the hashed
// values nor compare them with others.
package keyfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

// A File has a ledger's hash key and the ledger's identity.
type File struct {
	Identity string
	Key      []byte
}

// form is that of the file's text.
const form = "tripimport ledger key 1" + "\nledger %s\nkey %x\n"

// New makes the identity of a new ledger, 100 random bits as letters and digits that people can
// read aloud, and a random key for it.
func New() File {
	key := make([]byte, keyed.KeySize)
	_, _ = rand.Read(key) // never fails: crypto/rand ends the program instead
	return File{rand.Text()[:20], key}
}

// Bytes returns the text of the file.
func (k File) Bytes() []byte {
	return fmt.Appendf(nil, form, k.Identity, k.Key)
}

// Write writes the file to a new path. It never overwrites a file.
func (k File) Write(path string) error { return WriteNew(path, k.Bytes()) }

// Read reads the file at a path. fix says what to do if there is none.
func Read(path, fix string, steps ...importer.Advice) (File, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		missing := ledger.NewError("ledger-key-missing", fix,
			"the hash key %s is missing: without it the ledger can't tell which trips are booked", path).Because(err)
		missing.Steps = steps
		return File{}, missing
	}

	if err != nil {
		return File{}, ledger.NewError("ledger-key-unreadable", "give yourself the right to read the file",
			"the hash key %s can't be read", path).Because(err)
	}
	return Parse(path, text)
}

// Parse parses the text of the file. path is for its errors. An editor may have changed
// the line ends.
func Parse(path string, text []byte) (File, error) {
	var k File
	_, err := fmt.Sscanf(string(text), form, &k.Identity, &k.Key)
	if err != nil || len(k.Key) != keyed.KeySize {
		return File{}, ledger.NewError("ledger-key-damaged", "put the key file of the newest backup in its place",
			"the hash key %s is damaged", path)
	}
	return k, nil
}

// WriteNew writes a new durable file for this user alone. It never overwrites a file, and
// leaves nothing behind if it fails.
func WriteNew(path string, content []byte) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}

	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			_ = os.Remove(path)
		}
	}()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return errors.Join(f.Sync(), SyncFolder(filepath.Dir(path)))
}

// SyncFolder makes the names in a folder durable. It does nothing on Windows, which does
// so by itself and can't open a folder.
func SyncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
