package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
)

// A run ends within 15 seconds if the ledger is away: if its server is stopped, if the
// network loses everything without an error, and if connections are cut. Nothing is claimed,
// and what could not be recorded stays unclear. All callers of the process are told.
func TestAway(t *testing.T) {
	t.Parallel()
	for name, away := range map[string]func(c *pgtest.Cluster, p *proxy){
		"stopped": func(c *pgtest.Cluster, _ *proxy) { c.Stop(t, pgtest.Immediate) },
		"silent":  func(_ *pgtest.Cluster, p *proxy) { p.silence(true) },
		"cut": func(_ *pgtest.Cluster, p *proxy) {
			p.listener.Close()
			p.cutAll()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := pgtest.Start(t)
			m := newMachine(t, c.NewDatabase(t))
			p := newProxy(t, m.location)
			l := m.at(p.location).begin(t, "run-1")
			ticket := ledgertest.Claim(t, l, step("run-1", 1))
			lost := make(chan error, 100)
			must(t, l.Share(t.Context(), "run-1", 50, func(float64, time.Duration) {}, func(err error) { lost <- err }))
			number := l.Number()

			away(c, p)
			var wait sync.WaitGroup
			began := time.Now()
			for what, do := range map[string]func() error{
				"a settlement": func() error { return l.Settle(context.Background(), ticket, booked(1)) },
				"a claim":      func() error { _, err := l.Claim(context.Background(), step("run-1", 2)); return err },
				"a look": func() error {
					_, err := l.Look(context.Background(), ledgertest.Service, []*importer.Mapped{row(3)})
					return err
				},
				"the lease": func() error { return <-lost },
			} {
				wait.Go(func() {
					err := do()
					t.Logf("%s: after %v", what, time.Since(began).Round(10*time.Millisecond))
					wantAway(t, err)
				})
			}
			wait.Wait()
			_, err := l.Claim(t.Context(), step("run-1", 4))
			wantAway(t, err)
			wantAway(t, l.End(t.Context(), "run-1", importer.Totals{}, ledgertest.Noon(), "ended: the ledger is away"))
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("the run ended after %v", took)
			}
			if got := l.Number(); got != number {
				t.Errorf("the number that it had was %d, now %d", number, got)
			}
			_ = l.Close() // the server is away

			if name == "stopped" {
				c.Restart(t)
			}
			expire(t, m, "run-1")
			next := m.begin(t, "run-2")
			wantTrip(t, next, 1, importer.TripUnclear)
			for _, n := range []int{2, 4} {
				must(t, bookOne(next, "run-2", n))
			}
			checkWhole(t, next)
		})
	}
}

// A server that works, and whose answer takes long because another process writes, is waited
// for; the run keeps its lease meanwhile.
func TestBusyServer(t *testing.T) {
	t.Parallel()
	m := shared(t)
	m.store.Lease = 3 * time.Second
	l := m.begin(t, "run-1")
	at, err := ParseLocation(m.location)
	must(t, err)
	db, err := at.connect(t.Context(), false, silence)
	must(t, err)
	defer db.Close()
	holding, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = holding.Exec("SELECT FROM meta WHERE name = 'events' FOR UPDATE")
	must(t, err)
	time.AfterFunc(silence+time.Second, func() { _ = holding.Rollback() })
	began := time.Now()
	must(t, bookOne(l, "run-1", 1))
	if time.Since(began) < 3*time.Second {
		t.Error("the transaction held nobody up: the test shows nothing")
	}
	if run, err := l.Run(t.Context(), "run-1"); err != nil || !run.Live {
		t.Errorf("the run is %+v, %v", run, err)
	}
}

// A machine that died in the midst of a transaction holds the others up for seconds.
func TestDeadMachine(t *testing.T) {
	t.Parallel()
	m := shared(t)
	l := m.begin(t, "run-1")
	at, err := ParseLocation(m.location)
	must(t, err)
	db, err := at.connect(t.Context(), false, silence)
	must(t, err)
	defer db.Close()
	dead, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	defer dead.Rollback()
	_, err = dead.ExecContext(t.Context(), "SELECT FROM meta WHERE name = 'events' FOR UPDATE")
	must(t, err)
	began := time.Now()
	within(t, "a claim", writerSilence, func() { must(t, bookOne(l, "run-1", 1)) })
	if time.Since(began) < time.Second {
		t.Error("the transaction held nobody up: the test shows nothing")
	}
}

// A slow network holds nothing up but itself. TRIPIMPORT_LONG=1 has each question take 2 s.
func TestSlowNetwork(t *testing.T) {
	t.Parallel()
	m := shared(t)
	delay := 50 * time.Millisecond
	if long() {
		delay = 2 * time.Second
	}
	p := newProxy(t, m.location)
	here, there := m.at(p.location).begin(t, "run-1"), m.begin(t, "run-2")
	p.slow(delay)
	var wait sync.WaitGroup
	for n := range 8 {
		for i, l := range []*Ledger{here, there} {
			wait.Go(func() {
				if err := bookOne(l, fmt.Sprint("run-", i+1), 1+2*n+i); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wait.Wait()
	p.slow(0)
	checkWhole(t, there)
}

// Deadlines that the connection's user sets hold, and are its time-outs. A silence ends the
// connection.
func TestDeadlines(t *testing.T) {
	ours, theirs := pipe(t)
	conn := &talkingConn{Conn: ours, longest: 200 * time.Millisecond}
	b := make([]byte, 1)

	must(t, conn.SetDeadline(time.Now().Add(10*time.Millisecond)))
	var timed interface{ Timeout() bool }
	if _, err := conn.Read(b); !errors.As(err, &timed) || !timed.Timeout() {
		t.Errorf("its user's deadline gave %v", err)
	}
	must(t, conn.SetDeadline(time.Time{}))
	time.AfterFunc(50*time.Millisecond, func() { _, _ = theirs.Write([]byte("x")) })
	if n, err := conn.Read(b); n != 1 || err != nil {
		t.Errorf("a slow answer: %d, %v", n, err)
	}
	if _, err := conn.Read(b); !errors.Is(err, net.ErrClosed) {
		t.Errorf("silence gave %v", err)
	}
	if _, err := conn.Write(b); err == nil {
		t.Error("the connection is open after the silence")
	}
}

// pipe returns the two ends of a connection.
func pipe(t *testing.T) (ours, theirs net.Conn) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	ours, err = (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
	must(t, err)
	theirs, err = listener.Accept()
	must(t, err)
	t.Cleanup(func() {
		ours.Close()
		theirs.Close()
	})
	return ours, theirs
}
