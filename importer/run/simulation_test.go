package run_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// randomHistory makes a schedule, its faults and its crashes from the seed.
func randomHistory(t *testing.T, seed uint64) *history {
	rng := rand.New(rand.NewPCG(seed, 1))
	var rows []string
	id := func() string { return "T" + strconv.Itoa(len(rows)) }
	for range 2 + rng.IntN(14) {
		switch link := "x" + strconv.Itoa(len(rows)); rng.IntN(12) {
		case 0:
			rows = append(rows, id()+"!")
		case 1:
			rows = append(rows, "-"+id())
		case 2:
			rows = append(rows, "~"+id())
		case 3, 4, 5:
			rows = append(rows, id()+"+"+id()+"r")
		case 6:
			rows = append(rows, id()+"+"+id()+"r+"+id()+"s")
		case 7:
			rows = append(rows, id()+"@"+link)
			rows = append(rows, id()+"@"+link)
		case 8:
			rows = append(rows, id()+"&"+link)
			rows = append(rows, id()+[]string{"", "", "!"}[rng.IntN(3)]+"&"+link)
		default:
			rows = append(rows, id())
		}
	}
	h := newHistory(t, seed, []int{1, 2, 8}[rng.IntN(3)], rows...)
	h.faults = []float64{0, 0.05, 0.2, 0.5}[rng.IntN(4)]
	if rng.IntN(4) == 0 {
		h.tokenDies = time.Now().Add(time.Duration(rng.Int64N(int64(2 * time.Second))))
	}
	for i := range h.file.mapped {
		for j := range h.file.mapped[i].Trips {
			trip := &h.file.mapped[i].Trips[j]
			switch rng.IntN(20) {
			case 0:
				h.refused[trip.ID] = true
			case 1:
				until := time.Now().Add(time.Duration(rng.Int64N(int64(time.Hour)))).Truncate(time.Minute).Add(time.Minute)
				trip.Pickup.PickupTime = importer.DateTimeOf(until.UTC())
				h.untilOf[trip.ID] = until
			}
		}
	}
	return h
}

// endings draws how each run ends: later runs are less likely to end early.
func (h *history) endings(run int) ending {
	var e ending
	early := 1 / float64(run)
	if h.draw("crash", "", run) < early {
		e.crashAt = 1 + int(h.draw("crash at", "", run)*100)
	}
	if h.draw("interrupt", "", run) < early/4 {
		e.interrupt = h.between(0, 3*time.Second, "interrupt at", "", run)
	}
	return e
}

// simulate runs one history in a bubble of synctest.
func simulate(t *testing.T, seed uint64) (h *history) {
	synctest.Test(t, func(t *testing.T) {
		h = randomHistory(t, seed)
		h.finish(h.endings)
	})
	return h
}

// TestSimulation runs many histories with failures and crashes: 10,000 of them with
// TRIPIMPORT_LONG=1, or the one with the seed of TRIPIMPORT_SEED. Each has a night of
// one schedule, one of a broker who exports a schedule again and again, and those of an
// office whose trips change after they were booked.
func TestSimulation(t *testing.T) {
	first, last := uint64(1), uint64(200)
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		last = 10_000
	}
	if text := os.Getenv("TRIPIMPORT_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("TRIPIMPORT_SEED: %v", err)
		}
		first, last = seed, seed
	}
	var all, brokers, offices tally
	var changes changeCounts
	asked := map[string]int{}
	for seed := first; seed <= last; seed++ {
		all.add(simulate(t, seed).tally)
		b := simulateBroker(t, seed)
		brokers.add(b.tally)
		o := simulateOffice(t, seed)
		offices.add(o.tally)
		changes.add(o.counts)
		for question, n := range b.asked {
			asked[question] += n
		}
		if t.Failed() {
			t.Fatalf("replay it with TRIPIMPORT_SEED=%d", seed)
		}
	}
	t.Log(all)
	t.Logf("with a broker: %v; questions: %v", brokers, asked)
	t.Logf("with changes and a dispatcher: %v; %+v", offices, changes)
}

// A history with the same seed is the same: the service gets the same requests at
// the same times.
func TestSimulationReplays(t *testing.T) {
	for seed := range uint64(20) {
		was, is := simulate(t, 1000+seed), simulate(t, 1000+seed)
		if diff := cmp.Diff(was.truth.events, is.truth.events); diff != "" {
			t.Fatalf("seed %d went another way the second time (-first +second)\n%s", 1000+seed, diff)
		}
	}
}

// TestEveryStep has the process die at each step of a small run, and then runs the
// same command until nothing is left to do.
func TestEveryStep(t *testing.T) {
	rows := []string{"A", "B+C", "D!", "E@x", "-F", "G@x", "H&y", "I&y", "J+K+L"}
	for _, workers := range []int{1, 8} {
		for _, faults := range []float64{0, 0.3} {
			t.Run(fmt.Sprintf("%d workers, faults %v", workers, faults), func(t *testing.T) {
				var all tally
				for crashAt, crashed := 1, true; crashed; crashAt++ {
					synctest.Test(t, func(t *testing.T) {
						h := newHistory(t, 7, workers, rows...)
						h.faults = faults
						h.finish(func(run int) ending {
							if run == 1 {
								return ending{crashAt: crashAt}
							}
							return ending{}
						})
						crashed = h.tally.crashes > 0
						all.add(h.tally)
					})
					if t.Failed() {
						t.Fatalf("after a crash at step %d", crashAt)
					}
				}
				t.Log(all)
			})
		}
	}
}

// Two runs at once on one ledger never send the same trip, even if they die.
func TestTwoRunsAtOnceUnderFaults(t *testing.T) {
	for seed := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			h := randomHistory(t, 5000+seed)
			h.race()
			h.finish(h.endings)
		})
	}
}

// race runs the same command in two processes at once.
func (h *history) race() {
	var both sync.WaitGroup
	processes := []*history{h.inProcess(1), h.inProcess(2)}
	for _, other := range processes {
		both.Go(func() { other.run(other.endings(2), false) })
	}
	both.Wait()
	h.runs = 2
	for _, other := range processes {
		h.tally.crashes += other.tally.crashes
	}
	time.Sleep(15 * time.Minute)
}

// inProcess returns the same history for another process.
func (h *history) inProcess(n int) *history {
	other := *h
	other.runs = n - 1
	other.tally = tally{}
	return &other
}
