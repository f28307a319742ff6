package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/check"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// keyed returns a row on a line of its own, with a row id from which its trip ids are
// made, as a mapping does.
func keyed(m importer.Mapped, line int, id string) importer.Mapped {
	m = on(m, line)
	m.Key = importer.RowKey{Broker: "Lakeshore", ID: id, Date: at(2, 0, 0).Date}
	for i := range m.Trips {
		m.Trips[i].ID = id
		if len(m.Trips) > 1 {
			m.Trips[i].ID += "-" + string(rune('A'+i))
		}
	}
	return m
}

// fresh returns rows that share no trips, without problems.
func fresh(rows ...importer.Mapped) []importer.Mapped {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Trips = slices.Clone(rows[i].Trips)
		for t := range rows[i].Trips {
			rows[i].Trips[t].Problems = nil
		}
	}
	return rows
}

// later moves all times of a row's trips by hours, so that no trip may be the same
// by its time.
func later(m importer.Mapped, hours int) importer.Mapped {
	m.Trips = slices.Clone(m.Trips)
	for i := range m.Trips {
		t := &m.Trips[i]
		for _, at := range []*importer.DateTime{&t.Pickup.PickupTime, &t.Dropoff.Appt} {
			if !at.IsZero() {
				at.Hour += hours
			}
		}
	}
	return m
}

func cancelledRow(m importer.Mapped) importer.Mapped {
	m.LeftOut, m.Cancelled = "cancelled", true
	return m
}

// onDay moves a row to another day of the month.
func onDay(m importer.Mapped, day int) importer.Mapped {
	m.Trips = slices.Clone(m.Trips)
	m.Key.Date.Day = day
	for i := range m.Trips {
		t := &m.Trips[i]
		for _, at := range []*importer.DateTime{&t.Pickup.PickupTime, &t.Dropoff.Appt} {
			if !at.IsZero() {
				at.Day = day
			}
		}
	}
	return m
}

// repeating says that the broker's ids come again; the date is part of the trip ids.
func repeating(m importer.Mapped) importer.Mapped {
	m = fresh(m)[0]
	m.Key.IDs = importer.RepeatedIDs
	for i := range m.Trips {
		m.Trips[i].ID += "-" + m.Key.Date.String()
	}
	return m
}

func TestRespeltIDs(t *testing.T) {
	rider := func(m importer.Mapped, id string) importer.Mapped {
		return with(m, func(t *importer.Trip) { t.RiderID = id })
	}
	other := func(id string) importer.Mapped { return later(keyed(good(2), 3, id), 3) }
	broker := func(m importer.Mapped, name string) importer.Mapped { m.Key.Broker = name; return m }
	sameTripID := func(m importer.Mapped) importer.Mapped {
		return with(m, func(t *importer.Trip) { t.ID = "701" })
	}
	for _, tc := range []struct {
		name string
		rows []importer.Mapped
		want string
	}{
		{"lost zeros", []importer.Mapped{keyed(good(2), 2, "00701"), other("701")}, "[[trip-id-twice] [trip-id-twice]]"},
		{"lost zeros after a prefix", []importer.Mapped{keyed(good(2), 2, "T-0701"), other("T-701")}, "[[trip-id-twice] [trip-id-twice]]"},
		{"lower case", []importer.Mapped{keyed(good(2), 2, "AB7"), other("ab7")}, "[[trip-id-twice] [trip-id-twice]]"},
		{"a lost hyphen", []importer.Mapped{keyed(good(2), 2, "70-11"), other("7011")}, "[[] []]"},
		{"the broker and the rider respelt too", []importer.Mapped{keyed(good(2), 2, "AB7"), broker(rider(other("ab7"), "r c"), "LAKESHORE")}, "[[trip-id-twice] [trip-id-twice]]"},
		{"three spellings", []importer.Mapped{keyed(good(2), 2, "0701"), other("701"), later(keyed(good(2), 4, "00701"), 6)}, "[[trip-id-twice] [trip-id-twice] [trip-id-twice]]"},
		{"one trip and a round trip", []importer.Mapped{keyed(good(2), 2, "0701"), later(keyed(roundTrip(2), 3, "701"), 3)}, "[[row-twice] [row-twice]]"},
		{"the next number", []importer.Mapped{keyed(good(2), 2, "1009"), other("1010")}, "[[] []]"},
		{"legs on rows of their own", []importer.Mapped{keyed(good(2), 2, "70-A"), other("70-B"), later(keyed(good(2), 4, "70-C"), 6)}, "[[] [] []]"},
		{"another rider", []importer.Mapped{keyed(good(2), 2, "0701"), rider(other("701"), "R-1010")}, "[[trip-id-twice] [trip-id-twice]]"},
		{"another day", []importer.Mapped{keyed(good(2), 2, "0701"), onDay(other("701"), 3)}, "[[trip-id-twice] [trip-id-twice]]"},
		{"another day of ids that repeat", []importer.Mapped{repeating(keyed(good(2), 2, "0701")), repeating(onDay(other("701"), 3))}, "[[] []]"},
		{"another broker", []importer.Mapped{keyed(good(2), 2, "0701"), broker(other("701"), "Harbor")}, "[[] []]"},
		{"one of them cancelled", []importer.Mapped{keyed(good(2), 2, "0701"), cancelledRow(other("701"))}, "[[trip-id-cancelled] []]"},
		{"spellings that give one trip id", []importer.Mapped{sameTripID(keyed(good(2), 2, "0701")), sameTripID(keyed(good(2), 3, "701"))}, "[[] []]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, fmt.Sprint(codesOf(t, rules(), fresh(tc.rows...)...))); diff != "" {
				t.Error(diff)
			}
		})
	}

	rows := []importer.Mapped{keyed(good(2), 2, "0701"), other("701")}
	codesOf(t, rules(), rows...)
	if got := rows[1].Trips[0].Problems[0].Message; !strings.Contains(got, "on line 2") {
		t.Errorf("%q does not name the other row", got)
	}
}

// TestRespeltAgainstPairs compares the result of the sorted comparison with that of
// importer.SameID for each pair of rows.
func TestRespeltAgainstPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rules()
		var rows []importer.Mapped
		ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[aA]?0{0,2}[12]-?0?[1B]`), 2, 8, rapid.ID).Draw(t, "ids")
		for n, id := range ids {
			rows = append(rows, later(keyed(good(rapid.IntRange(1, 2).Draw(t, "rider")), n+2, id), n))
		}
		c := check.New(today)
		for i := range rows {
			c.Note(&rows[i])
		}
		for i := range rows {
			m := rows[i]
			c.Check(&m, &r)
			want := slices.ContainsFunc(rows, func(other importer.Mapped) bool {
				return other.Key.ID != m.Key.ID && importer.SameID(other.Key.ID, m.Key.ID)
			})
			got := slices.ContainsFunc(m.Trips[0].Problems, func(p importer.Problem) bool { return p.Code == "trip-id-twice" })
			if got != want {
				t.Fatalf("%q of %q: %v, want %v", m.Key.ID, ids, got, want)
			}
		}
	})
}

func TestRowInTwoShapes(t *testing.T) {
	one, both := keyed(good(2), 2, "R9"), later(keyed(roundTrip(2), 3, "R9"), 3)
	blank := func(m importer.Mapped) importer.Mapped {
		return with(m, func(t *importer.Trip) { t.ID, t.Pickup.PickupTime = "", importer.DateTime{} })
	}
	leg := func(line int, id string) importer.Mapped { return later(keyed(good(2), line, id), 3*(line-2)) }
	for _, tc := range []struct {
		name string
		rows []importer.Mapped
		want string
	}{
		{"a trip and a round trip", []importer.Mapped{one, both}, "[[row-twice] [row-twice]]"},
		{"a round trip and a trip", []importer.Mapped{later(keyed(roundTrip(2), 2, "R9"), 3), keyed(good(2), 3, "R9")}, "[[row-twice] [row-twice]]"},
		{"and a copy", []importer.Mapped{one, both, on(both, 4)}, "[[row-twice] [row-twice] []]"},
		{"copies", []importer.Mapped{both, on(both, 5)}, "[[] []]"},
		{"the same shape with other content", []importer.Mapped{one, later(keyed(good(2), 3, "R9"), 3)}, "[[trip-id-twice] [trip-id-twice]]"},
		{"the round trip is cancelled", []importer.Mapped{one, cancelledRow(both)}, "[[trip-id-cancelled] []]"},
		{"the trip is cancelled", []importer.Mapped{cancelledRow(one), both}, "[[] [trip-id-cancelled trip-id-cancelled]]"},
		{"cancelled with its row id alone", []importer.Mapped{blank(cancelledRow(one)), both}, "[[] [trip-id-cancelled trip-id-cancelled]]"},
		{"both are cancelled", []importer.Mapped{cancelledRow(one), cancelledRow(both)}, "[[] []]"},
		{"legs on rows of their own", []importer.Mapped{leg(2, "R9-A"), leg(3, "R9-B"), leg(4, "R9-C")}, "[[] [] []]"},
		{"one of such legs is cancelled", []importer.Mapped{leg(2, "R9-A"), cancelledRow(leg(3, "R9-B"))}, "[[] []]"},
		{"cancelled, and booked again under a new id", []importer.Mapped{cancelledRow(one), later(keyed(roundTrip(2), 3, "R10"), 3)}, "[[] []]"},
		{"a standing order", []importer.Mapped{repeating(one), repeating(onDay(both, 4))}, "[[] []]"},
		{"a standing order, cancelled on one day", []importer.Mapped{repeating(cancelledRow(one)), repeating(onDay(both, 4))}, "[[] []]"},
		{"a standing order twice on one day", []importer.Mapped{repeating(one), repeating(both)}, "[[row-twice] [row-twice]]"},
		{"another broker", []importer.Mapped{one, func() importer.Mapped { m := both; m.Key.Broker = "Harbor"; return m }()}, "[[] []]"},
		{"no row id", []importer.Mapped{keyed(good(2), 2, ""), keyed(roundTrip(3), 3, "")}, "[[value-missing] []]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, fmt.Sprint(codesOf(t, rules(), fresh(tc.rows...)...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestIDsOnTwoDays checks the fix for an id that comes again on another day: it asks how
// the broker uses ids, and never tells people to make trip ids of more columns.
func TestIDsOnTwoDays(t *testing.T) {
	monday := keyed(good(2), 2, "SO-77")
	wednesday := onDay(keyed(good(2), 3, "SO-77"), 4)
	unique := func(m importer.Mapped) importer.Mapped { m.Key.IDs = importer.UniqueIDs; return m }
	const advice = "write ids: repeat in the mapping, otherwise ids: unique"
	for _, tc := range []struct {
		name         string
		rows         []importer.Mapped
		code, advice string
	}{
		{"unsaid", []importer.Mapped{monday, wednesday}, "trip-id-twice", advice},
		{"one is cancelled", []importer.Mapped{cancelledRow(monday), wednesday}, "trip-id-cancelled", advice},
		{"used once", []importer.Mapped{unique(monday), unique(wednesday)}, "trip-id-twice", ""},
		{"used once, one is cancelled", []importer.Mapped{unique(cancelledRow(monday)), unique(wednesday)}, "trip-id-cancelled", ""},
		{"come again", []importer.Mapped{repeating(monday), repeating(wednesday)}, "", ""},
	} {
		rows := fresh(tc.rows...)
		codesOf(t, rules(), rows...)
		problems := rows[1].Trips[0].Problems
		if tc.code == "" {
			if len(problems) > 0 {
				t.Errorf("%s: %v", tc.name, problems)
			}
			continue
		}
		if len(problems) != 1 || problems[0].Code != tc.code || strings.Contains(problems[0].Fix, advice) != (tc.advice != "") || strings.Contains(problems[0].Fix, "date") {
			t.Errorf("%s: %+v", tc.name, problems)
		}
	}
}
