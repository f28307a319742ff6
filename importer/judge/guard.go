package judge

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"tripimport/importer"
)

// Changes are the changes of booked trips that a run would make of one file, or of the files of
// one run. The zero Changes has none. It is for use by one goroutine.
type Changes struct {
	// Trips are the trips that would be changed, in the order of their rows. ByHand counts
	// the trips in which a person has to change something.
	Trips  []PlannedChange
	ByHand int

	booked, back map[importer.Date]int // the numbers of booked trips of the files, and of those with Decision.Back
	copied       bool
}

// A PlannedChange is one booked trip that would be changed.
type PlannedChange struct {
	// Trip is the number of the trip, Row where it is in the file, TripID its id as it is
	// listed, and Begins its time as it was booked.
	Trip   int64
	Row    importer.Ref
	TripID string
	Begins importer.DateTime
	// Keys are the keys of the properties that differ. Shift is Decision.Shift.
	Keys  []string
	Shift int
	// OtherMapping reports that the mapping was changed since the trip was booked. Frozen
	// reports that the trip is too near to change its times and places.
	OtherMapping, Frozen bool

	values [sha256.Size]byte // a digest of the new values
}

// Add counts a booked trip, and adds what would be changed of it.
func (c *Changes) Add(d *Decision, t *importer.Trip) {
	if d.Trip == nil || d.Trip.State != importer.TripBooked || d.Leg < 0 || !d.Outcome.State.Booked() {
		return
	}
	if c.booked == nil {
		c.booked, c.back = map[importer.Date]int{}, map[importer.Date]int{}
	}
	c.booked[d.Trip.Begins.Date]++
	c.back[d.Trip.Begins.Date] += importer.One(d.Back)
	c.ByHand += importer.One(len(d.ByHand) > 0)
	if d.Outcome.Why == importer.WhyRefused || len(d.Send) == 0 && !d.Frozen || t.Faulty() {
		return // no yes sends it
	}
	keys := d.Send
	if d.Frozen {
		keys = slices.Concat(d.Send, d.ByHand)
	}
	c.Trips = append(c.Trips, PlannedChange{
		Trip: d.Trip.Number, Row: t.Row, TripID: d.Trip.ListedID(), Begins: d.Trip.Begins, Keys: keys, Shift: d.Shift,
		OtherMapping: d.OtherMapping, Frozen: d.Frozen, values: digestOf(t, keys),
	})
	c.copied = c.copied || d.Trip.Copied
}

// Has reports whether the changes include those of the decision: a yes for them holds for
// nothing else.
func (c *Changes) Has(d *Decision, t *importer.Trip) bool {
	i := slices.IndexFunc(c.Trips, func(p PlannedChange) bool { return p.Trip == d.Trip.Number })
	return i >= 0 && c.Trips[i].values == digestOf(t, c.Trips[i].Keys)
}

// digestOf returns a digest of a trip's values of the properties.
func digestOf(t *importer.Trip, keys []string) [sha256.Size]byte {
	h := sha256.New()
	for _, v := range t.Properties() {
		if slices.Contains(keys, v.Key) {
			fmt.Fprintf(h, "%q=%q;", v.Key, v.Value)
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Sent returns the trips of which a change is sent: those of which something is not frozen.
func (c *Changes) Sent() []PlannedChange {
	return slices.DeleteFunc(slices.Clone(c.Trips), func(p PlannedChange) bool {
		return p.Frozen && !slices.ContainsFunc(p.Keys, func(key string) bool { return !freezes(groupOf(key)) })
	})
}

// Names names what changes in the trips: "pickup time, pickup address".
func Names(trips []PlannedChange) string {
	var keys []string
	for i := range trips {
		keys = append(keys, trips[i].Keys...)
	}
	importer.SortKeys(keys)
	return importer.PropertyNames(slices.Compact(keys))
}

// The limits from which on a mistake in the schedule or in the mapping is likelier than that
// many corrections.
const (
	manyTrips  = 20 // more than so many trips, and a tenth of those booked on their day
	severalOf  = 5  // so many trips or times, if they are most of them
	twelveHour = 3  // so many times that lost their AM or PM
)

// Why says why a person has to look at the changes before any of them is sent. It is empty for
// ordinary changes.
func (c *Changes) Why() string {
	why, _ := c.suspicion()
	return why
}

// Examples returns up to five of the changes that Why is about.
func (c *Changes) Examples() []PlannedChange {
	const most = 5
	_, about := c.suspicion()
	return about[:min(most, len(about))]
}

// suspicion returns what Why does, and the changes that it is about.
func (c *Changes) suspicion() (why string, about []PlannedChange) {
	const halfADay = 12 * 60 // minutes
	about = having(c.Trips, func(p *PlannedChange) bool { return p.Shift == halfADay || p.Shift == -halfADay })
	if n := len(about); n >= twelveHour { // as if an export lost AM and PM
		return fmt.Sprintf("%d trips, moved by exactly 12 hours: AM and PM may be lost", n), about
	}
	for _, alike := range []func([]PlannedChange, int) (string, []PlannedChange){movedAlike, changedAlike} {
		for _, day := range slices.SortedFunc(maps.Keys(c.booked), importer.Date.Compare) {
			onDay := having(c.Trips, func(p *PlannedChange) bool { return p.Begins.Date == day })
			if why, about = alike(onDay, c.booked[day]); why != "" {
				return why, about
			}
		}
	}
	if c.copied {
		return "the ledger is a copy that was adopted since these trips were booked, and may lack what was put on hold: put it on hold again first", c.Trips
	}
	return "", nil
}

func having(trips []PlannedChange, what func(*PlannedChange) bool) []PlannedChange {
	return slices.DeleteFunc(slices.Clone(trips), func(p PlannedChange) bool { return !what(&p) })
}

// most returns the largest number of trips that have something in common, and what that is.
func most[T cmp.Ordered](trips []PlannedChange, of func(*PlannedChange) []T) (what T, alike []PlannedChange) {
	groups := map[T][]PlannedChange{}
	for i := range trips {
		for _, w := range of(&trips[i]) {
			groups[w] = append(groups[w], trips[i])
		}
	}
	for w, group := range groups {
		if len(group) > len(alike) || len(group) == len(alike) && w < what {
			what, alike = w, group
		}
	}
	return what, alike
}

// movedAlike says how many of a day's trips are moved by the same number of minutes, if these are
// most of those that are moved.
func movedAlike(trips []PlannedChange, booked int) (string, []PlannedChange) {
	moved := having(trips, func(p *PlannedChange) bool { return p.Shift != 0 })
	shift, alike := most(moved, func(p *PlannedChange) []int { return []int{p.Shift} })
	n, share := len(alike), "most"
	switch {
	case n < severalOf || 2*n <= len(moved) || 5*n < booked:
		return "", nil
	case n == len(moved):
		share = "all"
	}
	by := fmt.Sprintf("%+d", shift)
	return fmt.Sprintf("%d trips, %s %s %s min", n, share, by[:1], by[1:]), alike
}

// changedAlike names the property that differs in the most trips of a day, if they are too many.
func changedAlike(trips []PlannedChange, booked int) (string, []PlannedChange) {
	key, alike := most(trips, func(p *PlannedChange) []string { // a coordinate is sent with its address
		return slices.DeleteFunc(slices.Clone(p.Keys), func(key string) bool { return importer.WithAddress(key, p.Keys) })
	})
	if !tooMany(len(alike), booked) {
		return "", nil
	}
	return fmt.Sprintf("%d trips of %d on %s, all with another %s", len(alike), booked, alike[0].Begins.Spoken(), importer.PropertyName(key)), alike
}

// tooMany reports whether a mistake is likelier than so many corrections of the booked trips of a day.
func tooMany(n, booked int) bool {
	return n > manyTrips && 10*n > booked || n >= severalOf && 2*n > booked
}

// ManyBack says how many trips of a day the schedule has as they are booked again, if they are so many that an earlier
// schedule had a mistake: nobody has made that many changes by hand. It is 0 otherwise.
func (c *Changes) ManyBack() (n int) {
	for day, back := range c.back {
		if tooMany(back, c.booked[day]) {
			n += back
		}
	}
	return n
}

// If at least so many rows, and at least this share of all rows, have ids that are booked on
// other days, that is one question about the file and not a question about each row.
const (
	manyOtherDays     = 3
	otherDaysPerMille = 20
)

// Repeats reports whether the number of rows whose id is booked on another day is a question
// about the file: whether its broker uses ids again.
func Repeats(otherDay, rows int) bool {
	return otherDay >= manyOtherDays && otherDay*1000 >= otherDaysPerMille*rows
}
