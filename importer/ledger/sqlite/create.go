package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"tripimport/importer/ledger"
)

// create makes a new ledger at path and opens it.
func create(ctx context.Context, path string, o options) (*Ledger, error) {
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
	return open(ctx, path, o)
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
		return &ledger.Error{
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
func createFile(path string, key keyFile, o options) (err error) {
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
