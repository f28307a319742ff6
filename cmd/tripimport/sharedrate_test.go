package main

import (
	"fmt"
	"math"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/sandbox"
)

// TestSharedRate has one, two and four machines import at the same time with a shared
// ledger: together they are as fast as is set, whatever their number. TRIPIMPORT_LONG=1
// measures a minute of each, to 2 %.
func TestSharedRate(t *testing.T) {
	t.Parallel()
	rate, span, allowed, numbers := 20, 3*time.Second, 0.3, []int{1, 4}
	if longProofs() {
		rate, span, allowed, numbers = 50, time.Minute, 0.02, []int{1, 2, 4}
	}
	var mu sync.Mutex
	var arrived []time.Time
	rows := inventedRows(4*8*rate*int(math.Ceil(span.Seconds()/8)), func(int) bool { return false })
	o := newSharedOffice(t, pgtest.Start(t), rows, sandbox.Config{OnRequest: func(op sandbox.Operation, _ []byte) {
		mu.Lock()
		defer mu.Unlock()
		if op == sandbox.Insert {
			arrived = append(arrived, time.Now())
		}
	}})
	o.cluster.Exec(t, o.database, fmt.Sprintf("INSERT INTO tripimport.meta (name, value) VALUES ('rate', '%d') ON CONFLICT (name) DO UPDATE SET value = excluded.value", rate))
	o.env["TRIPIMPORT_RATE"] = "0" // no limit of a machine's own
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(arrived)
	}

	machines := o.machines(rows)
	for i, m := range machines { // none meets another one's trips
		o.write(m.schedule, rows[i*len(rows)/4:(i+1)*len(rows)/4])
	}
	for _, n := range numbers {
		before := count()
		commands := o.startAll(machines[:n])
		for count() < before+n*rate { // all of them are sending
			time.Sleep(10 * time.Millisecond)
		}
		begin := time.Now()
		time.Sleep(span)
		for _, cmd := range commands {
			_ = cmd.Process.Kill() // more than a minute is left
			_ = cmd.Wait()
		}

		mu.Lock()
		within := len(slices.DeleteFunc(slices.Clone(arrived), func(at time.Time) bool { return at.Before(begin) || at.Sub(begin) > span }))
		mu.Unlock()
		got := float64(within) / span.Seconds()
		t.Logf("%d machines: %.2f requests a second for %v, %d are set", n, got, span, rate)
		if math.Abs(got-float64(rate)) > allowed*float64(rate) {
			t.Errorf("%d machines: %.2f requests a second, want %d", n, got, rate)
		}
		o.wait()
	}
}

// startAll starts an import on each machine.
func (o *office) startAll(machines []machine) []*exec.Cmd {
	o.Helper()
	env := o.env
	defer func() { o.env = env }()
	var all []*exec.Cmd
	for _, m := range machines {
		o.env = m.env
		cmd := o.process("import", "--today", "2026-12-01", "--set", "workers=8", "--results", m.schedule+".results.csv", m.schedule)
		o.must(cmd.Start())
		all = append(all, cmd)
	}
	return all
}
