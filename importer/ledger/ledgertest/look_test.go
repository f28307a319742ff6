package ledgertest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"tripimport/importer"
)

func testLook(t *testing.T, f fixture) {
	l := f.Ledger
	var rows []*importer.Mapped
	for i := range 300 {
		rows = append(rows, Row(fmt.Sprint(i)))
	}
	Arrive(t, l, "run-1", Arrival(0), rows[:100]...)
	for i := range 10 {
		Book(t, l, "run-1", rows[i*10], fmt.Sprint("g-", i))
	}
	all, err := l.Look(t.Context(), Service, rows)
	must(t, err)
	for i, known := range all {
		if (known.Word() != nil) != (i < 100) || (len(known.Trips) == 1) != (i < 100 && i%10 == 0) {
			t.Errorf("the row %d is %+v", i, known)
		}
		if known.Row == 0 && (known.Own[0].Values != nil || known.Digest != 0) || len(known.Own) != 1 || known.Own[0].Identity.Rider == "" {
			t.Errorf("the row %d itself is %+v", i, known.Own)
		}
	}
	if known, err := l.Look(t.Context(), "https://other.example.test", rows[:1]); err != nil || len(known[0].Trips) > 0 {
		t.Errorf("another service has %+v, %v", known, err)
	}
}

// testKeys finds a trip by each of its keys alone.
func testKeys(t *testing.T, f fixture) {
	l, row := f.Ledger, Row("0071-22")
	row.Key.Cells = "digest"
	Arrive(t, l, "run-1", Arrival(0), row)
	number := Book(t, l, "run-1", row, "g-1").Trip

	stranger := func(change func(*importer.Mapped)) *importer.Mapped {
		other := Row("999")
		other.Trips[0].ID, other.Key.Cells = "999", ""
		change(other)
		return other
	}
	for what, other := range map[string]*importer.Mapped{
		"row id":         stranger(func(m *importer.Mapped) { m.Key.ID = "71 22" }),
		"trip id":        stranger(func(m *importer.Mapped) { m.Trips[0].ID = "71/22" }),
		"rider and day":  stranger(func(m *importer.Mapped) { m.Trips[0].RiderID = "r 0071-22" }),
		"broker's spelt": stranger(func(m *importer.Mapped) { m.Key.Broker, m.Trips[0].ID = "LAKESHORE  health", "0071-22" }),
	} {
		known := Look(t, l, other)
		if len(known.Trips) != 1 || known.Trips[0].Number != number || known.WordOf(known.Trips[0].Row) == nil {
			t.Errorf("by its %s it is %+v", what, known)
		}
	}
	for what, other := range map[string]*importer.Mapped{
		"nothing in common": stranger(func(*importer.Mapped) {}),
		"another broker": stranger(func(m *importer.Mapped) {
			m.Key = row.Key
			m.Key.Broker, m.Trips[0].ID = "Prairie Plan", row.Trips[0].ID
		}),
		"another day": stranger(func(m *importer.Mapped) {
			m.Trips[0].RiderID = "R-0071-22"
			m.Trips[0].Pickup.PickupTime.Date = Night().AddDays(1)
		}),
		"another row id": stranger(func(m *importer.Mapped) { m.Key.ID = "712-2" }),
	} {
		if known := Look(t, l, other); len(known.Trips) > 0 {
			t.Errorf("with %s there is %+v", what, known.Trips)
		}
	}
}

// testUnseen books, between a look and the claim, a trip that shares one key.
func testUnseen(t *testing.T, f fixture) {
	l := f.Ledger
	for i, share := range []func(row, other *importer.Mapped){
		func(row, other *importer.Mapped) { other.Trips[0].ID = row.Trips[0].ID + " " },
		func(row, other *importer.Mapped) { other.Trips[0].RiderID = row.Trips[0].RiderID },
		func(row, other *importer.Mapped) { *other = *row },
	} {
		row, other := Row(fmt.Sprint("a", i)), Row(fmt.Sprint("b", i))
		share(row, other)
		s := Step(t, l, "run-1", row, 0)
		Book(t, l, "run-1", other, fmt.Sprint("g-", i))
		wantMeanwhile(t, l, fmt.Sprint("key ", i), s)
		if again := Step(t, l, "run-1", row, 0); i < 2 {
			Send(t, l, again, Settled(importer.TripBooked, fmt.Sprint("h-", i)))
		}
	}
}

// testIdentity compares hashes of riders and places.
func testIdentity(t *testing.T, f fixture) {
	l, row := f.Ledger, roundTrip("1")
	Arrive(t, l, "run-1", Arrival(0), row)
	Book(t, l, "run-1", row, "g-1")
	k := Look(t, l, row)
	out, back, booked := k.Own[0].Identity, k.Own[1].Identity, k.Trips[0].Identity
	if !out.SamePlaces(booked) || !out.MayBe(booked) || out.Pickup != back.Dropoff || out.Dropoff != back.Pickup || out.Pickup == out.Dropoff {
		t.Errorf("out %+v, back %+v, booked %+v", out, back, booked)
	}
	if k.Trips[0].Day != Night() || k.Trips[0].Begins != row.Trips[0].Time() || k.Trips[0].WillCall {
		t.Errorf("the trip is %+v", k.Trips[0])
	}
	for what, change := range map[string]func(*importer.Trip){
		"rider": func(trip *importer.Trip) { trip.RiderID = "R-other" },
		"day":   func(trip *importer.Trip) { trip.Pickup.PickupTime.Date = Night().AddDays(1) },
	} {
		other := roundTrip("1")
		change(&other.Trips[0])
		id := Look(t, l, other).Own[0].Identity
		if id.Rider == out.Rider || id.Pickup == out.Pickup || id.Dropoff == out.Dropoff {
			t.Errorf("with another %s the hashes are %+v, and were %+v", what, id, out)
		}
	}
	bound, other := Look(t, l, row).Own[0].Values, Row("2")
	other.Trips[0] = row.Trips[0]
	Arrive(t, l, "run-1", Arrival(10), row, other)
	for _, v := range Look(t, l, other).Own[0].Values {
		for _, b := range bound {
			if v.Hash == b.Hash {
				t.Errorf("two rows share the hash of property %d", v.Property)
			}
		}
	}
}

// origin is the Origin of trips whose appointment comes from the first column.
type origin struct{}

func (origin) Columns(f importer.Field) []importer.Column {
	if f == importer.FieldDropoff.Of(importer.FieldApptTime) {
		return []importer.Column{{Num: 1}}
	}
	return nil
}

// testRawCells compares values that can't be read.
func testRawCells(t *testing.T, f fixture) {
	l := f.Ledger
	with := func(text string) *importer.Mapped {
		row := Row("1")
		row.Row.Cells = []importer.Cell{{Type: importer.Text, Text: text}}
		row.Trips[0].Origin, row.Trips[0].Dropoff.Appt = origin{}, importer.DateTime{}
		return row
	}
	Arrive(t, l, "run-1", Arrival(0), with("25:99"))
	was := word(t, l, with("")).Legs[0].Values
	for text, differs := range map[string]bool{"25:99": false, " 25:99 ": false, "26:99": true, "": true} {
		if got := Look(t, l, with(text)).Own[0].Values.Differs(was); (len(got) == 1) != differs || len(got) > 1 {
			t.Errorf("%q differs in %v", text, got)
		}
	}
}

// testMeanwhile changes each thing that a judge may have seen.
func testMeanwhile(t *testing.T, f fixture) {
	l, row := f.Ledger, Row("1")
	Arrive(t, l, "run-1", Arrival(0), row)
	s := Step(t, l, "run-1", row, 0)
	Arrive(t, l, "run-1", Arrival(10), row)
	second := s
	Arrive(t, l, "run-1", Arrival(20), moved(row, 50))
	wantMeanwhile(t, l, "another word", second)

	unseen := Row("2")
	before := Step(t, l, "run-1", unseen, 0)
	half := Arrival(30)
	half.Whole = false
	Arrive(t, l, "run-1", half, unseen)
	wantMeanwhile(t, l, "the first word", before)

	s = Step(t, l, "run-1", row, 0)
	ticket := Send(t, l, s, Settled(importer.TripUnclear, ""))
	wantMeanwhile(t, l, "a trip that may be booked", Step(t, l, "run-1", row, 0))
	s = Step(t, l, "run-1", row, 0)
	answer := importer.Effect{
		Answer: importer.Answer{Trip: ticket.Trip, Verdict: importer.NotThere, Who: "dana", At: Noon()},
		Saw:    []importer.LastEvent{{Trip: ticket.Trip, Event: standing(t, l, ticket.Trip).Event}}, State: importer.TripNotSent,
	}
	must(t, l.Record(t.Context(), answer))
	wantMeanwhile(t, l, "an answer", s)
	Send(t, l, Step(t, l, "run-1", row, 0), Settled(importer.TripBooked, "g-1"))

	invented := Step(t, l, "run-1", Row("3"), 0)
	invented.Saw = append(invented.Saw, importer.LastEvent{Trip: 12345, Event: 1})
	wantMeanwhile(t, l, "a trip that is not there", invented)
	change := Change(t, l, "run-1", Row("2"), "pickup.pickup_time")
	change.Trip = 0
	wantMeanwhile(t, l, "a change of no trip", change)
	must(t, verified(t, l))
}

// testTogether lets many claim the same row, and many rows, at once.
func testTogether(t *testing.T, f fixture) {
	l := f.Ledger
	const workers = 16
	var all sync.WaitGroup
	granted := make([]int, workers)
	shared := Step(t, l, "run-1", Row("shared"), 0)
	errs := make([]error, workers)
	for i := range workers {
		all.Go(func() {
			own, err := l.Claim(t.Context(), Step(t, l, "run-1", Row(fmt.Sprint(i)), 0))
			if err == nil {
				err = l.Settle(t.Context(), own, Settled(importer.TripBooked, fmt.Sprint("g-", i)))
			}
			_, claimErr := l.Claim(t.Context(), shared)
			if claimErr == nil {
				granted[i] = 1
			} else if !errors.Is(claimErr, importer.ErrMeanwhile) {
				err = errors.Join(err, claimErr)
			}
			errs[i] = err
		})
	}
	all.Wait()
	must(t, errors.Join(errs...))
	sum := 0
	for _, n := range granted {
		sum += n
	}
	if sum != 1 {
		t.Errorf("%d of %d claims of one trip were granted", sum, workers)
	}
	for i := range workers {
		if k := Look(t, l, Row(fmt.Sprint(i))); len(k.Trips) != 1 || !strings.HasPrefix(k.Trips[0].GUID, "g-") {
			t.Errorf("the row %d is %+v", i, k.Trips)
		}
	}
}
