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

// How long things may take.
const (
	// leaseTime is how long a run counts as at work after its process was heard of last.
	leaseTime = time.Minute
	// patience is how long a process tries to reach a server that went away.
	patience = 30 * time.Second
	// pauseBetween is how long it waits before it tries again.
	pauseBetween = 250 * time.Millisecond
)

// beginSQL begins to write: it takes the row that keeps transactions apart, notes in it
// and for this session the number of the commit, and prolongs the leases of the runs that
// this process is at. It gives those whose lease still held, also where others have ended
// one while this statement waited.
const beginSQL = `WITH s AS (UPDATE state SET commits = commits + 1 RETURNING commits, last_trip, last_attempt, accounts),
	mine AS (INSERT INTO sessions (id, who, host, command, began_at, last_commit)
		SELECT $1::uuid, $2, $3, $4, clock_timestamp(), s.commits FROM s
		ON CONFLICT (id) DO UPDATE SET last_commit = excluded.last_commit),
	leased AS (UPDATE runs SET leased_until = clock_timestamp() + $5 * INTERVAL '1 second'
		WHERE num IN (SELECT value::bigint FROM json_array_elements_text($6::json)) AND leased_until IS NOT NULL AND EXISTS (SELECT 1 FROM s)
		RETURNING num)
	SELECT s.commits, s.last_trip, s.last_attempt, s.accounts, (SELECT COUNT(*) FROM leased) FROM s`

// An engine is a PostgreSQL database, with the one connection of this process that
// writes. One caller writes at a time.
type engine struct {
	location Location
	writers  *sql.DB // nil where the ledger is opened for reading only
	session  session
	mark     *mark.Keeper
	timeline int64
	lease    time.Duration
	outage   outage

	conn   *batchConn // nil while there is none
	writer *tables.Writer
	// accounts is the number of the accounts that the process remembers.
	accounts int64
	// changed is called where those may not hold any more.
	changed func()
	// strange reports that another server took over, which may lack what this one took:
	// nothing more may be sent.
	strange bool

	mu sync.Mutex
	// runs are the runs of this process that go on, and their numbers.
	runs    map[string]int64
	lastRun string
	commits atomic.Int64
}

// A session is one process that writes.
type session struct{ id, who, host, command string }

var _ tables.Engine = (*engine)(nil)

// Bind implements tables.Engine.
func (e *engine) Bind(statement string) string { return bind(statement) }

// bind gives a statement in PostgreSQL's form, its parameters by number.
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

// A lostError says that the connection was lost before a transaction was committed, so
// that nothing of it is left.
type lostError struct{ error }

// Transact implements tables.Engine. Where the connection is lost, it makes another one
// and begins again, as long as the engine's patience lasts. A commit whose answer was
// lost is looked up before anything is said of it.
func (e *engine) Transact(ask func(*tables.Writer), work func(context.Context, *tables.Writer) error) error {
	ctx := context.Background() // a commit that was cut off is one that nobody knows of
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
		// Its error tells nothing: the connection may be lost.
		_, _ = e.conn.ExecContext(ctx, "ROLLBACK")
		return e.lostOr(cmp.Or(e.conn.failed, err))
	}
	e.committed(number)
	return nil
}

// begin begins a transaction, and asks what is to be asked ahead. It returns the number
// that the commit will have.
func (e *engine) begin(ctx context.Context, ask func(*tables.Writer)) (number int64, err error) {
	e.conn.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	runs, count := e.listRuns()
	var accounts, leased int64
	s := e.session
	e.conn.waiting.Queue(beginSQL, s.id, s.who, s.host, s.command, e.lease.Seconds(), runs).QueryRow(func(row pgx.Row) error {
		return row.Scan(&number, &e.writer.LastTrip, &e.writer.LastAttempt, &accounts, &leased)
	})
	ask(e.writer) // the row is taken by then
	if err := e.conn.Flush(ctx); err != nil {
		return 0, err
	}
	if number <= e.commits.Load() { // the server was put back to an earlier state
		e.strange = true
		return 0, e.takenOver()
	}
	if leased != count {
		e.writer.Forget() // others ended one of them
	}
	if accounts != e.accounts {
		e.accounts = accounts
		e.changed()
	}
	return number, nil
}

// commit executes what still waits, writes what the transaction leaves to the next ones,
// and commits it.
func (e *engine) commit(ctx context.Context) error {
	if e.conn.failed != nil { // the caller who met it may not have seen it
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

// committed takes note of a commit.
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
	// The commit is durable, whatever this returns. If the mark names fewer
	// commits than there are, an older copy is only harder to notice.
	_ = e.writeMark(number)
}

// lookUp finds out what came of a commit whose answer was lost. It reports whether it was
// done; the error is a lostError where it certainly was not.
func (e *engine) lookUp(ctx context.Context, number int64, cause error, end time.Time) (bool, error) {
	begun, ended := e.writer.Begun, e.writer.Ended
	for {
		e.disconnect()
		err := e.connected(ctx)
		if e.strange {
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
			return false, cause // nobody knows
		}
		time.Sleep(pauseBetween)
	}
}

// lastCommit gives the number of this session's last commit. A transaction of it that the
// server has not ended yet holds the row that keeps transactions apart, so lastCommit
// waits until that has ended, and after it nothing more can come of it.
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

// lostOr makes the error of a statement a lostError if the connection is lost, or the
// server asks to begin again.
func (e *engine) lostOr(err error) error {
	var server *pgconn.PgError
	const serialization, deadlock = "40001", "40P01"
	if e.isLost(err) || errors.As(err, &server) && (server.Code == serialization || server.Code == deadlock) {
		return lostError{err}
	}
	return err
}

// isLost reports whether the error of a statement leaves no connection.
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

// listRuns gives the numbers of the runs of this process, as a JSON list.
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

// Verify implements tables.Engine: what refers to something must find it. That its pages
// are whole is the server's own business (its data_checksums).
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
			v.Wrong = append(v.Wrong, fmt.Sprintf("%d rows of its table %s refer to something that is not there", n, r.table))
		}
	}
	return nil
}
