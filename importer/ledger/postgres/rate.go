package postgres

import (
	"context"
	"math"
	"time"

	"tripimport/importer/ledger"
)

const (
	firstRateSQL = "INSERT INTO meta (name, value) VALUES ('" + metaRate + "', $1::float8::text) ON CONFLICT DO NOTHING"
	setRateSQL   = "INSERT INTO meta (name, value) VALUES ('" + metaRate + "', $1::float8::text) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
	// beginPauseSQL begins a pause of $1 seconds. It never shortens one.
	beginPauseSQL = "INSERT INTO meta (name, value) VALUES ('" + metaPause + `', (extract(epoch FROM clock_timestamp())::float8 + $1::float8)::text)
		ON CONFLICT (name) DO UPDATE SET value = GREATEST(meta.value::float8, excluded.value::float8)::text`
)

// pauseWithin is how long it may take to tell the others of a pause.
const pauseWithin = 5 * time.Second

// Share has a run of this process, which has begun, take its share of the rate at which all
// runs of the ledger together send requests. first becomes the rate, in requests a second,
// if nobody has set one.
//
// tell is called with the run's share and the rest of a pause at each renewal of the lease,
// until the run ends; the run must keep to them when tell returns, and send nothing before
// the first call. Shares of all runs together never exceed the rate. lost is called when the
// ledger can't be reached, or others have ended the run. Both are called from any goroutine,
// and must not call the ledger.
func (l *Ledger) Share(ctx context.Context, run string, first float64, tell func(perSecond float64, pause time.Duration), lost func(error)) error {
	_, err := l.writers.ExecContext(ctx, firstRateSQL, first)
	if err == nil {
		err = l.lease.send(run, tell, lost)
	}
	if err != nil {
		return l.location.errorOf(ctx, err)
	}
	_ = l.lease.renew(ctx) // if it fails, the next one may succeed, or lost is called
	return nil
}

// Pause has all runs that share the ledger pause, from their next renewals on. If it fails,
// the others learn of it from the service itself.
func (l *Ledger) Pause(d time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), pauseWithin)
	defer cancel()
	_, _ = l.writers.ExecContext(ctx, beginPauseSQL, d.Seconds())
}

// SetRate sets the rate, in requests a second, of all runs together: a finite number above 0.
func (l *Ledger) SetRate(ctx context.Context, perSecond float64) error {
	if math.IsNaN(perSecond) || perSecond <= 0 || math.IsInf(perSecond, 1) {
		return ledger.NewError("ledger-rate", "set how many requests per second the service takes", "offices that share a ledger need a rate above 0")
	}
	_, err := l.writers.ExecContext(ctx, setRateSQL, perSecond)
	return l.location.errorOf(ctx, err)
}
