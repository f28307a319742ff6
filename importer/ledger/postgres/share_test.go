package postgres

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/ledger/tables"
	"tripimport/importer/pace"
)

// A joint is the service as runs that share its rate meet it.
type joint struct {
	mu   sync.Mutex
	sent []time.Time
}

func (j *joint) send() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sent = append(j.sent, time.Now())
}

// between counts what was sent from one time to another.
func (j *joint) between(from, to time.Time) (n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, at := range j.sent {
		if at.After(from) && !at.After(to) {
			n++
		}
	}
	return n
}

// most returns how many were sent in any time that long.
func (j *joint) most(d time.Duration) (most int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	from := 0
	for to := range j.sent {
		for j.sent[to].Sub(j.sent[from]) >= d {
			from++
		}
		most = max(most, to-from+1)
	}
	return most
}

// startSender begins a run that sends as fast as it may, until stop is called.
func startSender(t *testing.T, m machine, run string, j *joint) (stop func(), gate *pace.Gate) {
	t.Helper()
	l := m.begin(t, run)
	gate = pace.New(pace.Config{Shared: true, Pausing: l.Pause})
	must(t, l.Share(t.Context(), run, 50, gate.Tell, func(err error) { t.Errorf("%s: %v", run, err) }))
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for gate.Wait(ctx) == nil {
				j.send()
			}
		})
	}
	return sync.OnceFunc(func() {
		cancel()
		wait.Wait()
		must(t, l.Close())
	}), gate
}

// waitSenders waits until the shares of so many runs are the rate's equal parts.
func waitSenders(t *testing.T, m machine, n int) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if value(t, m.location, fmt.Sprintf("SELECT COUNT(*) FROM runs WHERE ABS(share - 50.0 / %d) < 0.001", n)) == int64(n) {
			return
		}
		if time.Since(began) > 10*time.Second {
			t.Fatalf("%d runs do not share the rate", n)
		}
	}
}

// One, two and four runs send at the set rate together, within 3 %, and never faster, also
// while another one joins them. TRIPIMPORT_LONG=1 measures for a minute each.
func TestJointRate(t *testing.T) {
	t.Parallel()
	m := shared(t)
	m.store.Lease = 4 * time.Second
	steady, below, above := 2*time.Second, 0.4, 0.08 // other tests make its timers late, and what was late follows
	if long() {
		m.store.Lease, steady, below, above = 0, time.Minute, 0.03, 0.005
	}
	j := &joint{}
	began := time.Now()
	for n := 1; n <= 4; n++ {
		stop, _ := startSender(t, m, fmt.Sprint("run-", n), j)
		defer stop()
		waitSenders(t, m, n)
		if n == 3 {
			continue
		}
		time.Sleep(3 * time.Second / 2) // all know it
		from := time.Now()
		time.Sleep(steady)
		got := float64(j.between(from, time.Now())) / time.Since(from).Seconds()
		t.Logf("%d runs: %.2f/s", n, got)
		if got < 50*(1-below) || got > 50*(1+above)+float64(n)/steady.Seconds() {
			t.Errorf("%d runs send %.2f/s, want 50", n, got)
		}
	}
	if all := float64(j.between(began, time.Now())) / time.Since(began).Seconds(); all > 50 {
		t.Errorf("%.2f/s were sent from the beginning", all)
	}
	if !long() {
		return // beside other tests a late second is followed by a full one
	}
	// Each run may be one request ahead of its share, and some timers are late.
	for _, seconds := range []int{1, 5} {
		if most := j.most(time.Duration(seconds) * time.Second); most > 50*seconds+4+4 {
			t.Errorf("%d were sent in %d s", most, seconds)
		}
	}
}

// The shares that runs were told, and may still use, are never more than the rate together,
// whoever joins, dies or sets another rate, and in whatever order their renewals come.
func TestSharesInSum(t *testing.T) {
	t.Parallel()
	m := shared(t)
	m.store.Lease = time.Hour
	rate := 60.0
	var using [4]float64
	var runs [4]*Ledger
	for i := range runs {
		run := fmt.Sprint("run-", i)
		runs[i] = m.begin(t, run)
		runs[i].lease.stop() // nobody renews but the test
		must(t, runs[i].lease.send(run, func(share float64, _ time.Duration) { using[i] = share }, func(error) {}))
	}
	must(t, runs[0].SetRate(t.Context(), rate))
	for round, who := range [][]int{
		{0, 0, 0}, {1, 0, 1, 0, 1}, {2, 3, 2, 1, 3, 0, 2, 1, 3, 0}, {3, 2, 1, 0}, {0, 1, 2, 3}, {3, 3, 2, 2, 1, 1, 0, 0}, {0, 1, 2, 3}, {0, 1, 2, 3},
	} {
		for _, i := range who {
			must(t, runs[i].lease.renew(t.Context()))
			if sum := using[0] + using[1] + using[2] + using[3]; sum > rate+1e-9 {
				t.Fatalf("round %d: the shares are %v, %v in sum", round, using, sum)
			}
		}
		t.Log(using)
	}
	if using != [4]float64{15, 15, 15, 15} {
		t.Errorf("the shares are %v", using)
	}

	must(t, runs[0].SetRate(t.Context(), 20)) // those who were told of more know less of it first
	for range 6 {
		for i := range runs {
			must(t, runs[i].lease.renew(t.Context()))
		}
	}
	if using != [4]float64{5, 5, 5, 5} {
		t.Errorf("of the lower rate the shares are %v", using)
	}
	expire(t, m, "run-3")
	using[3] = 0
	for range 3 {
		for i := range runs[:3] {
			must(t, runs[i].lease.renew(t.Context()))
			if sum := using[0] + using[1] + using[2]; sum > 20+1e-9 {
				t.Errorf("the shares are %v", using)
			}
		}
	}
	if math.Abs(using[0]-20./3) > 1e-9 {
		t.Errorf("without the run that died, the shares are %v", using)
	}
}

// A pause that the service asks one run for holds in all, and the runs that come later too.
func TestJointPause(t *testing.T) {
	t.Parallel()
	m := shared(t)
	j := &joint{}
	first, _ := startSender(t, m, "run-1", j)
	defer first()
	second, _ := startSender(t, m, "run-2", j)
	defer second()
	waitSenders(t, m, 2)
	ended := time.Now().Add(9 * time.Second)
	m.open(t, "refused").Pause(9 * time.Second)
	time.Sleep(3 * renewEvery) // both know it
	third, _ := startSender(t, m, "run-3", j)
	defer third()
	from := time.Now()
	time.Sleep(min(2*time.Second, time.Until(ended)))
	if n := j.between(from, time.Now()); n > 0 {
		t.Errorf("%d were sent in the pause", n)
	}
	r, err := rateOf(t.Context(), m.open(t, "last"))
	if err != nil || r.PerSecond != 50 || r.Sending != 3 || r.Pause > 9*time.Second {
		t.Errorf("the rate is %+v, %v", r, err)
	}
	for began := time.Now(); j.between(from, time.Now()) == 0; time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > 15*time.Second {
			t.Fatal("nothing is sent after the pause")
		}
	}
}

// A run that can't renew its lease is told to send nothing before others may have its share,
// and that the ledger is away.
func TestShareWithoutLedger(t *testing.T) {
	t.Parallel()
	c := pgtest.Start(t)
	m := newMachine(t, c.NewDatabase(t))
	m.store.Lease = 3 * time.Second
	l := m.begin(t, "run-1")
	type told struct {
		share float64
		at    time.Time
	}
	shares, lost := make(chan told, 1000), make(chan error, 1000)
	must(t, l.Share(t.Context(), "run-1", 50, func(share float64, _ time.Duration) { shares <- told{share, time.Now()} }, func(err error) { lost <- err }))
	c.Stop(t, pgtest.Immediate)
	stopped := time.Now()
	wantAway(t, <-lost)
	for {
		if s := <-shares; s.share == 0 && s.at.After(stopped) {
			if s.at.Sub(stopped) > m.store.Lease {
				t.Errorf("it may send for %v", s.at.Sub(stopped))
			}
			return
		}
	}
}

// Only a rate that can be kept is set.
func TestRates(t *testing.T) {
	t.Parallel()
	m := shared(t)
	l := m.begin(t, "run-1")
	for _, rate := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		wantCode(t, l.SetRate(t.Context(), rate), "ledger-rate")
	}
	if r, err := rateOf(t.Context(), l); err != nil || r != (rate{}) {
		t.Errorf("the rate is %+v, %v", r, err)
	}
	wantCode(t, l.Share(t.Context(), "run-9", 5, nil, nil), "ledger-run-ended")
	must(t, l.SetRate(t.Context(), 7.5))
	must(t, l.Share(t.Context(), "run-1", 5, func(share float64, _ time.Duration) {
		if share != 0 && share != 7.5 {
			t.Errorf("its share is %v", share)
		}
	}, func(error) {}))
}

// A rate is that of all runs together, the number of runs that send, and the rest of a pause.
type rate struct {
	PerSecond float64
	Sending   int
	Pause     time.Duration
}

func rateOf(ctx context.Context, l *Ledger) (r rate, err error) {
	var pause float64
	err = l.Readers.Each(ctx, func(row tables.Scanner) error { return row.Scan(&r.PerSecond, &pause, &r.Sending) },
		"SELECT "+rateSQL+", "+pauseSQL+", (SELECT COUNT(*) FROM runs WHERE share IS NOT NULL AND ended = '' AND broken = 0 AND leased_until > clock_timestamp())")
	r.Pause = time.Duration(pause * float64(time.Second))
	return r, err
}
