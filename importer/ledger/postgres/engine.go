package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/mark"
	"tripimport/importer/ledger/tables"
)

const (
	// leaseTime is how long a run counts as working after the last message of its process.
	leaseTime = time.Minute
	// patience is how long a process tries to reach a server that can't be reached.
	patience = 30 * time.Second
	// pauseBetween is the pause between two tries.
	pauseBetween = 250 * time.Millisecond
)

// beginSQL begins a transaction that writes. It locks the row that all such transactions
// change, records the number of the commit there and for this session, and prolongs the
// leases of this process's runs. It returns the number of leases that it could prolong,
// so that the process notices runs that others have ended, even while the statement
// waited.
const beginSQL = `WITH s AS (UPDATE state SET commits = commits + 1 RETURNING commits, last_trip, last_attempt, accounts),
	mine AS (INSERT INTO sessions (id, who, host, command, began_at, last_commit)
		SELECT $1::uuid, $2, $3, $4, clock_timestamp(), s.commits FROM s
		ON CONFLICT (id) DO UPDATE SET last_commit = excluded.last_commit),
	leased AS (UPDATE runs SET leased_until = clock_timestamp() + $5 * INTERVAL '1 second'
		WHERE num IN (SELECT value::bigint FROM json_array_elements_text($6::json)) AND leased_until IS NOT NULL AND EXISTS (SELECT 1 FROM s)
		RETURNING num)
	SELECT s.commits, s.last_trip, s.last_attempt, s.accounts, (SELECT COUNT(*) FROM leased) FROM s`

// An engine is the tables.Engine for PostgreSQL, with the only connection of this process
// that writes. One caller writes at a time.
type engine struct {
	location Location
	writers  *sql.DB // nil if the ledger is opened only for reading
	session  session
	mark     *mark.Keeper
	timeline int64
	lease    time.Duration
	outage   outage

	conn   *batchConn // nil while there is none
	writer *tables.Writer
	// accounts is the version of the accounts that the process remembers.
	accounts int64
	// changed is called if these may be out of date.
	changed func()
	// otherServer reports that another server took over, which may lack commits of the earlier
	// one. Nothing more may be sent.
	otherServer bool

	mu sync.Mutex
	// runs has the numbers of this process's runs that go on, by their ids.
	runs    map[string]int64
	lastRun string
	commits atomic.Int64
}

// A session identifies a process that writes.
type session struct{ id, who, host, command string }

var _ tables.Engine = (*engine)(nil)

// Bind implements tables.Engine.
func (e *engine) Bind(statement string) string { return bind(statement) }

// bind translates a statement into PostgreSQL's form, with numbered parameters.
func bind(statement string) string {
	const live = "EXISTS (SELECT 1 FROM runs w WHERE w.num = %s AND w.leased_until > clock_timestamp())"
	statement = strings.NewReplacer(
		"CROSS JOIN", "JOIN",
		"listed(?1)", "SELECT value::bigint FROM json_array_elements_text(?1::json)",
		"live(a.run)", fmt.Sprintf(live, "a.run"), "live(g.run)", fmt.Sprintf(live, "g.run"), "live(r.num)", fmt.Sprintf(live, "r.num"),
		"broken(r)", "COALESCE(r.leased_until < clock_timestamp(), TRUE)",
		"commits()", "(SELECT commits - 1 FROM state)",
	).Replace(statement)

	var b strings.Builder
	n := 0
	for {
		before, after, found := strings.Cut(statement, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte('$')
		if after == "" || after[0] < '1' || after[0] > '9' {
			n++
			b.WriteString(strconv.Itoa(n))
		}
		statement = after
	}
}

// A lostError reports that the connection was lost before a transaction was committed, so
// that it left nothing behind.
type lostError struct{ error }

// Transact implements tables.Engine. If the connection is lost, it makes another one and
// begins again, as long as the engine's patience lasts. A commit whose answer was lost is
// looked up before Transact returns.
func (e *engine) Transact(ask func(*tables.Writer), work func(context.Context, *tables.Writer) error) error {
	ctx := context.Background() // a cancelled commit would leave it unknown whether it was made
	if over := e.outage.ended(); over != nil {
		return over
	}
	defer e.outage.watch()()
	end := time.Now().Add(e.outage.patience)
	for again := false; ; again = true {
		err := e.connected(ctx)
		if err == nil {
			err = e.attempt(ctx, ask, work, end)
		}
		lost := lostError{}
		if !errors.As(err, &lost) {
			return err
		}
		e.disconnect()
		if !e.outage.failed(end, lost.error) {
			return lost.error
		}
		if again {
			time.Sleep(pauseBetween)
		}
	}
}

// attempt does the work in one transaction.
func (e *engine) attempt(ctx context.Context, ask func(*tables.Writer), work func(context.Context, *tables.Writer) error, end time.Time) error {
	number, err := e.begin(ctx, ask)
	if err == nil {
		err = work(ctx, e.writer)
	}
	committing := err == nil
	if committing {
		err = e.commit(ctx)
	}
	switch {
	case err == nil:
	case committing && e.isLost(err):
		if committed, err := e.lookUp(ctx, number, err, end); !committed {
			return err
		}
	default:
		// The error of ROLLBACK means nothing, because the connection may be lost.
		_, _ = e.conn.ExecContext(ctx, "ROLLBACK")
		return e.lostOr(cmp.Or(e.conn.failed, err))
	}
	e.committed(number)
	return nil
}

// begin begins a transaction, and calls ask. It returns the number that the commit will
// have.
func (e *engine) begin(ctx context.Context, ask func(*tables.Writer)) (number int64, err error) {
	e.conn.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	runs, count := e.listRuns()
	var accounts, leased int64
	s := e.session
	e.conn.waiting.Queue(beginSQL, s.id, s.who, s.host, s.command, e.lease.Seconds(), runs).QueryRow(func(row pgx.Row) error {
		return row.Scan(&number, &e.writer.LastTrip, &e.writer.LastAttempt, &accounts, &leased)
	})
	ask(e.writer) // its questions are answered after beginSQL has locked the row
	if err := e.conn.Flush(ctx); err != nil {
		return 0, err
	}
	if number <= e.commits.Load() { // the server was put back to an earlier state
		e.otherServer = true
		return 0, e.takenOver()
	}
	if leased != count {
		e.writer.Forget() // another process has ended one of the runs
	}
	if accounts != e.accounts {
		e.accounts = accounts
		e.changed()
	}
	return number, nil
}

// commit flushes the queue, writes the values that the next transactions begin with, and
// commits.
func (e *engine) commit(ctx context.Context) error {
	if e.conn.failed != nil { // a caller may have ignored the error
		return e.conn.failed
	}
	w := e.writer
	e.conn.Queue("UPDATE state SET last_trip = $1, last_attempt = $2, accounts = accounts + CASE WHEN $3 THEN 1 ELSE 0 END", w.LastTrip, w.LastAttempt, w.AccountsChanged)
	for _, run := range w.Begun {
		e.conn.Queue("UPDATE runs SET leased_until = clock_timestamp() + $1 * INTERVAL '1 second' WHERE id = $2", e.lease.Seconds(), run.ID)
	}
	if len(w.Begun)+len(w.Ended) > 0 {
		e.conn.Queue("UPDATE runs SET leased_until = NULL WHERE leased_until IS NOT NULL AND num IN (SELECT run FROM run_ends)")
	}
	e.conn.Queue("COMMIT")
	return e.conn.Flush(ctx)
}

// committed updates the engine after a commit.
func (e *engine) committed(number int64) {
	e.outage.answered()
	e.mu.Lock()
	for _, run := range e.writer.Begun {
		e.runs[run.ID] = run.Number
		e.lastRun = run.ID
	}
	for _, run := range e.writer.Ended {
		delete(e.runs, run)
	}
	e.mu.Unlock()
	e.writer.Begun, e.writer.Ended, e.writer.AccountsChanged = nil, nil, false
	e.commits.Store(number)
	// The commit is durable even if this fails. If the mark has a smaller number, an older
	// copy is only harder to notice.
	_ = e.writeMark(number)
}

// lookUp finds out what came of a commit whose answer was lost. It reports whether the
// commit was made. If it certainly was not, the error is a lostError.
func (e *engine) lookUp(ctx context.Context, number int64, cause error, end time.Time) (bool, error) {
	begun, ended := e.writer.Begun, e.writer.Ended
	for {
		e.disconnect()
		err := e.connected(ctx)
		if e.otherServer {
			return false, err
		}
		var last int64
		if err == nil {
			last, err = e.lastCommit(ctx)
		}
		if err == nil && last == number {
			e.writer.Begun, e.writer.Ended = begun, ended
			return true, nil
		}
		if err == nil {
			return false, lostError{cause}
		}
		if !e.outage.failed(end, err) {
			return false, cause // it stays unknown
		}
		time.Sleep(pauseBetween)
	}
}

// lastCommit returns the number of this session's last commit. If the server has not
// ended a lost transaction of the session yet, that transaction holds the lock on the row
// of state. lastCommit locks that row first, so it waits until the transaction has ended.
func (e *engine) lastCommit(ctx context.Context) (last int64, err error) {
	tx, err := e.conn.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	var commits int64
	if err := tx.QueryRowContext(ctx, "SELECT commits FROM state FOR UPDATE").Scan(&commits); err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, "SELECT COALESCE((SELECT last_commit FROM sessions WHERE id = $1::uuid), 0)", e.session.id).Scan(&last)
	return last, err
}

// lostOr turns the error of a statement into a lostError if the connection is lost, or
// the server asks to begin again.
func (e *engine) lostOr(err error) error {
	var server *pgconn.PgError
	const serialization, deadlock = "40001", "40P01"
	if e.isLost(err) || errors.As(err, &server) && (server.Code == serialization || server.Code == deadlock) {
		return lostError{err}
	}
	return err
}

// isLost reports whether the connection is lost after the error of a statement.
func (e *engine) isLost(err error) bool {
	if err == nil || e.conn == nil {
		return err != nil
	}
	closed := true
	_ = e.conn.Raw(func(c any) error {
		if open, ok := c.(*stdlib.Conn); ok {
			closed = open.Conn().IsClosed()
		}
		return nil
	})
	return closed
}

// listRuns returns the numbers of this process's runs, as a JSON list.
func (e *engine) listRuns() (list string, count int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	numbers := make([]string, 0, len(e.runs))
	for _, n := range e.runs {
		numbers = append(numbers, strconv.FormatInt(n, 10))
	}
	return "[" + strings.Join(numbers, ",") + "]", int64(len(numbers))
}

func (e *engine) writeMark(commits int64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.mark.Write(mark.Point{Number: commits, Run: e.lastRun})
}

// WriteError implements tables.Engine.
func (e *engine) WriteError(err error) error { return e.location.errorOf(context.Background(), err) }

// Verify implements tables.Engine. It checks that all references between tables are
// valid. The server itself checks its pages (data_checksums).
func (e *engine) Verify(ctx context.Context, q tables.Querier, v *ledger.Verification) error {
	for _, r := range []struct{ table, column, to, id string }{
		{"trips", "account", "accounts", "id"},
		{"trips", "attempt", "attempts", "id"},
		{"trips", "service", "addresses", "id"},
		{"trips", "resolution", "resolutions", "id"},
		{"trips", "accepted", "accepted", "id"},
		{"trips", "change", "trip_changes", "id"},
		{"attempts", "trip", "trips", "id"},
		{"attempts", "run", "runs", "num"},
		{"attempts", "layout", "texts", "id"},
		{"settlements", "attempt", "attempts", "id"},
		{"resolutions", "attempt", "attempts", "id"},
		{"trip_changes", "attempt", "attempts", "id"},
		{"change_settlements", "change", "trip_changes", "id"},
		{"run_ends", "run", "runs", "num"},
		{"run_inputs", "run", "runs", "num"},
		{"identities", "attempt", "attempts", "id"},
		{"riders", "attempt", "attempts", "id"},
	} {
		var n int
		err := q.QueryRowContext(ctx, fmt.Sprintf(`SELECT COUNT(*) FROM %s f WHERE f.%s IS NOT NULL AND NOT EXISTS (SELECT 1 FROM %s t WHERE t.%s = f.%s)`,
			r.table, r.column, r.to, r.id, r.column)).Scan(&n)
		if err != nil {
			return err
		}
		if n > 0 {
			v.Wrong = append(v.Wrong, fmt.Sprintf("%d rows of its table %s refer to rows that do not exist", n, r.table))
		}
	}
	return nil
}
