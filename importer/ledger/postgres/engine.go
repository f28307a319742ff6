package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// liveSQL counts those of this process's runs whose leases have not ended.
const liveSQL = "SELECT COUNT(*) FROM runs WHERE num = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text($1::json))) AND ended = '' AND broken = 0 AND leased_until > clock_timestamp()"

// An engine is the tables.Engine for PostgreSQL, with the only connection of this process
// that writes. One caller writes at a time.
type engine struct {
	location Location
	writers  *sql.DB // nil if the ledger is opened only for reading
	away     atomic.Bool
	session  session
	leases   *leases

	writer *tables.Writer
	conn   *batchConn // that of the writer; nil while there is none
	// timeline is the server's. It changes when a standby takes over, which may lack commits
	// of the earlier server: then nothing more may be sent.
	timeline    int64
	otherServer bool
}

var _ tables.Engine = (*engine)(nil)

// A lostError reports that the connection was lost before a transaction was committed, so
// that it left nothing behind.
type lostError struct{ error }

// errLapsed reports that the lease of one of the runs has ended, so that the transaction was
// not begun.
var errLapsed = errors.New("a lease has ended")

// timesLost is how often a transaction is begun again on a server that can be reached.
const timesLost = 5

// Transact implements tables.Engine. If the connection is lost, it begins again on another
// one, unless the server can't be reached. A commit whose answer was lost is looked up
// before Transact returns.
func (e *engine) Transact(q *tables.Question, work func(context.Context, *tables.Writer) error) error {
	ctx := context.Background() // a cancelled commit would leave it unknown whether it was made
	for left := timesLost; ; left-- {
		err := e.connected(ctx)
		if err == nil {
			err = e.attempt(ctx, q, work)
		}
		lost := lostError{}
		switch {
		case errors.Is(err, errLapsed):
			err = e.leases.renew(ctx)
			e.writer.Forget()
		case errors.As(err, &lost):
			e.disconnect()
			err = nil
		default:
			return err
		}
		if err != nil || left == 0 {
			return cmp.Or(err, lost.error, error(ledger.RunEndedError()))
		}
	}
}

// attempt does the work in one transaction.
func (e *engine) attempt(ctx context.Context, q *tables.Question, work func(context.Context, *tables.Writer) error) error {
	err := e.begin(ctx, q)
	if err == nil {
		err = work(ctx, e.writer)
	}
	committing := err == nil
	if committing {
		err = e.commit(ctx)
	}
	if err == nil {
		e.committed()
		return nil
	}
	if committing && e.conn.isClosed() {
		return e.lookUp(ctx, err)
	}
	// The error of ROLLBACK means nothing, because the connection may be lost.
	_, _ = e.conn.ExecContext(ctx, "ROLLBACK")
	return e.lostOr(cmp.Or(e.conn.failed, err))
}

// begin begins a transaction. Everything that is asked in it is as the last commit of any
// process left it, because the first statement waits for the transactions of the others.
func (e *engine) begin(ctx context.Context, q *tables.Question) error {
	var number string
	var working int
	runs, count := e.leases.list()
	e.conn.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	e.conn.ask(&number, numberSQL)
	e.conn.ask(&working, liveSQL, runs)
	if err := cmp.Or(e.writer.Ask(ctx, q), e.conn.Flush(ctx)); err != nil {
		return err
	}
	if working < count {
		return errLapsed
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return err
	}
	if n < e.writer.Number() { // the server was put back to an earlier state
		e.otherServer = true
		return e.takenOver()
	}
	e.writer.LastEvent = n
	return nil
}

// commit flushes the queue, writes the ledger's number, and commits.
func (e *engine) commit(ctx context.Context) error {
	if e.conn.failed != nil { // a caller may have ignored the error
		return e.conn.failed
	}
	e.session.commits++
	e.conn.Queue("UPDATE meta SET value = $1 WHERE name = '"+tables.MetaEvents+"'", strconv.FormatInt(e.writer.LastEvent, 10))
	e.conn.Queue(noteCommitSQL, e.session.entry(), e.session.commits)
	for _, run := range e.writer.Begun {
		e.conn.Queue("UPDATE runs SET leased_until = clock_timestamp() + $1 * INTERVAL '1 second' WHERE num = $2", e.leases.lease.Seconds(), run.Number)
	}
	e.conn.Queue("COMMIT")
	return e.conn.Flush(ctx)
}

// committed updates the engine after a commit.
func (e *engine) committed() {
	e.leases.take(e.writer.Begun, e.writer.Ended)
	e.writer.Committed()
}

// lookUp finds out what came of a commit whose answer was lost, and finishes it if it was
// made. If it certainly was not, the error is a lostError.
func (e *engine) lookUp(ctx context.Context, cause error) error {
	for range timesLost {
		e.disconnect()
		var last int64
		err := e.connected(ctx)
		if err == nil {
			last, err = e.session.lastCommit(ctx, e.conn)
		}
		switch {
		case errors.As(err, &lostError{}) || err != nil && e.conn != nil && e.conn.isClosed():
		case err != nil:
			return err // it stays unknown
		case last == e.session.commits:
			e.committed()
			return nil
		default:
			return lostError{cause}
		}
	}
	return cause
}

// lostOr turns the error of a statement into a lostError if the connection is lost, or
// the server asks to begin again.
func (e *engine) lostOr(err error) error {
	var server *pgconn.PgError
	const serialization, deadlock = "40001", "40P01"
	if e.conn.isClosed() || errors.As(err, &server) && (server.Code == serialization || server.Code == deadlock) {
		return lostError{err}
	}
	return err
}

// connected makes the connection that writes, if there is none.
func (e *engine) connected(ctx context.Context) error {
	if e.otherServer {
		return e.takenOver()
	}
	if e.conn != nil {
		return nil
	}
	conn, err := e.writers.Conn(ctx)
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, waitForDiskSQL)
	var timeline int64
	var now float64
	if err == nil {
		err = conn.QueryRowContext(ctx, aboutServerSQL).Scan(&timeline, &now)
	}
	if err != nil {
		return lostError{errors.Join(err, conn.Close())}
	}

	e.conn = newBatchConn(conn)
	e.writer.Database = e.conn
	e.writer.Forget()
	if e.timeline == 0 {
		e.timeline = timeline
		return checkClock(time.UnixMicro(int64(now * 1e6)))
	}
	if e.timeline != timeline {
		e.otherServer = true
		return e.takenOver()
	}
	return nil
}

// disconnect drops the connection that writes. What was looked up on it is forgotten with the next
// one, because a transaction that was rolled back may have added it.
func (e *engine) disconnect() {
	if e.conn == nil {
		return
	}
	_ = e.conn.Close() // the connection may be lost
	e.conn = nil
}

// close closes the connections that write.
func (e *engine) close() error {
	if e.writers == nil {
		return nil
	}
	if e.conn != nil {
		_, _ = e.conn.ExecContext(context.Background(), "DELETE FROM meta WHERE name = $1", e.session.entry()) // otherwise removed later
	}
	e.disconnect()
	return e.writers.Close()
}

func (e *engine) takenOver() error {
	return later(ledger.NewError("ledger-taken-over", "do the same again: it is refused if the server lacks anything that this machine recorded, and goes on where it stopped otherwise",
		"another server took over for the ledger at %s: it may lack what was recorded last, and nothing more was sent", e.location))
}

// Error implements tables.Engine.
func (e *engine) Error(err error) error { return e.location.errorOf(context.Background(), err) }

// damageSQL selects what only a fault of the program can leave. The server itself checks its pages
// (data_checksums).
const damageSQL = "SELECT 'run ' || id || ' counts as broken off while its process is working' FROM runs WHERE broken <> 0 AND leased_until > clock_timestamp() AND ended = ''"
