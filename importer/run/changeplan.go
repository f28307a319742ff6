package run

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
)

// Changes says what a run does about booked trips that differ from the schedule. With a
// nil *Changes the run reports them and changes nothing.
type Changes struct {
	// Only reports that the run changes booked trips and books none.
	Only bool
	// Confirmed reports that a person has confirmed the changes. Otherwise a trip is not
	// changed if the mapping was edited since the trip was booked.
	Confirmed bool
	// Withheld says why the run makes none of the changes; empty if it makes them.
	Withheld string
	// Freeze is the time of day on the evening before a trip's day from which its times,
	// places, trip type and space type are not changed any more. The freeze of a will
	// call begins with its day. NoFreeze switches the freeze off.
	Freeze   importer.TimeOfDay
	NoFreeze bool
	// Plan is the plan that a person or the guards accepted: nothing else is changed. It
	// is nil if no plan was made.
	Plan *ChangePlan
	// Allowed are the attempts (Record.Attempt) of frozen trips that a person wants to
	// change anyway.
	Allowed map[int64]bool
}

// A changePlan says what is to be done about the properties in which a booked trip
// differs from the schedule. They are named by their keys.
type changePlan struct {
	// send are the properties to change in the service, and byHand those that a person
	// has to change. why is the reason for byHand.
	send, byHand []string
	why          string
	// frozen reports that some properties are in byHand only because of the freeze.
	frozen bool
}

// The groups of properties that are changed together or not at all.
const (
	groupTimes   = "times"
	groupPickup  = "pickup place"
	groupDropoff = "dropoff place"
)

// groupOf returns the group of a property, or its key if it is in no group.
func groupOf(key string) string {
	side, ofPlace := importer.PlaceOf(key)
	switch {
	case key == "trip_type" || isTime(key):
		return groupTimes
	case ofPlace:
		return string(side) + " place"
	}
	return key
}

// freezes reports whether the freeze applies to the properties of a group.
func freezes(group string) bool {
	return group == groupTimes || group == groupPickup || group == groupDropoff || group == "space_type"
}

// planChange returns what is to be done at the time now about the differences between a
// booked trip and the schedule's trip t.
func (c *Changes) planChange(rec *importer.Record, t *importer.Trip, now importer.DateTime) changePlan {
	var p changePlan
	keys := openKeys(rec, t)
	byHand := map[string]string{} // the reason, by group
	for _, key := range keys {
		if why := c.whyByHand(rec, t, key, now); why != "" {
			byHand[groupOf(key)] = why
		}
	}
	var why []string
	for _, key := range keys {
		group := groupOf(key)
		reason, hand := byHand[group]
		switch {
		case hand:
		case freezes(group) && c.isFrozen(rec, now):
			reason, hand = tooNear, true
			p.frozen = true
		}
		if !hand {
			p.send = append(p.send, key)
			continue
		}
		p.byHand = append(p.byHand, key)
		if !slices.Contains(why, reason) {
			why = append(why, reason)
		}
	}
	p.why = strings.Join(why, "; ")
	if isLost(rec) && len(p.byHand) > 0 {
		// If the service took a later change, nobody would know of the rest of the lost
		// one.
		p.send, p.byHand = nil, keys
	}
	p.addCoordinates()
	return p
}

// openKeys returns the properties of a booked trip that need a change: those that differ
// and, if a change may not have arrived, those that it sent.
func openKeys(rec *importer.Record, t *importer.Trip) []string {
	keys := slices.Clone(rec.Differs)
	if isLost(rec) {
		keys = append(keys, rec.Change.Keys...)
	}
	slices.Sort(keys)
	return slices.DeleteFunc(slices.Compact(keys), func(key string) bool {
		return importer.Informational([]string{key}) || importer.IsCoordinate(key) && !hasValue(t, key) // addCoordinates adds it with its address
	})
}

// isLost reports whether nothing proves that the trip's last change arrived.
func isLost(rec *importer.Record) bool {
	return rec.Change != nil && rec.Change.State == importer.ChangeUnknown
}

const tooNear = "it is too near to be changed without a phone call"

// whyByHand returns the reason for which a person has to change the property, or "" if it
// can be sent.
func (c *Changes) whyByHand(rec *importer.Record, t *importer.Trip, key string, now importer.DateTime) string {
	ofDay := now.Date == rec.Date
	past := func(at importer.DateTime) bool { return !at.IsZero() && at.Compare(now) < 0 }
	switch {
	case rec.Held:
		return "a person put it on hold, so it is not changed"
	case t.Date().IsZero():
		return "its day and time can't be read"
	case rec.OtherTrip:
		return "it has another rider, day or funding source now, which the service can't change"
	case !importer.Changeable(key):
		return "the service can't change " + importer.PropertyName(key)
	case past(t.Time()) || past(rec.Time):
		return "its time has passed"
	case !hasValue(t, key):
		return fmt.Sprintf("%s is blank now, which can't be sent to the service", importer.PropertyName(key))
	case groupOf(key) == groupTimes && t.Type == importer.WillCall && ofDay:
		return "it became a will call on its day"
	case isLost(rec) && ofDay:
		return "a change of it may not have arrived"
	}
	return ""
}

// isFrozen reports whether the trip's freeze has begun. It begins by the time for which
// the trip is booked: a timed trip was planned on the evening before, even if the
// schedule makes it a will call now.
func (c *Changes) isFrozen(rec *importer.Record, now importer.DateTime) bool {
	if c.NoFreeze || c.Allowed[rec.Attempt] {
		return false
	}
	from := importer.DateTime{Date: rec.Date.AddDays(-1), TimeOfDay: c.Freeze}
	if isWillCallTime(rec.Time) {
		from = importer.DateTime{Date: rec.Date}
	}
	return now.Compare(from) >= 0
}

// isWillCallTime reports whether a pickup time is that of a will call.
func isWillCallTime(at importer.DateTime) bool { return at.Hour == 23 && at.Minute == 59 }

// addCoordinates adds the coordinates of places that are changed. Without them the
// service would place the changed address itself, perhaps elsewhere.
func (p *changePlan) addCoordinates() {
	for _, side := range []importer.Field{importer.FieldPickup, importer.FieldDropoff} {
		group := string(side) + " place"
		if !slices.ContainsFunc(p.send, func(key string) bool { return groupOf(key) == group }) {
			continue
		}
		for _, part := range []string{".event_location.latitude", ".event_location.longitude"} {
			if key := string(side) + part; !slices.Contains(p.send, key) {
				p.send = append(p.send, key)
			}
		}
	}
}

// ofRow returns the keys that are sent, without coordinates that do not come from the
// row. The ledger does not record these, because they are not compared.
func (p *changePlan) ofRow(t *importer.Trip) []string {
	return slices.DeleteFunc(slices.Clone(p.send), func(key string) bool { return importer.IsCoordinate(key) && !hasValue(t, key) })
}

// hasValue reports whether the trip has a value of the property.
func hasValue(t *importer.Trip, key string) bool {
	return slices.ContainsFunc(t.Properties(), func(v importer.PropertyValue) bool { return v.Key == key })
}

// changeState returns the state of a booked trip before any of the planned changes is
// sent.
func changeState(rec *importer.Record, p *changePlan) importer.State {
	change := rec.Change
	switch {
	case isLost(rec):
		return importer.ChangeUnknown
	case len(p.send)+len(p.byHand) == 0:
		return importer.AlreadyCreated
	case change != nil && change.Same && !slices.ContainsFunc(p.send, func(key string) bool { return !slices.Contains(change.Keys, key) }):
		return importer.ChangeRefused
	case len(p.send) == 0:
		return importer.ChangeByHand
	}
	return importer.Changed
}
