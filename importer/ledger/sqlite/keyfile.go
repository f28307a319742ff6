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
	"tripimport/importer/ledger/keyed"
)

// A keyFile holds a ledger's hash key, and the identity of the ledger that the
// key is for.
type keyFile struct {
	identity string
	key      []byte
}

const keyFileTitle = "tripimport ledger key 1"

// keyPath gives the path of the key file of the ledger at path.
func keyPath(path string) string { return path + ".key" }

// newKeyFile makes a random key for a new ledger.
func newKeyFile(identity string) keyFile {
	key := make([]byte, keyed.KeySize)
	_, _ = rand.Read(key) // never fails: crypto/rand ends the program instead
	return keyFile{identity, key}
}

// newIdentity makes the identity of a new ledger: 100 random bits as letters and
// digits that can be read aloud.
func newIdentity() string { return rand.Text()[:20] }

func (k keyFile) bytes() []byte {
	return fmt.Appendf(nil, "%s\nledger %s\nkey %s\n", keyFileTitle, k.identity, hex.EncodeToString(k.key))
}

// write makes the key file of the ledger at path. It never overwrites one.
func (k keyFile) write(path string) error { return writeNew(keyPath(path), k.bytes()) }

// readKeyFile reads the key file of the ledger at path.
func readKeyFile(path string) (keyFile, error) {
	text, err := os.ReadFile(keyPath(path))
	if errors.Is(err, fs.ErrNotExist) {
		return keyFile{}, ledger.NewError("ledger-key-missing", "put the key file back beside the ledger: every backup made by `tripimport ledger backup FILE` has it",
			"the hash key %s is missing: without it the ledger can't tell which trips are booked", keyPath(path)).Because(err)
	}

	if err != nil {
		return keyFile{}, ledger.NewError("ledger-key-unreadable", "give yourself the right to read the file",
			"the hash key %s can't be read", keyPath(path)).Because(err)
	}
	return parseKeyFile(path, text)
}

// parseKeyFile reads the text of a key file. An editor may have changed the ends
// of its lines.
func parseKeyFile(path string, text []byte) (keyFile, error) {
	damaged := ledger.NewError("ledger-key-damaged", "put the key file of the newest backup in its place",
		"the hash key %s is damaged", keyPath(path))

	lines := strings.Split(string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))), "\n")
	if len(lines) < 3 || lines[0] != keyFileTitle {
		return keyFile{}, damaged
	}

	identity, hasIdentity := strings.CutPrefix(lines[1], "ledger ")
	digits, hasKey := strings.CutPrefix(lines[2], "key ")
	key, err := hex.DecodeString(digits)
	if !hasIdentity || !hasKey || err != nil || len(key) != keyed.KeySize || identity == "" {
		return keyFile{}, damaged
	}
	return keyFile{identity, key}, nil
}

// writeNew makes a durable file for this user alone. It never overwrites one,
// and leaves nothing behind where it fails.
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

// syncFolder makes the names in a folder durable. Windows does so by itself and
// can't open a folder.
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
