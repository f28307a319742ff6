package tables

import (
	"context"
	"database/sql"
	"errors"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// An Engine does what differs between databases.
type Engine interface {
	// Transact asks the question, which may be nil, and does work in one transaction, with the
	// Writer's LastEvent as it is in the table meta, and stores LastEvent there again. It
	// returns nil when all of that is durable, and otherwise the first error of work, or that
	// of the commit.
	Transact(q *Question, work func(context.Context, *Writer) error) error
	// Verify adds what is wrong with the database itself, one sentence each.
	Verify(ctx context.Context, q Querier, v *ledger.Verification) error
	// Error returns the *ledger.Error for a failed reading or writing.
	Error(err error) error
}

// The names of a ledger's entries in the table meta.
const (
	MetaIdentity = "identity"
	MetaKeyCheck = "key_check"
	MetaEvents   = "events"  // the number of the last event
	MetaMachine  = "machine" // where the ledger is in use: a hash of the machine, or the server's numbers of the database
	MetaBackup   = "backup"  // when the backup was made; the ledger in use has no such entry
	MetaCopied   = "copied"  // the last event that the ledger had when a copy was last adopted
)

// Meta reads an entry of the table meta. It returns "" if there is none.
func Meta(ctx context.Context, q Querier, name string) (string, error) {
	value, err := QueryOne(ctx, q, ScanOne[string], "SELECT value FROM meta WHERE name = '"+name+"'")
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// SetMetaSQL sets an entry of the table meta: its parameters are the name and the value.
const SetMetaSQL = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

// A Writer is the only connection of a process that writes. Jobs use it one after the other, each in
// a transaction.
type Writer struct {
	Database
	// LastEvent is the number of the last event. While a transaction has it, no other
	// process gives numbers.
	LastEvent int64
	asked     *Question
	// Begun and Ended are the runs that were begun and ended; the engine resets them.
	Begun []BegunRun
	Ended []string
	// The numbers of the open runs of this process, and of accounts.
	runs     map[string]int64
	accounts map[importer.Account]int64
}

// A BegunRun is a run that was begun.
type BegunRun struct {
	ID     string
	Number int64
}

// NewWriter returns the writer of a connection.
func NewWriter(conn Database) *Writer {
	w := &Writer{Database: conn, asked: &Question{}, runs: map[string]int64{}, accounts: map[importer.Account]int64{}}
	w.asked.begin()
	return w
}

// Ask asks the question. nil asks nothing.
func (w *Writer) Ask(ctx context.Context, q *Question) error {
	if q == nil {
		q = &Question{}
	}
	w.asked = q
	q.begin()
	text, args := q.text()
	if text == "" {
		return nil
	}
	_, err := Query(ctx, w, q.scan, text, args...)
	return err
}

// Forget makes the writer look up again whether its runs have ended.
func (w *Writer) Forget() {
	clear(w.runs)
	clear(w.accounts)
}
