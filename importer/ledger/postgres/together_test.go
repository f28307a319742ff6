package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/ledger/tables"
)

// held makes all jobs wait for one transaction.
func held(t *testing.T, location string, l *Ledger, ready func(), jobs ...func()) {
	t.Helper()
	at, err := ParseLocation(location)
	must(t, err)
	db, err := at.Connect(t.Context(), ConnectOptions{})
	must(t, err)
	defer db.Close()
	holding, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = holding.Exec("SELECT FROM state FOR UPDATE")
	must(t, err)
	var wait sync.WaitGroup
	wait.Go(func() { must(t, l.ForgetLeft(context.Background(), 1_000_000)) })
	for waiting := false; !waiting; {
		must(t, db.QueryRow("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')").Scan(&waiting))
	}
	for _, job := range jobs {
		wait.Go(job)
		time.Sleep(4 * time.Millisecond)
	}
	time.Sleep(4 * time.Millisecond)
	ready()
	must(t, holding.Rollback())
	wait.Wait()
}

// TestCutTogether cuts the connection at every message of a transaction of several jobs, and
// has another process claim the same trips before the connection is made again.
// TRIPIMPORT_LONG=1 cuts before each message, not before each eighth.
func TestCutTogether(t *testing.T) {
	t.Parallel()
	m := shared(t)
	p := newProxy(t, m.location)
	l := m.at(p.location).begin(t, "run-1")
	other := m.begin(t, "run-2")
	n := 0
	for mode, f := range map[string]fate{"before a message": cut, "after an answer": cutAnswer} {
		for point := 1; ; point++ {
			if !long() && f == cut {
				point += 7
			}
			n += 20
			p.set(nil)
			// Three claims, of which two are one row in two shapes; two settlements with one GUID,
			// and one that frees its trip.
			var held3 [3]importer.Claimed
			for i := range held3 {
				var err error
				held3[i], err = l.Claim(t.Context(), claim("run-1", n+i))
				must(t, err)
			}
			a, b, c := claim("run-1", n+5), claim("run-1", n+6), claim("run-1", n+7)
			a.Trip.Leg = importer.OnlyLeg
			b.Key = a.Key
			b.Trip.Leg = importer.OutboundLeg
			oa, ob, oc := claim("run-2", n+5), claim("run-2", n+6), claim("run-2", n+7)
			oa.Key, ob.Key, ob.Trip.Leg = a.Key, a.Key, importer.OutboundLeg
			oc.Trip.ID += "-other"
			oc.Key.ID = oc.Trip.ID

			var errs [6]error
			var got [3]importer.Claimed
			var otherErrs [3]error
			var fired atomic.Bool
			var once sync.Once
			meanwhile := func() {
				once.Do(func() {
					_, otherErrs[0] = other.Claim(context.Background(), ob)
					_, otherErrs[1] = other.Claim(context.Background(), oa)
					_, otherErrs[2] = other.Claim(context.Background(), oc)
				})
			}
			var seen atomic.Int64
			var armed atomic.Bool
			p.set(func(k *link, msg message) fate {
				if fired.Load() && msg.kind == 0 {
					meanwhile() // before another connection is made
				}
				if !armed.Load() || !k.writes || msg.kind == 'X' || f == cutAnswer && !msg.asks() {
					return pass
				}
				if seen.Add(1) != int64(point) || fired.Swap(true) {
					return pass
				}
				return f
			})
			held(t, m.location, l, func() { armed.Store(true) },
				func() { got[0], errs[0] = l.Claim(context.Background(), a) },
				func() { got[1], errs[1] = l.Claim(context.Background(), b) },
				func() { got[2], errs[2] = l.Claim(context.Background(), c) },
				func() { errs[3] = l.Settle(context.Background(), held3[0], created(n)) },
				func() { errs[4] = l.Settle(context.Background(), held3[1], created(n)) },
				func() {
					errs[5] = l.Settle(context.Background(), held3[2], ledgertest.Settlement(importer.Refused, ""))
				})
			armed.Store(false)
			if !fired.Load() {
				t.Logf("%s: %d points", mode, point-1)
				break
			}
			meanwhile()
			ok := func(errs ...error) (n int) {
				for _, err := range errs {
					switch {
					case err == nil:
						n++
					case !errors.Is(err, importer.ErrClaimed) && !errors.Is(err, importer.ErrGUIDTaken):
						t.Errorf("%s %d: %v (%v)", mode, point, err, errors.Unwrap(err))
					}
				}
				return n
			}
			if ok(errs[0], errs[1], otherErrs[0], otherErrs[1]) != 1 {
				t.Errorf("%s %d: the row: %v %v %v %v", mode, point, errs[0], errs[1], otherErrs[0], otherErrs[1])
			}
			if ok(errs[2], otherErrs[2]) != 1 {
				t.Errorf("%s %d: the rider: %v, %v", mode, point, errs[2], otherErrs[2])
			}
			if ok(errs[3], errs[4]) != 1 || errs[5] != nil {
				t.Errorf("%s %d: settlements %v", mode, point, errs[3:])
			}
			for i, cl := range []importer.Claim{a, b, c} {
				r, known, err := other.Ledger.Find(t.Context(), cl.Account, cl.Trip)
				must(t, err)
				if errs[i] == nil && (!known || r.Attempt != got[i].Attempt || !r.InFlight) {
					t.Errorf("%s %d: claim %d was granted as %v and is %+v", mode, point, i, got[i], r)
				}
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
	p.set(nil)
	if got := value(t, m.location, "SELECT COUNT(*) FROM tripimport.trips t WHERE NOT EXISTS (SELECT FROM tripimport.attempts a WHERE a.id = t.attempt AND a.trip = t.id)"); got != 0 {
		t.Errorf("%d trips without an attempt", got)
	}
	checkWhole(t, other)
}

// TestFaultTogether has a statement that waited fail: nothing of its transaction is left, and
// nobody is told otherwise.
func TestFaultTogether(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ table, code string }{
		"riders": {"riders", "P0001"}, "identities": {"identities", "23505"}, "trips": {"trips", "P0001"}, "settlements": {"settlements", "P0001"},
		"again": {"riders", "40001"},
	} {
		t.Run(name, func(t *testing.T) {
			m := shared(t)
			l := m.begin(t, "run-1")
			kept, err := l.Claim(t.Context(), claim("run-1", 1))
			must(t, err)
			at, err := ParseLocation(m.location)
			must(t, err)
			db, err := at.Connect(t.Context(), ConnectOptions{})
			must(t, err)
			defer db.Close()
			for _, s := range []string{
				"CREATE SEQUENCE tries",
				fmt.Sprintf("CREATE FUNCTION fault() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN IF nextval('tries') <= 2 THEN RAISE EXCEPTION 'fault' USING ERRCODE = '%s'; END IF; RETURN NEW; END $$", tt.code),
				"CREATE TRIGGER fault BEFORE INSERT ON " + tt.table + " FOR EACH ROW EXECUTE FUNCTION fault()",
			} {
				_, err := db.Exec(s)
				must(t, err)
			}
			var errs [4]error
			held(t, m.location, l, func() {},
				func() { _, errs[0] = l.Claim(context.Background(), claim("run-1", 2)) },
				func() { _, errs[1] = l.Claim(context.Background(), claim("run-1", 3)) },
				func() { errs[2] = l.Ledger.Settle(context.Background(), kept, created(1)) },
				func() { errs[3] = l.NoteSchedule(context.Background(), claim("run-1", 2).Key, claim("run-1", 2).Trip) })
			trips, settled := value(t, m.location, "SELECT COUNT(*) FROM tripimport.trips"), value(t, m.location, "SELECT COUNT(*) FROM tripimport.settlements")
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
			if _, err := l.Claim(t.Context(), claim("run-1", 9)); err == nil {
				t.Error("claimed after a failure")
			}
		})
	}
}

// TestUpgradeRights imports as a role with the rights to import, in a ledger of today and
// in one that was made before the last step.
func TestUpgradeRights(t *testing.T) {
	c := pgtest.Shared(t)
	m := shared(t)
	at, err := ParseLocation(m.location)
	must(t, err)
	db, err := at.Connect(t.Context(), ConnectOptions{})
	must(t, err)
	defer db.Close()
	_, err = db.Exec("CREATE ROLE upgrade_clerk LOGIN")
	must(t, err)
	t.Cleanup(func() {
		db, err := sql.Open("pgx", m.location)
		must(t, err)
		defer db.Close()
		_, err = db.Exec("DROP OWNED BY upgrade_clerk; DROP ROLE upgrade_clerk")
		must(t, err)
	})
	for _, grant := range Grants("upgrade_clerk") {
		_, err := db.Exec(grant)
		must(t, err)
	}
	clerk := m.at(fmt.Sprintf("postgres:///%s?host=%s&port=%d&user=upgrade_clerk", at.config.Database, c.Dir, c.Port))
	l := clerk.begin(t, "run-1")
	for n := range 3 {
		ledgertest.Book(t, l, claim("run-1", n), fmt.Sprint("g-", n))
	}
	must(t, l.Close())

	_, err = db.Exec("DROP INDEX settlements_guid_key; UPDATE meta SET value = '2' WHERE name = 'schema'")
	must(t, err)
	_, err = clerk.store.Open(t.Context(), clerk.location, clerk.options("clerk"))
	wantCode(t, err, "ledger-older")
	var older *ledger.Error
	if want := "have " + at.config.User + " run"; !errors.As(err, &older) || !strings.Contains(older.Fix, want) {
		t.Errorf("%v does not say %q", err, want)
	}
	// A run of the older program goes on while the owner upgrades.
	owner := m.begin(t, "run-2")
	ledgertest.Book(t, owner, claim("run-2", 77), "g-77")
	if got := value(t, m.location, "SELECT count(*) FROM pg_indexes WHERE indexname = 'settlements_guid_key'"); got != 1 {
		t.Error("no index")
	}
	l = clerk.begin(t, "run-3")
	ledgertest.Book(t, l, claim("run-3", 78), "g-78")
}

// TestUnsent has a statement that waited fail before it is sent, when the next one is
// a question: nothing of the transaction is committed.
func TestUnsent(t *testing.T) {
	t.Parallel()
	m := shared(t)
	l := m.begin(t, "run-1")
	err := l.Write(func(ctx context.Context, w *tables.Writer) error {
		if err := w.Later(ctx, "INSERT INTO texts (text) VALUES (?)", struct{}{}); err != nil {
			return err
		}
		var n int
		return w.QueryRowContext(ctx, "SELECT 1").Scan(&n)
	})
	if err == nil {
		t.Errorf("a transaction without one of its statements was committed")
	}
}

// TestStale has another process add what a refused claim had found to be absent.
func TestStale(t *testing.T) {
	t.Parallel()
	m := shared(t)
	l, other := m.begin(t, "run-1"), m.begin(t, "run-2")
	ledgertest.Book(t, l, claim("run-1", 1), "g-1")
	refused := claim("run-1", 2)
	refused.Trip.ID = "T1" // which is booked
	if _, err := l.Claim(t.Context(), refused); !errors.Is(err, importer.ErrClaimed) {
		t.Fatal(err)
	}
	theirs := claim("run-2", 2)
	theirs.Trip.Leg = importer.OnlyLeg
	_, err := other.Claim(t.Context(), theirs)
	must(t, err)
	ours := claim("run-1", 3)
	ours.Key, ours.Trip.Leg = theirs.Key, importer.OutboundLeg
	if _, err := l.Claim(t.Context(), ours); !errors.Is(err, importer.ErrClaimed) {
		t.Errorf("the row was claimed twice: %v", err)
	}
}

// TestBehind has a claim wait behind the transaction of another process, which
// claims the same row in another shape.
func TestBehind(t *testing.T) {
	t.Parallel()
	m := shared(t)
	l, other := m.begin(t, "run-1"), m.begin(t, "run-2")
	ledgertest.Book(t, l, claim("run-1", 1), "g-1")
	ledgertest.Book(t, other, claim("run-2", 2), "g-2")
	db, err := sql.Open("pgx", m.location)
	must(t, err)
	defer db.Close()
	holding, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = holding.Exec("SELECT FROM tripimport.state FOR UPDATE")
	must(t, err)
	theirs, ours := claim("run-2", 3), claim("run-1", 4)
	theirs.Trip.Leg = importer.OnlyLeg
	ours.Key, ours.Trip.Leg = theirs.Key, importer.OutboundLeg
	var wait sync.WaitGroup
	var errs [2]error
	for i, begin := range []func(){
		func() { _, errs[0] = other.Claim(context.Background(), theirs) },
		func() { _, errs[1] = l.Claim(context.Background(), ours) },
	} {
		wait.Go(begin)
		for waiting := 0; waiting <= i; {
			must(t, db.QueryRow("SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waiting))
		}
	}
	must(t, holding.Rollback())
	wait.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Errorf("the row's claims: %v", errs)
	}
}

// TestManyTogether has one transaction of many claims, whose questions are more than a
// socket takes at once.
func TestManyTogether(t *testing.T) {
	t.Parallel()
	m := shared(t)
	l := m.begin(t, "run-1")
	ledgertest.Book(t, l, claim("run-1", 1), "g-1")
	var jobs []func()
	var granted atomic.Int64
	for n := range 700 {
		jobs = append(jobs, func() {
			if _, err := l.Claim(context.Background(), claim("run-1", n+10)); err == nil {
				granted.Add(1)
			} else {
				t.Error(err)
			}
		})
	}
	before := l.Number()
	held(t, m.location, l, func() {}, jobs...)
	if granted.Load() != 700 || value(t, m.location, "SELECT COUNT(*) FROM tripimport.trips") != 701 {
		t.Errorf("%d granted", granted.Load())
	}
	t.Log(l.Number()-before, "commits")
}
