package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"sync"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// A Ledger is an office's ledger in a SQLite file, open.
type Ledger struct {
	path     string
	identity string
	key      []byte
	hash     hashers
	seal     sealer

	lock     *lock // nil where read only
	hasOld   bool  // trips of schema 1 are in it, see oldIdentity
	heldElse bool  // another process held it when this one opened it to read

	readers *sql.DB
	read    lookups
	cache   *negativeCache // nil where read only: others may write
	commits *committer     // nil where read only
	writers *sql.DB

	mu       sync.Mutex
	open     map[int64]openClaim // claims of this process that are not settled
	began    map[string]bool     // runs of this process that have not ended
	accounts map[importer.Account]int64
}

var _ ledger.Ledger = (*Ledger)(nil)

// An openClaim is a claim that this process was granted and has not settled.
type openClaim struct {
	run           string
	trip, account int64
	settled       bool // the settlement is written, and its commit under way
}

// Identity implements importer.Ledger: 20 letters and digits.
func (l *Ledger) Identity() string { return l.identity }

// Location implements ledger.Ledger: it is the absolute path of the file.
func (l *Ledger) Location() string { return l.path }

// Key implements ledger.Ledger.
func (l *Ledger) Key(purpose string) []byte { return derive(l.key, "for others: "+purpose) }

// Close implements ledger.Ledger.
func (l *Ledger) Close() error {
	var err error
	if l.commits != nil {
		err = l.commits.close()
	}
	if l.readers != nil {
		err = errors.Join(err, closeAll(l.read.ready), l.readers.Close())
	}
	// The writer goes last: it takes SQLite's own -wal into the ledger's file.
	if l.writers != nil {
		err = errors.Join(err, l.writers.Close())
	}
	if l.lock != nil {
		err = errors.Join(err, l.lock.release())
	}
	return err
}

// absolute gives the one name of a ledger's file. It refuses the address of a
// database, so that no file gets its name.
func absolute(path string) (string, error) {
	// One letter is a drive of Windows.
	if u, err := url.Parse(path); err == nil && len(u.Scheme) > 1 {
		return "", &ledger.Error{
			Code:   "ledger-path",
			Reason: fmt.Sprintf("a ledger at %s:// is not supported yet", u.Scheme),
			Fix:    "give the path of a ledger file on this machine",
		}
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", &ledger.Error{
			Code: "ledger-path", Err: err,
			Reason: "the path of the ledger can't be used",
			Fix:    "name the ledger by its whole path with --ledger",
		}
	}
	return abs, nil
}

// background is the context of whatever must run to its end once begun: nobody
// would know what a commit did that was broken off.
func background() context.Context { return context.Background() }
