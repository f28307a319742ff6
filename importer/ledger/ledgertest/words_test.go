package ledgertest

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

func testWords(t *testing.T, f fixture) {
	l, row := f.Ledger, roundTrip("7001")
	first := Arrive(t, l, "run-1", Arrival(0), row)
	w := word(t, l, row)
	if first.Number == 0 || w.Arrival != first.Number || !w.Stamp.Equal(first.Stamp) || w.Says != importer.SaysLive || w.Said != w.Event ||
		w.Broker != Broker || w.Day != Night() || w.Pair != Pair().Canonical() || len(w.Legs) != 2 {
		t.Errorf("the first word is %+v", w)
	}
	known := Look(t, l, row)
	if known.Digest != w.Digest || !known.Own[0].Values.Equal(w.Legs[0].Values) || !known.Own[1].Values.Equal(w.Legs[1].Values) {
		t.Errorf("the row as it is differs from its own word: %+v", known)
	}
	if known.Own[0].Values.Equal(known.Own[1].Values) {
		t.Error("both legs have the same values")
	}

	second := Arrive(t, l, "run-1", Arrival(10), row)
	same := word(t, l, row)
	if same.Arrival != second.Number || same.Said != w.Said || same.Event != w.Event {
		t.Errorf("without a change the word became %+v", same)
	}

	Arrive(t, l, "run-1", Arrival(20), moved(row, 45))
	changed := word(t, l, row)
	if changed.Said != changed.Event || changed.Event <= w.Event || !slices.Equal(digests(changed), []uint64{w.Digest}) || changed.Row != w.Row {
		t.Errorf("the change made it %+v", changed)
	}
	if keys := changed.Legs[0].Values.Differs(w.Legs[0].Values); !slices.Equal(keys, []string{"pickup.pickup_time"}) {
		t.Errorf("it differs in %v", keys)
	}

	Arrive(t, l, "run-1", Arrival(30), cancelled(row))
	if w := word(t, l, row); w.Says != importer.SaysCancelled || w.Said <= changed.Said {
		t.Errorf("cancelled, it is %+v", w)
	}
	Arrive(t, l, "run-1", Arrival(40), row)
	if w := word(t, l, row); w.Digest != known.Digest || !slices.Contains(digests(w), known.Digest) {
		t.Errorf("taken back, it is %+v", w)
	}
	given := roundTrip("7001")
	for i := range given.Trips {
		given.Trips[i].Provider = "Harbor Rides"
	}
	before := word(t, l, row)
	Arrive(t, l, "run-1", Arrival(45), given)
	if w, known := word(t, l, row), Look(t, l, given); w.Digest == before.Digest || w.Digest != known.Digest || w.Pair != given.Pair() ||
		w.PairAt(before.Said) != Pair().Canonical() || w.PairAt(w.Said) != given.Pair() {
		t.Errorf("given to another provider, it is %+v", w)
	}
	for i := range 20 {
		Arrive(t, l, "run-1", Arrival(50+i), moved(row, 30+i%7))
	}
	if w := word(t, l, row); len(w.Earlier) != 12 {
		t.Errorf("it keeps %d earlier digests", len(w.Earlier))
	}
}

// digests returns those of the word's earlier versions.
func digests(w importer.Word) (all []uint64) {
	for _, v := range w.Earlier {
		all = append(all, v.Digest)
	}
	return all
}

func testSameReading(t *testing.T, f fixture) {
	l := f.Ledger
	first := Arrive(t, l, "run-1", Arrival(0), Row("1"), Row("2"))
	number := l.Number()
	again := Arrive(t, l, "run-1", Arrival(0), Row("1"), Row("2"))
	if again.Number != first.Number || l.Number() != number {
		t.Errorf("the same reading became the arrival %d, the number %d", again.Number, l.Number())
	}
	// The same bytes with a later stamp: a broker takes a change back. With an earlier one they
	// are the file that a person said is the newest.
	newest := Arrive(t, l, "run-1", Arrival(4), Row("1"), Row("2"))
	if newest.Number == first.Number {
		t.Error("the same bytes with a later stamp are no arrival")
	}
	if a := Arrive(t, l, "run-1", Arrival(3), Row("1"), Row("2")); a.Number != newest.Number {
		t.Error("the newest bytes are another arrival")
	}
	// What the rows say with another mapping is the word of the same arrival.
	if a := Arrive(t, l, "run-1", sameBytes(newest), Row("1"), moved(Row("2"), 45)); a.Number != newest.Number {
		t.Error("the newest bytes with another mapping are another arrival")
	}
	if w := word(t, l, Row("2")); w.Arrival != newest.Number || len(w.Earlier) != 1 {
		t.Errorf("with another mapping the word is %+v", w)
	}
	Arrive(t, l, "run-1", Arrival(5), Row("1"))
	if a := Arrive(t, l, "run-1", Arrival(0), Row("1"), Row("2")); a.Number == first.Number {
		t.Error("a reading that is not the newest any more was taken for it")
	}
	if w := word(t, l, Row("2")); w.Says != importer.SaysGone {
		t.Errorf("the older reading made the row %s", w.Says.Code())
	}
}

// sameBytes returns an arrival that is not recorded, with the bytes and the stamp of another.
func sameBytes(a importer.Arrival) importer.Arrival { a.Number = 0; return a }

func testOlderArrival(t *testing.T, f fixture) {
	l, row := f.Ledger, Row("1")
	newest := Arrive(t, l, "run-1", Arrival(10), moved(row, 50))
	before := word(t, l, row)
	Arrive(t, l, "run-1", Arrival(0), row, Row("2"))
	if w := word(t, l, row); w.Arrival != newest.Number || w.Event != before.Event || w.Digest != before.Digest {
		t.Errorf("an older arrival made the word %+v", w)
	}
}

func testGone(t *testing.T, f fixture) {
	l := f.Ledger
	otherDay, otherPair := Row("3"), Row("4")
	otherDay.Key.Date = Night().AddDays(1)
	otherDay.Trips[0].Pickup.PickupTime.Date, otherDay.Trips[0].Dropoff.Appt.Date = otherDay.Key.Date, otherDay.Key.Date
	otherPair.Trips[0].FundingSource = "Prairie Plan"
	Arrive(t, l, "run-1", Arrival(0), Row("1"), Row("2"), otherDay, otherPair)
	was := word(t, l, Row("2"))

	half := Arrival(5)
	half.Whole = false
	Arrive(t, l, "run-1", half, Row("1"))
	if w := word(t, l, Row("2")); w.Says != importer.SaysLive {
		t.Errorf("half an export made the row %s", w.Says.Code())
	}

	whole := Arrive(t, l, "run-1", Arrival(10), Row("1"))
	w := word(t, l, Row("2"))
	if w.Says != importer.SaysGone || w.Arrival != whole.Number || w.Said <= was.Said || w.Event <= was.Event ||
		!w.Legs[0].Values.Equal(was.Legs[0].Values) || !slices.Contains(digests(w), was.Digest) {
		t.Errorf("the missing row is %+v", w)
	}
	for _, row := range []*importer.Mapped{Row("1"), otherDay, otherPair} {
		if w := word(t, l, row); w.Says != importer.SaysLive {
			t.Errorf("the row %s is %s", row.Key.ID, w.Says.Code())
		}
	}
	Arrive(t, l, "run-1", Arrival(20), Row("1"))
	if again := word(t, l, Row("2")); again.Event != w.Event {
		t.Error("a row that is gone went again")
	}
	Arrive(t, l, "run-1", Arrival(30), Row("1"), Row("2"))
	if back := word(t, l, Row("2")); back.Says != importer.SaysLive || back.Digest != was.Digest {
		t.Errorf("back in the schedule it is %+v", back)
	}
}

// testGoneAsOf gives the ledger an older file after a newer whole one that lacks a row.
func testGoneAsOf(t *testing.T, f fixture) {
	l := f.Ledger
	newer := Arrive(t, l, "run-1", Arrival(10), Row("1"))
	Arrive(t, l, "run-1", Arrival(0), Row("1"), Row("2"))
	w := word(t, l, Row("2"))
	if w.Says != importer.SaysGone || w.Arrival != newer.Number || len(w.Legs) != 1 || w.Legs[0].Values == nil {
		t.Errorf("the row of the older file alone is %+v", w)
	}
	number := w.Event
	Arrive(t, l, "run-1", Arrival(5), Row("1"), Row("2"))
	if w := word(t, l, Row("2")); w.Arrival != newer.Number || w.Event != number {
		t.Errorf("another older file made it %+v", w)
	}
}

// testTellsFrom gives the ledger an export of the afternoon.
func testTellsFrom(t *testing.T, f fixture) {
	l := f.Ledger
	late := moved(Row("2"), 30)
	late.Trips[0].Pickup.PickupTime.Hour = 15
	Arrive(t, l, "run-1", Arrival(0), Row("1"), late, Row("3"))
	afternoon := Arrival(10)
	afternoon.Scopes[0].From = night13()
	Arrive(t, l, "run-1", afternoon, Row("3"))
	if a, b := word(t, l, Row("1")), word(t, l, late); a.Says != importer.SaysLive || b.Says != importer.SaysGone {
		t.Errorf("the morning's row is %s, the afternoon's %s", a.Says.Code(), b.Says.Code())
	}
}

// testTwiceInAFile wants the first of two rows with one id, every time.
func testTwiceInAFile(t *testing.T, f fixture) {
	l, row := f.Ledger, Row("1")
	Arrive(t, l, "run-1", Arrival(0), row, moved(row, 55))
	first := word(t, l, row)
	Arrive(t, l, "run-1", Arrival(10), row, moved(row, 55))
	if w := word(t, l, row); w.Event != first.Event || w.Legs[0].Begins != row.Trips[0].Time() {
		t.Errorf("the word is %+v", w)
	}
}

// testRepeatedIDs wants a row a day, if ids come again; and one row that moved, if not.
func testRepeatedIDs(t *testing.T, f fixture) {
	l := f.Ledger
	tomorrow := func(ids importer.IDUse, id string) *importer.Mapped {
		row := Row(id)
		row.Key.IDs, row.Key.Date = ids, Night().AddDays(1)
		row.Trips[0].Pickup.PickupTime.Date, row.Trips[0].Dropoff.Appt.Date = row.Key.Date, row.Key.Date
		return row
	}
	both := Arrival(0)
	both.Scopes = append(both.Scopes, importer.Scope{Day: Night().AddDays(1), Pair: Pair().Canonical()})
	daily := Row("1")
	daily.Key.IDs = importer.RepeatedIDs
	Arrive(t, l, "run-1", both, daily, tomorrow(importer.RepeatedIDs, "1"), Row("2"), tomorrow(importer.UniqueIDs, "3"))
	a, b := word(t, l, daily), word(t, l, tomorrow(importer.RepeatedIDs, "1"))
	if a.Row == b.Row || a.ID != b.ID || a.Day == b.Day {
		t.Errorf("two days of one id are %+v and %+v", a, b)
	}
	if known := Look(t, l, daily); len(known.Words) != 2 {
		t.Errorf("the id has %d words", len(known.Words))
	}
	was := word(t, l, Row("2"))
	both.Stamp = both.Stamp.Add(time.Minute)
	Arrive(t, l, "run-1", both, daily, tomorrow(importer.RepeatedIDs, "1"), tomorrow(importer.UniqueIDs, "2"), tomorrow(importer.UniqueIDs, "3"))
	if now := word(t, l, Row("2")); now.Row != was.Row || now.Day == was.Day || now.Says != importer.SaysLive {
		t.Errorf("the row that moved is %+v", now)
	}
}

// testBrokenFile lets a file end with an error after a thousand rows.
func testBrokenFile(t *testing.T, f fixture) {
	l, broken, number := f.Ledger, errors.New("broken"), f.Ledger.Number()
	var rows iter.Seq2[*importer.Mapped, error] = func(yield func(*importer.Mapped, error) bool) {
		for i := range 1000 {
			if !yield(Row(fmt.Sprint(i)), nil) {
				return
			}
		}
		yield(nil, broken)
	}
	if _, err := l.Arrive(t.Context(), "run-1", importer.Reading{Arrival: Arrival(0), Rows: rows}); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	if known := Look(t, l, Row("5")); len(known.Words)+len(known.Arrivals) > 0 || l.Number() != number {
		t.Errorf("it left %+v and the number %d", known, l.Number())
	}
	Arrive(t, l, "run-1", Arrival(0), Row("5"))
	if known := Look(t, l, Row("5")); len(known.Words) != 1 || len(known.Arrivals) != 1 {
		t.Errorf("after the next arrival it has %+v", known)
	}
	must(t, verified(t, l))
}

func testArrivals(t *testing.T, f fixture) {
	l := f.Ledger
	whole := Arrive(t, l, "run-1", Arrival(0), Row("1"))
	half := Arrival(10)
	half.Whole, half.Name = false, "half.csv"
	half = Arrive(t, l, "run-1", half, Row("1"))
	Arrive(t, l, "run-1", Arrival(-10), Row("1"))
	other := Arrival(20)
	other.Broker = "Prairie Plan"
	Arrive(t, l, "run-1", other)

	known := Look(t, l, Row("1"))
	if n := known.Newest(Broker, Night(), Pair(), false); n == nil || n.Number != half.Number || n.Name != "half.csv" {
		t.Errorf("the newest of %+v is %+v", known.Arrivals, n)
	}
	if n := known.Newest(Broker, Night(), Pair(), true); n == nil || n.Number != whole.Number {
		t.Errorf("the newest whole one is %+v", n)
	}
	for _, open := range []func(testing.TB) ledger.Ledger{func(testing.TB) ledger.Ledger { return l }, f.ReadOnly, f.Crash} {
		l := open(t)
		all, err := l.Arrivals(t.Context(), Broker, Night())
		must(t, err)
		if len(all) != 3 || all[0].Number != whole.Number || all[1].Number != half.Number || all[1].Name != "half.csv" || !all[1].Stamp.Equal(half.Stamp) {
			t.Errorf("there are %+v", all)
		}
		if later, err := l.Arrivals(t.Context(), Broker, Night().AddDays(1)); err != nil || len(later) > 0 {
			t.Errorf("of later days there are %+v, %v", later, err)
		}
	}
}

func testSchedule(t *testing.T, f fixture) {
	l := f.Ledger
	var rows []*importer.Mapped
	for i := range 600 {
		rows = append(rows, Row(fmt.Sprint(i)))
	}
	Arrive(t, l, "run-1", Arrival(0), rows...)
	Book(t, l, "run-1", rows[300], "g-300")
	n, last, booked := 0, int64(0), 0
	scheduled, err := l.Schedule(t.Context(), Service, Broker, []importer.Date{Night(), Night().AddDays(1)})
	must(t, err)
	for _, known := range scheduled {
		if known.Row <= last || known.Word() == nil {
			t.Fatalf("after the row %d comes %+v", last, known)
		}
		last, booked = known.Row, booked+len(known.Trips)
		n++
	}
	if n != len(rows) || booked != 1 {
		t.Errorf("it has %d rows and %d trips", n, booked)
	}
	scheduled, err = l.Schedule(t.Context(), "https://other.example.test", Broker, []importer.Date{Night()})
	must(t, err)
	for _, known := range scheduled {
		if len(known.Trips) > 0 {
			t.Error("it has a trip of another service")
		}
	}
}

// A modelFile is an arrival of testWordsModel: when it was made, whether it is whole, and
// the minute of each of its rows.
type modelFile struct {
	stamp int
	whole bool
	rows  map[string]int
}

// A modelWord is what a ledger must know about a row, in its simplest form.
type modelWord struct {
	minute, stamp int
	gone          bool
}

// testWordsModel lets files with random stamps arrive, whole and half, and compares the
// words with those of a model that knows only the files.
func testWordsModel(t *testing.T, f fixture) {
	checks := 0
	rapid.Check(t, func(rt *rapid.T) {
		checks++ // the ledger stays the same, so each check has a broker of its own
		broker := fmt.Sprint("broker ", checks)
		words := map[string]modelWord{}
		var files []modelFile
		for _, stamp := range rapid.SliceOfNDistinct(rapid.IntRange(0, 100), 1, 6, rapid.ID[int]).Draw(rt, "stamps") {
			file := modelFile{stamp, rapid.Bool().Draw(rt, "whole"), map[string]int{}}
			a := Arrival(stamp)
			a.Broker, a.Whole = broker, file.whole
			var rows []*importer.Mapped
			for _, id := range []string{"a", "b", "c"} {
				if rapid.Bool().Draw(rt, "has "+id) {
					file.rows[id] = rapid.IntRange(0, 2).Draw(rt, "minute of "+id)
					rows = append(rows, ofBroker(moved(Row(id), file.rows[id]), broker))
				}
			}
			Arrive(t, f.Ledger, "run-1", a, rows...)
			arriveInModel(words, files, file)
			files = append(files, file)
			for id, want := range words {
				got := word(t, f.Ledger, ofBroker(Row(id), broker))
				now := modelWord{got.Legs[0].Begins.Minute, int(got.Stamp.Sub(Noon()).Minutes()), got.Says == importer.SaysGone}
				if now != want {
					rt.Fatalf("after %+v the row %s is %+v, want %+v", files, id, now, want)
				}
			}
		}
	})
}

// arriveInModel lets a file arrive after earlier ones.
func arriveInModel(words map[string]modelWord, earlier []modelFile, file modelFile) {
	for id, minute := range file.rows {
		was, known := words[id]
		if known && was.stamp > file.stamp {
			continue
		}
		now := modelWord{minute, file.stamp, false}
		for _, other := range earlier {
			if other.whole && other.stamp > now.stamp {
				now.stamp, now.gone = other.stamp, true
			}
		}
		words[id] = now
	}
	for id, was := range words {
		if _, has := file.rows[id]; file.whole && !has && !was.gone && was.stamp < file.stamp {
			words[id] = modelWord{was.minute, file.stamp, true}
		}
	}
}

// ofBroker returns the row as one of another broker.
func ofBroker(row *importer.Mapped, broker string) *importer.Mapped {
	row.Key.Broker = broker
	return row
}
