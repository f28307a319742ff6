package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/sandbox"
)

// TestSharedLedger has four machines import overlapping schedules at the same time, with a
// ledger in PostgreSQL that they share, and kills the program on them and the ledger's
// server at random. People look up the trips that may be booked. In the end each trip is
// booked once. TRIPIMPORT_LONG=1 imports 20,000 trips.
func TestSharedLedger(t *testing.T) {
	t.Parallel()
	trips, kills := 200, 2
	if longProofs() {
		trips, kills = 20_000, 12
	}
	random := rand.New(rand.NewPCG(4, 2026))
	rows := inventedRows(trips, func(int) bool { return false })
	o := newSharedOffice(t, pgtest.Start(t), rows, sandbox.Config{Delay: 2 * time.Millisecond})
	machines := o.machines(rows)

	began, killed := time.Now(), 0
	for round := 1; ; round++ {
		if round > kills+6 {
			t.Fatal("the imports never end")
		}
		ends := o.importAll(machines, round <= kills, random)
		for i, end := range ends {
			switch end.status {
			case exitDone:
			case exitKilled:
				killed++
			case exitLater, exitPerson: // a run that was ended by others, or trips of killed runs
			default:
				t.Fatalf("machine %d ended with %d: %s", i, end.status, end.text)
			}
		}
		o.waitForService()
		if round > kills && !slices.ContainsFunc(ends, func(e machineEnd) bool { return e.status != exitDone }) {
			break
		}
		o.wait()
		o.answer()
	}

	var r bookingErrors
	o.compareWithLog(&r)
	booked := o.booked()
	for _, id := range o.ids {
		if len(booked[id]) != 1 {
			t.Errorf("trip %s is booked %d times", id, len(booked[id]))
		}
		delete(booked, id)
	}
	if len(booked) > 0 {
		t.Errorf("%d trips are booked and in no schedule", len(booked))
	}
	if s := o.run("ledger", "verify"); s.status != exitDone {
		t.Errorf("verify ends with %d: %s%s", s.status, s.out, s.err)
	}
	t.Logf("%d trips by 4 machines with 8 workers each, in %v: %d kills of the program", trips, time.Since(began).Round(time.Second), killed)
}

// exitKilled is the status of a process that was killed.
const exitKilled = -1

// A machine has a home of its own, with the ledger's key, and a schedule.
type machine struct {
	schedule string
	env      map[string]string
}

// machines makes four machines. Each has half of the rows, and shares each of them with
// another one.
func (o *office) machines(rows []plainRow) []machine {
	o.Helper()
	keys, err := filepath.Glob(filepath.Join(o.home, "shared", "*.key"))
	o.must(err)
	env := o.env
	defer func() { o.env = env }()

	var all []machine
	for i := range 4 {
		folder := filepath.Join(o.folder, fmt.Sprintf("machine-%d", i))
		o.must(os.MkdirAll(folder, 0o700))
		m := machine{schedule: filepath.Join(folder, "night.csv"), env: maps.Clone(env)}
		m.env["TRIPIMPORT_HOME"], m.env["TRIPIMPORT_MARKS"] = filepath.Join(folder, "home"), filepath.Join(folder, "marks")
		m.env["TRIPIMPORT_MACHINE_ID"] = fmt.Sprint("machine-", i)
		quarter := len(rows) / 4
		o.write(m.schedule, append(slices.Clone(rows[i*quarter:(i+1)*quarter]), rows[(i+1)%4*quarter:((i+1)%4+1)*quarter]...))
		o.env = m.env
		if s := o.run("ledger", "join", "--key", keys[0]); s.status != exitDone {
			o.Fatalf("join ends with %d: %s", s.status, s.err)
		}
		all = append(all, m)
	}
	return all
}

// A machineEnd is how a process ended, and what it printed.
type machineEnd struct {
	status int
	text   string
}

// importAll runs the import on all machines at the same time. With kills, it kills one of
// them and the ledger's server meanwhile.
func (o *office) importAll(machines []machine, kills bool, random *rand.Rand) []machineEnd {
	o.Helper()
	commands := make([]*exec.Cmd, len(machines))
	texts := make([]bytes.Buffer, len(machines))
	env := o.env
	for i, m := range machines {
		o.env = m.env
		commands[i] = o.process("import", "--today", "2026-12-01", "--set", "workers=8", "--results", m.schedule+".results.csv", m.schedule)
		commands[i].Stdout, commands[i].Stderr = &texts[i], &texts[i]
		o.must(commands[i].Start())
	}
	o.env = env

	var all sync.WaitGroup
	ends := make([]machineEnd, len(machines))
	for i, cmd := range commands {
		all.Go(func() {
			_ = cmd.Wait() // its status says it
			ends[i] = machineEnd{cmd.ProcessState.ExitCode(), texts[i].String()}
		})
	}
	if kills {
		time.Sleep(time.Duration(300+random.IntN(1500)) * time.Millisecond)
		_ = commands[random.IntN(len(commands))].Process.Kill() // it may have ended
		if random.IntN(2) == 0 {
			o.cluster.Stop(o.TB, pgtest.Immediate)
			o.cluster.Restart(o.TB)
		}
	}
	all.Wait()
	return ends
}
