package ledgertest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/ledger/postgres"
)

// inOrder runs all jobs in one transaction, in their order. It holds up a transaction of
// the ledger until all jobs wait behind it.
func inOrder(tb testing.TB, db *sql.DB, l ledger.Ledger, jobs []func()) {
	tb.Helper()
	ctx := tb.Context()
	holding, err := db.BeginTx(ctx, nil)
	must(tb, err)
	_, err = holding.ExecContext(ctx, "SELECT FROM tripimport.state FOR UPDATE")
	must(tb, err)
	var wait sync.WaitGroup
	wait.Go(func() { must(tb, l.ForgetLeft(ctx, 1_000_000)) }) // which nobody has
	for waiting := false; !waiting; {
		must(tb, db.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')").Scan(&waiting))
	}
	for _, job := range jobs {
		wait.Go(job)
		// As long as a job may take to its turn: a pair has one that asks the server before.
		time.Sleep(max(5*time.Millisecond, 80*time.Millisecond/time.Duration(len(jobs))))
	}
	time.Sleep(3 * time.Millisecond)
	must(tb, holding.Rollback())
	wait.Wait()
}

// A heldLedger is a ledger with a connection beside it, which reads it and holds back its
// transactions.
type heldLedger struct {
	l   ledger.Ledger
	db  *sql.DB
	url string
}

// newHeld makes a ledger with two runs. With old, the ledger also finds trips by the
// rules of earlier versions.
func newHeld(tb testing.TB, cluster *pgtest.Cluster, old bool) heldLedger {
	tb.Helper()
	store := postgres.Store{Folder: tb.TempDir()}
	url := cluster.NewDatabase(tb)
	l, err := store.Create(tb.Context(), url, ledger.Options{Who: "dana", Host: "FRONT-DESK", Command: "import"})
	must(tb, err)
	tb.Cleanup(func() { _ = l.Close() })
	db, err := sql.Open("pgx", url)
	must(tb, err)
	tb.Cleanup(func() { _ = db.Close() })
	if old {
		must(tb, l.Close())
		_, err := db.ExecContext(tb.Context(), "INSERT INTO tripimport.meta (name, value) VALUES ('old_rows', '1'), ('earlier_until', '2027-12-31')")
		must(tb, err)
		l, err = store.Open(tb.Context(), url, ledger.Options{Who: "dana", Host: "FRONT-DESK", Command: "import"})
		must(tb, err)
		tb.Cleanup(func() { _ = l.Close() })
	}
	Begin(tb, l, "run-1")
	Begin(tb, l, "run-2")
	return heldLedger{l, db, url}
}

// dump shows what is stored but for hashes.
func (h heldLedger) dump(tb testing.TB) string {
	var all strings.Builder
	for _, q := range []string{
		"SELECT id, account, CASE WHEN sealed_id IS NULL THEN trip_id ELSE 'hidden' END, service_date, minute, leg, input, sheet, row_num, attempt, resolution, taken, address, service, accepted, change, row_key IS NULL FROM trips ORDER BY id",
		"SELECT id, trip, run, number, input, row_num, leg, mapping, layout FROM attempts ORDER BY id",
		"SELECT * FROM settlements ORDER BY attempt",
		"SELECT id, attempt, account, verdict, state, guid_key FROM resolutions ORDER BY id",
		"SELECT id, attempt, run, before FROM trip_changes ORDER BY id",
		"SELECT change, state FROM change_settlements ORDER BY change",
		"SELECT id, service, provider, name FROM accounts ORDER BY id",
		"SELECT attempt, day, pickup_unit = '', times, count(*) FROM identities GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4",
		"SELECT attempt, account FROM riders ORDER BY 1, 2",
		"SELECT id, address, service FROM addresses ORDER BY id",
		"SELECT count(*) FROM texts",
		"SELECT leg, day, attempt FROM schedule_notes ORDER BY id",
		"SELECT last_trip, last_attempt FROM state",
	} {
		var text sql.NullString
		q = strings.NewReplacer(" FROM ", " FROM tripimport.").Replace(q)
		err := h.db.QueryRowContext(tb.Context(), "SELECT string_agg(t::text, E'\n') FROM ("+q+") t").Scan(&text)
		if err != nil {
			tb.Fatal(q, err)
		}
		all.WriteString(q + "\n" + text.String + "\n")
	}
	return all.String()
}

type randomJob struct {
	what string
	do   func(l ledger.Ledger, claimed []importer.Claimed) error
}

func randomClaim(r *rand.Rand, n int) (importer.Claim, string) {
	id := fmt.Sprintf("C%d-%d", n, r.IntN(6))
	trip := Trip(id)
	trip.RiderID = fmt.Sprintf("R%d-%d", n, r.IntN(4))
	var words []string
	say := func(w ...any) { words = append(words, fmt.Sprint(w...)) }
	say(id, " ", trip.RiderID)
	trip.Leg = []importer.Leg{importer.OnlyLeg, importer.OutboundLeg, importer.ReturnLeg}[r.IntN(3)]
	say(trip.Leg.Code())
	if r.IntN(3) == 0 {
		trip.Pickup.PickupTime.Hour++
		trip.Dropoff.Appt.Hour++
		say("later")
	}
	if r.IntN(4) == 0 {
		trip.Pickup.Address2 = "Unit " + strconv.Itoa(r.IntN(2))
		say(trip.Pickup.Address2)
	}
	if r.IntN(4) == 0 {
		trip.Pickup.Address1, trip.Dropoff.Address1 = trip.Dropoff.Address1, trip.Pickup.Address1
		say("back")
	}
	if r.IntN(3) == 0 {
		trip.Alias = "row"
		say("hidden")
	}
	if r.IntN(6) == 0 {
		trip.Pickup.PickupTime.Date = Night().AddDays(1)
		trip.Dropoff.Appt.Date = Night().AddDays(1)
		say("next day")
	}
	row := 10*n + r.IntN(3)
	if r.IntN(3) > 0 {
		row = 10*n + 3 + r.IntN(6)
	}
	run := "run-1"
	if r.IntN(8) == 0 {
		run = "run-none"
	}
	c := Claim(run, trip, row)
	say("row ", row, " ", run)
	c.Input = []string{"aa11", "aa12"}[r.IntN(2)]
	trip.Row.Sheet = []string{"", "Tuesday"}[r.IntN(2)]
	say(c.Input, trip.Row.Sheet)
	if r.IntN(5) == 0 {
		c.Input = fmt.Sprint("in", n)
	}
	switch r.IntN(6) {
	case 0:
		c.Account = prairie()
		say("prairie")
	case 1:
		c.Account = importer.Account{Service: Lakeshore().Service, Provider: fmt.Sprint("Provider ", n), Key: importer.NewSecret(fmt.Sprint("key", n))}
		say("new provider")
	case 2:
		c.Account.Service = testHost
		say("test host")
	}
	if r.IntN(3) > 0 {
		c.Within = 15
		say("within")
	}
	if r.IntN(4) > 0 {
		c.Key = importer.RowKey{Broker: "Alpha", ID: fmt.Sprintf("K%d-%d", n, r.IntN(2)), TripID: id, Date: trip.Date()}
		c.Key.IDs = []importer.IDUse{importer.UniqueIDs, importer.RepeatedIDs}[r.IntN(2)]
		say(c.Key.ID, c.Key.IDs)
	}
	return c, strings.Join(words, ", ")
}

func randomJobs(r *rand.Rand, n, count, held int, guids []string) []randomJob {
	ctx := context.Background()
	var jobs []randomJob
	for len(jobs) < count {
		guid := guids[r.IntN(len(guids))]
		switch k := r.IntN(20); {
		case k < 9:
			c, words := randomClaim(r, n)
			jobs = append(jobs, randomJob{"claim " + words, func(l ledger.Ledger, _ []importer.Claimed) error {
				trip := *c.Trip
				c := c
				c.Trip = &trip
				claimed, err := l.Claim(ctx, c)
				if err == nil {
					err = fmt.Errorf("attempt %d", claimed.Attempt)
				}
				return err
			}})
		case k < 15 && held > 0:
			i := r.IntN(held)
			state := []importer.State{importer.Created, importer.Created, importer.Refused, importer.NotSent, importer.Unknown}[r.IntN(5)]
			jobs = append(jobs, randomJob{fmt.Sprint("settle ", i, " ", state.Code(), " ", guid), func(l ledger.Ledger, claimed []importer.Claimed) error {
				return l.Settle(ctx, claimed[i], Settlement(state, guid))
			}})
		case k == 15 && held > 0:
			i := r.IntN(held)
			jobs = append(jobs, randomJob{fmt.Sprint("resolve ", i, guid), func(l ledger.Ledger, claimed []importer.Claimed) error {
				v, g := importer.There, guid
				if g == "" {
					v = importer.NotThere
				}
				return l.Resolve(ctx, ledger.Resolution{Attempt: claimed[i].Attempt, Verdict: v, GUID: g, Who: "sam", When: Noon().Add(24 * time.Hour)})
			}})
		case k == 16 && held > 0:
			i := r.IntN(held)
			c, words := randomClaim(r, n)
			jobs = append(jobs, randomJob{fmt.Sprint("change ", i, " ", words), func(l ledger.Ledger, claimed []importer.Claimed) error {
				cc := Change("run-1", claimed[i].Attempt, c.Trip, "pickup.pickup_time")
				claim, err := l.ClaimChange(ctx, cc)
				if err == nil {
					err = fmt.Errorf("change %d", claim.Number)
				}
				return err
			}})
		case k == 17:
			c, _ := randomClaim(r, n)
			jobs = append(jobs, randomJob{"note", func(l ledger.Ledger, _ []importer.Claimed) error { return l.NoteSchedule(ctx, c.Key, c.Trip) }})
		}
	}
	return jobs
}

// TestGroups writes random groups of jobs in one transaction each, and the same jobs one by
// one: their outcomes and all that is stored are the same. TRIPIMPORT_LONG=1 does 600
// groups of each kind, not 15.
func TestGroups(t *testing.T) {
	for seed, tt := range []struct {
		name        string
		old, linked bool
	}{{name: "as today"}, {name: "of earlier versions", old: true}, {name: "of two addresses", linked: true}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			testGroups(t, uint64(seed)+1, tt.old, tt.linked)
		})
	}
}

func testGroups(t *testing.T, seed uint64, old, linked bool) {
	t.Helper()
	cluster := pgtest.Shared(t)
	group, single := newHeld(t, cluster, old), newHeld(t, cluster, old)
	cases := 15
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		cases = 600
	}
	if linked {
		for _, h := range []heldLedger{group, single} {
			Book(t, h.l, Claim("run-1", Trip("first"), 1), "first")
			must(t, h.l.Link(t.Context(), Lakeshore().Service, testHost, ledger.Person{Who: "sam", When: Noon()}))
		}
	}
	kinds := map[string]int{}
	for n := 1; n <= cases; n++ {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		guids := []string{fmt.Sprintf("g%d-1", n), fmt.Sprintf("G%d-1", n), fmt.Sprintf("g%d-2", n), ""}
		// What is there before, one after the other: claims, of which some are settled.
		var claimed [2][]importer.Claimed
		for i, h := range []heldLedger{group, single} {
			r := rand.New(rand.NewPCG(seed+1, uint64(n)))
			for range 3 {
				c, _ := randomClaim(r, n)
				taken, err := h.l.Claim(t.Context(), c)
				if err == nil {
					claimed[i] = append(claimed[i], taken)
				}
			}
			if len(claimed[i]) > 1 {
				must(t, h.l.Settle(t.Context(), claimed[i][1], Settlement([]importer.State{importer.Created, importer.Refused, importer.Unknown}[r.IntN(3)], guids[2])))
			}
		}
		jobs := randomJobs(r, n, 2+r.IntN(7), len(claimed[0]), guids)
		var outcomes [2][]string
		say := func(err error) string {
			for _, e := range []error{importer.ErrClaimed, importer.ErrGUIDTaken} {
				if errors.Is(err, e) {
					return e.Error()
				}
			}
			return fmt.Sprint(err)
		}
		outcomes[0] = make([]string, len(jobs))
		var run []func()
		for i, j := range jobs {
			run = append(run, func() { outcomes[0][i] = say(j.do(group.l, claimed[0])) })
		}
		before := group.l.Number()
		inOrder(t, group.db, group.l, run)
		if got := group.l.Number() - before; got != 2 {
			t.Logf("case %d: %d commits", n, got)
		}
		must(t, single.l.ForgetLeft(t.Context(), 1_000_000))
		for _, j := range jobs {
			outcomes[1] = append(outcomes[1], say(j.do(single.l, claimed[1])))
		}
		for i := range jobs {
			word, _, _ := strings.Cut(jobs[i].what, " ")
			out, _, _ := strings.Cut(outcomes[1][i], "1")
			kinds[word+": "+strings.TrimRight(out, "0123456789")]++
			if outcomes[0][i] != outcomes[1][i] {
				t.Errorf("case %d, job %d (%s): together %q, alone %q", n, i, jobs[i].what, outcomes[0][i], outcomes[1][i])
			}
		}
		a, b := group.dump(t), single.dump(t)
		if a != b {
			la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
			for i := range la {
				if i < len(lb) && la[i] != lb[i] {
					t.Errorf("case %d:\ntogether %s\nalone    %s", n, la[i], lb[i])
				}
			}
		}
		if t.Failed() {
			for i, j := range jobs {
				t.Logf("%d %s: %s | %s", i, j.what, outcomes[0][i], outcomes[1][i])
			}
			t.FailNow()
		}
	}
	for k, n := range kinds {
		t.Log(n, k)
	}
}

// TestAddressesTogether claims a trip of one row under two addresses of one service, in one
// transaction.
func TestAddressesTogether(t *testing.T) {
	h := newHeld(t, pgtest.Shared(t), false)
	Book(t, h.l, Claim("run-1", Trip("first"), 1), "first")
	must(t, h.l.Link(t.Context(), Lakeshore().Service, testHost, ledger.Person{Who: "sam", When: Noon()}))
	// The account is known under both.
	a, b := Claim("run-1", Trip("a"), 2), Claim("run-1", Trip("b"), 2)
	b.Account.Service = testHost
	Book(t, h.l, func() importer.Claim { c := Claim("run-1", Trip("second"), 3); c.Account.Service = testHost; return c }(), "second")
	var errs [2]error
	inOrder(t, h.db, h.l, []func(){
		func() { _, errs[0] = h.l.Claim(t.Context(), a) },
		func() { _, errs[1] = h.l.Claim(t.Context(), b) },
	})
	wantOne(t, errs[:], importer.ErrClaimed)
	if _, err := h.l.Claim(t.Context(), Claim("run-1", Trip("c"), 4)); err != nil {
		t.Errorf("the ledger does not work any more: %v", err)
	}
}

// TestBetween has a job that asks nothing add, in one transaction, what was found to
// be absent as that began.
func TestBetween(t *testing.T) {
	ctx := context.Background()
	keyed := func(n int) importer.Claim {
		c := Claim("run-1", Trip(fmt.Sprint("T-", n)), n)
		c.Key = importer.RowKey{Broker: "Alpha", ID: fmt.Sprint("K-", n), TripID: c.Trip.ID, Date: Night()}
		c.Within = 15
		return c
	}
	for name, tt := range map[string]func(t *testing.T, h heldLedger) (first, second func() error, want error){
		"a GUID that a person gives": func(t *testing.T, h heldLedger) (first, second func() error, want error) {
			a := Send(t, h.l, keyed(10), Settlement(importer.Unknown, ""))
			b := take(t, h.l, keyed(11))
			return func() error {
				return h.l.Resolve(ctx, ledger.Resolution{Attempt: a.Attempt, Verdict: importer.There, GUID: "one-guid", Who: "sam", When: Noon().Add(time.Hour)})
			}, func() error { return h.l.Settle(ctx, b, Settlement(importer.Created, "ONE-guid")) }, importer.ErrGUIDTaken
		},
		"times that a change has": func(t *testing.T, h heldLedger) (first, second func() error, want error) {
			a := Send(t, h.l, keyed(10), Settlement(importer.Created, "g"))
			now := Trip("T-10")
			now.Pickup.Address1 = "9 Birch St"
			c := keyed(12)
			c.Trip.RiderID = now.RiderID
			c.Trip.Pickup.Address1 = "9 Birch St"
			return func() error {
				_, err := h.l.ClaimChange(ctx, Change("run-1", a.Attempt, now, "pickup.event_location.address1"))
				return err
			}, func() error { _, err := h.l.Claim(ctx, c); return err }, importer.ErrClaimed
		},
		"a row of which a person says that it is there after all": func(t *testing.T, h heldLedger) (first, second func() error, want error) {
			a := Send(t, h.l, keyed(10), Settlement(importer.Unknown, ""))
			must(t, h.l.Resolve(ctx, ledger.Resolution{Attempt: a.Attempt, Verdict: importer.NotThere, Who: "sam", When: Noon().Add(time.Hour)}))
			must(t, h.l.Begin(ctx, func() importer.RunInfo { r := Run("run-3"); r.Started = Noon().Add(4 * time.Hour); return r }()))
			c := Claim("run-1", Trip("other"), 10)
			return func() error {
				return h.l.Resolve(ctx, ledger.Resolution{Attempt: a.Attempt, Verdict: importer.There, Who: "sam", When: Noon().Add(5 * time.Hour)})
			}, func() error { _, err := h.l.Claim(ctx, c); return err }, importer.ErrClaimed
		},
		"the trips of another address": func(t *testing.T, h heldLedger) (first, second func() error, want error) {
			Book(t, h.l, keyed(5), "g5")
			a := keyed(10)
			a.Account.Service = testHost
			Book(t, h.l, a, "g")
			return func() error {
				return h.l.Link(ctx, Lakeshore().Service, testHost, ledger.Person{Who: "sam", When: Noon()})
			}, func() error { _, err := h.l.Claim(ctx, keyed(10)); return err }, importer.ErrClaimed
		},
		"ids that are hidden": func(t *testing.T, h heldLedger) (first, second func() error, want error) {
			trip := Trip(member + "-A")
			c := privateClaim("run-1", inClear(trip))
			Send(t, h.l, c, Settlement(importer.Refused, ""))
			again := privateClaim("run-1", privateTrip("-A"))
			again.Row = 77
			return func() error { return h.l.Begin(ctx, privateRun("run-p")) }, func() error { _, err := h.l.Claim(ctx, again); return err }, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHeld(t, pgtest.Shared(t), false)
			Book(t, h.l, Claim("run-1", Trip("first"), 1), "first")
			first, second, want := tt(t, h)
			var errs [2]error
			inOrder(t, h.db, h.l, []func(){func() { errs[0] = first() }, func() { errs[1] = second() }})
			if errs[0] != nil || !errors.Is(errs[1], want) {
				t.Errorf("%v; %v (%v)", errs[0], errs[1], errors.Unwrap(errs[1]))
			}
			if _, err := h.l.Claim(ctx, keyed(99)); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}
