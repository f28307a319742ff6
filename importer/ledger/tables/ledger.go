package tables

import (
	"context"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

// A Ledger has what the ledgers of all engines have in common: all methods of the ledger. An
// engine may extend Close.
type Ledger struct {
	Config

	commits *committer // nil if the ledger is opened only for reading
	// copied is the last event that the ledger had when a copy was last adopted.
	copied int64
}

// A Config describes a ledger that an engine has opened.
type Config struct {
	// LedgerIdentity is the ledger's identity, LedgerLocation its place for a person, and Hashes has its
	// keyed hashes.
	LedgerIdentity, LedgerLocation string

	Hashes *keyed.Hashes
	Engine Engine
	// Readers are connections for reading. Close closes them.
	Readers *Statements
	// Damage is the statement that selects what is wrong with the database itself, one sentence each.
	Damage string
	// HeldByOther reports that this process only reads, and that another one may be sending.
	HeldByOther bool

	// Writer is nil if the ledger is opened only for reading. What follows is for writing alone.
	Writer *Writer
	// Place is where the ledger is in use from now on if it is not yet: MetaMachine.
	Place string
	// Adopting has a ledger that is not the newest adopted; otherwise it is refused.
	Adopting bool
	// Broken is the statement that selects the runs whose processes have ended: see EndBrokenRuns.
	Broken string
}

// Opened converts an engine's ledger to the interface. After an error it returns a nil interface,
// not an interface with a nil pointer.
func Opened[L ledger.Ledger](l L, err error) (ledger.Ledger, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Location names the ledger's place for a person.
func (l *Ledger) Location() string { return l.LedgerLocation }

// Identity returns the ledger's own id.
func (l *Ledger) Identity() string { return l.LedgerIdentity }

// numberWithin is how long reading the number may take.
const numberWithin = 1500 * time.Millisecond

// Number returns the number of the last event of any process, or the last one that this process knows
// while the ledger can't be read.
func (l *Ledger) Number() int64 {
	ctx, cancel := context.WithTimeout(context.Background(), numberWithin)
	defer cancel()
	meta, _ := Meta(ctx, l.Readers)
	last := number(meta[MetaEvents])
	if l.Writer != nil {
		last = max(last, l.Writer.Number())
	}
	return last
}

// Key returns a key for a purpose of the caller.
func (l *Ledger) Key(purpose string) []byte { return l.Hashes.Key(purpose) }

// Write does work in a transaction, which it may share with other jobs.
func (l *Ledger) Write(work func(context.Context, *Writer) error) error {
	return l.commits.do(nil, work)
}

// Close ends the writing and closes the connections that read.
func (l *Ledger) Close() error {
	if l.commits != nil {
		l.commits.close()
	}
	return l.Readers.Close()
}

// readError returns the error for a failed reading: that of ctx if it has ended, otherwise
// Engine.Error.
func (l *Ledger) readError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return l.Engine.Error(err)
}
