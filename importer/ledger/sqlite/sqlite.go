package sqlite

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/tables"
)

// A Ledger is a ledger in a SQLite file, open.
type Ledger struct {
	*tables.Ledger // nil until the file is known to be sound

	path   string      // absolute
	file   os.FileInfo // of the one that was opened to write
	key    keyfile.File
	hashes *keyed.Hashes
	// writing is the connection that writes, and writer has it; nil if the ledger is opened only for reading.
	writing *tables.Statements
	writer  *tables.Writer
	lock    *lock // nil if the ledger is opened only for reading
}

var _ ledger.Ledger = (*Ledger)(nil)

// Close implements ledger.Ledger.
func (l *Ledger) Close() error {
	var err error
	if l.Ledger != nil {
		err = l.Ledger.Close()
	}

	// Close the writer after the readers, because it moves the content of SQLite's -wal
	// into the ledger's file.
	if l.writing != nil {
		err = errors.Join(err, l.writing.Close())
	}

	if l.lock != nil {
		err = errors.Join(err, l.lock.release())
	}
	return err
}

// absolute returns the absolute path of a ledger's file. It refuses the address of a
// database, so that no file with such a name is made.
func absolute(path string) (string, error) {
	// A scheme of one letter is a drive of Windows.
	if u, err := url.Parse(path); err == nil && len(u.Scheme) > 1 {
		return "", ledger.NewError("ledger-path", "write postgres://USER@HOST/DATABASE, or the path of a file on this machine",
			"a ledger can't be at %s://", u.Scheme)
	}

	abs, err := filepath.Abs(path)
	if err != nil {
		return "", ledger.NewError("ledger-path", "name the ledger by its whole path",
			"the path of the ledger can't be used").Because(err)
	}
	return abs, nil
}
