package run

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A ChangePlan lists the changes of booked trips that a run would make. The zero
// ChangePlan has none.
type ChangePlan struct {
	// Trips are the booked trips that would be changed, in the order of their rows.
	// ByHand counts the trips in which a person has to change something.
	Trips  []PlannedChange
	ByHand int

	booked map[importer.Date]int // the numbers of booked trips of the schedule
	copied bool                  // a trip has Record.Copied
	// values are digests of the new values, by PlannedChange.Attempt.
	values map[int64][sha256.Size]byte
}

// A PlannedChange is one booked trip that would be changed.
type PlannedChange struct {
	Attempt int64
	// Row is where the trip is in the schedule.
	Row importer.Ref
	// TripID is Record.ListedID of the booked trip, and Begins its time.
	TripID string
	Begins importer.DateTime
	// Keys are the keys of the properties that differ. Shift is the number of minutes by
	// which the trip begins later; it is 0 if no time differs.
	Keys  []string
	Shift int
	// MappingChanged reports that the mapping was changed since the trip was booked.
	MappingChanged bool
	// Frozen reports that the trip is too near to change its times and places.
	Frozen bool
}

// addPlanned counts a booked trip, and adds its changes to the plan.
func (e *Earlier) addPlanned(t *importer.Trip, rec *importer.Record, in Input) {
	if e.Changes == nil || rec.Cancelled || t.Provider != "" && !importer.SameName(rec.Account.Provider, t.Provider) {
		return
	}
	asWritten := *rec
	rec = &asWritten
	rec.Differs = differsAtPlan(rec)
	rec.OtherTrip = rec.Date != t.Date() || importer.Identifying(rec.Differs)

	p := &e.Planned
	if p.booked == nil {
		p.booked, p.values = map[importer.Date]int{}, map[int64][sha256.Size]byte{}
	}
	p.booked[rec.Date]++

	change := e.Changes.planChange(rec, t, e.Clock.Wall(in.Mapper.Rules().Location))
	state := changeState(rec, &change)
	if len(change.byHand) > 0 {
		p.ByHand++
	}
	if state == importer.ChangeRefused || len(change.send) == 0 && !change.frozen {
		return
	}
	planned := PlannedChange{
		Attempt: rec.Attempt, Row: t.Row, TripID: rec.ListedID(), Begins: rec.Time,
		MappingChanged: !in.sameMapping(rec),
		Keys:           change.send, Frozen: change.frozen,
	}
	if change.frozen {
		planned.Keys = append(planned.Keys, change.byHand...)
	}
	if slices.ContainsFunc(rec.Differs, isTime) {
		planned.Shift = rec.Time.MinutesUntil(t.Time())
	}
	p.Trips = append(p.Trips, planned)
	p.copied = p.copied || rec.Copied
	p.values[rec.Attempt] = digestOf(t, openKeys(rec, t))
}

// differsAtPlan returns the keys of the properties in which a booked trip differs, as far
// as the plan can tell. It leaves out the funding source, because the service's name for
// it is known only in the second pass.
func differsAtPlan(rec *importer.Record) []string {
	return slices.DeleteFunc(slices.Clone(rec.Differs), func(key string) bool { return key == "funding_source_name" })
}

// has reports whether the plan changes the booked trip to the values of t.
func (p *ChangePlan) has(rec *importer.Record, t *importer.Trip) bool {
	values, planned := p.values[rec.Attempt]
	return planned && values == digestOf(t, openKeys(rec, t))
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

// Sent returns the trips for which a change is sent. A trip whose changes are all frozen
// is not among them.
func (p *ChangePlan) Sent(c *Changes) []PlannedChange {
	var sent []PlannedChange
	for _, t := range p.Trips {
		if !t.Frozen || c.Allowed[t.Attempt] || slices.ContainsFunc(t.Keys, func(key string) bool { return !freezes(groupOf(key)) }) {
			sent = append(sent, t)
		}
	}
	return sent
}

// ID returns a text that identifies the plan by its changes, its inputs and the ledger's
// number. It holds no row content.
func (p *ChangePlan) ID(inputs []importer.InputInfo, ledger int64) string {
	h := sha256.New()
	for _, in := range inputs {
		fmt.Fprintln(h, in.Hash)
	}
	fmt.Fprintln(h, ledger)
	for _, t := range p.Trips {
		fmt.Fprintln(h, t.Attempt, t.Keys, p.values[t.Attempt])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:4])
}

// Counts says how many trips have which kind of change: "9 times, 3 addresses, 2 phones".
func Counts(trips []PlannedChange) string {
	type kind struct {
		one, many string
		is        func(key string) bool
	}
	kinds := []kind{
		{"time", "times", isTime},
		{"address", "addresses", func(key string) bool {
			return groupOf(key) == groupPickup || groupOf(key) == groupDropoff
		}},
		{"phone", "phones", func(key string) bool { return strings.Contains(key, "phone") }},
		{"trip type", "trip types", func(key string) bool { return key == "trip_type" }},
		{"space type", "space types", func(key string) bool { return key == "space_type" }},
		{"distance", "distances", func(key string) bool { return key == "billable_distance" }},
		{"other value", "other values", func(string) bool { return true }},
	}

	n := make([]int, len(kinds))
	for _, t := range trips {
		changed := map[int]bool{}
		for _, key := range t.Keys {
			changed[slices.IndexFunc(kinds, func(k kind) bool { return k.is(key) })] = true
		}
		for i := range changed {
			n[i]++
		}
	}

	var parts []string
	for i, kind := range kinds {
		if n[i] > 0 {
			parts = append(parts, importer.Counted(n[i], kind.one, kind.many))
		}
	}
	return strings.Join(parts, ", ")
}

func isTime(key string) bool { return strings.HasSuffix(key, "_time") }

// manyChanges is the number of trips above which identical changes are taken for a
// mistake in the schedule or the mapping.
const manyChanges = 20

// Suspicious says why a person has to look at the plan before anything is changed. That
// is so if one property differs in more than 20 trips and in more than a tenth of those
// booked for a day; if more than 20 trips, and at least half of those with a changed
// time, are moved by the same number of minutes; or if the ledger may have lost a hold on
// one of the trips. It is empty for an ordinary plan.
func (p *ChangePlan) Suspicious() string {
	why := cmp.Or(p.movedAlike(), p.changedAlike())
	if why == "" && p.copied {
		why = "the ledger is a copy that was adopted since these trips were booked, and may lack what was put on hold: put it on hold again first"
	}
	return why
}

// movedAlike says how many trips are moved by the same number of minutes. It is empty if
// these are few.
func (p *ChangePlan) movedAlike() string {
	shifts, moved := map[int]int{}, 0
	for _, t := range p.Trips {
		if t.Shift != 0 {
			shifts[t.Shift]++
			moved++
		}
	}
	for _, minutes := range slices.Sorted(maps.Keys(shifts)) {
		n := shifts[minutes]
		if n > manyChanges && 2*n >= moved {
			share := "most"
			if n == moved {
				share = "all"
			}
			return fmt.Sprintf("%d trips, %s %s min", n, share, signed(minutes))
		}
	}
	return ""
}

// changedAlike names the property that differs in the most trips of a day. It is empty if
// these are few.
func (p *ChangePlan) changedAlike() string {
	type onDay struct {
		date importer.Date
		key  string
	}
	differ := map[onDay]int{}
	for _, t := range p.Trips {
		for _, key := range t.Keys {
			if !importer.IsCoordinate(key) { // a coordinate is sent with its address
				differ[onDay{t.Begins.Date, key}]++
			}
		}
	}
	mostFirst := func(a, b onDay) int {
		return cmp.Or(differ[b]-differ[a], a.date.Compare(b.date), cmp.Compare(a.key, b.key))
	}
	for _, at := range slices.SortedFunc(maps.Keys(differ), mostFirst) {
		if n := differ[at]; n > manyChanges && 10*n > p.booked[at.date] {
			return fmt.Sprintf("%d trips of %d on %s, all with another %s", n, p.booked[at.date], at.date.Spoken(), importer.PropertyName(at.key))
		}
	}
	return ""
}

// signed returns a number with its sign: "+ 60".
func signed(n int) string {
	if n < 0 {
		return "- " + strconv.Itoa(-n)
	}
	return "+ " + strconv.Itoa(n)
}
