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

// randomNight makes a schedule, its faults and its crashes from the seed.
func randomNight(t *testing.T, seed uint64) *history {
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

// endings draws how each run of the night ends: ever fewer end early.
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

// simulate plays one night out, within a bubble of its own time.
func simulate(t *testing.T, seed uint64) (h *history) {
	synctest.Test(t, func(t *testing.T) {
		h = randomNight(t, seed)
		h.finish(h.endings)
	})
	return h
}

// TestSimulation plays many nights under faults and crashes. TRIPIMPORT_LONG=1
// plays 10,000 of them, TRIPIMPORT_SEED=n the one of that number.
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
	var all tally
	for seed := first; seed <= last; seed++ {
		all.add(simulate(t, seed).tally)
		if t.Failed() {
			t.Fatalf("replay it with TRIPIMPORT_SEED=%d", seed)
		}
	}
	t.Log(all)
}

// One number replays a night: the service sees the same requests at the same
// instants.
func TestSimulationReplays(t *testing.T) {
	for seed := range uint64(20) {
		was, is := simulate(t, 1000+seed), simulate(t, 1000+seed)
		if diff := cmp.Diff(was.truth.events, is.truth.events); diff != "" {
			t.Fatalf("seed %d went another way the second time (-first +second)\n%s", 1000+seed, diff)
		}
	}
}

// TestEveryStep lets the program die at each step of a small run, and then runs
// the same command until it is done.
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

// Two runs at once on one ledger never post the same trip, whoever dies when.
func TestTwoRunsAtOnceUnderFaults(t *testing.T) {
	for seed := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			h := randomNight(t, 5000+seed)
			h.race()
			h.finish(h.endings)
		})
	}
}

// race starts the same command twice.
func (h *history) race() {
	var both sync.WaitGroup
	processes := []*history{h.twin(1), h.twin(2)}
	for _, twin := range processes {
		both.Go(func() { twin.run(twin.endings(2), false) })
	}
	both.Wait()
	h.runs = 2
	for _, twin := range processes {
		h.tally.crashes += twin.tally.crashes
	}
	time.Sleep(15 * time.Minute)
}

// twin is the same night in another process.
func (h *history) twin(n int) *history {
	twin := *h
	twin.runs = n - 1
	twin.tally = tally{}
	return &twin
}
