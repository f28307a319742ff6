package sqlite

import (
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
	"tripimport/importer/ledger/mark"
)

// A Ledger is a ledger in a SQLite file, open.
type Ledger struct {
	path     string // absolute
	identity string
	key      []byte
	hashes   *keyed.Hashes

	// For reading: connections that can't write, and their statements.
	readers *sql.DB
	lookUps *statements
	// hasOld reports that trips of schema 1 are in it, which have no identities.
	hasOld bool
	// hasOldRows reports that trips are in it that were booked before ledgers had
	// row ids. Their rows are known by what their trip ids have in common.
	hasOldRows bool
	// earlierUntil is the last day on which trips are that earlier versions booked;
	// empty for none. They are found by importer.Trip.EarlierPlaces too.
	earlierUntil string
	// adopting reports that what results prove is entered.
	adopting bool
	// heldByOther reports that another process held the lock when this one
	// opened the ledger to read it.
	heldByOther bool

	// Where the ledger is opened for reading only: its number, and the folder of
	// the copy that is read, if it has an older schema.
	number int64
	temp   string

	// For writing; all nil where the ledger is opened for reading only. lastRun
	// is the run that was begun last.
	lock    *lock
	mark    *mark.Keeper
	lastRun string
	writers *sql.DB
	commits *committer
	cache   *negativeCache

	mu       sync.Mutex
	open     map[int64]openClaim // claims of this process that are not settled
	changes  map[int64]string    // the runs of changes that runs of this process claimed, until they end
	liveRuns map[string]bool     // runs of this process that have not ended
	accounts map[importer.Account]int64
	// decisions has the last decision about each subject; nil before it is read.
	decisions map[string]importer.Verdict
}

var _ ledger.Ledger = (*Ledger)(nil)

// An openClaim is a claim that this process was granted and has not settled.
type openClaim struct {
	run           string
	trip, account int64
	settled       bool // the settlement is written, its commit is under way
}

// Identity implements importer.Ledger: 20 letters and digits.
func (l *Ledger) Identity() string { return l.identity }

// Location implements ledger.Ledger: it is the absolute path of the file.
func (l *Ledger) Location() string { return l.path }

// Key implements ledger.Ledger.
func (l *Ledger) Key(purpose string) []byte { return l.hashes.Key(purpose) }

// Close implements ledger.Ledger.
func (l *Ledger) Close() error {
	var err error
	if l.commits != nil {
		err = l.commits.close()
	}

	if l.readers != nil {
		err = errors.Join(err, l.lookUps.close(), l.readers.Close())
	}

	// The writer is closed last: it moves the content of SQLite's -wal into the
	// ledger's file.
	if l.writers != nil {
		err = errors.Join(err, l.writers.Close())
	}

	if l.lock != nil {
		err = errors.Join(err, l.lock.release())
	}

	if l.temp != "" {
		err = errors.Join(err, os.RemoveAll(l.temp))
	}
	return err
}

// absolute gives the absolute path of a ledger's file. It refuses the address of
// a database, so that no file is made under such a name.
func absolute(path string) (string, error) {
	// A scheme of one letter is a drive of Windows.
	if u, err := url.Parse(path); err == nil && len(u.Scheme) > 1 {
		return "", ledger.NewError("ledger-path", "give the path of a ledger file on this machine",
			"a ledger at %s:// is not supported yet", u.Scheme)
	}

	abs, err := filepath.Abs(path)
	if err != nil {
		return "", ledger.NewError("ledger-path", "name the ledger by its whole path with --ledger",
			"the path of the ledger can't be used").Because(err)
	}
	return abs, nil
}
