package tables

import (
	"context"
	"strconv"
	"sync/atomic"

	"tripimport/importer"
	"tripimport/importer/ledger/mark"
)

// An Engine does what differs between databases.
type Engine interface {
	// Transact asks the question, which may be nil, and does work in one transaction, with the
	// Writer's LastEvent as it is in the table meta, and stores LastEvent there again. It
	// returns nil when all of that is durable, and otherwise the first error of work, or that
	// of the commit.
	Transact(q *Question, work func(context.Context, *Writer) error) error
	// Error returns the *ledger.Error for a failed reading or writing.
	Error(err error) error
}

// The names of a ledger's entries in the table meta.
const (
	MetaIdentity = "identity"
	MetaKeyCheck = "key_check"
	MetaEvents   = "events"  // the number of the last event
	MetaMachine  = "machine" // where the ledger is in use: a hash of the machine, or the server's numbers of the database
	MetaBackup   = "backup"  // IsBackup in a copy that was not adopted; the ledger in use has no such entry
	MetaCopied   = "copied"  // the last event that the ledger had when a copy was last adopted
)

// IsBackup is the value of MetaBackup.
const IsBackup = "copy"

// Meta reads the table meta: the values by their names.
func Meta(ctx context.Context, q Querier) (map[string]string, error) {
	meta := map[string]string{}
	err := q.Each(ctx, func(row Scanner) error {
		var name, value string
		err := row.Scan(&name, &value)
		meta[name] = value
		return err
	}, "SELECT name, value FROM meta")
	return meta, err
}

// SetMetaSQL sets an entry of the table meta: its parameters are the name and the value.
const SetMetaSQL = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

// number parses the value of an entry with the number of an event; 0 if there is none.
func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64) // the program's own
	return n
}

// A Writer is the only connection of a process that writes, and how far the ledger has come by it. Jobs
// use it one after the other, each in a transaction.
type Writer struct {
	Database
	// LastEvent is the number of the last event. While a transaction has it, no other
	// process gives numbers.
	LastEvent int64
	asked     *Question
	failed    error // the first error of put in the transaction
	// Begun and Ended are the runs that the transaction began and ended.
	Begun []BegunRun
	Ended []string
	// The numbers of the open runs of this process, and of accounts.
	runs     map[string]int64
	accounts map[importer.Account]int64

	mark      *mark.Keeper // says to others on the machine what was committed
	lastRun   string       // the id of the run that began last
	committed atomic.Int64
}

// A BegunRun is a run that was begun.
type BegunRun struct {
	ID     string
	Number int64
}

// NewWriter returns the writer of a connection, which says by the mark how far it has come.
func NewWriter(conn Database, m *mark.Keeper) *Writer {
	w := &Writer{Database: conn, mark: m, asked: &Question{}, runs: map[string]int64{}, accounts: map[importer.Account]int64{}}
	w.asked.begin()
	return w
}

// Number returns the number of the last event of the last commit.
func (w *Writer) Number() int64 { return w.committed.Load() }

// Committed takes note that the transaction was committed.
func (w *Writer) Committed() {
	for _, run := range w.Begun {
		w.lastRun = run.ID
	}
	w.committed.Store(w.LastEvent)
	// The commit is durable even if this fails. If the mark has a smaller number, an older copy
	// is only harder to notice.
	_ = w.writeMark()
}

func (w *Writer) writeMark() error {
	return w.mark.Write(mark.Point{Number: w.Number(), Run: w.lastRun})
}

// Ask asks the question of a transaction that begins. nil asks nothing.
func (w *Writer) Ask(ctx context.Context, q *Question) error {
	w.Begun, w.Ended, w.failed = nil, nil, nil
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

// put writes, as Exec does. Its error is that of the transaction, and of whatever is asked after it.
func (w *Writer) put(ctx context.Context, query string, args ...any) {
	if w.failed == nil {
		w.failed = w.Exec(ctx, query, args...)
	}
}

// Each implements Querier.
func (w *Writer) Each(ctx context.Context, scan func(Scanner) error, query string, args ...any) error {
	if w.failed != nil {
		return w.failed
	}
	return w.Database.Each(ctx, scan, query, args...)
}

// Forget makes the writer look up again whether its runs have ended.
func (w *Writer) Forget() {
	clear(w.runs)
	clear(w.accounts)
}
