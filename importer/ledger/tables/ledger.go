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

// A Ledger has what the ledgers of all engines have in common: all methods of
// ledger.Ledger except Number and Location. An engine may extend Close.
type Ledger struct {
	Config

	lookUps *statements
	commits *committer // nil if the ledger is opened only for reading
	cache   *negativeCache
	// hasOld reports that the ledger has trips of schema 1, which have no identities.
	hasOld bool
	// hasOldRows reports that the ledger has trips from before ledgers had row ids. Their
	// rows are identified by what their trip ids have in common.
	hasOldRows bool
	// earlierUntil is the last day with trips that earlier versions booked; empty for none.
	// They are also found by importer.Trip.EarlierPlaces.
	earlierUntil string

	mu       sync.Mutex
	open     map[int64]openClaim // the unsettled claims of this process, by attempt
	changes  map[int64]string    // the runs of this process that claimed changes and have not ended, by change
	liveRuns map[string]bool     // the runs of this process that have not ended
	accounts map[importer.Account]int64
	// accountsForgotten is the number of calls of ForgetAccounts.
	accountsForgotten int64
	decisions         decisions
}

// A Config describes a ledger that an engine has opened.
type Config struct {
	// LedgerIdentity is the ledger's identity, and Hashes has its keyed hashes.
	LedgerIdentity string
	Hashes         *keyed.Hashes
	Engine         Engine
	// Readers are connections for reading. Close closes them.
	Readers *sql.DB
	// ReadOnly reports that nothing can be written.
	ReadOnly bool
	// Alone reports that no other process writes while this one has the ledger, so that a
	// negative cache is possible. Trips is the number of trips in the ledger.
	Alone bool
	Trips int64
	// HeldByOther reports that this process only reads, and that another process held the
	// ledger's lock when this one opened the ledger.
	HeldByOther bool
	// Adopting reports that the ledger is being adopted, and the trips that results prove
	// are entered.
	Adopting bool
}

// An openClaim is a claim that this process was granted and has not settled.
type openClaim struct {
	run           string
	trip, account int64
	settled       bool // the settlement is written, and is being committed
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
		decisions: decisions{bySubject: map[string]importer.Verdict{}},
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

// Opened converts an engine's ledger to the interface. After an error it returns a nil
// interface, not an interface with a nil pointer.
func Opened[L ledger.Ledger](l L, err error) (ledger.Ledger, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Adopt adopts a copy that an engine has opened; see ledger.Store.Adopt. It calls enter,
// unless that is nil, and then adopt with the number that enter returned. After an error
// it closes the copy.
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

// Write does work in a transaction, which it may share with other jobs.
func (l *Ledger) Write(work func(context.Context, *Writer) error) error { return l.commits.do(work) }

// Close ends the writing and closes the connections that read.
func (l *Ledger) Close() error {
	if l.commits != nil {
		l.commits.close()
	}
	return errors.Join(l.lookUps.close(), l.Readers.Close())
}

// readError returns the error for a failed reading: that of ctx if it has ended,
// otherwise Engine.ReadError.
func (l *Ledger) readError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return l.Engine.ReadError(err)
}
