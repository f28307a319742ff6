package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/sqlite"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
)

// An ending is a command and the status that it must end with.
type ending struct {
	what   string
	inject []inject.Fault
	// before prepares the office.
	before func(o *endingOffice)
	args   []string // without the file
	status int
}

type endingOffice struct {
	*office
	rows []plainRow
	// onTrip is called for the first trip that the service receives, before it answers.
	onTrip func()
	once   sync.Once
}

func (o *endingOffice) importFile(args ...string) int {
	return o.run(append(append([]string{"import"}, args...), o.schedule)...).status
}

// holdLedger has another run hold the ledger.
func holdLedger(o *endingOffice) {
	held, err := sqlite.Store{}.Open(context.Background(), filepath.Join(o.home, "ledger.db"), ledger.Options{Marks: []string{o.env["TRIPIMPORT_MARKS"]}})
	o.must(err)
	o.Cleanup(func() { o.must(held.Close()) })
}

// interrupt interrupts the run while its first trip is under way: the service answers
// it once the run has taken notice.
func interrupt(o *endingOffice) {
	noticed := newWatched("finishing and recording")
	o.alsoErr = noticed
	o.onTrip = func() {
		self, err := os.FindProcess(os.Getpid())
		o.must(err)
		o.must(self.Signal(os.Interrupt))
		select {
		case <-noticed.seen:
		case <-time.After(time.Minute):
			o.Error("the run took no notice of the interrupt")
		}
	}
}

// A watched output tells when a text was written to it.
type watched struct {
	text string
	once sync.Once
	seen chan struct{}
}

func newWatched(text string) *watched { return &watched{text: text, seen: make(chan struct{})} }

func (w *watched) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(w.text)) {
		w.once.Do(func() { close(w.seen) })
	}
	return len(p), nil
}

// Each exit status has a case that must end with it, and one beside it that must
// not.
func TestEndings(t *testing.T) {
	ahead := []string{"import", "--today", "2026-12-01"}
	fails := func(kind string) []inject.Fault {
		return []inject.Fault{{Trip: "N-1", Kind: kind, Times: 1}}
	}
	first := func(o *endingOffice) { o.importFile("--today", "2026-12-01") }
	at := func(now string) func(*endingOffice) {
		return func(o *endingOffice) {
			first(o)
			o.TB.(*testing.T).Setenv("SESSION_NOW", now)
		}
	}
	change := func(column string, value any) func(*endingOffice) {
		return func(o *endingOffice) {
			first(o)
			o.rows[0][column] = value
			o.write(o.schedule, o.rows)
		}
	}
	for _, e := range []ending{
		{"0: all booked", nil, nil, ahead, exitDone},
		{"0: all booked earlier", nil, first, ahead, exitDone},
		{"8: a GUID that is missing", fails("no-guid"), nil, ahead, exitListed},
		{"1: the results can't be written", nil, func(o *endingOffice) {
			o.must(os.Mkdir(filepath.Join(o.folder, "out"), 0o700))
			o.onTrip = func() { o.must(os.RemoveAll(filepath.Join(o.folder, "out"))) }
		}, append(ahead, "-o", "out/results.csv"), exitUnexpected},
		{"not 1: they can't from the start", nil, nil, append(ahead, "-o", "out/results.csv"), exitUsage},
		{"2: a day that is past", nil, nil, []string{"import", "--today", "2026-11-20"}, exitUsage},
		{"not 2: a check of that day", nil, nil, []string{"check", "--today", "2026-11-20"}, exitDone},
		{"not 2: a rehearsal of that day", nil, nil, []string{"import", "--sandbox", "--today", "2026-11-20"}, exitDone},
		{"not 2: the real day", nil, nil, []string{"import", "--today", "2026-11-21"}, exitDone},
		{"3: refused", fails("400"), nil, ahead, exitFix},
		{"not 3: refused, and booked now", fails("400"), first, ahead, exitDone},
		{"4: may be booked", fails("500"), nil, ahead, exitPerson},
		{"not 4: said before", fails("500"), first, ahead, exitListed},
		{"not 4: said before, four hours ahead", fails("500"), at("2026-12-02 02:00"), []string{"import"}, exitListed},
		{"not 4: said before, and soon", fails("500"), at("2026-12-02 05:00"), []string{"import"}, exitListed},
		{"not 4: said before, and past", fails("500"), at("2026-12-02 23:00"), []string{"import"}, exitDone},
		{"4: a change, soon", nil, func(o *endingOffice) {
			change("Pickup Address", "99 Fern St")(o)
			at("2026-12-02 05:00")(o)
		}, []string{"import"}, exitPerson},
		{"5: no service", nil, func(o *endingOffice) { o.env["TRIPIMPORT_BASE_URL"] = "http://127.0.0.1:1" }, ahead, exitLater},
		{"not 5: no access", nil, func(o *endingOffice) { o.env["TRIPIMPORT_TOKEN"] = "tok-other" }, ahead, exitBlocked},
		{"not 6: one answer says no access", fails("401"), nil, ahead, exitDone},
		{"6: no such operation", fails("404"), nil, ahead, exitBlocked},
		{"6: a page", fails("page"), nil, ahead, exitBlocked},
		{"6: the GUID of another trip", []inject.Fault{{Trip: "N-6", Kind: "same-guid", Times: 1}}, nil, append(ahead, "--set", "workers=1"), exitBlocked},
		{"7: no rows", nil, func(o *endingOffice) { o.write(o.schedule, o.rows[:0]) }, ahead, exitInput},
		{"not 7: a row to fix", nil, func(o *endingOffice) {
			o.rows[0]["Rider ID"] = ""
			o.write(o.schedule, o.rows)
		}, ahead, exitFix},
		{"8: a change", nil, change("Pickup Address", "99 Fern St"), ahead, exitListed},
		{"not 8: a comment", nil, change("Pickup Comment", "side door"), ahead, exitDone},
		{"8: everything left out", nil, func(o *endingOffice) {
			for _, row := range o.rows {
				row["Cancelled"] = "yes"
			}
			o.write(o.schedule, o.rows)
		}, ahead, exitListed},
		{"not 8: one left out", nil, func(o *endingOffice) {
			o.rows[0]["Cancelled"] = "yes"
			o.write(o.schedule, o.rows)
		}, ahead, exitDone},
		{"11: another run", nil, holdLedger, ahead, exitLocked},
		{"not 11: a check beside it", nil, holdLedger, []string{"check", "--today", "2026-12-01"}, exitDone},
		{"130: interrupted", nil, interrupt, append(ahead, "--set", "workers=1"), exitInterrupted},
		{"not 130: stopped by --limit", nil, nil, append(ahead, "--limit", "1"), exitDone},
	} {
		t.Run(e.what, func(t *testing.T) {
			if runtime.GOOS == "windows" && (e.status == exitInterrupted || e.status == exitUnexpected) {
				t.Skip("Windows has no interrupt to send to one process, and keeps a folder in which a file is open")
			}
			o := &endingOffice{rows: inventedRows(6, func(int) bool { return false })}
			o.office = newOffice(t, o.rows, sandbox.Config{
				Faults: &inject.Plan{Faults: e.inject},
				OnRequest: func(op sandbox.Operation, _ []byte) {
					if op == sandbox.Insert && o.onTrip != nil {
						o.once.Do(o.onTrip)
					}
				},
			})
			t.Chdir(o.folder)
			if e.before != nil {
				e.before(o)
			}
			if s := o.run(append(e.args, o.schedule)...); s.status != e.status {
				t.Errorf("status %d, want %d\n%s%s", s.status, e.status, s.out, s.err)
			}
		})
	}
}

// Whoever waits for a ledger that another run holds is told at once who that is.
func TestHeldLedgerIsTold(t *testing.T) {
	o := &endingOffice{rows: inventedRows(2, func(int) bool { return false })}
	o.office = newOffice(t, o.rows, sandbox.Config{})
	t.Chdir(o.folder)
	holdLedger(o)
	s := o.run("import", "--today", "2026-12-01", "--lock-wait", "1s", o.schedule)
	if told := "waiting for the ledger, for at most 1s: it is in use: "; s.status != exitLocked || !strings.Contains(s.err, told) {
		t.Errorf("status %d, and nothing tells %q:\n%s%s", s.status, told, s.out, s.err)
	}
	s = o.run("import", "--today", "2026-12-01", o.schedule)
	if s.status != exitLocked || strings.Contains(s.err, "waiting for") {
		t.Errorf("status %d of a run that does not wait:\n%s%s", s.status, s.out, s.err)
	}
}
