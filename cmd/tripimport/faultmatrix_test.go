package main

import (
	"fmt"
	"io"
	stdlog "log"
	"maps"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/sandbox"
)

// A matrixCase is one cell of the fault matrix: one failure of the service, met
// by one trip, once.
type matrixCase struct {
	fault   sandbox.Injection
	row     int // the row whose outbound or only trip is struck
	workers int
}

// String names the case by what a failure of it is replayed with.
func (c matrixCase) String() string {
	return fmt.Sprintf("%s/row %d/%d workers", c.fault, c.row, c.workers)
}

// matrixRows is how many rows the matrix's schedule has: more than workers, so
// that a stop leaves some unsent. The one in the middle is a round trip.
const (
	matrixRows   = 12
	matrixMiddle = 6
)

// TestFaultMatrix lets the service fail in each of its ways, at the first, the
// middle and the last row, with 1 and with 8 workers, and holds the outcome
// against the design's list. Then the same command is given again, and posts
// what may be posted and nothing else; and once more after people have looked
// for the trip that may be booked, until all are booked, each once.
//
// Each failure comes at one row and one number of workers, in turn;
// TRIPIMPORT_LONG=1 takes all of them.
func TestFaultMatrix(t *testing.T) {
	var proved atomic.Int64
	for _, c := range matrixCases(long()) {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			c.prove(t)
			proved.Add(1)
		})
	}

	t.Cleanup(func() {
		if !t.Failed() {
			t.Logf("%d cases of the fault matrix: every outcome as designed, 0 created twice, 0 lost, 0 unaccounted", proved.Load())
		}
	})
}

func matrixCases(all bool) (cases []matrixCase) {
	for i, f := range matrixFaults() {
		if f.Kind == "429" && f.RetryAfter != "1" && !all {
			continue // its pause is longer
		}
		n := 0
		for _, row := range []int{1, matrixMiddle, matrixRows} {
			for _, workers := range []int{1, killWorkers} {
				if all || n == i%6 {
					cases = append(cases, matrixCase{f, row, workers})
				}
				n++
			}
		}
	}
	return cases
}

// matrixFaults gives every failure that the sandbox can make of an insertion,
// before and after the trip is booked.
func matrixFaults() []sandbox.Injection {
	kinds := strings.Fields("100 102 103 201 202 204 207 301 302 303 307 308 400 401 403 404 405 408 409 410 413 415 422 500 501 502 503 504 511")
	for _, k := range sandbox.Kinds() {
		kinds = append(kinds, k[0])
	}
	var faults []sandbox.Injection
	for _, kind := range kinds {
		for _, commit := range []string{"before", "after"} {
			f := sandbox.Injection{Kind: kind, Commit: commit}
			switch kind {
			case "slow":
				f.Delay = 20 * time.Millisecond
			case "late", "same-guid": // whose GUID it is has been told by then
				f.Delay = 150 * time.Millisecond
			}
			if _, err := sandbox.New(sandbox.Config{Injections: &sandbox.InjectionPlan{Injections: []sandbox.Injection{f}}}); err == nil {
				faults = append(faults, f)
			}
		}
	}

	return append(faults,
		sandbox.Injection{Kind: "503", RetryAfter: "1"},
		sandbox.Injection{Kind: "429", RetryAfter: "1"},
		sandbox.Injection{Kind: "429", RetryAfter: "date+2"},
		sandbox.Injection{Kind: "429", RetryAfter: "-5"},
		sandbox.Injection{Kind: "429"},
	)
}

// A fate is what the design says of a failure (section 4, reply to outcome).
type fate struct {
	state  importer.State // of the trip that met it
	status int            // of the run
	// alone reports that the run goes on for all other trips.
	alone bool
}

func fateOf(kind string) fate {
	switch kind {
	case "late", "no-guid", "429", "100", "102", "103":
		return fate{importer.Created, exitDone, true}
	case "400", "413", "422":
		return fate{importer.Refused, exitFix, true}
	case "401", "403": // access says that the token is good: the pair is closed
		return fate{importer.Refused, exitFix, false}
	case "404", "405", "415":
		return fate{importer.Refused, exitBlocked, false}
	case "301", "302", "303", "307", "308", "page":
		return fate{importer.Unknown, exitBlocked, false}
	}
	return fate{importer.Unknown, exitPerson, true}
}

// prove plays a case.
func (c matrixCase) prove(t *testing.T) {
	rows := invented(matrixRows, func(i int) bool { return i+1 == matrixMiddle })
	struck, behind := "N-"+strconv.Itoa(c.row), ""
	if c.row == matrixMiddle {
		struck, behind = struck+"-A", struck+"-B"
	}

	f := c.fault
	f.Trip, f.Times = struck, 1
	o := newOffice(t, rows, sandbox.Config{Injections: &sandbox.InjectionPlan{Injections: []sandbox.Injection{f}}})
	m := &matrixNight{office: o, c: c, struck: struck, behind: behind, seen: map[string]int{}}

	want := fateOf(f.Kind)
	sent, ended := m.night()
	if f.Kind == "same-guid" && m.firstBooked() == struck { // the GUID is its own
		want = fate{importer.Created, exitDone, true}
	}

	if c.workers > 1 && want.status == exitFix && !want.alone && m.lastRun().Totals.HalfBooked == 1 {
		want.status = exitPerson // an outbound was under way when the pair was closed to its return
	}
	m.first(want, sent)

	free := m.free()
	status := exitDone
	if want.state == importer.Unknown {
		status = exitPerson
	}

	if ended != want.status {
		t.Errorf("the first night ended with status %d, want %d", ended, want.status)
	}
	if sent, ended := m.night(); !slices.Equal(sent, free) || ended != status {
		t.Errorf("the resume sent %v and ended with status %d, want %v and %d", sent, ended, free, status)
	}

	free = nil
	if want.state == importer.Unknown {
		if len(o.booked()[struck]) == 0 {
			free = append(free, struck)
		}
		if behind != "" {
			free = append(free, behind)
		}
	}

	open := 0
	if want.state == importer.Unknown || f.Kind == "no-guid" {
		open = 1
	}
	if n := o.answer(); n != open {
		t.Errorf("%d trips were open, want %d", n, open)
	}

	if sent, ended := m.night(); !slices.Equal(sent, free) || ended != exitDone {
		t.Errorf("after the answers %v were sent and the status is %d, want %v and 0", sent, ended, free)
	}
	var r reckoning
	o.complete(&r)
}

// A matrixNight is a case under way.
type matrixNight struct {
	*office
	c              matrixCase
	struck, behind string
	seen           map[string]int // how often the service received each trip so far
	nights         int
}

// night gives the import's command and holds what must be true whatever
// happened. It gives the trips that were sent, in alphabetical order, and the
// status.
func (m *matrixNight) night() ([]string, int) {
	m.Helper()
	m.nights++
	args := []string{
		"import", "--today", "2026-12-01", "--workers", strconv.Itoa(m.c.workers), "--json",
		"--results", filepath.Join(m.folder, fmt.Sprintf("results-%d.csv", m.nights)), m.schedule,
	}

	if m.c.fault.Kind == "timeout" || m.c.fault.Kind == "slow" {
		args = append(args, "--timeout", "1s")
	}
	status := m.run(args...).status
	var r reckoning
	m.hold(&r)
	run := m.lastRun()
	if !run.Totals.Balanced() || run.Totals.RowsRead != matrixRows || run.Totals.TripsRead != matrixRows+1 {
		m.Errorf("the control totals of night %d do not balance: %+v", m.nights, run.Totals)
	}
	return m.sent(), status
}

// firstBooked gives the first trip that the service ever booked.
func (m *matrixNight) firstBooked() string {
	m.Helper()
	for _, e := range m.entries() {
		if e.Phase == sandbox.Committed {
			return e.TripID
		}
	}
	return ""
}

// sent gives the trips that the service received since it was asked last. A
// request that was reset unread is known by its claim alone.
func (m *matrixNight) sent() []string {
	m.Helper()
	now := map[string]int{}
	for _, e := range m.entries() {
		if e.Phase == sandbox.Received && e.Operation == sandbox.Insert {
			now[e.TripID]++
		}
	}

	var sent []string
	for id, n := range now {
		most := 1
		if id == m.struck && m.c.fault.Kind == "429" && m.nights == 1 {
			most = 2
		}
		if n > m.seen[id]+most {
			m.Errorf("trip %s was sent %d times in night %d", id, n-m.seen[id], m.nights)
		}
		if n > m.seen[id] {
			sent = append(sent, id)
		}
	}

	m.seen = now
	slices.Sort(sent)
	return sent
}

// first holds what became of the night in which the service failed.
func (m *matrixNight) first(want fate, sent []string) {
	m.Helper()
	recorded, totals := m.recorded(), m.lastRun().Totals
	if got := recorded[m.struck].State; got != want.state {
		m.Errorf("the trip is %s, want %s", got.Code(), want.state.Code())
	}

	if want.state != importer.Created && totals.Trips[want.state] != 1 {
		m.Errorf("%d trips are %s, want 1", totals.Trips[want.state], want.state.Code())
	}
	if m.behind != "" && (recorded[m.behind].TripID != "") != (want.state == importer.Created) {
		m.Errorf("the return is %+v, and its outbound %s", recorded[m.behind], want.state.Code())
	}

	for i, id := range m.ids {
		if id == m.struck || id == m.behind {
			continue
		}
		before := i < slices.Index(m.ids, m.struck)
		switch booked := recorded[id].State == importer.Created && recorded[id].TripID == id; {
		case want.alone && !booked, m.c.workers == 1 && before && !booked:
			m.Errorf("trip %s is not booked", id)
		case m.c.workers == 1 && !want.alone && !before && slices.Contains(sent, id):
			m.Errorf("trip %s was sent after the run had to stop", id)
		}
	}
}

// free gives the trips that a resume may send, in alphabetical order: all that
// are neither booked nor unknown, nor behind one that is unknown.
func (m *matrixNight) free() []string {
	m.Helper()
	free := map[string]bool{}
	for _, id := range m.ids {
		free[id] = true
	}

	for id, e := range m.recorded() {
		if e.State == importer.Created || e.State == importer.Unknown {
			delete(free, id)
		}
		if id == m.struck && e.State == importer.Unknown {
			delete(free, m.behind)
		}
	}
	return slices.Sorted(maps.Keys(free))
}

// TestAccessFaults lets the access operation fail: nothing is sent, and the same
// command books the night once it works.
func TestAccessFaults(t *testing.T) {
	for kind, status := range map[string]int{
		"401": exitBlocked, "403": exitBlocked, "404": exitBlocked, "405": exitBlocked, "301": exitBlocked, "308": exitBlocked,
		"429": exitLater, "500": exitLater, "502": exitLater, "503": exitLater, "reset": exitLater, "reset-headers": exitLater,
		"reset-body": exitLater, "eof": exitLater, "truncated": exitLater, "wrong-length": exitLater, "empty": exitLater,
		"page": exitLater, "endless": exitLater, "timeout": exitLater, "202": exitLater, "204": exitLater,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			plan := &sandbox.InjectionPlan{Injections: []sandbox.Injection{{On: sandbox.Access, Kind: kind, Times: 1}}}
			o := newOffice(t, invented(3, func(int) bool { return false }), sandbox.Config{Injections: plan})
			args := []string{"import", "--today", "2026-12-01", "--timeout", "2s", "--results", filepath.Join(o.folder, "results.csv"), o.schedule}
			s := o.run(args...)
			if s.status != status || !strings.Contains(s.err, "nothing was sent") {
				t.Errorf("status %d, want %d: %s", s.status, status, s.err)
			}

			if booked := o.booked(); len(booked) != 0 {
				t.Errorf("%v were booked", booked)
			}
			if s := o.run(args...); s.status != exitDone {
				t.Errorf("the resume ended with status %d: %s", s.status, s.err)
			}
			var r reckoning
			o.complete(&r)
		})
	}
}

// TestNobodyThere has no service at its address, and one with a certificate that
// nobody knows.
func TestNobodyThere(t *testing.T) {
	o := newOffice(t, invented(2, func(int) bool { return false }), sandbox.Config{})
	stranger := httptest.NewUnstartedServer(nil)
	stranger.Config.ErrorLog = stdlog.New(io.Discard, "", 0) // the refusal is on purpose
	stranger.StartTLS()
	defer stranger.Close()
	for address, status := range map[string]int{"http://127.0.0.1:1": exitLater, stranger.URL: exitBlocked} {
		o.env["TRIPIMPORT_BASE_URL"] = address
		if s := o.run("import", "--today", "2026-12-01", o.schedule); s.status != status || !strings.Contains(s.err, "nothing was sent") {
			t.Errorf("%s: status %d, want %d: %s", address, s.status, status, s.err)
		}
	}
}
