package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// Create makes a new ledger at path, with its hash key and lock beside it, and
// opens it. Files are for this user alone, and so are folders that it makes. A
// file that is there already is never touched.
func Create(path string, o Options) (*Ledger, error) {
	path, err := absolute(path)
	if err != nil {
		return nil, err
	}
	if err := refuseExisting(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, readOnlyFault(path, err)
	}
	if err := refuseNetwork(path, o); err != nil {
		return nil, err
	}
	key := newKeyFile(newIdentity())
	if err := key.write(path); err != nil {
		return nil, createFault(path, err)
	}
	if err := createFile(path, key, o); err != nil {
		for _, made := range []string{path, path + "-wal", path + "-shm", keyPath(path)} {
			_ = os.Remove(made)
		}
		return nil, createFault(path, err)
	}
	o.ReadOnly = false
	return Open(path, o)
}

func refuseExisting(path string) error {
	for _, p := range []string{path, keyPath(path)} {
		_, err := os.Lstat(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return readOnlyFault(path, err)
		}
		return &Fault{
			Code:   "ledger-exists",
			Reason: fmt.Sprintf("%s is there already", p),
			Fix:    "use it as it is; an office has one ledger, and a second one would book trips twice",
		}
	}
	return nil
}

func createFault(path string, err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return readOnlyFault(path, err)
	}
	return writeFault(path, err)
}

// createFile makes the ledger's file with today's schema.
func createFile(path string, key keyFile, o Options) (err error) {
	if err := writeNew(path, nil); err != nil {
		return err
	}
	ctx := background()
	db, conn, err := openWriter(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	steps, err := o.schema()
	if err != nil {
		return err
	}
	if err := migrate(ctx, conn, steps, 0); err != nil {
		return err
	}
	for name, value := range map[string]string{
		metaIdentity: key.identity,
		metaKeyCheck: key.check(),
		metaCommits:  strconv.Itoa(0),
	} {
		if _, err := conn.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES (?, ?)", name, value); err != nil {
			return err
		}
	}
	return nil
}
