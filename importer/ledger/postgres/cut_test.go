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

// TestCut cuts the connection that writes at every point of a claim and of a settlement: before
// each message of the program, and between the server's answer and the program, that to the
// commit among them. Whoever was told of a claim has one, nobody else claims that trip, and
// nothing more is written: what was claimed is unclear, or booked if that was recorded.
// TRIPIMPORT_LONG=1 cuts before each message, not before each question.
func TestCut(t *testing.T) {
	t.Parallel()
	for mode, f := range map[string]fate{"before a message": cut, "after an answer": cutAnswer} {
		for point, fired := 1, true; fired; point++ {
			m := shared(t)
			p := newProxy(t, m.location)
			l := m.at(p.location).begin(t, "run-1")
			other := m.begin(t, "run-2")
			was := p.cutAt(f, point)
			ticket, err := l.Claim(t.Context(), step("run-1", 1))
			claimed, settled := err == nil, false
			if claimed {
				settled = l.Settle(t.Context(), ticket, booked(1)) == nil
			}
			if fired = was.Load(); fired {
				_, err := l.Claim(t.Context(), step("run-1", 2))
				wantAway(t, err)
			}
			p.set(nil)
			l.lease.stop()
			expire(t, m, "run-1")
			must(t, m.open(t, "next").Close()) // which ends the run
			known := ledgertest.Look(t, other, row(1))
			switch {
			case claimed && len(known.Trips) != 1, len(known.Trips) > 1:
				t.Errorf("cut %s %d: claimed %v, the ledger has %+v", mode, point, claimed, known.Trips)
			case len(known.Trips) == 0:
				must(t, bookOne(other, "run-2", 1))
			case known.Trips[0].State != importer.TripUnclear && known.Trips[0].State != importer.TripBooked, settled && known.Trips[0].State != importer.TripBooked:
				t.Errorf("cut %s %d: settled %v, and it is %s", mode, point, settled, known.Trips[0].State.Code())
			default:
				if _, err := other.Claim(t.Context(), step("run-2", 1)); !errors.Is(err, importer.ErrMeanwhile) {
					t.Errorf("cut %s %d: claimed a second time: %v", mode, point, err)
				}
			}
			if !fired {
				if point < 7 {
					t.Errorf("cut %s: a claim and a settlement have %d points", mode, point-1)
				}
				t.Logf("cut %s: %d points", mode, point-1)
			}
			checkWhole(t, other)
		}
	}
}

// held has all jobs wait for one transaction.
func held(t *testing.T, m machine, l *Ledger, jobs ...func()) {
	t.Helper()
	at, err := ParseLocation(m.location)
	must(t, err)
	db, err := at.connect(t.Context(), false, silence)
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

// TestFaultTogether has a statement that waited fail: nothing of its transaction is left, and
// nobody is told otherwise.
func TestFaultTogether(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ table, code string }{
		"trips": {"trips", "P0001"}, "events": {"events", "P0001"}, "keys": {"keys", "23505"}, "serialization": {"events", "40001"},
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
