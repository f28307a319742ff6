package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
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

// renewSQL renews the lease of the run $2, unless others have ended it. If it sends ($4), it is told
// its share: the rate divided by the runs that send, and no more than the others leave of it. As long
// as it may still use the greater share that it was told before ($3), that is what it takes of the
// rate, so the others have to leave it. So no run is told of more before all others know of less.
const renewSQL = `WITH others AS (
		SELECT COUNT(*) AS n, COALESCE(SUM(share), 0) AS taken FROM runs
		WHERE share IS NOT NULL AND ended = '' AND broken = 0 AND leased_until > clock_timestamp() AND num <> $2),
	told AS (
		SELECT GREATEST(0, LEAST(` + rateSQL + ` / (n + 1), ` + rateSQL + ` - taken)) AS share, ` + pauseSQL + ` AS pause FROM others)
	UPDATE runs SET leased_until = clock_timestamp() + $1 * INTERVAL '1 second',
		share = CASE WHEN $4 THEN GREATEST($3, told.share) END FROM told
	WHERE num = $2 AND ended = '' AND broken = 0 RETURNING told.share, told.pause`

// A lease is that of this process's run, of which it has one at a time. A goroutine renews it until
// stop.
type lease struct {
	db        *sql.DB
	at        Location
	length    time.Duration
	endOthers func(context.Context) error

	renewing sync.Mutex // held during a renewal
	renewed  time.Time  // when the last successful renewal began

	mu  sync.Mutex
	run leasedRun

	cancel  context.CancelFunc
	stopped chan struct{}
}

// A leasedRun is a run that goes on; its number is 0 for none. using is the share that it was told; tell
// and lost are nil while it does not send.
type leasedRun struct {
	tables.BegunRun

	using float64
	tell  func(perSecond float64, pause time.Duration)
	lost  func(error)
}

// start renews the lease until stop. It calls endOthers, which ends the runs of other processes whose
// leases have ended.
func (l *lease) start(db *sql.DB, endOthers func(context.Context) error) {
	var ctx context.Context
	l.db, l.endOthers, l.renewed = db, endOthers, time.Now()
	ctx, l.cancel = context.WithCancel(context.Background())
	go l.keep(ctx)
}

func (l *lease) stop() {
	if l.cancel != nil {
		l.cancel()
		<-l.stopped
	}
}

// keep renews the lease until ctx ends.
func (l *lease) keep(ctx context.Context) {
	defer close(l.stopped)
	ticker := time.NewTicker(min(l.length/4, renewEvery))
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

// take has the lease be that of a run that has begun, or of none once that has ended.
func (l *lease) take(begun []tables.BegunRun, ended []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, run := range begun {
		l.run = leasedRun{BegunRun: run}
	}
	for _, id := range ended {
		if l.run.ID == id {
			l.run = leasedRun{}
		}
	}
}

// holds returns the run that has the lease.
func (l *lease) holds() leasedRun {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run
}

// send has the run send from now on: it is told its shares.
func (l *lease) send(run string, tell func(perSecond float64, pause time.Duration), lost func(error)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.run.ID != run {
		return ledger.RunEndedError()
	}
	l.run.tell, l.run.lost = tell, lost
	return nil
}

// told tells the run its share.
func (l *lease) told(run int64, share float64, pause time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.run.Number == run && l.run.tell != nil {
		l.run.using = share
		l.run.tell(share, pause)
	}
}

// lose tells the run why it can't go on.
func (r leasedRun) lose(err error) {
	if r.lost != nil {
		r.lost(err)
	}
}

// renew renews the lease of the run, and forgets a run that others have ended. It tells a run that
// sends its share; one that could not renew its lease for long has none.
func (l *lease) renew(ctx context.Context) error {
	l.renewing.Lock()
	defer l.renewing.Unlock()
	run := l.holds()
	if run.Number == 0 {
		return nil
	}
	began := time.Now()
	if began.Round(0).Sub(l.renewed.Round(0)).Abs() > l.length*2/3 { // without the clock that stands still while the computer sleeps
		l.told(run.Number, 0, 0)
	}
	share, pause, err := l.ask(ctx, l.holds())
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		l.told(run.Number, 0, 0)
		l.take(nil, []string{run.ID})
		run.lose(ledger.RunEndedError())
	case err == nil:
		l.renewed = began
		l.told(run.Number, share, pause)
	case ctx.Err() == nil && time.Since(l.renewed) >= patience: // the ledger is not being closed, and away or refuses this
		run.lose(l.at.errorOf(context.Background(), err))
	}
	return err
}

// ask renews the lease of a run, and returns its share of the rate and the rest of a pause. It returns
// pgx.ErrNoRows if others have ended the run.
func (l *lease) ask(ctx context.Context, run leasedRun) (share float64, pause time.Duration, err error) {
	// A run has to learn in time that it could not renew its lease.
	ctx, cancel := context.WithTimeout(ctx, l.length/4)
	defer cancel()
	pooled, err := l.db.Conn(ctx)
	if err != nil {
		return 0, 0, err
	}
	conn := newBatchConn(pooled)
	defer func() { err = cmp.Or(err, conn.Close()) }()

	var seconds float64
	conn.Queue("BEGIN")
	conn.Queue("SET LOCAL lock_timeout = '" + lockTimeout + "'")
	conn.Queue(shareLockSQL)
	conn.Queue(renewSQL, l.length.Seconds(), run.Number, run.using, run.tell != nil).QueryRow(func(row pgx.Row) error { return row.Scan(&share, &seconds) })
	conn.Queue("COMMIT")
	if err = conn.Flush(ctx); err != nil {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") // the connection may be lost
	}
	return share, time.Duration(seconds * float64(time.Second)), err
}
