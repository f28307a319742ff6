package tables

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"tripimport/importer"
	"tripimport/importer/ledger/next/keyed"
)

// A Ledger has what the ledgers of all engines have in common: all methods of next.Ledger
// except Number and Location. An engine may extend Close.
type Ledger struct {
	Config

	commits  *committer // nil if the ledger is opened only for reading
	bound    sync.Map   // the texts of queries in the engine's form
	names    names
	arrivals arrivals
	open     sync.Map // the trips with claims of this process that are not settled, by claim
}

// A Config describes a ledger that an engine has opened.
type Config struct {
	// LedgerIdentity is the ledger's identity, and Hashes has its keyed hashes.
	LedgerIdentity string
	Hashes         *keyed.Hashes
	Engine         Engine
	// Readers are connections for reading. Close closes them. Snapshot are the options of
	// a transaction in which all queries see the ledger at one instant.
	Readers  *sql.DB
	Snapshot sql.TxOptions
	// ReadOnly reports that nothing can be written.
	ReadOnly bool
	// Alone reports that no other process writes while this one has the ledger.
	Alone bool
	// Adopting reports that the ledger is being adopted, and the trips that results prove
	// are entered.
	Adopting bool
}

// New returns the ledger that an engine has opened.
func New(c Config) *Ledger {
	l := &Ledger{Config: c, names: newNames(), arrivals: newArrivals()}
	if !c.ReadOnly {
		l.commits = newCommitter(c.Engine)
	}
	return l
}

// Identity implements next.Ledger: 20 letters and digits.
func (l *Ledger) Identity() string { return l.LedgerIdentity }

// Key implements next.Ledger.
func (l *Ledger) Key(purpose string) []byte { return l.Hashes.Key(purpose) }

// RowID implements next.Ledger.
func (l *Ledger) RowID(key importer.RowKey) string {
	row := l.Hashes.Row(&key)
	return row.ID()
}

// Write does work in a transaction, which it may share with other jobs.
func (l *Ledger) Write(work func(context.Context, *Writer) error) error { return l.commits.do(work) }

// Close ends the writing and closes the connections that read.
func (l *Ledger) Close() error {
	if l.commits != nil {
		l.commits.close()
	}
	return l.Readers.Close()
}

// read calls ask with a Querier that sees the ledger at one instant.
func (l *Ledger) read(ctx context.Context, ask func(Querier) error) error {
	tx, err := l.Readers.BeginTx(ctx, &l.Snapshot)
	if err == nil {
		err = ask(reading{l, tx})
		err = errors.Join(err, ignoreDone(tx.Rollback())) // it only reads
	}
	return l.readError(ctx, err)
}

// ignoreDone leaves out the error of a transaction that ended with its context.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
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

// A reading is a transaction that reads. It is a Querier.
type reading struct {
	l  *Ledger
	tx *sql.Tx
}

func (r reading) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return r.tx.QueryContext(ctx, r.l.boundText(query), args...)
}

func (r reading) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return r.tx.QueryRowContext(ctx, r.l.boundText(query), args...)
}

func (l *Ledger) boundText(query string) string {
	if text, ok := l.bound.Load(query); ok {
		return text.(string) //nolint:forcetypeassert // only texts are stored
	}
	text := l.Engine.Bind(query)
	l.bound.Store(query, text)
	return text
}
