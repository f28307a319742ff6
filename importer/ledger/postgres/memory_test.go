package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
)

func dana() ledger.Person { return ledger.Person{Who: "dana", When: ledgertest.Noon()} }

// The other processes know what one process decides, changes and takes back.
func TestDecisionsOfOthers(t *testing.T) {
	t.Parallel()
	m := shared(t)
	one, other := m.open(t, "one"), m.open(t, "other")
	about := importer.Decision{Question: importer.AskDoubleBooking, Trip: ledgertest.Trip("1")}
	left := importer.Decision{Other: 7}
	want := func(d importer.Decision, verdict importer.Verdict) {
		t.Helper()
		for _, l := range []*Ledger{one, other} {
			if v, err := l.Decided(t.Context(), d); v != verdict || err != nil {
				t.Errorf("%s has %q, %v, want %q", l.engine.session.who, v, err, verdict)
			}
		}
	}

	want(about, importer.NoVerdict)
	must(t, other.Decide(t.Context(), about, importer.Meant, dana()))
	want(about, importer.Meant)
	must(t, one.Decide(t.Context(), about, importer.LeaveIt, dana()))
	want(about, importer.LeaveIt)
	must(t, other.Decide(t.Context(), left, importer.LeaveIt, dana()))
	want(left, importer.LeaveIt)
	must(t, one.ForgetLeft(t.Context(), left.Other))
	want(left, importer.NoVerdict)
	want(about, importer.LeaveIt)
}

// A provider's new key, which another process took, holds for a run that goes on: it
// claims nothing under the old one.
func TestKeysOfOthers(t *testing.T) {
	t.Parallel()
	m := shared(t)
	one, other := m.begin(t, "run-1"), m.open(t, "other")
	ledgertest.Book(t, one, claim("run-1", 1), "guid-1")

	renewed := ledgertest.Lakeshore()
	renewed.Key = importer.NewSecret("the-new-key")
	must(t, other.Rekey(t.Context(), renewed, "", dana()))
	_, err := one.Claim(t.Context(), claim("run-1", 2))
	wantCode(t, err, "ledger-provider-key")

	c := claim("run-1", 2)
	c.Account = renewed
	ledgertest.Book(t, one, c, "guid-2")
	if _, known, err := one.Find(t.Context(), renewed, ledgertest.Trip("T1")); !known || err != nil {
		t.Errorf("what was booked under the old key: %v, %v", known, err)
	}
}

// If another process links or separates two addresses, that takes effect for a run that
// goes on.
func TestServicesOfOthers(t *testing.T) {
	t.Parallel()
	m := shared(t)
	one, other := m.begin(t, "run-1"), m.open(t, "other")
	known, moved := ledgertest.Lakeshore().Service, "https://new.example.test/v1"
	there := func(n int) importer.Claim {
		c := claim("run-1", n)
		c.Account.Service = moved
		return c
	}

	ledgertest.Book(t, one, claim("run-1", 1), "guid-1")
	must(t, other.Separate(t.Context(), moved, dana()))
	ledgertest.Book(t, one, there(2), "guid-2") // under an account of its own, which it remembers
	must(t, other.Link(t.Context(), known, moved, dana()))
	if _, err := one.Claim(t.Context(), there(1)); !errors.Is(err, importer.ErrClaimed) {
		t.Errorf("a trip of the service that was linked could be claimed: %v", err)
	}
	if _, err := one.Claim(t.Context(), claim("run-1", 2)); !errors.Is(err, importer.ErrClaimed) {
		t.Errorf("a trip at the address that was linked could be claimed: %v", err)
	}

	must(t, other.Separate(t.Context(), moved, dana()))
	c := there(1)
	c.Row = 9
	ledgertest.Book(t, one, c, "guid-1b")
	checkWhole(t, one)
}

// An account that a look-up found before others took another key for it is not
// remembered after that.
func TestAccountChangedDuringALookUp(t *testing.T) {
	t.Parallel()
	m := shared(t)
	p := newProxy(t, m.location)
	ledgertest.Book(t, m.begin(t, "run-2"), claim("run-2", 1), "guid-1")
	one, other := m.at(p.location).begin(t, "run-1"), m.open(t, "other")

	asked, found := make(chan struct{}), make(chan struct{})
	var asking atomic.Pointer[link]
	p.set(func(l *link, m message) fate {
		if m.kind == 'B' && bytes.Contains(m.body, []byte("lakeshore transit")) {
			asking.Store(l)
		}
		if m.kind != 'S' || !asking.CompareAndSwap(l, nil) {
			return pass
		}
		close(asked)
		return hold
	})
	go func() {
		defer close(found)
		_, _, _ = one.Find(context.Background(), ledgertest.Lakeshore(), ledgertest.Trip("T1")) // it is right at this time
	}()
	<-asked
	p.set(nil)
	renewed := ledgertest.Lakeshore()
	renewed.Key = importer.NewSecret("the-new-key")
	time.Sleep(50 * time.Millisecond) // the server answers meanwhile
	must(t, other.Rekey(t.Context(), renewed, "", dana()))
	must(t, one.NoteSlot(t.Context(), ledger.SlotEvent{At: ledgertest.Noon(), Slot: "21:30", Kind: "began"}))
	close(p.released)
	<-found
	_, err := one.Claim(t.Context(), claim("run-1", 2))
	wantCode(t, err, "ledger-provider-key")
}

// Ids that a run has to hide are hidden as well where another run, of an older mapping,
// books in clear meanwhile.
func TestIDsInClearOfOthers(t *testing.T) {
	t.Parallel()
	m := shared(t)
	run := func(name string, private bool) *Ledger {
		l := m.open(t, name)
		info := ledgertest.Run(name)
		info.RowIDs = importer.RowIDs{Broker: "Lakeshore", Columns: "Member+Date", Private: private}
		must(t, l.Begin(t.Context(), info))
		return l
	}
	clear := func() int64 {
		return value(t, m.location, "SELECT COUNT(*) FROM trips WHERE sealed_id IS NULL")
	}

	older := run("older", false)
	ledgertest.Book(t, older, claim("older", 1), "guid-1")
	newer := run("newer", true)
	if n := clear(); n != 0 {
		t.Fatalf("%d ids are in clear after a run that hides them began", n)
	}
	ledgertest.Book(t, older, claim("older", 2), "guid-2")
	for name, l := range map[string]*Ledger{"older": older, "newer": newer} {
		must(t, l.End(t.Context(), name, importer.Totals{}, ledgertest.Noon(), "finished"))
	}
	run("last", true)
	if n := clear(); n != 0 {
		t.Errorf("%d ids are in clear", n)
	}
	if n := value(t, m.location, "SELECT COUNT(*) FROM brokers WHERE hidden = 1"); n != 1 {
		t.Error("the next run looks for ids in clear among all trips, although nobody booked any")
	}
}

// A run that others ended because its process sent nothing does not count as going on,
// whatever it does next.
func TestRunEndedByOthers(t *testing.T) {
	t.Parallel()
	m := shared(t)
	n := 0
	for name, next := range map[string]func(*Ledger, string) error{
		"claim": func(l *Ledger, run string) error {
			_, err := l.Claim(context.Background(), claim(run, 9))
			return err
		},
		"change": func(l *Ledger, run string) error {
			_, err := l.ClaimChange(context.Background(), ledgertest.Change(run, 1, ledgertest.Trip("T1"), "pickup.pickup_time"))
			return err
		},
		"end": func(l *Ledger, run string) error {
			return l.End(context.Background(), run, importer.Totals{}, ledgertest.Noon(), "finished")
		},
	} {
		t.Run(name, func(t *testing.T) {
			n++
			silent := m.begin(t, "silent "+name)
			ledgertest.Book(t, silent, claim("silent "+name, n), fmt.Sprint("guid-", n))
			expire(t, m, "silent "+name)
			m.begin(t, "another "+name)
			wantCode(t, next(silent, "silent "+name), "ledger-run-ended")
		})
	}
}
