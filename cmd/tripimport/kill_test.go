package main

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
)

// TestKills kills the real program at random times while it imports 500 rows with 8
// workers, and runs the same command again until every trip is booked. Trips whose claim
// has no answer are looked up in the service's log, as people would do. TRIPIMPORT_LONG=1
// makes a thousand kills, which takes a quarter of an hour.
func TestKills(t *testing.T) {
	t.Parallel()
	testKills(t, &kills{wanted: 8, random: rand.New(rand.NewPCG(1, 2026))})
}

// TestKillsShared is TestKills with the ledger in PostgreSQL, whose server is killed in
// between as well: the program then goes on by itself.
func TestKillsShared(t *testing.T) {
	t.Parallel()
	testKills(t, &kills{wanted: 4, random: rand.New(rand.NewPCG(3, 2026)), cluster: pgtest.Start(t)})
}

func testKills(t *testing.T, k *kills) {
	if longProofs() {
		k.wanted = 1000
	}

	for nights := 1; k.done < k.wanted && !t.Failed(); nights++ {
		k.night(t)
		if longProofs() {
			t.Logf("night %d: %d kills so far", nights, k.done)
		}
	}
	t.Logf("%d kills (%d before anything was sent) and %d of the ledger's server, which %d runs did not find: %d created twice, %d lost, %d unaccounted; at most %d unknown after a kill, of 8 workers; %d unknown in all, %d of them booked",
		k.done, k.early, k.servers, k.away, k.twice, k.lost, k.unaccounted, k.most, k.unknown, k.there)
}

// killWorkers is how many workers the killed program has.
const killWorkers = 8

// kills counts the results of all kills.
type kills struct {
	bookingErrors
	random      *rand.Rand
	wanted      int
	done, early int
	most        int // unknown trips after one kill
	unknown     int // unknown trips in all
	there       int // those of them that were booked
	sent        int // trips that were booked at the last kill
	// cluster has the ledger; nil for a ledger in a file. servers counts its kills.
	cluster *pgtest.Cluster
	servers int
	away    int // runs that found no server as they began
}

// night runs one import again and again, and kills it until it ends by itself or until
// there were enough kills.
func (k *kills) night(t *testing.T) {
	var arrived atomic.Pointer[chan struct{}]
	o := newSharedOffice(t, k.cluster, inventedRows(500, func(i int) bool { return i%5 == 0 }), sandbox.Config{
		// The service waits before it books a trip and after, so that kills happen on
		// both sides.
		Delay:  8 * time.Millisecond,
		Faults: &inject.Plan{Faults: []inject.Fault{{Kind: "late", Delay: 8 * time.Millisecond}}},
		OnRequest: func(sandbox.Operation, []byte) {
			if c := arrived.Load(); c != nil {
				*c <- struct{}{}
			}
		},
	})

	for k.sent = 0; !t.Failed(); {
		requests := make(chan struct{}, 10_000)
		arrived.Store(&requests)
		servers := k.servers
		cmd := o.process("import", "--today", "2026-12-01", "--set", "workers=8", "--results", filepath.Join(o.folder, "results.csv"), o.schedule)
		var errs bytes.Buffer
		cmd.Stderr, cmd.Stdout = &errs, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		if k.done < k.wanted {
			k.kill(o, cmd, requests, ended)
		}
		err := <-ended
		o.waitForService()
		if err == nil {
			o.requireComplete(&k.bookingErrors)
			o.requireTidy()
			return
		}
		if k.servers > servers && cmd.ProcessState.ExitCode() == 5 {
			k.away++ // it did not find the server again
			continue
		}
		killed := cmd.ProcessState.ExitCode() == -1 || strings.Contains(err.Error(), "killed")
		if runtime.GOOS == "windows" { // there it ends as if it had said 1 by itself
			killed = cmd.ProcessState.ExitCode() == 1 && !strings.Contains(errs.String(), "tripimport: ")
		}
		if !killed {
			t.Fatalf("the import ended with %v: %s", err, errs.String())
		}
		k.collect(o)
	}
}

// kill kills the program at a random time: at its start, or a while after a random
// number of requests arrived. It does nothing if the program ends before.
func (k *kills) kill(o *office, cmd *exec.Cmd, requests <-chan struct{}, ended chan error) {
	wait := time.After(time.Duration(k.random.Int64N(int64(400 * time.Millisecond))))
	if k.random.IntN(10) > 1 {
		for range 1 + k.random.IntN(80) {
			select {
			case <-requests:
			case err := <-ended:
				ended <- err
				return
			}
		}
		wait = time.After(time.Duration(k.random.Int64N(int64(30 * time.Millisecond))))
	}

	select {
	case <-wait:
		if k.cluster != nil && k.random.IntN(3) == 0 {
			k.servers++
			k.cluster.Stop(o.TB, pgtest.Immediate)
			k.cluster.Restart(o.TB)
			k.kill(o, cmd, requests, ended)
			return
		}
		_ = cmd.Process.Kill() // it may have ended just now
	case err := <-ended:
		ended <- err
	}
}

// collect counts what a kill has left, and answers for the trips that are unknown.
func (k *kills) collect(o *office) {
	o.Helper()
	k.done++
	o.wait()
	o.compareWithLog(&k.bookingErrors)
	booked := o.booked()
	for _, e := range o.recorded() {
		if e.Standing.State == importer.TripSending {
			o.Errorf("trip %s is recorded as being sent by a process that was killed", e.TripID)
		}
		if e.State.Code() == "unknown" && len(booked[e.TripID]) > 0 {
			k.there++
		}
	}

	open := o.answer()
	if open > killWorkers {
		o.Errorf("%d trips are unknown after a kill, of %d workers", open, killWorkers)
	}
	if sent := len(booked); sent == k.sent {
		k.early++
	} else {
		k.sent = sent
	}

	k.unknown += open
	k.most = max(k.most, open)
}
