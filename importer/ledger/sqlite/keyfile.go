package sqlite

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"tripimport/importer/ledger"
)

// A keyFile holds the key of a ledger's hashes and says which ledger it is for.
type keyFile struct {
	identity string
	key      []byte
}

const (
	keyFileTitle = "tripimport ledger key 1"
	keySize      = 32
)

func keyPath(path string) string { return path + ".key" }

func newKeyFile(identity string) keyFile {
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // never fails: crypto/rand ends the program instead
	return keyFile{identity, key}
}

func (k keyFile) bytes() []byte {
	return fmt.Appendf(nil, "%s\nledger %s\nkey %s\n", keyFileTitle, k.identity, hex.EncodeToString(k.key))
}

// write makes the file beside the ledger at path, for this user alone. It never
// overwrites one.
func (k keyFile) write(path string) error { return writeNew(keyPath(path), k.bytes()) }

// readKeyFile reads the key file of the ledger at path.
func readKeyFile(path string) (keyFile, error) {
	text, err := os.ReadFile(keyPath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return keyFile{}, &ledger.Error{
			Code: "ledger-key-missing", Err: err,
			Reason: fmt.Sprintf("the hash key %s is missing: without it the ledger can't tell which trips are booked", keyPath(path)),
			Fix:    "put the key file back beside the ledger: every backup made by tripimport ledger backup has it",
		}
	}
	if err != nil {
		return keyFile{}, &ledger.Error{
			Code: "ledger-key-unreadable", Err: err,
			Reason: fmt.Sprintf("the hash key %s can't be read", keyPath(path)),
			Fix:    "give yourself the right to read the file",
		}
	}
	return parseKeyFile(path, text)
}

func parseKeyFile(path string, text []byte) (keyFile, error) {
	damaged := &ledger.Error{
		Code:   "ledger-key-damaged",
		Reason: fmt.Sprintf("the hash key %s is damaged", keyPath(path)),
		Fix:    "put the key file of the newest backup in its place",
	}
	lines := strings.Split(string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))), "\n")
	if len(lines) < 3 || lines[0] != keyFileTitle {
		return keyFile{}, damaged
	}
	identity, ok := strings.CutPrefix(lines[1], "ledger ")
	digits, ok2 := strings.CutPrefix(lines[2], "key ")
	key, err := hex.DecodeString(digits)
	if !ok || !ok2 || err != nil || len(key) != keySize || identity == "" {
		return keyFile{}, damaged
	}
	return keyFile{identity, key}, nil
}

// check is kept in the ledger, so that another ledger's key is noticed.
func (k keyFile) check() string { return hex.EncodeToString(derive(k.key, "check")[:digestSize]) }

// writeNew makes a file for this user alone and puts it on the disk for good.
// It never overwrites one, and leaves nothing behind where it fails.
func writeNew(path string, content []byte) (err error) {
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
	return errors.Join(f.Sync(), syncFolder(filepath.Dir(path)))
}

// syncFolder makes the names in a folder survive a power cut. Windows knows no
// such thing, and does it by itself.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
