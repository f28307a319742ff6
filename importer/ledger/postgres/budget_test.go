package postgres

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/pace"
)

// An office is one process: connections of its own, a budget and a gate.
type office struct {
	db     *sql.DB
	budget *Budget
	gate   *pace.Gate
}

// offices opens the budget of one account as n processes do.
func offices(t *testing.T, n int, r Rate) []office {
	t.Helper()
	return officesOf(t, pgtest.Shared(t), n, r)
}

func officesOf(t *testing.T, c *pgtest.Cluster, n int, r Rate) []office {
	t.Helper()
	clearEnvironment(t)
	url := c.NewDatabase(t)
	l := at(t, "%s", url)
	maker, err := l.Connect(t.Context(), ConnectOptions{})
	if err == nil {
		err = errors.Join(migrate(t.Context(), maker, 0), maker.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	list := make([]office, n)
	for i := range list {
		db, err := l.Connect(t.Context(), ConnectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		b, err := OpenBudget(t.Context(), db, l, []byte("service"), []byte("token"), r)
		if err != nil {
			t.Fatal(err)
		}
		list[i] = office{db, b, pace.New(pace.Config{Budget: b})}
	}
	return list
}

// run lets workers of each office pass the gate for d, and returns when each passed.
func run(t *testing.T, list []office, workers []int, d time.Duration) [][]time.Time {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	passes := make([][]time.Time, len(list))
	var (
		mu sync.Mutex
		wg sync.WaitGroup
	)
	for i, o := range list {
		for range workers[i%len(workers)] {
			wg.Go(func() {
				for o.gate.Wait(ctx) == nil {
					mu.Lock()
					passes[i] = append(passes[i], time.Now())
					mu.Unlock()
				}
			})
		}
	}
	wg.Wait()
	for i, o := range list {
		if stop := o.gate.Stopped(); stop != nil {
			t.Fatalf("office %d stopped: %v", i, stop)
		}
	}
	return passes
}

// The offices together keep the rate that is set, however many they are.
func TestJointRate(t *testing.T) {
	window, low := time.Second, 0.9
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		window, low = time.Minute, 0.98
	}
	const burst = 5
	for _, test := range []struct {
		rate    float64
		offices int
	}{{50, 1}, {50, 2}, {50, 4}, {10, 4}, {300, 4}} {
		passes := run(t, offices(t, test.offices, Rate{PerSecond: test.rate, Burst: burst}), []int{8}, window)
		got := float64(len(slices.Concat(passes...))) / window.Seconds()
		most := mostInOneSecond(passes)
		t.Logf("%g/s, %d offices: %.2f/s over %v, at most %d in one second", test.rate, test.offices, got, window, most)
		least := test.rate * low
		if test.rate > 100 && window < time.Minute {
			least = 0 // in one second a busy machine doesn't come to ask as often
		}
		if high := test.rate*1.02 + burst/window.Seconds(); got < least || got > high {
			t.Errorf("%g/s, %d offices: %.2f/s over %v", test.rate, test.offices, got, window)
		}
		if float64(most) > (test.rate+burst)*1.25 { // workers wake a little late
			t.Errorf("%g/s, %d offices: %d in one second", test.rate, test.offices, most)
		}
	}
}

// mostInOneSecond returns the largest number of passes of all offices in any second.
func mostInOneSecond(passes [][]time.Time) int {
	all := slices.SortedFunc(slices.Values(slices.Concat(passes...)), time.Time.Compare)
	most, from := 0, 0
	for to := range all {
		for all[to].Sub(all[from]) > time.Second {
			from++
		}
		most = max(most, to-from+1)
	}
	return most
}

// A run with many workers leaves its part to runs with few.
func TestFairness(t *testing.T) {
	list := offices(t, 4, Rate{PerSecond: 100, Burst: 1})
	passes := run(t, list, []int{32, 16, 8, 4}, 2*time.Second)
	for i, p := range passes {
		if share := float64(len(p)) / float64(len(slices.Concat(passes...))); share < 0.15 || share > 0.35 {
			t.Errorf("office %d has %.0f %% of the passes, want about a quarter", i+1, share*100)
		}
	}
}

// A run whose requests take long gets its share in time, although another run would take
// everything.
func TestFairToSlowRun(t *testing.T) {
	list := offices(t, 2, Rate{PerSecond: 50, Burst: 1})
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	slow := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for list[1].gate.Wait(ctx) == nil {
			slow++
			time.Sleep(200 * time.Millisecond)
		}
	})
	run(t, list[:1], []int{32}, 3*time.Second)
	wg.Wait()
	if slow < 8 { // alone, it would make 15 requests in 3 s
		t.Errorf("the slow run made %d requests", slow)
	}
}

// What one office is told holds for all within a second, until its end.
func TestPauseHoldsForAll(t *testing.T) {
	list := offices(t, 4, Rate{PerSecond: 100, Burst: 10})
	const pause = 1500 * time.Millisecond
	var began time.Time
	timer := time.AfterFunc(500*time.Millisecond, func() {
		began = time.Now()
		list[0].gate.Report(importer.Reply{Kind: importer.ReplyThrottled, Status: 429, RetryAfter: pause})
	})
	defer timer.Stop()
	passes := run(t, list, []int{8}, 3500*time.Millisecond)

	after := 0
	for i, p := range passes {
		for _, at := range p {
			since := at.Sub(began)
			if since > time.Second && since < pause || i == 0 && since > 100*time.Millisecond && since < pause {
				t.Errorf("office %d passed %v into the pause", i+1, since)
			}
			if since >= pause {
				after++
			}
		}
	}
	// 1.5 s at half the rate, and no burst.
	if after < 50 || after > 80 {
		t.Errorf("%d passes after the pause, want about 75", after)
	}
}

// now is the rate in force.
func (o office) now(t *testing.T) float64 {
	t.Helper()
	s, err := o.budget.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s.Now
}

func TestRefusalsOfOnePauseHalveOnce(t *testing.T) {
	list := offices(t, 4, Rate{PerSecond: 16, Burst: 8})
	var wg sync.WaitGroup
	for _, o := range list {
		for range 8 {
			wg.Go(func() {
				o.gate.Report(importer.Reply{Kind: importer.ReplyThrottled, Status: 429, RetryAfter: time.Second})
			})
		}
	}
	wg.Wait()
	if r := list[0].now(t); r != 8 {
		t.Errorf("%g/s after the refusals of one pause, want 8", r)
	}
	for _, o := range list {
		if o.gate.Stopped() != nil {
			t.Errorf("stopped: %v", o.gate.Stopped())
		}
	}
}

func take(t *testing.T, b *Budget, n int) pace.Grant {
	t.Helper()
	g, err := b.Take(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A refusal that comes when the pause is over, of an attempt from before it, does not
// halve the rate again. One of an attempt after it does.
func TestLateRefusal(t *testing.T) {
	list := offices(t, 2, Rate{PerSecond: 1000, Burst: 1})
	first, second := list[0].budget, list[1].budget
	before := take(t, second, 1)
	if err := first.SlowDown(t.Context(), take(t, first, 1), 300*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if g := take(t, second, 1); !g.Paused || g.N != 0 || g.Wait <= 0 || g.Wait > 300*time.Millisecond {
		t.Errorf("in a pause of 300 ms: %+v", g)
	}
	time.Sleep(310 * time.Millisecond)
	if err := second.SlowDown(t.Context(), before, time.Millisecond); err != nil || list[0].now(t) != 500 {
		t.Errorf("%g/s after a late refusal, want 500: %v", list[0].now(t), err)
	}
	time.Sleep(10 * time.Millisecond)
	if err := second.SlowDown(t.Context(), take(t, second, 1), time.Millisecond); err != nil || list[0].now(t) != 250 {
		t.Errorf("%g/s after another refusal, want 250: %v", list[0].now(t), err)
	}
	if err := second.Pause(t.Context(), time.Millisecond); err != nil || list[0].now(t) != 250 {
		t.Errorf("%g/s after a pause alone, want 250: %v", list[0].now(t), err)
	}
}

// A shorter pause does not end a longer one.
func TestPauseIsNeverShortened(t *testing.T) {
	o := offices(t, 1, Rate{PerSecond: 10, Burst: 1})[0]
	for _, d := range []time.Duration{time.Minute, time.Second} {
		if err := o.budget.Pause(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := o.budget.State(t.Context()); err != nil || s.Pause < 50*time.Second || s.Pause > time.Minute {
		t.Errorf("paused for %v: %v", s.Pause, err)
	}
}

// The rate rises by a twentieth of what is set each ten seconds, up to that.
func TestRateComesBackSlowly(t *testing.T) {
	o := offices(t, 1, Rate{PerSecond: 1000, Burst: 1})[0]
	for range 20 {
		if err := o.budget.SlowDown(t.Context(), take(t, o.budget, 1), time.Microsecond); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	slowest := o.now(t)
	if slowest < 1000/64. || slowest > 1000/63. {
		t.Errorf("%g/s after 20 refusals, want a 64th of 1000", slowest)
	}
	take(t, o.budget, 1)
	if r := o.now(t); r != slowest {
		t.Errorf("%g/s at once after the last refusal", r)
	}
	for i := range 25 {
		if _, err := o.db.Exec("UPDATE budgets SET factor_at = factor_at - interval '10 s', next = clock_timestamp()"); err != nil {
			t.Fatal(err)
		}
		take(t, o.budget, 1)
		if r, want := o.now(t), min(1000, slowest+50*float64(i+1)); r < want-1 || r > want+1 {
			t.Errorf("%g/s after %d s, want %g", r, 10*(i+1), want)
		}
		take(t, o.budget, 1)
	}
}

func TestBurst(t *testing.T) {
	o := offices(t, 1, Rate{PerSecond: 1, Burst: 10})[0]
	for i := range 10 {
		if g := take(t, o.budget, 64); g.N != 1 || g.Wait > 0 {
			t.Errorf("permit %d of a burst of 10 is one of %d and due in %v: other runs wait for theirs", i+1, g.N, g.Wait)
		}
	}
	if g := take(t, o.budget, 1); g.N != 0 || g.Paused || g.Wait <= 0 || g.Wait > 500*time.Millisecond {
		t.Errorf("the permit after the burst is due in a second, and is given out half a second before that: %+v", g)
	}
}

// Neither a rate that was raised nor a clock of the server that was set back leaves runs
// waiting.
func TestNextPermitIsNeverFarAhead(t *testing.T) {
	o := offices(t, 1, Rate{PerSecond: 0.1, Burst: 1})[0]
	take(t, o.budget, 1)
	if g := take(t, o.budget, 1); g.N != 0 || g.Wait < 9*time.Second || g.Wait > 10*time.Second {
		t.Errorf("at a permit in ten seconds: %+v", g)
	}
	if err := SetRate(t.Context(), o.db, o.budget.at, []byte("service"), Rate{PerSecond: 50}); err != nil {
		t.Fatal(err)
	}
	if g := take(t, o.budget, 1); g.Wait > 100*time.Millisecond {
		t.Errorf("after the rate was raised: %+v", g)
	}
	if _, err := o.db.Exec("UPDATE budgets SET next = clock_timestamp() + interval '1 hour'"); err != nil {
		t.Fatal(err)
	}
	if g := take(t, o.budget, 1); g.Wait > 100*time.Millisecond {
		t.Errorf("after the clock was set back: %+v", g)
	}
}

// The times of permits that were given back are the next ones again, except after a
// pause.
func TestReturn(t *testing.T) {
	o := offices(t, 1, Rate{PerSecond: 250, Burst: 1})[0]
	next := func() (at time.Time) {
		t.Helper()
		if err := o.db.QueryRow("SELECT next FROM budgets").Scan(&at); err != nil {
			t.Fatal(err)
		}
		return at
	}
	g := take(t, o.budget, 5)
	if g.N != 5 || g.Every != 4*time.Millisecond {
		t.Fatalf("took %+v", g)
	}
	taken := next()
	if err := o.budget.Return(t.Context(), g, 3); err != nil || taken.Sub(next()) != 3*g.Every {
		t.Errorf("next is %v earlier after 3 of 5 were given back: %v", taken.Sub(next()), err)
	}
	if err := o.budget.Pause(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	paused := next()
	if err := o.budget.Return(t.Context(), g, 2); err != nil || !next().Equal(paused) {
		t.Errorf("permits from before a pause shorten it by %v: %v", paused.Sub(next()), err)
	}
}

// Runs that are interrupted leave nothing that others have to wait for.
func TestInterruptedRunGivesBack(t *testing.T) {
	list := offices(t, 2, Rate{PerSecond: 4, Burst: 1})
	for range 5 {
		run(t, list[:1], []int{8}, 50*time.Millisecond)
	}
	began := time.Now()
	if err := list[1].gate.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	// At most the permit that was used holds the next one back.
	if d := time.Since(began); d > 300*time.Millisecond {
		t.Errorf("another run waits %v", d)
	}
}

// A rate is set once for all; who comes with another one changes nothing.
func TestSetRate(t *testing.T) {
	list := offices(t, 2, Rate{PerSecond: 20, Burst: 3})
	again, err := OpenBudget(t.Context(), list[1].db, list[1].budget.at, []byte("service"), []byte("token"), Rate{PerSecond: 500, Burst: 50})
	if err != nil {
		t.Fatal(err)
	}
	other, err := OpenBudget(t.Context(), list[1].db, list[1].budget.at, []byte("service"), []byte("renewed token"), Rate{PerSecond: 500, Burst: 50})
	if err != nil {
		t.Fatal(err)
	}
	check := func(want Rate) {
		t.Helper()
		for _, b := range []*Budget{list[0].budget, again, other} {
			if s, err := b.State(t.Context()); err != nil || s.Rate != want || s.Now != want.PerSecond || s.Pause != 0 {
				t.Errorf("got %+v, want %+v: %v", s, want, err)
			}
		}
	}
	check(Rate{20, 3})
	if err := SetRate(t.Context(), list[0].db, list[0].budget.at, []byte("service"), Rate{PerSecond: 40}); err != nil {
		t.Fatal(err)
	}
	check(Rate{40, 1})
	if g := take(t, list[1].budget, 1); g.Every != 25*time.Millisecond {
		t.Errorf("the permits are %v apart, want those of the rate that was set", g.Every)
	}

	for _, wrong := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		var words *ledger.Error
		if err := SetRate(t.Context(), list[0].db, list[0].budget.at, []byte("service"), Rate{PerSecond: wrong}); !errors.As(err, &words) || words.Code != "ledger-rate" {
			t.Errorf("%g/s: %v, want it refused", wrong, err)
		}
		if _, err := OpenBudget(t.Context(), list[0].db, list[0].budget.at, []byte("another"), nil, Rate{PerSecond: wrong}); !errors.As(err, &words) || words.Code != "ledger-rate" {
			t.Errorf("%g/s: %v, want it refused", wrong, err)
		}
	}
	check(Rate{40, 1})
}

// Nothing passes while the database is away. The run goes on once it is back.
func TestDatabaseAway(t *testing.T) {
	c := pgtest.Start(t)
	o := officesOf(t, c, 1, Rate{PerSecond: 100, Burst: 1})[0]
	if err := o.gate.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Stop(t, pgtest.Immediate)
	passed := make(chan error)
	go func() { passed <- o.gate.Wait(t.Context()) }()
	select {
	case err := <-passed:
		t.Errorf("without the database: %v", err)
	case <-time.After(time.Second):
	}
	if _, err := o.budget.Take(t.Context(), 1); err == nil {
		t.Error("permits without the database")
	}
	c.Restart(t)
	if err := <-passed; err != nil {
		t.Errorf("the database is back, but %v", err)
	}

	if _, err := o.db.Exec("DELETE FROM budgets"); err != nil {
		t.Fatal(err)
	}
	var words *ledger.Error
	if _, err := o.budget.Take(t.Context(), 1); !errors.As(err, &words) || words.Code != "ledger-rate" {
		t.Errorf("without the row: %v", err)
	}
}

// A user who may import, and no more, can be paced and pause all, but can't set the rate.
func TestImporterIsPaced(t *testing.T) {
	c := pgtest.Shared(t)
	made := offices(t, 1, Rate{PerSecond: 100, Burst: 1})[0]
	c.Exec(t, c.URL("postgres"), "CREATE ROLE budget_clerk LOGIN")
	database := made.budget.at.config.Database
	t.Cleanup(func() { c.Exec(t, c.URL(database), "DROP OWNED BY budget_clerk; DROP ROLE budget_clerk") })
	for _, grant := range Grants("budget_clerk") {
		if _, err := made.db.Exec(grant); err != nil {
			t.Fatal(err)
		}
	}
	l := at(t, "postgres:///%s?host=%s&port=%d&user=budget_clerk", database, c.Dir, c.Port)
	db, err := l.Connect(t.Context(), ConnectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	b, err := OpenBudget(t.Context(), db, l, []byte("service"), []byte("renewed token"), Rate{PerSecond: 5})
	if err != nil {
		t.Fatal(err)
	}
	g := take(t, b, 1)
	if err := errors.Join(b.Return(t.Context(), g, 1), b.Pause(t.Context(), time.Second)); err != nil {
		t.Error(err)
	}
	var words *ledger.Error
	if err := SetRate(t.Context(), db, l, []byte("service"), Rate{PerSecond: 5}); !errors.As(err, &words) || words.Code != "ledger-access" {
		t.Errorf("setting the rate: %v", err)
	}
}

// A budget that nobody opened or used for a month is removed; one that is in use is not, as
// long as it may have been idle, nor one that pauses.
func TestUnusedBudgets(t *testing.T) {
	o := offices(t, 1, Rate{PerSecond: 100, Burst: 10})[0]
	c := pgtest.Shared(t)
	c.Exec(t, c.URL("postgres"), "CREATE ROLE earlier_clerk LOGIN")
	t.Cleanup(func() {
		c.Exec(t, c.URL(o.budget.at.config.Database), "DROP OWNED BY earlier_clerk; DROP ROLE earlier_clerk")
	})
	for _, grant := range append(Grants("earlier_clerk"), "REVOKE DELETE ON tripimport.budgets FROM earlier_clerk") {
		if _, err := o.db.Exec(grant); err != nil {
			t.Fatal(err)
		}
	}
	earlier, err := at(t, "postgres:///%s?host=%s&port=%d&user=earlier_clerk", o.budget.at.config.Database, c.Dir, c.Port).Connect(t.Context(), ConnectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer earlier.Close()

	open := func(db *sql.DB, token string) *Budget {
		t.Helper()
		b, err := OpenBudget(t.Context(), db, o.budget.at, []byte("service"), []byte(token), Rate{PerSecond: 100})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	kept := func(want string) {
		t.Helper()
		var rows string
		if err := o.db.QueryRow("SELECT string_agg(encode(account, 'escape'), ' ' ORDER BY account) FROM budgets").Scan(&rows); err != nil || rows != want {
			t.Errorf("%s are there (%v), want %s", rows, err, want)
		}
	}
	for _, token := range []string{"old", "opened again", "paused", "idle"} {
		take(t, open(o.db, token), 1)
	}
	open(o.db, "new")
	for token, change := range map[string]string{
		"old": "next = now() - interval '31 days'", "opened again": "next = now() - interval '31 days'",
		"paused": "next = now() - interval '31 days', paused_until = now() - interval '1 hour'", "idle": "next = now() - interval '29 days'",
	} {
		if _, err := o.db.Exec("UPDATE budgets SET "+change+" WHERE account = $1", []byte(token)); err != nil {
			t.Fatal(err)
		}
	}
	again := open(earlier, "opened again")
	kept("idle new old opened again paused token")
	open(o.db, "another")
	kept("another idle new opened again paused token")
	if g := take(t, again, 100); g.N == 0 {
		t.Error("no permit of a budget that was opened again")
	}
}

// The ledger keeps a rate for each service and a budget for each token, and neither in
// clear.
func TestBudgetOfLedger(t *testing.T) {
	clearEnvironment(t)
	folder := t.TempDir()
	opened, err := Store{Folder: folder}.Create(t.Context(), pgtest.Shared(t).NewDatabase(t),
		ledger.Options{Marks: []string{folder}, Machine: "machine", Who: "clerk", Host: "office", Command: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	l := opened.(*Ledger)

	const address = "https://dispatch.example/v1"
	rate := func(address, token string) float64 {
		t.Helper()
		b, err := l.Budget(t.Context(), address, importer.NewSecret(token), Rate{PerSecond: 7})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.SlowDown(t.Context(), take(t, b, 1), time.Microsecond); err != nil {
			t.Fatal(err)
		}
		s, err := b.State(t.Context())
		if err != nil || s.Now != s.Rate.PerSecond/2 {
			t.Fatalf("%+v after the first refusal of this token: %v", s, err)
		}
		return s.Rate.PerSecond
	}
	if r := rate(address, canary); r != 7 {
		t.Errorf("%g/s, want that of the first run", r)
	}
	if err := l.SetRate(t.Context(), address, Rate{PerSecond: 30, Burst: 3}); err != nil {
		t.Fatal(err)
	}
	if r := rate(address, canary+" renewed"); r != 30 {
		t.Errorf("%g/s with a renewed token, want what was set", r)
	}
	if r := rate("https://other.example", canary); r != 7 {
		t.Errorf("%g/s for another service", r)
	}

	var rows string
	if err := l.Readers.QueryRow("SELECT string_agg(encode(service || account, 'escape'), ' ') FROM budgets").Scan(&rows); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(rows, canary) || strings.Contains(rows, "dispatch") {
		t.Errorf("the rows tell the token or the address: %s", rows)
	}
}
