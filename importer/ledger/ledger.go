package ledger

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"tripimport/importer"
)

// Options say how a ledger is opened.
type Options struct {
	// ReadOnly opens it for looking only, beside a run that may hold it.
	ReadOnly bool
	// LockWait is how long to wait for another run to end.
	LockWait time.Duration
	// Who, Host and Command tell others who holds the ledger.
	Who, Host, Command string

	// network names the network file system a folder is on; nil asks the
	// operating system.
	network func(folder string) string
	// steps are the schema's; nil for today's.
	steps []string
}

// A Ledger is an office's ledger, open. It implements importer.Ledger and is
// safe for concurrent use.
type Ledger struct {
	path     string
	identity string
	key      []byte
	hash     hashers
	seal     sealer

	lock     *lock // nil where read only
	heldElse bool  // another process held it when this one opened it to read

	readers *sql.DB
	read    lookups
	absent  *absence   // nil where read only: others may write
	commits *committer // nil where read only
	writers *sql.DB

	mu       sync.Mutex
	open     map[int64]openClaim // claims of this process that are not settled
	began    map[string]bool     // runs of this process that have not ended
	accounts map[importer.Account]int64
}

var _ importer.Ledger = (*Ledger)(nil)

// An openClaim is a claim that this process was granted and has not settled.
type openClaim struct {
	run           string
	trip, account int64
	settled       bool // the settlement is written, and its commit under way
}

// Identity is the ledger's own name, made when it was made.
func (l *Ledger) Identity() string { return l.identity }

// Path is where the ledger is.
func (l *Ledger) Path() string { return l.path }

// Key gives a key of 32 bytes for a purpose of the caller's, derived from the
// ledger's hash key: always the same for the same purpose, and of no use for
// any other.
func (l *Ledger) Key(purpose string) []byte { return derive(l.key, "for others: "+purpose) }

// Close gives the ledger back. What was answered without an error is on the
// disk already.
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

// absolute gives the one name of a ledger's file.
func absolute(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", &Fault{
			Code: "ledger-path", cause: err,
			Reason: "the path of the ledger can't be used",
			Fix:    "name the ledger by its whole path with --ledger",
		}
	}
	return abs, nil
}

// background is the context of whatever must run to its end once begun: nobody
// would know what a commit did that was broken off.
func background() context.Context { return context.Background() }
