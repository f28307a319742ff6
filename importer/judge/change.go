package judge

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
)

// underWay is how long after a change was sent it may still arrive.
const underWay = importer.UnderWay

// booked decides a trip that is booked: what the schedule says differently from when it was
// booked is a change, and so is what a person fixed in a workbook since.
func (r *rowJudge) booked(i int, s *importer.Standing) Decision {
	d := Decision{Leg: i, Trip: s, Outcome: Recorded(s, r.zone()), OtherMapping: s.Mapping != r.Mapping}
	t := &r.Row.Trips[i]
	differs := r.differs(i, s)
	d.Outcome.Edited = r.Workbook && !saysLastWord(r.known)
	if d.OtherMapping || s.Leg != t.Leg || importer.SameID(t.ID, s.TripID) { // another template, shape or spelling
		differs = slices.DeleteFunc(differs, func(key string) bool { return key == "trip_id" })
	}
	r.plan(&d, t, differs)
	d.setState(r.known.Own[i].Values)
	d.Outcome.Remarks = slices.DeleteFunc(slices.Clone(differs), func(key string) bool { return !importer.Informational([]string{key}) })
	if slices.ContainsFunc(differs, isTime) {
		d.Shift = cmp.Or(s.Begins.MinutesUntil(t.Time()), appointmentShift(&s.Identity, &r.known.Own[i].Identity))
	}

	reason := d.Outcome.Reason
	if s.GUIDMissing {
		d.Outcome.Reason = joined(doubtOf(s), reason)
	}
	if why := cmp.Or(r.personFirst(t, s, &d), r.secondCar(i, &d)); why != "" {
		if d.Outcome.State != importer.ChangeUnknown {
			d.Outcome.State, d.Outcome.Why = importer.ChangeByHand, importer.NoWhy
		}
		d.Outcome.Reason = joined(why, reason)
		d.Send, d.ByHand, d.Frozen = nil, d.Outcome.Changed, false
		return d
	}
	switch {
	case d.Outcome.State == importer.BookedEarlier:
		d.Outcome.Changed = differs
		return d
	case d.Outcome.Why == importer.WhyRefused:
		d.Outcome.Reason = joined("the service refused this change before", reason)
		return d
	case d.Outcome.State == importer.ChangeByHand && d.Outcome.Why == importer.NoWhy:
		return d
	}
	if why := r.unsent(t, s, &d); why != "" {
		d.Outcome.Reason, d.Outcome.Guarded = joined(why, reason), why == r.options.Guarded
		return d
	}
	if len(d.Send) > 0 {
		d.Do = Change
	}
	return d
}

// appointmentShift returns the number of minutes by which the appointment is later than it was; 0 if
// one of the two has none.
func appointmentShift(was, now *importer.Identity) int {
	before, after := was.Times.Appointment(), now.Times.Appointment()
	if before.IsZero() || after.IsZero() {
		return 0
	}
	return before.MinutesUntil(after)
}

// joined joins the reasons that are not empty.
func joined(reasons ...string) string { return importer.Joined("; ", reasons...) }

// personFirst says why nothing of a booked trip is changed before a person has looked at it;
// empty for most.
func (r *rowJudge) personFirst(t *importer.Trip, s *importer.Standing, d *Decision) string {
	o := &d.Outcome
	if why := doubtOf(s); why != "" && !s.GUIDMissing {
		o.Contradicted = true
		return why
	}
	back := r.backAgain(s)
	o.Back = back != ""
	changed := r.changedBack(t, s, o.Changed)
	d.Back = changed != ""
	return cmp.Or(back, changed, answeredWithOther(s), r.unsureIfWanted(t, s))
}

// answeredWithOther tells of a booked trip to whose last change the service answered with another trip: sent again, it
// might change that one again, and would stop each run.
func answeredWithOther(s *importer.Standing) string {
	if isLost(s) && strings.HasSuffix(s.Code, importer.ReplyForeign.String()) {
		return "the service answered to a change of it with another trip: see whose the GUID is"
	}
	return ""
}

// secondCar tells of a booked trip that its change would make the booked trip of a row that no schedule has beside it.
func (r *rowJudge) secondCar(i int, d *Decision) string {
	own := &r.known.Own[i].Identity
	if d.Outcome.State == importer.BookedEarlier || own.MayBe(d.Trip.Identity) {
		return ""
	}
	for n := range r.known.Trips {
		other := &r.known.Trips[n]
		if own.MayBe(other.Identity) && !isLive(r.Wanted, r.known, other) && r.questionAbout(i, other) == importer.AskDoubleBooking {
			return fmt.Sprintf("possible double booking: it would be as trip %s is booked%s", other.ListedID(), guidOf(other))
		}
	}
	return ""
}

// unsureIfWanted tells of a booked trip that the file has on a cancelled row too, or whose row can't be read because
// its cells are shifted, until a person leaves it as it is.
func (r *rowJudge) unsureIfWanted(t *importer.Trip, s *importer.Standing) string {
	i := slices.IndexFunc(t.Problems, func(p importer.Problem) bool { return p.Code == importer.CodeTripIDCancelled })
	word := r.known.Word()
	left := word != nil && s.Said != nil && s.Said.Verdict == importer.LeaveIt && s.Said.Event > word.Said && word.Digest == r.known.Digest
	switch {
	case left:
	case i >= 0:
		return t.Problems[i].Message + ": ask which of the two is right, and if it is cancelled, cancel it in the service"
	case r.Row.Shifted():
		return "its row can't be read: see in the broker's schedule whether it is still wanted"
	}
	return ""
}

// differs returns the keys of the properties that are changed. The schedule is compared
// with the schedule: with what it had when the trip was booked. What the service took last is no
// change: the broker corrected the row to what a person had fixed. In a row of a workbook, what a
// person changed since counts too.
func (r *rowJudge) differs(i int, s *importer.Standing) (changed []string) {
	own, said := r.known.Own[i].Values, r.said(i)
	changed = said.Differs(s.Seen)
	changed = slices.DeleteFunc(changed, func(key string) bool { return tookLast(s, own, key) })
	for _, key := range own.Differs(said) {
		if !own.Same(s.Sent, key) && !slices.Contains(changed, key) {
			changed = append(changed, key)
		}
	}
	for _, key := range s.Sent.Differs(s.Seen) {
		together := slices.ContainsFunc(changed, func(other string) bool { return groupOf(other) == groupOf(key) })
		if !slices.Contains(changed, key) && !own.Same(s.Sent, key) && r.hadSent(i, s, key, !together) { // what was left of a place or time that changes again would be half of another
			changed = append(changed, key)
		}
	}
	if r.Row.Key.ID == "" { // it was found without an id, which only says that it lacks it again
		changed = slices.DeleteFunc(changed, func(key string) bool { return key == "trip_id" })
	}
	return changed
}

// tookLast reports whether the service took last what values have of a property, and nobody has said anything else since.
func tookLast(s *importer.Standing, values importer.Values, key string) bool {
	return s.Change == nil && (s.Said == nil || s.Said.Event < s.Claimed) && values.Same(s.Sent, key)
}

// hadSent reports whether the schedule once had what the service has of a property: what it has now
// is its next word, and not the value that a person had fixed. What it had before that was said last may not count.
func (r *rowJudge) hadSent(i int, s *importer.Standing, key string, later bool) bool {
	word, since := r.known.Word(), s.Claimed
	if s.Said != nil {
		since = max(since, s.Said.Event)
	}
	return slices.ContainsFunc(word.Versions(), func(v importer.WordVersion) bool {
		return (!later || v.Said > since) && slices.ContainsFunc(v.Legs, func(w importer.LegWord) bool {
			return (w.Leg == s.Leg || w.Leg == r.Row.Trips[i].Leg) && w.Values.Same(s.Sent, key)
		})
	})
}

// backAgain tells of a booked trip that was listed to be cancelled and is wanted again, as long
// as nobody has answered about it: somebody may have cancelled it meanwhile. It is empty for
// any other trip.
func (r *rowJudge) backAgain(s *importer.Standing) string {
	word := r.known.Word()
	if r.notMadeBefore(s) {
		return "was listed to be cancelled, because its row did not make it, is back: if somebody cancelled it, reinstate it"
	}
	switch {
	case word == nil || word.Off == nil || s.Claimed > word.Off.Event:
		return ""
	case s.Said != nil && s.Said.Event > word.Off.Event && s.Said.Verdict != importer.There: // a GUID says nothing of that
		return ""
	case slices.ContainsFunc(word.Answers, func(a importer.RowAnswer) bool {
		return a.Event > word.Off.Event && a.Other == s.Number && a.Verdict != importer.NoVerdict
	}):
		return ""
	}
	what := "was listed to be cancelled at "
	if word.Off.Says == importer.SaysGone {
		what = "was listed as gone at "
	}
	return what + Clock(word.Off.Stamp, r.zone()) + ", is back: if somebody cancelled it, reinstate it"
}

// sinceLast yields the earlier versions of the row's word of which not all was sent of a trip, and about which nobody has
// answered: those that are later than what was sent last, and the one of which a change was part. Who only said that it is there
// did not say that it was left there.
func (r *rowJudge) sinceLast(s *importer.Standing) iter.Seq[*importer.WordVersion] {
	return func(yield func(*importer.WordVersion) bool) {
		word := r.known.Word()
		if word == nil {
			return
		}
		versions, next := word.Earlier, word.Said
		if r.Arrival != nil && r.Arrival.Number == 0 && r.Version == 0 && !saysLastWord(r.known) { // a proposal, which is not recorded
			versions = append([]importer.WordVersion{{Said: word.Said, Pair: word.Pair, Legs: word.Legs}}, versions...)
			next = s.Changed + 1 // the proposal is later than all
		}
		since := s.Claimed
		if s.Said != nil && s.Said.Verdict != importer.There {
			since = max(since, s.Said.Event)
		}
		for i := range versions {
			v := &versions[i]
			answered := slices.ContainsFunc(word.Answers, func(a importer.RowAnswer) bool { return a.Event > v.Said && a.Other == s.Number })
			if v.Said <= since || next <= s.Changed || answered || !yield(v) {
				return
			}
			next = v.Said
		}
	}
}

// notMadeBefore reports whether the row was wanted without a booked trip since, so that it was listed to be
// cancelled: it made other legs, between other places.
func (r *rowJudge) notMadeBefore(s *importer.Standing) bool {
	makes := func(leg importer.LegWord) bool {
		return leg.Leg == s.Leg || !slices.ContainsFunc(leg.Values.Differs(s.Seen), func(key string) bool { _, ofPlace := importer.PlaceOf(key); return ofPlace })
	}
	for v := range r.sinceLast(s) {
		if len(v.Legs) > 0 && !slices.ContainsFunc(v.Legs, makes) {
			return true
		}
	}
	return false
}

// changedBack tells of a booked trip that the schedule has as it is booked, after it was listed with another rider, day,
// provider, funding source, time or place that was not sent: somebody may have told dispatch, also of many if they are
// near. now are the keys that differ still.
func (r *rowJudge) changedBack(t *importer.Trip, s *importer.Standing, now []string) string {
	for v := range r.sinceLast(s) {
		for i := range v.Legs {
			leg := &v.Legs[i]
			if r.options.ManyBack && !r.isFrozen(t, s) && !r.options.freezes(leg.Begins, false) {
				continue
			}
			keys := slices.DeleteFunc(leg.Values.Differs(s.Seen), func(key string) bool {
				return !isListed(key) || slices.Contains(now, key) || tookLast(s, leg.Values, key) // the broker corrected it to what was fixed
			})
			switch {
			case v.Pair.Provider != r.Row.Pair().Provider:
				return listedWith("transportation provider")
			case leg.Leg == s.Leg && len(keys) > 0:
				return listedWith(importer.PropertyNames(keys))
			}
		}
	}
	return ""
}

// isListed reports whether people may have changed a property in the service because a list had it.
func isListed(key string) bool {
	return importer.Identifying([]string{key}) || freezes(groupOf(key)) && !importer.IsCoordinate(key)
}

func listedWith(what string) string {
	return "was listed with another " + what + ", and the schedule has it as it is booked again: if dispatch was told, tell them"
}

// unsent returns the reason for which a change that could be sent is not sent now, or "".
func (r *rowJudge) unsent(t *importer.Trip, s *importer.Standing, d *Decision) string {
	o := r.options
	_, faulty := faults(t)
	switch c := s.Change; {
	case c != nil && c.State == importer.ChangeSending:
		return "it is being changed now"
	case c != nil && c.State == importer.ChangeUnclear && o.At.Sub(c.At) < underWay:
		return "a change of it may still arrive: a later run sends it again"
	case importer.Faulty(r.Row.Problems) || faulty: // if it may be booked twice, another row is asked about beside it
		return "the row has to be fixed first"
	case o.Guarded != "" && !o.Confirmed:
		return o.Guarded
	case d.OtherMapping && !o.Confirmed:
		return "the mapping has changed since, so somebody has to look at it at a terminal before it is sent"
	case !o.SendChanges:
		return "changes are not sent unless somebody asks for it"
	}
	return ""
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

// hasGroup reports whether one of the properties is in a group.
func hasGroup(keys []string, group string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return groupOf(key) == group })
}

func isTime(key string) bool { return strings.HasSuffix(key, "_time") }

// freezes reports whether the freeze applies to the properties of a group.
func freezes(group string) bool {
	return group == groupTimes || group == groupPickup || group == groupDropoff || group == "space_type"
}

// plan sets what is to be done about the properties in which a booked trip differs: which are sent, and which are
// changed by hand and for what reason. Outcome.Changed are both, without the coordinates that go with an address.
func (r *rowJudge) plan(d *Decision, t *importer.Trip, differs []string) {
	s := d.Trip
	keys := openKeys(t, s, differs)
	elsewhere := ""
	if r.isElsewhere(d.Leg, s) { // its key is that of another one
		elsewhere = "it is booked with " + s.Account.Provider + ", as a person fixed it, and the schedule has " + t.Provider
	}
	byHand := map[string]string{} // the reason, by group
	for _, key := range keys {
		if why := cmp.Or(elsewhere, r.whyByHand(t, s, key, differs)); why != "" {
			byHand[groupOf(key)] = why
		}
	}

	var why []string
	for _, key := range keys {
		group := groupOf(key)
		reason, hand := byHand[group]
		if !hand && freezes(group) && r.isFrozen(t, s) {
			reason, hand, d.Frozen = "it is too near to be changed without a phone call", true, true
		}
		if !hand {
			d.Send = append(d.Send, key)
			continue
		}
		d.ByHand = append(d.ByHand, key)
		if !slices.Contains(why, reason) {
			why = append(why, reason)
		}
	}
	if isLost(s) && len(d.ByHand) > 0 || d.turnsRound() {
		// If the service took a later change, nobody would know of the rest of the lost one. And a trip between other
		// places at its old time is neither the old one nor the new one.
		d.Send, d.ByHand = nil, keys
	}
	d.addCoordinates()
	d.Outcome.Changed, d.Outcome.Reason = keys, strings.Join(why, "; ")
}

// turnsRound reports whether both places of a trip would be sent, and its times are changed by hand.
func (d *Decision) turnsRound() bool {
	return hasGroup(d.ByHand, groupTimes) && hasGroup(d.Send, groupPickup) && hasGroup(d.Send, groupDropoff)
}

// openKeys returns the properties of a booked trip that need a change: those that differ and,
// if a change may not have arrived, those that it sent. Remarks need none, and coordinates go
// with their address.
func openKeys(t *importer.Trip, s *importer.Standing, differs []string) []string {
	keys := slices.Clone(differs)
	if isLost(s) {
		keys = append(keys, s.Change.Keys...)
	}
	importer.SortKeys(keys)
	return slices.DeleteFunc(slices.Compact(keys), func(key string) bool {
		return importer.Informational([]string{key}) || importer.IsCoordinate(key) && !hasValue(t, key)
	})
}

// isLost reports whether nothing proves that the trip's last change arrived.
func isLost(s *importer.Standing) bool {
	return s.Change != nil && s.Change.State != importer.ChangeRefusedByService
}

// whyByHand returns the reason for which a person has to change the property, or "" if it can be
// sent.
func (r *rowJudge) whyByHand(t *importer.Trip, s *importer.Standing, key string, differs []string) string {
	onItsDay := r.options.Now.Date == s.Day
	switch {
	case s.Held:
		return "a person put it on hold, so it is not changed"
	case t.Date().IsZero():
		return "its day and time can't be read"
	case s.Day != t.Date() || importer.Identifying(differs):
		return "it has another rider, day or funding source now, which the service can't change"
	case !importer.Changeable(key):
		return "the service can't change " + importer.PropertyName(key)
	case r.hasPassed(t.Time()) || r.hasPassed(s.Begins):
		return "its time has passed"
	case r.isBlank(t, key):
		return fmt.Sprintf("%s is blank now, which can't be sent to the service", importer.PropertyName(key))
	case groupOf(key) == groupTimes && t.Type == importer.WillCall && !s.WillCall && onItsDay:
		return "it became a will call on its day"
	case isLost(s) && onItsDay:
		return "a change of it may not have arrived"
	}
	return ""
}

// isBlank reports whether a property has no value any more, and not only one that can't be read.
func (r *rowJudge) isBlank(t *importer.Trip, key string) bool {
	return !hasValue(t, key) && !importer.Faulty(r.Row.Problems) && !t.Faulty()
}

// isFrozen reports whether the trip is too near to be changed, as it was booked or as it is now.
func (r *rowJudge) isFrozen(t *importer.Trip, s *importer.Standing) bool {
	o := r.options
	isSet := o.Freeze != 0 || o.FreezeAt != importer.TimeOfDay{}
	return isSet && (o.freezes(s.Begins, s.WillCall) || o.freezes(t.Time(), t.Type == importer.WillCall))
}

// freezes reports whether a trip that begins at a time is frozen: less than the freeze before it,
// or later than the freeze's time on the evening before. A will call is frozen on its day. Where clocks
// change in between, the shorter one of the two lengths counts.
func (o *Options) freezes(begins importer.DateTime, willCall bool) bool {
	switch {
	case begins.IsZero():
		return false
	case willCall:
		return o.Now.Date.Compare(begins.Date) >= 0
	case o.FreezeAt != (importer.TimeOfDay{}):
		return o.Now.Compare(importer.DateTime{Date: begins.AddDays(-1), TimeOfDay: o.FreezeAt}) >= 0
	}
	zone := cmp.Or(o.Rules.Location, time.Local)
	now, _ := o.Now.In(zone)
	at, _ := begins.In(zone)
	return min(at.Sub(now), time.Duration(o.Now.MinutesUntil(begins))*time.Minute) < o.Freeze
}

// addCoordinates adds the coordinates of places that are changed. Without them the service would
// place the changed address itself, perhaps elsewhere.
func (d *Decision) addCoordinates() {
	for _, side := range []importer.Field{importer.FieldPickup, importer.FieldDropoff} {
		if !hasGroup(d.Send, string(side)+" place") {
			continue
		}
		for _, part := range []string{".event_location.latitude", ".event_location.longitude"} {
			if key := string(side) + part; !slices.Contains(d.Send, key) {
				d.Send = append(d.Send, key)
			}
		}
	}
}

// hasValue reports whether the trip has a value of the property.
func hasValue(t *importer.Trip, key string) bool {
	return slices.ContainsFunc(t.Properties(), func(v importer.PropertyValue) bool { return v.Key == key })
}

// setState sets the state of a booked trip before any of its changes is sent, and why it has that. own are the values
// that the row has.
func (d *Decision) setState(own importer.Values) {
	o, change := &d.Outcome, d.Trip.Change
	sentBefore := func(key string) bool {
		return importer.IsCoordinate(key) || slices.Contains(change.Keys, key) && own.Same(change.Values, key)
	}
	o.State, o.Why = importer.ChangeByHand, importer.NoWhy
	switch {
	case isLost(d.Trip):
		o.State = importer.ChangeUnknown
	case len(d.Send)+len(d.ByHand) == 0:
		o.State = importer.BookedEarlier
	case len(d.Send) == 0:
	case change != nil && !slices.ContainsFunc(d.Send, func(key string) bool { return !sentBefore(key) }):
		o.Why = importer.WhyRefused
	case d.Trip.GUID == "": // no run can send it
		o.Reason = joined("its GUID is missing", o.Reason)
		d.Send, d.ByHand = nil, slices.Concat(d.Send, d.ByHand)
	default:
		o.Why = importer.WhyUnsent
	}
}

func (r *rowJudge) zone() *time.Location { return r.options.Rules.Location }

// hasPassed reports whether a time that is known has passed.
func (r *rowJudge) hasPassed(at importer.DateTime) bool {
	return !at.IsZero() && at.Compare(r.options.Now) < 0
}
