package postgres

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

const (
	// leaseTime is how long a run counts as working after its lease was last renewed.
	leaseTime = 30 * time.Second
	// renewEvery is the longest time between two renewals. A run learns in it of others that
	// begin or end to send, and of a pause.
	renewEvery = time.Second
	// patience is how long renewals may fail.
	patience = 7 * time.Second
	// lockTimeout is how long a renewal waits for the others'.
	lockTimeout = "2s"
)

// The entries of meta with the rate of all runs together, in requests a second, and with the
// end of the last pause, in seconds by the server's clock.
const (
	metaRate  = "rate"
	metaPause = "pause"

	rateSQL  = "COALESCE((SELECT value::float8 FROM meta WHERE name = '" + metaRate + "'), 0)"
	pauseSQL = "GREATEST(0, COALESCE((SELECT value::float8 FROM meta WHERE name = '" + metaPause + "') - extract(epoch FROM clock_timestamp())::float8, 0))"
)

// shareLockSQL has renewals that divide the rate follow each other.
const shareLockSQL = "SELECT pg_advisory_xact_lock(hashtext('tripimport rate'))"

// renewSQL renews the leases of this process's runs ($2), unless others have ended them. The
// run $3, which sends, is told its share: the rate divided by the runs that send, and no
// more than the others leave of it. As long as the run may still use the greater share that
// it was told before ($4), that is what it takes of the rate, so the others have to leave
// it. So no run is told of more before all others know of less.
const renewSQL = `WITH others AS (
		SELECT COUNT(*) AS n, COALESCE(SUM(share), 0) AS taken FROM runs
		WHERE share IS NOT NULL AND ended = '' AND broken = 0 AND leased_until > clock_timestamp() AND num <> $3),
	told AS (
		SELECT GREATEST(0, LEAST(` + rateSQL + ` / (n + 1), ` + rateSQL + ` - taken)) AS share, ` + pauseSQL + ` AS pause FROM others)
	UPDATE runs SET leased_until = clock_timestamp() + $1 * INTERVAL '1 second',
		share = CASE WHEN num = $3 THEN GREATEST($4, told.share) END FROM told
	WHERE num = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text($2::json))) AND ended = '' AND broken = 0
	RETURNING num, told.share, told.pause`

// leases are those of this process's runs. A goroutine renews them until stop.
type leases struct {
	db    *sql.DB
	at    Location
	lease time.Duration

	renewing sync.Mutex // held during a renewal
	renewed  time.Time  // when the last successful renewal began

	mu     sync.Mutex
	runs   map[string]int64 // the numbers of the runs that go on, by their ids
	sender *sender          // nil if no run sends

	endOthers func(context.Context) error

	cancel  context.CancelFunc
	stopped chan struct{}
}

// A sender is a run that sends.
type sender struct {
	run   int64
	using float64 // the share that it was told
	tell  func(perSecond float64, pause time.Duration)
	lost  func(error)
}

// start renews the leases until stop. It calls endOthers when leases of other processes have ended.
func (l *leases) start(db *sql.DB, endOthers func(context.Context) error) {
	var ctx context.Context
	l.db, l.endOthers, l.renewed = db, endOthers, time.Now()
	ctx, l.cancel = context.WithCancel(context.Background())
	go l.keep(ctx)
}

func (l *leases) stop() {
	if l.cancel != nil {
		l.cancel()
		<-l.stopped
	}
}

// keep renews the leases until ctx ends.
func (l *leases) keep(ctx context.Context) {
	defer close(l.stopped)
	ticker := time.NewTicker(min(l.lease/4, renewEvery))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := l.renew(ctx); err == nil { // the next one may succeed; if none does, the lease ends
				_ = l.endOthers(ctx) // the next one will
			}
		}
	}
}

// take adds runs that have begun, and removes those that have ended.
func (l *leases) take(begun []tables.BegunRun, ended []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, run := range begun {
		l.runs[run.ID] = run.Number
	}
	for _, run := range ended {
		if l.sender != nil && l.sender.run == l.runs[run] {
			l.sender = nil
		}
		delete(l.runs, run)
	}
}

// list returns the numbers of the runs, as a JSON list.
func (l *leases) list() (list string, count int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	numbers, _ := json.Marshal(slices.AppendSeq([]int64{}, maps.Values(l.runs))) // numbers always can be
	return string(numbers), len(l.runs)
}

// send makes a run the one of this process that sends.
func (l *leases) send(run string, s *sender) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	number, ok := l.runs[run]
	if !ok {
		return ledger.RunEndedError()
	}
	s.run, l.sender = number, s
	return nil
}

// sending returns the run that sends, or one with the number 0.
func (l *leases) sending() *sender {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sender == nil {
		return &sender{tell: func(float64, time.Duration) {}, lost: func(error) {}}
	}
	return l.sender
}

// renew renews the leases of the runs, and forgets those that others have ended. It tells
// the run that sends its share; a run that could not renew its lease for long has none.
func (l *leases) renew(ctx context.Context) error {
	l.renewing.Lock()
	defer l.renewing.Unlock()
	runs, count := l.list()
	if count == 0 {
		return nil
	}
	began, s := time.Now(), l.sending()
	if began.Round(0).Sub(l.renewed.Round(0)).Abs() > l.lease*2/3 { // without the clock that stands still while the computer sleeps
		s.tell(0, 0)
		s.using = 0
	}
	told, err := l.ask(ctx, runs, s)
	if err != nil {
		if ctx.Err() == nil && time.Since(l.renewed) >= patience { // the ledger is not being closed, and away or refuses this
			s.lost(l.at.errorOf(context.Background(), err))
		}
		return err
	}
	l.renewed = began
	if told.numbers[s.run] {
		s.using = told.share
		s.tell(told.share, told.pause)
	}
	l.forgetEnded(told.numbers, s)
	return nil
}

// forgetEnded forgets the runs that are not among those that are still working.
func (l *leases) forgetEnded(working map[int64]bool, s *sender) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, n := range l.runs {
		if working[n] {
			continue
		}
		delete(l.runs, id)
		if s.run == n {
			l.sender = nil
			s.tell(0, 0)
			s.lost(ledger.RunEndedError())
		}
	}
}

// A renewal is what came of renewSQL: the runs that are still working, and what the one that
// sends is told.
type renewal struct {
	numbers map[int64]bool
	share   float64
	pause   time.Duration
}

func (l *leases) ask(ctx context.Context, runs string, s *sender) (r renewal, err error) {
	r.numbers = map[int64]bool{}
	// A run has to learn in time that it could not renew its lease.
	ctx, cancel := context.WithTimeout(ctx, l.lease/4)
	defer cancel()
	pooled, err := l.db.Conn(ctx)
	if err != nil {
		return r, err
	}
	conn := newBatchConn(pooled)
	defer func() { err = errors.Join(err, conn.Close()) }()

	conn.Queue("BEGIN")
	conn.Queue("SET LOCAL lock_timeout = '" + lockTimeout + "'")
	conn.Queue(shareLockSQL)
	conn.Queue(renewSQL, l.lease.Seconds(), runs, s.run, s.using).Query(func(rows pgx.Rows) error {
		var number int64
		var pause float64
		_, err := pgx.ForEachRow(rows, []any{&number, &r.share, &pause}, func() error {
			r.numbers[number] = true
			return nil
		})
		r.pause = time.Duration(pause * float64(time.Second))
		return err
	})
	conn.Queue("COMMIT")
	if err := conn.Flush(ctx); err != nil {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // the connection may be lost
		return r, err
	}
	return r, nil
}
