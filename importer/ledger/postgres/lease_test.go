package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
)

// A process that is not heard of for the time of its lease loses its run to the next one
// that begins: what it claimed is unclear, and it can't claim anything more. An answer that
// it still has is recorded, unless a person has answered meanwhile.
func TestPausedProcess(t *testing.T) {
	t.Parallel()
	m := shared(t)
	m.store.Lease = 2 * time.Second
	paused, other := m.begin(t, "run-1"), m.open(t, "other")
	var tickets []importer.Ticket
	for n := range 2 {
		ticket, err := paused.Claim(t.Context(), step("run-1", n))
		must(t, err)
		tickets = append(tickets, ticket)
	}
	time.Sleep(3 * m.store.Lease / 2)
	wantTrip(t, other, 0, importer.TripSending) // its lease was renewed

	paused.lease.stop()
	time.Sleep(3 * m.store.Lease / 2)
	unclear := wantTrip(t, other, 1, importer.TripUnclear)
	if run, err := other.Run(t.Context(), "run-1"); err != nil || run.Live {
		t.Errorf("the run is %+v, %v", run, err)
	}
	if _, err := other.Claim(t.Context(), step("run-2", 5)); err == nil {
		t.Error("claimed for a run that nobody began")
	}
	ledgertest.Begin(t, other, "run-2")
	s := ledgertest.Step(t, other, "run-2", row(1), 0)
	if _, err := other.Claim(t.Context(), s); !errors.Is(err, importer.ErrMeanwhile) {
		t.Errorf("a trip that may be booked was claimed: %v", err)
	}
	must(t, other.Record(t.Context(), importer.Effect{
		Answer: importer.Answer{Trip: unclear.Number, Verdict: importer.NotThere, Who: "dana", At: ledgertest.Noon().Add(time.Hour)},
		Saw:    []importer.LastEvent{{Trip: unclear.Number, Event: unclear.Event}}, State: importer.TripNotSent,
	}))
	ledgertest.Book(t, other, "run-2", row(1), "00000000-0000-4000-8000-00000000da1a")

	_, err := paused.Claim(t.Context(), step("run-1", 3))
	wantCode(t, err, "ledger-run-ended")
	must(t, paused.Settle(t.Context(), tickets[0], booked(0)))
	wantCode(t, paused.Settle(t.Context(), tickets[1], booked(1)), "ledger-settled")
	wantTrip(t, other, 0, importer.TripBooked)
	if got := wantTrip(t, other, 1, importer.TripBooked).GUID; got != "00000000-0000-4000-8000-00000000da1a" {
		t.Errorf("the trip that was sent again has the GUID %s", got)
	}
	checkWhole(t, other)
}

// A process that slept past its lease, and whose run nobody has ended, goes on, without the share that
// others may have by now.
func TestLapsedLease(t *testing.T) {
	t.Parallel()
	m := shared(t)
	l, other := m.begin(t, "run-1"), m.open(t, "other")
	for n := range 3 {
		expire(t, m, "run-1")
		must(t, bookOne(l, "run-1", n))
		ticket, err := l.Claim(t.Context(), step("run-1", n+10))
		must(t, err)
		wantTrip(t, other, n+10, importer.TripSending)
		must(t, l.Settle(t.Context(), ticket, booked(n+10)))
	}
	l.lease.stop()
	var share float64
	must(t, l.Share(t.Context(), "run-1", 50, func(perSecond float64, _ time.Duration) { share = perSecond }, func(error) {}))
	expire(t, m, "run-1")
	must(t, bookOne(l, "run-1", 20))
	if share != 0 {
		t.Errorf("it may send %v a second", share)
	}
	checkWhole(t, other)
}

// A run that others ended because its process sent nothing does not count as going on,
// whatever it does next. The numbers of later runs are greater.
func TestRunEndedByOthers(t *testing.T) {
	t.Parallel()
	m := shared(t)
	silent := m.begin(t, "silent")
	must(t, bookOne(silent, "silent", 1))
	silent.lease.stop() // one more renewal would have it heard of again
	expire(t, m, "silent")
	m.begin(t, "another")
	for name, do := range map[string]func() error{
		"claim": func() error { _, err := silent.Claim(t.Context(), step("silent", 2)); return err },
		"words": func() error {
			_, err := silent.Arrive(t.Context(), "silent", importer.Reading{Arrival: ledgertest.Arrival(0), Rows: ledgertest.Rows(row(3))})
			return err
		},
		"end": func() error {
			return silent.End(t.Context(), "silent", importer.Totals{}, ledgertest.Noon(), "finished")
		},
	} {
		err := do()
		t.Log(name)
		wantCode(t, err, "ledger-run-ended")
	}
	if value(t, m.location, "SELECT MAX(num) FROM runs WHERE id = 'silent'") >= value(t, m.location, "SELECT num FROM runs WHERE id = 'another'") {
		t.Error("the number of the later run is not greater")
	}
}

// A process that ends without ending its run leaves what it claimed unclear.
func TestDeadProcess(t *testing.T) {
	t.Parallel()
	m := shared(t)
	m.store.Lease = time.Second
	dead := m.begin(t, "run-1")
	_, err := dead.Claim(t.Context(), step("run-1", 1))
	must(t, err)
	must(t, dead.Close())
	other := m.open(t, "other")
	for began := time.Now(); ledgertest.Look(t, other, row(1)).Trips[0].State != importer.TripUnclear; time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > 2*m.store.Lease {
			t.Fatal("its trip still counts as being sent")
		}
	}
}

// Four processes claim the same trips, with eight workers each: each trip is claimed once.
func TestSameTrips(t *testing.T) {
	t.Parallel()
	m := shared(t)
	const processes, workers, rows = 4, 8, 60
	var granted [rows]atomic.Int64
	var wait sync.WaitGroup
	for p := range processes {
		run := fmt.Sprint("run-", p)
		l := m.begin(t, run)
		for w := range workers {
			wait.Go(func() {
				for i := range rows {
					n := (i*7 + p*13 + w*29) % rows
					err := bookOne(l, run, n)
					if err == nil {
						granted[n].Add(1)
					} else if !errors.Is(err, importer.ErrMeanwhile) {
						t.Error(err)
					}
				}
			})
		}
	}
	wait.Wait()
	last := m.open(t, "last")
	for n := range rows {
		if granted[n].Load() != 1 || wantTrip(t, last, n, importer.TripBooked).Attempts != 1 {
			t.Errorf("row %d was claimed %d times", n, granted[n].Load())
		}
	}
	checkWhole(t, last)
}

// A change that one process claims is refused to the others, and the newest words of any
// process hold for all.
func TestWordsOfOthers(t *testing.T) {
	t.Parallel()
	m := shared(t)
	one, other := m.begin(t, "run-1"), m.begin(t, "run-2")
	ledgertest.Arrive(t, one, "run-1", ledgertest.Arrival(0), row(1))
	seen := ledgertest.Step(t, other, "run-2", row(1), 0)
	changed := row(1)
	changed.Trips[0].Pickup.PickupTime.Minute = 45
	ledgertest.Arrive(t, one, "run-1", ledgertest.Arrival(10), changed)
	if _, err := other.Claim(t.Context(), seen); !errors.Is(err, importer.ErrMeanwhile) {
		t.Errorf("claimed although the word is another: %v", err)
	}
	ledgertest.Book(t, other, "run-2", changed, "00000000-0000-4000-8000-000000000001")
	key := "pickup.pickup_time"
	mine, theirs := ledgertest.Change(t, one, "run-1", changed, key), ledgertest.Change(t, other, "run-2", changed, key)
	ledgertest.Claim(t, one, mine)
	if _, err := other.Claim(t.Context(), theirs); !errors.Is(err, importer.ErrMeanwhile) {
		t.Errorf("the change was claimed twice: %v", err)
	}
}

// A provider's new key, which another process took, holds for a run that goes on: it claims
// nothing under the old one.
func TestKeysOfOthers(t *testing.T) {
	t.Parallel()
	m := shared(t)
	one, other := m.begin(t, "run-1"), m.open(t, "other")
	must(t, bookOne(one, "run-1", 1))
	renewed := ledgertest.Account(ledgertest.Lakeshore().Provider, "the-new-key")
	must(t, other.Rekey(t.Context(), renewed, ledgertest.Dana()))
	_, err := one.Claim(context.Background(), step("run-1", 2))
	wantCode(t, err, "ledger-provider-key")
	s := step("run-1", 2)
	s.Account = renewed
	ledgertest.Send(t, one, s, booked(2))
}
