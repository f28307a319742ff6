package main

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer/sandbox"
)

// TestKills kills the real program at random moments, in the middle of nights of
// 500 rows with 8 workers, and gives the same command again until the night is
// booked. Trips whose claim was left without an answer are looked up in the
// service, as people would. TRIPIMPORT_LONG=1 goes on to a thousand kills and
// takes a quarter of an hour: go test -run TestKills -timeout 1h.
func TestKills(t *testing.T) {
	t.Parallel()
	k := &kills{wanted: 15, random: rand.New(rand.NewPCG(1, 2026))}
	if long() {
		k.wanted = 1000
	}

	for nights := 1; k.done < k.wanted && !t.Failed(); nights++ {
		k.night(t)
		if long() {
			t.Logf("night %d: %d kills so far", nights, k.done)
		}
	}
	t.Logf("%d kills (%d before anything was sent): %d created twice, %d lost, %d unaccounted; at most %d unknown after a kill, of 8 workers; %d unknown in all, %d of them booked",
		k.done, k.early, k.twice, k.lost, k.unaccounted, k.most, k.unknown, k.there)
}

// killWorkers is how many workers the killed program has.
const killWorkers = 8

// kills counts what came of all kills.
type kills struct {
	reckoning
	random      *rand.Rand
	wanted      int
	done, early int
	most        int // unknown trips after one kill
	unknown     int
	there       int // unknown trips that were booked
	sent        int // trips booked at the night's last kill
}

// night kills one night's import until it is through, or until there were
// enough kills, and then lets it finish.
func (k *kills) night(t *testing.T) {
	var arrived atomic.Pointer[chan struct{}]
	o := newOffice(t, invented(500, func(i int) bool { return i%5 == 0 }), sandbox.Config{
		// The service takes its time before it books a trip and after, so that
		// kills fall on both sides.
		Delay:      8 * time.Millisecond,
		Injections: &sandbox.InjectionPlan{Injections: []sandbox.Injection{{Kind: "late", Delay: 8 * time.Millisecond}}},
		OnRequest: func(sandbox.Operation, []byte) {
			if c := arrived.Load(); c != nil {
				*c <- struct{}{}
			}
		},
	})

	for k.sent = 0; !t.Failed(); {
		requests := make(chan struct{}, 10_000)
		arrived.Store(&requests)
		cmd := o.process("import", "--today", "2026-12-01", "--workers", "8", "--results", filepath.Join(o.folder, "results.csv"), o.schedule)
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		if k.done < k.wanted {
			k.kill(cmd, requests, ended)
		}
		err := <-ended
		o.quiet()
		if err == nil {
			o.complete(&k.reckoning)
			o.tidy()
			return
		}
		if cmd.ProcessState.ExitCode() != -1 && !strings.Contains(err.Error(), "killed") {
			t.Fatalf("the import ended with %v: %s", err, complaints.String())
		}
		k.take(o)
	}
}

// kill ends the program at a moment that chance takes: at its start, a while
// after one of its requests has arrived, or never where it is through before.
func (k *kills) kill(cmd *exec.Cmd, requests <-chan struct{}, ended chan error) {
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
		_ = cmd.Process.Kill() // it may have ended just now
	case err := <-ended:
		ended <- err
	}
}

// take counts what a kill has left, and answers for what is unknown.
func (k *kills) take(o *office) {
	o.Helper()
	k.done++
	o.hold(&k.reckoning)
	booked := o.booked()
	for _, e := range o.recorded() {
		if e.InFlight {
			o.Errorf("trip %s counts as being sent, by a process that is gone", e.TripID)
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
