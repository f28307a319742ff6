package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/pgtest"
)

// TestRestart restarts the server, in good order and by a crash, while the workers of two
// machines look up, claim and settle. No run fails, and the ledger has whatever was
// granted, once. TRIPIMPORT_LONG=1 restarts it twenty times.
func TestRestart(t *testing.T) {
	t.Parallel()
	c := pgtest.Start(t, "fsync=on", "listen_addresses='127.0.0.1'")
	m := newMachine(t, c.NewDatabase(t))
	restarts := []pgtest.Mode{pgtest.Immediate, pgtest.Fast, pgtest.Immediate}
	if long() {
		for range 17 {
			restarts = append(restarts, pgtest.Immediate)
		}
	}

	var next atomic.Int64
	var granted sync.Map // trips by their attempts
	var wait sync.WaitGroup
	stop := make(chan struct{})
	work := func(l *Ledger, run string) error {
		for {
			select {
			case <-stop:
				return nil
			default:
			}
			n := int(next.Add(1))
			if err := importOne(l, run, n, &granted); err != nil {
				return fmt.Errorf("trip %d of %s: %w", n, run, err)
			}
		}
	}
	for _, run := range []string{"run-1", "run-2"} {
		l := m.begin(t, run)
		for range 4 {
			wait.Go(func() {
				if err := work(l, run); err != nil {
					t.Error(err)
				}
			})
		}
	}
	for _, mode := range restarts {
		before := next.Load()
		for next.Load() < before+40 && !t.Failed() {
			time.Sleep(5 * time.Millisecond)
		}
		c.Stop(t, mode)
		c.Restart(t)
	}
	close(stop)
	wait.Wait()

	n := 0
	granted.Range(func(_, _ any) bool {
		n++
		return true
	})
	l := m.open(t, "last")
	if trips, attempts := value(t, m.location, "SELECT COUNT(*) FROM trips"), value(t, m.location, "SELECT COUNT(*) FROM attempts"); trips != int64(n) || attempts != int64(n) || n < 100 {
		t.Errorf("%d claims were granted, the ledger has %d trips and %d attempts", n, trips, attempts)
	}
	if settled := value(t, m.location, "SELECT COUNT(*) FROM settlements"); settled != int64(n) {
		t.Errorf("%d were settled, of %d", settled, n)
	}
	checkWhole(t, l)

	tcp := fmt.Sprintf("postgres://%s@127.0.0.1:%d/postgres?sslmode=disable", pgtest.Superuser, c.Port)
	if got := connected(t, at(t, "%s", tcp), ConnectOptions{}, "SELECT current_setting('tcp_keepalives_idle') || ' ' || current_setting('tcp_user_timeout')"); got != "10 20000" && got != "10 20s" {
		t.Errorf("the server notices a dead connection after %s", got)
	}
}

// importOne looks a trip up, claims it and settles it.
func importOne(l *Ledger, run string, n int, granted *sync.Map) error {
	ctx := context.Background()
	c := claim(run, n)
	if _, known, err := l.Find(ctx, c.Account, c.Trip); err != nil || known {
		return fmt.Errorf("look it up: %v, %w", known, err)
	}
	if _, err := l.Similar(ctx, c.Account, c.Trip, 15); err != nil {
		return err
	}
	if _, err := l.Decided(ctx, importer.Decision{Key: c.Key, Trip: c.Trip}); err != nil {
		return err
	}
	claimed, err := l.Claim(ctx, c)
	if err != nil {
		return err
	}
	if other, twice := granted.LoadOrStore(claimed.Attempt, n); twice {
		return fmt.Errorf("attempt %d was given to trip %d as well", claimed.Attempt, other)
	}
	if err := l.Settle(ctx, claimed, created(n)); err != nil {
		return err
	}
	r, known, err := l.Find(ctx, c.Account, c.Trip)
	if err != nil || !known || r.State != importer.Created || r.Attempt != claimed.Attempt {
		return fmt.Errorf("settled, it is %+v, %v, %w", r, known, err)
	}
	return nil
}
