package importer

import (
	"strings"
	"unicode"
)

// A RowKey says which row of a broker's schedule a row is, whatever it contains
// today. Two rows with one key are the same row: exported again, changed, or
// cancelled.
type RowKey struct {
	// Broker is the broker whose schedule has the row: the mapping's broker, by
	// default the mapping's name.
	Broker string
	// ID is what the broker calls the row: the mapping's row_id, by default the
	// cells that trip_id is made of, without the date. It is empty if they are
	// blank: then the row is known by its trip ids alone. It may be row content.
	ID string
	// TripID is the row's trip id before that of a leg is made of it. Ledgers that
	// have no row ids know their rows by it.
	TripID string
	// IDs says whether the broker uses an id again on other days.
	IDs IDUse
	// Date is the day of the row's first trip. It is part of the key if IDs is
	// RepeatedIDs.
	Date Date
}

// BrokerText returns the form in which brokers' names are compared: case and runs
// of spaces make no difference.
func BrokerText(name string) string {
	if strings.Contains(name, "  ") || strings.ContainsFunc(name, isOtherSpace) || strings.TrimSpace(name) != name {
		name = strings.Join(strings.Fields(name), " ")
	}
	return strings.ToLower(name)
}

func isOtherSpace(r rune) bool { return r != ' ' && unicode.IsSpace(r) }

// Spellings returns the values by which a trip of the row is found whose row id is
// spelt otherwise: a form of the id, with the rider and the date of the trip and
// with the broker. There are none where one of these is missing.
func (k *RowKey) Spellings(trip *Trip) [][]string {
	if k.ID == "" || trip.RiderID == "" || trip.Date().IsZero() {
		return nil
	}
	broker, rider, date := BrokerText(k.Broker), RiderText(trip.RiderID), trip.Date().String()
	var all [][]string
	for _, form := range IDSpellings(k.ID) {
		all = append(all, []string{"spelling", broker, form, rider, date})
	}
	return all
}

// RespeltDays returns the days on which a trip may be booked of which the row's id is
// another spelling: its own, and where each id is used once the week before and after,
// since it may have been moved.
func (k *RowKey) RespeltDays(trip *Trip) []Date {
	days := []Date{trip.Date()}
	if k.IDs != UniqueIDs || trip.RiderID == "" || trip.Date().IsZero() {
		return days
	}
	for n := 1; n <= 7; n++ {
		days = append(days, trip.Date().AddDays(-n), trip.Date().AddDays(n))
	}
	return days
}

// RowIDs say how a mapping names rows. A ledger refuses a mapping that names them
// otherwise than before while trips are booked ahead, because it would not know
// them again.
type RowIDs struct {
	// Broker is that of every RowKey.
	Broker string
	// Columns are the headers that make RowKey.ID, in a form that does not depend
	// on case, spaces and punctuation.
	Columns string
	// Private reports that the trip ids tell who the rider is: Trip.Alias.
	Private bool
}

// NewRowMark returns the mark of a row, from what a ledger has in place of its
// broker and its id.
func NewRowMark(broker, row string) string { return broker + "." + row }

// OtherBroker reports whether two marks of rows are certainly of two brokers.
func OtherBroker(markA, markB string) bool {
	a, _, okA := strings.Cut(markA, ".")
	b, _, okB := strings.Cut(markB, ".")
	return okA && okB && a != b
}

// An IDUse says whether a broker uses the id of a row again.
type IDUse uint8

// The uses of ids.
const (
	// UnsaidIDs: the mapping does not say.
	UnsaidIDs IDUse = iota
	// UniqueIDs: each id is used once. With another date it is a trip that was
	// moved.
	UniqueIDs
	// RepeatedIDs: an id comes again on other days, as that of a standing order.
	// Its date tells which trip is meant.
	RepeatedIDs
)

// A Way says whether two trips of one row go the same way. It is the zero
// WayUnclear if their places do not tell.
type Way uint8

// The ways.
const (
	WayUnclear Way = iota
	SameWay
	OtherWay
)

// CompareWays compares two trips by their places, each named by anything that is
// equal for equal places and empty if it is not known. One common place tells the
// way, so that a corrected address at the other end does not hide it.
func CompareWays(pickupA, dropoffA, pickupB, dropoffB string) Way {
	same := func(a, b string) bool { return a != "" && a == b }
	forward := same(pickupA, pickupB) || same(dropoffA, dropoffB)
	onward := same(pickupA, dropoffB) || same(dropoffA, pickupB)
	switch {
	case forward && !onward:
		return SameWay
	case onward && !forward:
		return OtherWay
	}
	return WayUnclear
}

// MatchLegs finds out which of a row's trips are booked, after the row may have
// changed from one trip to several or back. booked are the legs of the row's trips
// that are booked, those first that count first, now those that the row makes; way
// compares two of them.
//
// A trip is the booked one with the same leg, otherwise the one that goes the same
// way. matched has for each trip the index of its booked one, or -1. unclear has
// the index of a booked trip that may be it, or -1: such a trip must not be sent
// before a person has looked. dropped are the booked trips that the row does not
// make any more.
func MatchLegs(booked, now []Leg, way func(booked, now int) Way) (matched, unclear, dropped []int) {
	matched, unclear = make([]int, len(now)), make([]int, len(now))
	taken := make([]bool, len(booked))
	match := func(fits func(b, n int) bool) {
		for n := range now {
			for b := range booked {
				if matched[n] < 0 && !taken[b] && fits(b, n) {
					matched[n], taken[b] = b, true
				}
			}
		}
	}

	for n := range now {
		matched[n], unclear[n] = -1, -1
	}
	match(func(b, n int) bool { return booked[b] == now[n] })
	match(func(b, n int) bool { return way(b, n) == SameWay })

	for b := range booked {
		if taken[b] {
			continue
		}
		open := false
		for n := range now {
			if matched[n] < 0 && way(b, n) == WayUnclear {
				open = true
				if unclear[n] < 0 {
					unclear[n] = b
				}
			}
		}
		if !open {
			dropped = append(dropped, b)
		}
	}
	return matched, unclear, dropped
}

// LegsCollide reports whether two trips of one row can't both be booked: they are
// the same leg, or one of them is the row's only trip and does not certainly go
// another way.
func LegsCollide(a, b Leg, way Way) bool {
	return a == b || (a == OnlyLeg || b == OnlyLeg) && way != OtherWay
}
