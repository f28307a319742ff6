package tables

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

// A Ledger is what the ledgers of all engines have in common: all of ledger.Ledger but
// Number, Location and what an engine adds to Close.
type Ledger struct {
	Config

	lookUps *statements
	commits *committer // nil where the ledger is opened for reading only
	cache   *negativeCache
	// hasOld reports that trips of schema 1 are in it, which have no identities.
	hasOld bool
	// hasOldRows reports that trips are in it that were booked before ledgers had
	// row ids. Their rows are known by what their trip ids have in common.
	hasOldRows bool
	// earlierUntil is the last day on which trips are that earlier versions booked;
	// empty for none. They are found by importer.Trip.EarlierPlaces too.
	earlierUntil string

	mu       sync.Mutex
	open     map[int64]openClaim // claims of this process that are not settled
	changes  map[int64]string    // the runs of changes that runs of this process claimed, until they end
	liveRuns map[string]bool     // runs of this process that have not ended
	accounts map[importer.Account]int64
	// accountsForgotten is how often accounts were forgotten.
	accountsForgotten int64
	decisions         decisions
}

// A Config is what an engine knows of a ledger that it has opened.
type Config struct {
	// LedgerIdentity is the ledger's identity, and Hashes are made with its key.
	LedgerIdentity string
	Hashes         *keyed.Hashes
	Engine         Engine
	// Readers are connections for reading. Close closes them.
	Readers *sql.DB
	// ReadOnly reports that nothing can be written.
	ReadOnly bool
	// Alone reports that no other process writes while this one has the ledger: then
	// what it lacks is known from memory. Trips is how many it has.
	Alone bool
	Trips int64
	// HeldByOther reports that another process was writing when this one, which only
	// reads, opened the ledger of an engine that lets one write at a time.
	HeldByOther bool
	// Adopting reports that what results prove is entered.
	Adopting bool
}

// An openClaim is a claim that this process was granted and has not settled.
type openClaim struct {
	run           string
	trip, account int64
	settled       bool // the settlement is written, its commit is under way
}

// New returns the ledger that an engine has opened.
func New(ctx context.Context, c Config) (*Ledger, error) {
	l := &Ledger{
		Config:    c,
		lookUps:   newStatements(c.Readers, c.Engine),
		open:      map[int64]openClaim{},
		changes:   map[int64]string{},
		liveRuns:  map[string]bool{},
		accounts:  map[importer.Account]int64{},
		decisions: decisions{of: map[string]importer.Verdict{}},
	}
	l.lookUps.again = true
	if !c.ReadOnly {
		l.commits = newCommitter(c.Engine)
	}
	if c.Alone {
		l.cache = newNegativeCache(c.Trips)
	}
	err := l.lookUps.QueryRowContext(ctx, hasOldSQL, MetaOldRows).Scan(&l.hasOld, &l.hasOldRows, &l.earlierUntil)
	return l, err
}

// Opened returns what an engine returned on opening a ledger. After an error the ledger is a
// nil interface, not an interface that holds a nil pointer.
func Opened[L ledger.Ledger](l L, err error) (ledger.Ledger, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Adopt takes a copy that an engine has opened into use. It calls enter, unless that is nil,
// and then adopt with the number that enter returned; ledger.Store says what they do. After an
// error the copy is closed.
func Adopt(l ledger.Ledger, enter func(ledger.Ledger) (int64, error), adopt func(seen int64) error) (ledger.Ledger, error) {
	var seen int64
	var err error
	if enter != nil {
		seen, err = enter(l)
	}
	if err == nil {
		err = adopt(seen)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Identity implements importer.Ledger: 20 letters and digits.
func (l *Ledger) Identity() string { return l.LedgerIdentity }

// Key implements ledger.Ledger.
func (l *Ledger) Key(purpose string) []byte { return l.Hashes.Key(purpose) }

// Write does work in a transaction, together with what others write meanwhile.
func (l *Ledger) Write(work func(context.Context, *Writer) error) error { return l.commits.do(work) }

// Close ends the writing and closes the connections that read.
func (l *Ledger) Close() error {
	if l.commits != nil {
		l.commits.close()
	}
	return errors.Join(l.lookUps.close(), l.Readers.Close())
}

// readError gives the error of a failed reading. Where ctx has ended, that is
// the error.
func (l *Ledger) readError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return l.Engine.ReadError(err)
}
