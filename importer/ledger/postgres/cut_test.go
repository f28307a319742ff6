package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/ledger/tables"
)

// cutAt cuts the connection that writes once, at a message of that number from now on, and
// tells whether it did. An answer has the number of the question.
func (p *proxy) cutAt(f fate, point int) *atomic.Bool {
	var fired atomic.Bool
	var seen atomic.Int64
	p.set(func(l *link, m message) fate {
		if !l.writes || (f == cutAnswer || !long()) && !m.asks() || m.kind == 'X' {
			return pass
		}
		if seen.Add(1) != int64(point) || fired.Swap(true) {
			return pass
		}
		return f
	})
	return &fired
}

// TestCut cuts the connection that writes at every point of a claim and of a settlement:
// before each message of the program, and between the server's answer and the program,
// that to the commit among them. The ledger has each trip once in the end, each was claimed
// once, and events are numbered once. TRIPIMPORT_LONG=1 cuts before each message, not
// before each question.
func TestCut(t *testing.T) {
	t.Parallel()
	m := shared(t)
	p := newProxy(t, m.location)
	l := m.at(p.location).begin(t, "run-1")
	other := m.begin(t, "run-2") // takes numbers as well
	n := 0
	for mode, f := range map[string]fate{"before a message": cut, "after an answer": cutAnswer} {
		for point := 1; ; point++ {
			n++
			fired := p.cutAt(f, point)
			s := step("run-1", n)
			s.Account = ledgertest.Account(fmt.Sprint("Provider ", n), fmt.Sprint("key ", n)) // the ledger has to add it
			ticket, err := l.Claim(t.Context(), s)
			firedAtClaim := fired.Load()
			if err != nil {
				t.Fatalf("claim, cut %s %d: %v (%v)", mode, point, err, errors.Unwrap(err))
			}
			if got := wantTrip(t, other, n, importer.TripSending); got.Number != ticket.Trip || got.Event != ticket.Event || got.Attempts != 1 {
				t.Errorf("claim, cut %s %d: %+v, the ledger has %+v", mode, point, ticket, got)
			}
			if _, err := other.Claim(t.Context(), step("run-2", n)); !errors.Is(err, importer.ErrMeanwhile) {
				t.Errorf("claim, cut %s %d: claimed a second time: %v", mode, point, err)
			}
			must(t, bookOne(other, "run-2", n+10_000))

			fired = p.cutAt(f, point)
			must(t, l.Settle(t.Context(), ticket, booked(n)))
			wantTrip(t, other, n, importer.TripBooked)
			if err := l.Settle(t.Context(), ticket, booked(n)); err == nil {
				t.Errorf("settlement, cut %s %d: settled twice", mode, point)
			}
			if !firedAtClaim && !fired.Load() {
				if point < 4 {
					t.Errorf("cut %s: a claim has %d points", mode, point)
				}
				t.Logf("cut %s: %d points", mode, point-1)
				break
			}
		}
	}
	p.set(nil)
	if got := value(t, m.location, "SELECT COUNT(*) FROM trips"); got != int64(2*n) {
		t.Errorf("the ledger has %d trips, %d were claimed", got, 2*n)
	}
	if got := value(t, m.location, "SELECT COUNT(*) FROM events WHERE kind = 'settled'"); got != int64(2*n) {
		t.Errorf("%d of %d were settled", got, 2*n)
	}
	checkWhole(t, other)
}

// held has all jobs wait for one transaction.
func held(t *testing.T, m machine, l *Ledger, jobs ...func()) {
	t.Helper()
	at, err := ParseLocation(m.location)
	must(t, err)
	db, err := Store{}.connect(t.Context(), at, false, nil)
	must(t, err)
	defer db.Close()
	holding, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = holding.Exec("SELECT FROM meta WHERE name = 'events' FOR UPDATE")
	must(t, err)
	var wait sync.WaitGroup
	wait.Go(func() {
		if err := l.Write(func(context.Context, *tables.Writer) error { return nil }); err != nil {
			t.Log(err)
		}
	})
	for waiting := false; !waiting; {
		must(t, db.QueryRow("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')").Scan(&waiting))
	}
	started := make(chan struct{}, len(jobs))
	for _, job := range jobs {
		wait.Go(func() {
			started <- struct{}{}
			job()
		})
	}
	for range jobs {
		<-started
	}
	must(t, holding.Rollback())
	wait.Wait()
}

// TestCutTogether cuts the connection at every question of a transaction of several jobs,
// and has another process claim the same trips before the connection is made again.
func TestCutTogether(t *testing.T) {
	t.Parallel()
	m := shared(t)
	p := newProxy(t, m.location)
	l := m.at(p.location).begin(t, "run-1")
	other := m.begin(t, "run-2")
	n := 0
	for mode, f := range map[string]fate{"before a question": cut, "after an answer": cutAnswer} {
		for point := 1; ; point++ {
			n += 10
			p.set(nil)
			var open [2]importer.Ticket
			for i := range open {
				open[i] = ledgertest.Claim(t, l, step("run-1", n+i))
			}
			same := booked(n) // two trips with one GUID
			var mine, theirs [3]error
			var settled [2]error
			meanwhile := sync.OnceFunc(func() {
				for i := range theirs {
					_, theirs[i] = other.Claim(context.Background(), step("run-2", n+2+i))
				}
			})
			var seen atomic.Int64
			var fired atomic.Bool
			p.set(func(k *link, msg message) fate {
				if fired.Load() && msg.kind == 0 {
					meanwhile() // before another connection is made
				}
				if !k.writes || msg.kind == 'X' || !msg.asks() || seen.Add(1) != int64(point) || fired.Swap(true) {
					return pass
				}
				return f
			})
			jobs := []func(){}
			for i := range mine {
				jobs = append(jobs, func() { _, mine[i] = l.Claim(context.Background(), step("run-1", n+2+i)) })
			}
			for i := range settled {
				jobs = append(jobs, func() { settled[i] = l.Settle(context.Background(), open[i], same) })
			}
			held(t, m, l, jobs...)
			if !fired.Load() {
				t.Logf("%s: %d points", mode, point-1)
				break
			}
			meanwhile()
			for i := range mine {
				if (mine[i] == nil) == (theirs[i] == nil) || mine[i] != nil && !errors.Is(mine[i], importer.ErrMeanwhile) {
					t.Errorf("%s %d: trip %d: %v and %v", mode, point, i, mine[i], theirs[i])
				}
				wantTrip(t, other, n+2+i, importer.TripSending)
			}
			if _, taken := errors.AsType[importer.GUIDTaken](errors.Join(settled[:]...)); (settled[0] == nil) == (settled[1] == nil) || !taken {
				t.Errorf("%s %d: settlements %v", mode, point, settled)
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
	p.set(nil)
	checkWhole(t, other)
}

// TestFaultTogether has a statement that waited fail: nothing of its transaction is left, and
// nobody is told otherwise. What the server asks to begin again is begun again.
func TestFaultTogether(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ table, code string }{
		"trips": {"trips", "P0001"}, "events": {"events", "P0001"}, "keys": {"keys", "23505"}, "again": {"events", "40001"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := shared(t)
			l := m.begin(t, "run-1")
			kept := ledgertest.Claim(t, l, step("run-1", 1))
			new(pgtest.Cluster).Exec(t, m.location, fmt.Sprintf(`CREATE SEQUENCE tries;
				CREATE FUNCTION fault() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN IF nextval('public.tries') <= 2 THEN RAISE EXCEPTION 'fault' USING ERRCODE = '%s'; END IF; RETURN NEW; END $$;
				CREATE TRIGGER fault BEFORE INSERT ON tripimport.%s FOR EACH ROW EXECUTE FUNCTION fault()`, tt.code, tt.table))
			var errs [3]error
			held(t, m, l,
				func() { _, errs[0] = l.Claim(context.Background(), step("run-1", 2)) },
				func() { _, errs[1] = l.Claim(context.Background(), step("run-1", 3)) },
				func() { errs[2] = l.Settle(context.Background(), kept, booked(1)) })
			trips := value(t, m.location, "SELECT COUNT(*) FROM trips")
			settled := value(t, m.location, "SELECT COUNT(*) FROM events WHERE kind = 'settled'")
			if tt.code == "40001" {
				if errors.Join(errs[:]...) != nil || trips != 3 || settled != 1 {
					t.Errorf("%v, %d trips, %d settlements", errs, trips, settled)
				}
				return
			}
			for i, err := range errs {
				if err == nil {
					t.Errorf("job %d was said to be written", i)
				}
			}
			if trips != 1 || settled != 0 {
				t.Errorf("%d trips, %d settlements", trips, settled)
			}
			if _, err := l.Claim(t.Context(), step("run-1", 9)); err == nil {
				t.Error("claimed after a failure")
			}
		})
	}
}

// TestManyTogether has one transaction of many claims, whose statements are more than a
// socket takes at once.
func TestManyTogether(t *testing.T) {
	t.Parallel()
	m := shared(t)
	l := m.begin(t, "run-1")
	jobs := make([]func(), 700)
	for n := range jobs {
		jobs[n] = func() {
			if _, err := l.Claim(context.Background(), step("run-1", n)); err != nil {
				t.Error(err)
			}
		}
	}
	held(t, m, l, jobs...)
	if got := value(t, m.location, "SELECT COUNT(*) FROM trips"); got != 700 {
		t.Errorf("the ledger has %d trips", got)
	}
}
