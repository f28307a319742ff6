package judge_test

import (
	"fmt"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// TestLegitimateWeek imports what a normal broker exports on five evenings: standing orders whose
// ids come again, trips of three legs on rows of their own, households, several trips a day of
// one rider, times that move, and trips that are cancelled and booked anew. Nothing of it is a
// fault or a question, and no trip gets a second car.
func TestLegitimateWeek(t *testing.T) {
	w := newWorld()
	cars := map[string]int{}
	for n := 2; n <= 6; n++ {
		tomorrow := day(n)
		w.now = time.Date(2026, 12, n-1, 18, 0, 0, 0, time.UTC)
		night := func(name string, rows []*importer.Mapped) {
			a := w.arrive(w.now, true, rows...)
			for _, m := range rows {
				w.send(t, fmt.Sprintf("%s, %s", tomorrow, name), m, a, cars)
			}
			w.now = w.now.Add(time.Hour)
		}
		night("the evening", week(tomorrow, 0))
		night("once more", week(tomorrow, 0))
		night("with changes", week(tomorrow, 20))
		rows := week(tomorrow, 20)
		rows[0] = cancelled(rows[0])
		night("with a cancellation", rows)
	}
	for car, n := range cars {
		if n != 1 {
			t.Errorf("%s has %d cars", car, n)
		}
	}
	if len(cars) < 100 {
		t.Errorf("only %d cars", len(cars))
	}
}

// week are the rows of one day. late is the number of minutes by which some of them moved.
func week(d importer.Date, late int) (rows []*importer.Mapped) {
	trip := func(id, rider, from, to string, minute int) {
		begins := importer.DateTime{Date: d, TimeOfDay: importer.TimeOfDay{Hour: minute / 60, Minute: minute % 60}}
		rows = append(rows, row(id, tripOf{rider: rider, from: from, to: to, at: begins}))
	}
	trip("C"+d.String(), "to cancel", "3", "90", 600)
	for i := range 8 { // dialysis, by ids that come again
		rider := fmt.Sprint("dialysis", i)
		trip(fmt.Sprint("S", i, "A"), rider, fmt.Sprint(100+i), "90", 360+10*i+late)
		trip(fmt.Sprint("S", i, "B"), rider, "90", fmt.Sprint(100+i), 660+10*i)
	}
	for i := range 4 { // home, doctor, pharmacy, home
		rider := fmt.Sprint("legs", i)
		trip(fmt.Sprint("0", 500+i, "-A"), rider, fmt.Sprint(200+i), "91", 540)
		trip(fmt.Sprint("0", 500+i, "-B"), rider, "91", "92", 600)
		trip(fmt.Sprint("0", 500+i, "-C"), rider, "92", fmt.Sprint(200+i), 660)
	}
	for i := range 2 { // a household
		trip(fmt.Sprint("H", i), fmt.Sprint("twin", i), "300", "93", 500)
	}
	for i := range 3 { // one rider, three times a day
		trip(fmt.Sprint("T", i), "often", "301", "94", 480+120*i)
	}
	for _, m := range rows {
		m.Key.IDs = importer.RepeatedIDs
	}
	return rows
}

// send judges a row and books what the judge sends.
func (w *world) send(t *testing.T, name string, m *importer.Mapped, a *importer.Arrival, cars map[string]int) {
	t.Helper()
	for _, d := range w.judge(m, a) {
		switch {
		case d.Do == judge.Send:
			w.book(m, d.Leg, importer.TripBooked)
			cars[m.Key.ID+m.Key.Date.String()]++
		case d.Do == judge.Change:
			s := &w.trips[d.Trip.Number-1]
			s.Sent, s.Begins, s.Claimed = valuesOf(s.RowID, &m.Trips[0]), m.Trips[0].Time(), w.next()
			s.Seen, s.Event = s.Sent, s.Claimed
		case d.Outcome.State != importer.BookedEarlier && d.Outcome.State != importer.CancelByHand:
			t.Errorf("%s: row %s is %s: %s", name, m.Key.ID, d.Outcome.State, d.Outcome.Reason)
		case d.Outcome.State == importer.CancelByHand && m.LeftOut == "":
			t.Errorf("%s: row %s is to be cancelled", name, m.Key.ID)
		}
	}
}
