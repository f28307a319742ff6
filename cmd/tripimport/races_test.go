package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/sandbox"
)

// TestRaces starts the same import twice at nearly the same time, on one ledger. One of
// the two is refused since the ledger is locked, or waits (--lock-wait) and finds
// everything booked. Each trip is sent once. TRIPIMPORT_LONG=1 runs 100 races.
func TestRaces(t *testing.T) {
	t.Parallel()
	testRaces(t, nil)
}

// TestRacesShared starts the same import twice on a ledger in PostgreSQL: none is refused,
// and each trip is sent once, by either of them.
func TestRacesShared(t *testing.T) {
	t.Parallel()
	testRaces(t, pgtest.Start(t))
}

func testRaces(t *testing.T, cluster *pgtest.Cluster) {
	races := 10
	if longProofs() {
		races = 100
	}

	random := rand.New(rand.NewPCG(2, 2026))
	var r bookingErrors
	locked := 0
	for i := range races {
		// The ledger always waits 250 ms for its lock: a short run is waited for, a
		// long one is not.
		slow := time.Duration(5+200*((i+1)%2)) * time.Millisecond
		o := newSharedOffice(t, cluster, inventedRows(12, func(i int) bool { return i == 5 }), sandbox.Config{Delay: slow})
		locked += o.race(i%3 == 2, time.Duration(random.IntN(40))*time.Millisecond)
		o.requireComplete(&r)
		for _, e := range o.entries() {
			if e.Again > 0 {
				t.Errorf("race %d: trip %s was sent again", i, e.TripID)
			}
		}
	}

	if (locked == 0) != (cluster != nil) {
		t.Errorf("%d runs of all races were refused", locked)
	}
	t.Logf("%d races of two runs on one ledger: %d created twice, %d lost, %d unaccounted; %d runs were refused", races, r.twice, r.lost, r.unaccounted, locked)
}

// race runs both imports and returns how many of them were refused since the other one
// holds the ledger.
func (o *office) race(wait bool, later time.Duration) int {
	o.Helper()
	var both [2]*exec.Cmd
	var errs [2]bytes.Buffer
	for i := range both {
		args := []string{"import", "--today", "2026-12-01", "--results", filepath.Join(o.folder, fmt.Sprintf("results-%d.csv", i))}
		if wait {
			args = append(args, "--lock-wait", "1m")
		}
		both[i] = o.process(append(args, o.schedule)...)
		both[i].Stdout, both[i].Stderr = &errs[i], &errs[i]
		o.must(both[i].Start())
		if i == 0 {
			time.Sleep(later)
		}
	}

	var ends []int
	for i, cmd := range both {
		_ = cmd.Wait() // its status is checked below
		ends = append(ends, cmd.ProcessState.ExitCode())
		if ends[i] == exitLocked && !strings.Contains(errs[i].String(), "ledger") {
			o.Errorf("the second run printed %q", errs[i].String())
		}
	}

	slices.Sort(ends)
	met := slices.Equal(ends, []int{exitDone, exitLocked})
	if !slices.Equal(ends, []int{exitDone, exitDone}) && (wait || !met) {
		o.Errorf("the two runs ended with %v: %s%s", ends, errs[0].String(), errs[1].String())
	}

	if met {
		return 1
	}
	return 0
}
