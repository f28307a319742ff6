package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	_ "embed" // the statements
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/pace"
)

// A Rate is the rate at which all offices together may send requests to a service.
type Rate struct {
	// PerSecond is the number of attempts per second, above 0. Burst is how many may be
	// made at once after a quiet time; values below 1 mean 1.
	PerSecond float64
	Burst     int
}

// check refuses a rate that is not a finite number above 0.
func (r Rate) check() error {
	if r.PerSecond > 0 && !math.IsInf(r.PerSecond, 1) {
		return nil
	}
	return ledger.NewError("ledger-rate", "set how many requests per second the service takes: `tripimport ledger rate 10`",
		"offices that share a ledger need a rate above 0")
}

// A Budget is a pace.Budget in the database: one row for all offices that use a service
// with the same account.
//
// The row is a GCRA: it says when the next permit is due, and each grant moves that time
// on. All times are the database's, so the clocks of the machines have no effect. The
// reaction to a refusal is in the row as well, because otherwise each process would halve
// the rate again: the rate is halved, and rises by a twentieth of the set rate every ten
// seconds without another refusal.
//
// The permits of a process that dies are lost, which costs less than a second. A crash of
// the database does not lose a pause.
type Budget struct {
	db *sql.DB
	at Location
	// service and account are the row's key.
	service, account []byte
	// outage is the outage of the ledger in the same database; nil without a ledger.
	outage *outage
}

var _ pace.Budget = (*Budget)(nil)

// OpenBudget opens the budget of an account. service and account are hashes under the
// ledger's key of the service's address and of the token. If the service has no rate, it
// gets the rate first; a rate that is set stays.
func OpenBudget(ctx context.Context, db *sql.DB, at Location, service, account []byte, first Rate) (*Budget, error) {
	if err := first.check(); err != nil {
		return nil, err
	}
	b := &Budget{db: db, at: at, service: service, account: account}
	_, err := db.ExecContext(ctx, "INSERT INTO rates (service, rate, burst) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
		service, first.PerSecond, max(first.Burst, 1))
	if err == nil {
		_, err = db.ExecContext(ctx, openBudgetSQL, service, account)
	}
	if err == nil {
		err = removeUnused(ctx, db)
	}
	if err != nil {
		return nil, at.errorOf(ctx, err)
	}
	return b, nil
}

// openBudgetSQL makes the row, or marks it as in use. A next permit that was due a day
// ago allows a whole burst.
const openBudgetSQL = `INSERT INTO budgets (service, account, next) VALUES ($1, $2, clock_timestamp() - interval '1 day')
	ON CONFLICT (service, account) DO UPDATE SET next = greatest(budgets.next, excluded.next)`

// removeUnused removes the budgets that no process has opened or used for 30 days by the
// database's clock, because their tokens are not used any more. A user whose rights were
// granted by an earlier version of the program may not do so, which does no harm.
func removeUnused(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, `DELETE FROM budgets WHERE (service, account) IN (
		SELECT service, account FROM budgets
		WHERE greatest(next, paused_until) < clock_timestamp() - interval '30 days' FOR UPDATE SKIP LOCKED)`)
	var server *pgconn.PgError
	if errors.As(err, &server) && server.Code == noPrivilege {
		return nil
	}
	return err
}

// SetRate sets the rate of a service for all offices, in place of an earlier one. The
// reduction after refusals stays as it is.
func SetRate(ctx context.Context, db *sql.DB, at Location, service []byte, r Rate) error {
	if err := r.check(); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `INSERT INTO rates (service, rate, burst) VALUES ($1, $2, $3)
		ON CONFLICT (service) DO UPDATE SET rate = excluded.rate, burst = excluded.burst, set_at = clock_timestamp()`,
		service, r.PerSecond, max(r.Burst, 1))
	if err != nil {
		return at.errorOf(ctx, err)
	}
	return nil
}

// Budget opens the budget of all offices that use the service at an address with a token.
func (l *Ledger) Budget(ctx context.Context, address string, token importer.Secret, first Rate) (*Budget, error) {
	b, err := OpenBudget(ctx, l.Readers, l.engine.location, l.rateKey(address), l.rateKey(address, token.Reveal()), first)
	if b != nil {
		b.outage = &l.engine.outage
	}
	return b, err
}

// SetRate sets the rate of the service at an address, as the function SetRate does.
func (l *Ledger) SetRate(ctx context.Context, address string, r Rate) error {
	return SetRate(ctx, l.Readers, l.engine.location, l.rateKey(address), r)
}

// rateKey returns the hash that identifies a rate or a budget.
func (l *Ledger) rateKey(parts ...string) []byte {
	mac := hmac.New(sha256.New, l.Hashes.Key("rate"))
	for _, part := range parts {
		_, _ = fmt.Fprintf(mac, "%d %s", len(part), part) // never fails
	}
	return mac.Sum(nil)
}

// A BudgetState is the state of a budget.
type BudgetState struct {
	// Rate is the set rate, and Now the attempts per second that are allowed now.
	Rate Rate
	Now  float64
	// Pause is the rest of a pause, or 0.
	Pause time.Duration
}

// State returns the present state of the budget.
func (b *Budget) State(ctx context.Context) (BudgetState, error) {
	var (
		s     BudgetState
		pause float64
	)
	err := b.db.QueryRowContext(ctx, `SELECT rate, burst, rate * factor,
			CASE WHEN paused_until > clock_timestamp() THEN extract(epoch FROM paused_until - clock_timestamp()) ELSE 0 END
		FROM budgets JOIN rates USING (service) WHERE service = $1 AND account = $2`,
		b.service, b.account).Scan(&s.Rate.PerSecond, &s.Rate.Burst, &s.Now, &pause)
	s.Pause = seconds(pause)
	return s, b.errorOf(ctx, err)
}

// takeSQL takes permits. Each step of it defines values for the next one. The first step
// locks the row, and the time is read after that, so that it rises from grant to grant.
//
// A grant has no permits that are due later than half a second from now, and no more than
// are due within a fiftieth of a second. So a pause takes effect everywhere within a
// second, all runs get their share, and there are at most about 50 grants a second,
// whatever the rate. If the next permit is due later than such grants can have moved it,
// its time is from a lower rate, or from before the database's clock was set back, and is
// ignored.
//
// The statement does not wait for the disk, so after a crash of the database the grants
// of the last half second may be made again.
//
//go:embed take.sql
var takeSQL string

// Take implements pace.Budget.
func (b *Budget) Take(ctx context.Context, n int) (pace.Grant, error) {
	var (
		g           pace.Grant
		wait, every float64
	)
	err := b.db.QueryRowContext(ctx, takeSQL, b.service, b.account, n).Scan(&g.N, &wait, &every, &g.Paused, &g.Pauses)
	g.Wait, g.Every = seconds(wait), seconds(every)
	if b.outage != nil {
		b.outage.note(err)
	}
	return g, b.errorOf(ctx, err)
}

// Return implements pace.Budget. It moves the time of the next permit back by the time of
// the permits. It does nothing if a pause has begun since the grant.
func (b *Budget) Return(ctx context.Context, g pace.Grant, n int) error {
	return b.exec(ctx, "UPDATE budgets SET next = next - make_interval(secs => $3) WHERE service = $1 AND account = $2 AND pauses = $4",
		float64(n)*g.Every.Seconds(), g.Pauses)
}

// Pause implements pace.Budget.
func (b *Budget) Pause(ctx context.Context, d time.Duration) error {
	return b.exec(ctx, pauseSQL, d.Seconds(), nil)
}

// SlowDown implements pace.Budget. It does not halve the rate during a pause, nor if a
// pause began since the last grant, because then the refused attempt was made before that
// pause.
func (b *Budget) SlowDown(ctx context.Context, last pace.Grant, d time.Duration) error {
	return b.exec(ctx, pauseSQL, d.Seconds(), last.Pauses)
}

// pauseSQL begins a pause of $3 seconds, or extends the present one. It halves the rate
// if $4, the number of pauses that the refused process knows, is up to date. The next
// permit is due at the end of the pause, so no burst follows.
const pauseSQL = `UPDATE budgets SET
	pauses = pauses + 1,
	factor = CASE WHEN pauses = $4 AND paused_until <= clock_timestamp() THEN greatest(factor / 2, 1 / 64.0) ELSE factor END,
	paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs => $3)),
	factor_at = greatest(paused_until, clock_timestamp() + make_interval(secs => $3)),
	next = greatest(next, paused_until, clock_timestamp() + make_interval(secs => $3))
	WHERE service = $1 AND account = $2`

// exec runs a statement on the row.
func (b *Budget) exec(ctx context.Context, statement string, args ...any) error {
	_, err := b.db.ExecContext(ctx, statement, append([]any{b.service, b.account}, args...)...)
	return b.errorOf(ctx, err)
}

// errorOf returns the error for a statement that failed, or nil for nil.
func (b *Budget) errorOf(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		return ledger.NewError("ledger-rate", "run the same command again: it makes the entry", "the ledger has no rate for this service and token any more")
	}
	return b.at.errorOf(ctx, err)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
