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

	"tripimport/importer/sandbox"
)

// TestRaces starts the same import twice at nearly the same moment, as a
// scheduler and a person do, on one ledger: one of the two is told who holds it,
// or waits with --lock-wait and finds everything booked. Whichever it is, each
// trip is sent once. TRIPIMPORT_LONG=1 runs 100 races.
func TestRaces(t *testing.T) {
	t.Parallel()
	races := 10
	if long() {
		races = 100
	}

	random := rand.New(rand.NewPCG(2, 2026))
	var r reckoning
	locked := 0
	for i := range races {
		// A run that ends within the ledger's own patience of 250 ms is waited for
		// without being asked; a slow one is not.
		slow := time.Duration(5+200*((i+1)%2)) * time.Millisecond
		o := newOffice(t, invented(12, func(i int) bool { return i == 5 }), sandbox.Config{Delay: slow})
		locked += o.race(i%3 == 2, time.Duration(random.IntN(40))*time.Millisecond)
		o.complete(&r)
		for _, e := range o.entries() {
			if e.Again > 0 {
				t.Errorf("race %d: trip %s was sent again", i, e.TripID)
			}
		}
	}

	if locked == 0 {
		t.Error("in no race did the two runs meet")
	}
	t.Logf("%d races of two runs on one ledger: %d created twice, %d lost, %d unaccounted; %d second runs were told to wait", races, r.twice, r.lost, r.unaccounted, locked)
}

// race runs both and gives how many of them were told that the other one holds
// the ledger.
func (o *office) race(wait bool, later time.Duration) int {
	o.Helper()
	var both [2]*exec.Cmd
	var complaints [2]bytes.Buffer
	for i := range both {
		args := []string{"import", "--today", "2026-12-01", "--results", filepath.Join(o.folder, fmt.Sprintf("results-%d.csv", i))}
		if wait {
			args = append(args, "--lock-wait", "1m")
		}
		both[i] = o.process(append(args, o.schedule)...)
		both[i].Stderr = &complaints[i]
		o.must(both[i].Start())
		if i == 0 {
			time.Sleep(later)
		}
	}

	var ends []int
	for i, cmd := range both {
		_ = cmd.Wait() // its status says it
		ends = append(ends, cmd.ProcessState.ExitCode())
		if ends[i] == exitLocked && !strings.Contains(complaints[i].String(), "ledger") {
			o.Errorf("the second run was told %q", complaints[i].String())
		}
	}

	slices.Sort(ends)
	met := slices.Equal(ends, []int{exitDone, exitLocked})
	if !slices.Equal(ends, []int{exitDone, exitDone}) && (wait || !met) {
		o.Errorf("the two runs ended with %v: %s%s", ends, complaints[0].String(), complaints[1].String())
	}

	if met {
		return 1
	}
	return 0
}
