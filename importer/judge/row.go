package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
)

// Row decides what is done about each trip of a row, in the order of its legs, and then about
// each booked trip of the row that it does not make.
//
//  1. A row that a newer arrival has changed, cancelled or dropped is not the last word:
//     nothing of it is sent.
//  2. A row that is left out sends nothing. If it is cancelled, what is booked of it has to be
//     cancelled by hand.
//  3. Each trip is matched to the booked trip that it is, and decided by what stands there:
//     may be booked, cancelled by a person, booked, or free to be sent.
//  4. A booked trip is compared with what the schedule had when it was booked.
//  5. A free trip waits if a person has answered so, if a booked trip of the same row or of
//     the same rider may be it, if a word is new, if it has a fault, or if its time has passed.
//  6. No leg is sent while another leg of its row has a fault or waits.
//  7. Booked trips that the row does not make any more have to be cancelled by hand.
func Row(w *Wanted, k *importer.Known, o *Options) []Decision {
	if len(k.Own) < len(w.Row.Trips) { // without a ledger nothing is known
		known := *k
		known.Own = make([]importer.Own, len(w.Row.Trips))
		k = &known
	}
	w = asRecorded(w, k)
	m := match(w, k, o)
	l := superseded(w, k)
	decisions := decide(w, k, &m, l, o)
	for i := range decisions {
		out := &decisions[i].Outcome
		note(out, k)
		out.Older = l != nil
		switch {
		case l != nil && out.Why == importer.WhyUnsent:
			out.Saw = 0 // an answer would be about what the newer schedule says, which is not shown
		case out.Superseded:
			out.Saw = shown(w, k) // as is what the newer schedule says of a trip that is held
		}
	}
	return decisions
}

// shown returns the version of its word that a row is, which is not the last word; 0 if it never was one.
func shown(w *Wanted, k *importer.Known) int64 {
	if w.Version != 0 {
		return w.Version
	}
	word := k.Word()
	if word == nil {
		return 0
	}
	was := importer.First(word.Earlier, func(v *importer.WordVersion) bool { return v.Digest == k.Digest })
	return cmp.Or(was, &importer.WordVersion{}).Said
}

// note notes in an outcome the last event of all that a person sees in it: of the trip that it is
// about, or that its question names, and of the row.
func note(o *importer.Outcome, k *importer.Known) {
	if o.RowNumber == 0 {
		o.RowNumber = k.Row
	}
	for _, row := range []int64{o.RowNumber, k.Row} {
		if word := k.WordOf(row); word != nil {
			o.Saw = max(o.Saw, word.Event)
		}
	}
	if s := tripOf(k, o.Attempt); s != nil {
		o.Saw = max(o.Saw, s.Event)
	}
}

func decide(w *Wanted, k *importer.Known, m *matching, l *later, o *Options) []Decision {
	switch {
	case w.Row.LeftOut != "":
		return leftOut(w, k, m, l, o)
	case l != nil:
		return l.apply(w, k, m, o)
	}

	r := &rowJudge{Wanted: w, known: k, options: o, matching: *m}
	decisions := make([]Decision, len(w.Row.Trips))
	for i := range decisions {
		decisions[i] = r.trip(i)
	}
	r.askAboutWords(decisions)
	r.hold(decisions)
	return append(decisions, r.notMade()...)
}

// A rowJudge judges the trips of a row that is the last word and is to be booked.
type rowJudge struct {
	*Wanted
	matching
	known   *importer.Known
	options *Options
}

// trip decides the trip with the index, without regard to the row's other trips.
func (r *rowJudge) trip(i int) Decision {
	t, s := &r.Row.Trips[i], r.own[i]
	if s == nil {
		return r.free(i)
	}
	elsewhere, ofOther := r.isReassigned(i, s), r.ofOtherRider(i, s)
	another := elsewhere || ofOther
	if another && !s.State.Taken() && doubtOf(s) == "" {
		r.own[i] = lastOf(slices.DeleteFunc(slices.Clone(r.tried), func(s *importer.Standing) bool {
			return r.isElsewhere(i, s) || r.ofOtherRider(i, s)
		}), t.Leg) // it is not with that provider, or of that rider, any more, and is booked anew
		return r.free(i)
	}
	switch {
	case s.State == importer.TripCancelled && !another:
		return r.reinstated(i, s)
	case isFree(s):
		return r.free(i)
	case s.State != importer.TripBooked && s.State != importer.TripCancelled:
		return r.unproved(i, s)
	case elsewhere:
		return r.ask(i, importer.AskReassigned, s, "it is booked with "+s.Account.Provider+", and the schedule gives it to "+t.Provider)
	case s.RowID != r.known.ID:
		return r.ask(i, importer.AskWay, s, "its trip id is booked for another row of the schedule")
	case ofOther:
		return r.ask(i, importer.AskRider, s, "it is booked for another rider: either the rider was corrected, or the id stands for another trip now")
	}
	return r.booked(i, s)
}

// unproved decides a trip of which no proof came back. A person looks for what was sent, also where the row has
// another provider, time or trip id now.
func (r *rowJudge) unproved(i int, s *importer.Standing) Decision {
	d := Decision{Leg: i, Trip: s, Outcome: Recorded(s, r.zone())}
	if t := &r.Row.Trips[i]; r.isElsewhere(i, s) || t.Time() != s.Begins || t.ID != s.TripID {
		d.Outcome.Reason += fmt.Sprintf("; it was sent as %s for %s with %s", s.ListedID(), s.Begins.Listed(), s.Account.Provider)
	}
	return d
}

// tellsTripsApart reports whether a property is the rider, a time or a place of a trip.
func tellsTripsApart(key string) bool {
	group := groupOf(key)
	return key == "rider_id" || group == groupTimes || group == groupPickup || group == groupDropoff
}

// isElsewhere reports whether a trip is with another provider than that of the trip with the index. Shifted cells name none.
func (r *rowJudge) isElsewhere(i int, s *importer.Standing) bool {
	t := &r.Row.Trips[i]
	return t.Provider != "" && !r.Row.Shifted() && !importer.SameName(s.Account.Provider, t.Provider)
}

// isReassigned reports whether a trip is elsewhere, and that is a change of the schedule. It is none if the schedule had the
// provider when the trip was sent that it has now, a person fixed it, and the schedule never had that one since.
func (r *rowJudge) isReassigned(i int, s *importer.Standing) bool {
	word := r.known.WordOf(s.Row)
	fixed := s.State == importer.TripBooked && s.RowID == r.known.ID && importer.SameName(word.PairAt(s.Claimed).Provider, r.Row.Trips[i].Provider)
	return r.isElsewhere(i, s) && (!fixed || slices.ContainsFunc(word.Versions(), func(v importer.WordVersion) bool {
		return v.Said > s.Claimed && importer.SameName(v.Pair.Provider, s.Account.Provider)
	}))
}

// ofOtherRider reports whether the trip with the index is booked for another rider than its row has.
func (r *rowJudge) ofOtherRider(i int, s *importer.Standing) bool {
	const rider = "rider_id"
	own := r.known.Own[i].Values
	return s.RowID == r.known.ID && r.Row.Trips[i].RiderID != "" && !r.Row.Shifted() && own.Has(rider) && s.Sent.Has(rider) && !own.Same(s.Seen, rider) && !own.Same(s.Sent, rider)
}

// reinstated decides a trip that a person cancelled in the service and that the row has.
func (r *rowJudge) reinstated(i int, s *importer.Standing) Decision {
	d := Decision{Leg: i, Trip: s, Outcome: Recorded(s, r.zone())}
	if newest := r.newerWithout(i, s); newest != nil {
		d.Outcome.Reason += "; the schedule of " + Clock(newest.Stamp, r.zone()) + " does not have its row"
		return d
	}
	d.Outcome.State, d.Outcome.Reason, d.Outcome.Answered = importer.ReinstateByHand, "", s.Answered
	if s.RowID == r.known.ID {
		d.Outcome.Changed = openKeys(&r.Row.Trips[i], s, r.differs(i, s))
	}
	if a := r.answer(i, 0); a != nil && a.Verdict == importer.LeaveIt {
		d.Outcome = r.left(i, a, &d.Outcome)
	}
	return d
}

// newerWithout returns a newer arrival that does not have the row of the trip with the index, which a person
// cancelled since the row said what it says: whether it is whole or not, nothing wants the trip again. It returns
// nil if there is none.
func (r *rowJudge) newerWithout(i int, s *importer.Standing) *importer.Arrival {
	t, word := &r.Row.Trips[i], r.known.Word()
	newest := newestOf(r.Wanted, r.known, r.Row.Key.Broker, t.Date(), t.Pair())
	if word == nil || newest == nil || !newest.Newer(word.Of()) || s.Said == nil || s.Said.Event < word.Said {
		return nil
	}
	return newest
}

// free decides a trip that is not booked: it is sent unless something speaks against it.
func (r *rowJudge) free(i int) Decision {
	t := &r.Row.Trips[i]
	d := Decision{Leg: i, Do: Send, Trip: r.own[i], AddDay: r.again, Outcome: importer.Outcome{State: importer.NotSent}}
	if d.Trip != nil {
		d.Outcome.Attempt = d.Trip.Number
	}

	if answered, done := r.answered(i, &d); done {
		return answered
	}
	if asked, waits := r.sameTrip(i, &d); waits {
		return asked
	}
	a := r.answer(i, 0)
	if a != nil && a.Verdict == importer.NoVerdict {
		d.Outcome.Reason = inDoubt(a.Doubt)
		if len(r.Row.NewWords) == 0 { // otherwise the word is asked about
			d.Do, d.Outcome.State, d.Outcome.Question = Nothing, importer.Held, importer.AskAgain
			return d
		}
	}
	switch twice, other := faults(t); {
	case importer.Faulty(r.Row.Problems) || other:
		d.Do, d.Outcome.State, d.Outcome.TooLate = Nothing, importer.Fix, isBefore(t.Time(), r.options.Now, r.options.Now)
	case twice && !r.meansSeveral(i, 0) && !r.meant(i, 0):
		return r.ask(i, importer.AskDoubleBooking, nil, "")
	case r.hasPassed(t.Time()):
		d.Do, d.Outcome.TooLate, d.Outcome.Reason = Nothing, true, TooLate
	}
	return d
}

// TooLate is the reason of a trip that is not sent because its time has passed.
const TooLate = "too late: its pickup time has passed, phone the transportation provider now"

// answered decides a trip about which a person has answered that it is not to be sent.
func (r *rowJudge) answered(i int, d *Decision) (Decision, bool) {
	switch a := r.answer(i, 0); {
	case a == nil:
	case a.Verdict == importer.LeaveIt: // whatever was said since of a trip that may have been sent before
		d.Do, d.Outcome = Nothing, r.left(i, a, &d.Outcome)
		return *d, true
	case d.Trip != nil && d.Trip.Said != nil && d.Trip.Said.Event > a.Event: // it was corrected
	case a.Verdict == importer.BookedByHand:
		r.enter(i, a, d)
		return *d, true
	}
	return Decision{}, false
}

// enter decides a trip that a person booked by hand. It is recorded if the schedule has it as it had then.
func (r *rowJudge) enter(i int, a *importer.RowAnswer, d *Decision) {
	what := r.saysElse(i, a)
	switch {
	case what != "":
		d.Do, d.Outcome.State, d.Outcome.Question = Nothing, importer.Held, importer.AskAgain
		d.Outcome.Reason = "a person booked it by hand; since then the schedule " + what + ": see that the service has it so, then answer `booked by hand` once more"
	case recordable(&r.Row.Trips[i]):
		d.Do, d.Enter = Enter, a
	default:
		d.Do, d.Outcome.State, d.Outcome.Reason = Nothing, importer.Fix, "a person booked it by hand: it has to be fixed before it can be recorded, and is not sent"
	}
}

// recordable reports whether a trip that a person booked by hand can be recorded, whatever else of it
// has a fault.
func recordable(t *importer.Trip) bool { return t.ID != "" && t.Provider != "" && !t.Date().IsZero() }

// left returns the outcome of a trip that a person wants left. If its rider, time or place is another
// since, it is listed again.
func (r *rowJudge) left(i int, a *importer.RowAnswer, o *importer.Outcome) importer.Outcome {
	out := importer.Outcome{
		State: importer.LeftOut, Answered: true, RowNumber: o.RowNumber,
		Reason: "left out: a person answered `leave it`; if it is to be sent after all, write `book` under What we found",
	}
	if moved := r.movedSince(i, a); len(moved) > 0 {
		out.Moved = true
		out.Reason += "; since then the schedule has another " + importer.PropertyNames(moved)
	}
	return out
}

// movedSince returns the keys of the rider, the times and the places in which the trip with the index
// differs from what the schedule had when a person answered.
func (r *rowJudge) movedSince(i int, a *importer.RowAnswer) []string {
	return slices.DeleteFunc(r.changedSince(i, a), func(key string) bool { return !tellsTripsApart(key) })
}

// changedSince returns the keys of what the schedule has of the trip with the index, other than
// remarks, that differ from what it had when the person looked who gave an answer: all, if that is not
// known any more.
func (r *rowJudge) changedSince(i int, a *importer.RowAnswer) []string {
	var was importer.Values
	now := r.said(i)
	if leg := r.known.Word().LegAt(a.Saw, a.Leg); leg != nil {
		was = leg.Values
	}
	if a.Apart != nil {
		was, now = a.Apart, r.known.Own[i].Values
	}
	return slices.DeleteFunc(now.Differs(was), func(key string) bool {
		return key == "trip_id" || importer.IsCoordinate(key) || importer.Informational([]string{key})
	})
}

// saysElse says what else the schedule says of the trip with the index since the person looked who gave an
// answer: another value, or another provider or funding source, or that it is wanted again. It is empty
// if only remarks differ.
func (r *rowJudge) saysElse(i int, a *importer.RowAnswer) string {
	word := r.known.Word()
	keys, was := r.changedSince(i, a), word.LegAt(a.Saw, a.Leg)
	switch {
	case len(keys) > 0:
		return "has another " + importer.PropertyNames(keys)
	case word.PairAt(a.Saw) != importer.Pair{} && word.PairAt(a.Saw) != word.Pair:
		return "has another provider or funding source"
	case word.Off != nil && word.Off.Event > a.Saw:
		return "left it out in between"
	case a.Apart == nil && word.Said > a.Saw && was != nil && len(r.said(i).Differs(was.Values)) == 0:
		return "says something else of its row"
	}
	return ""
}

// said returns the values that the schedule has for the trip with the index, whatever a person fixed in
// a workbook.
func (r *rowJudge) said(i int) importer.Values {
	if word := r.known.Word(); r.Workbook && word != nil {
		if leg := word.Leg(r.Row.Trips[i].Leg); leg != nil {
			return leg.Values
		}
	}
	return r.known.Own[i].Values
}

// answer returns the last answer about the trip with the index that stands: one about its day
// and its way that names the other trip, or none. It returns nil if there is none.
func (r *rowJudge) answer(i int, other int64) *importer.RowAnswer {
	word := r.known.Word()
	if word == nil {
		return nil
	}
	var since importer.Verdict // what was said later about another trip of the question
	for n := range slices.Backward(word.Answers) {
		a := &word.Answers[n]
		if !r.isAbout(i, a) {
			continue
		}
		switch {
		case a.Other == other && (outlived(a, since) || r.settledSince(i, a)):
			return nil
		case a.Other == other:
			return a
		case since == importer.NoVerdict || since == importer.LeaveIt:
			since = a.Verdict
		}
	}
	return nil
}

// isAbout reports whether an answer is about the trip with the index, as far as its leg, its way and its day
// tell, and its rider, times and places where two rows of a file had one id. A day that could not be read is any.
func (r *rowJudge) isAbout(i int, a *importer.RowAnswer) bool {
	t, own := &r.Row.Trips[i], &r.known.Own[i]
	sameWay := a.Leg == t.Leg || importer.CompareWays(a.Pickup, a.Dropoff, own.Pickup, own.Dropoff) == importer.SameWay
	day := t.Date()
	sameDay := day.IsZero() || a.Day.IsZero() || day == a.Day || day == a.Given
	return sameWay && sameDay && (a.Apart == nil || len(r.movedSince(i, a)) == 0)
}

// outlived reports whether a later answer, about another trip, settles what two earlier ones contradicted,
// or says of a trip that was left that it is to be booked.
func outlived(a *importer.RowAnswer, since importer.Verdict) bool {
	switch a.Verdict {
	case importer.NoVerdict:
		_, comes := byHand(a)
		return since != importer.NoVerdict && (!comes || since != importer.Meant)
	case importer.LeaveIt:
		return since != importer.NoVerdict && since != importer.LeaveIt
	}
	return false
}

// settledSince reports whether a person has said something later of the booked trip that the row's is. A
// look for a trip that is free says nothing of whether it is wanted.
func (r *rowJudge) settledSince(i int, a *importer.RowAnswer) bool {
	s := r.own[i]
	since := s != nil && s.Said != nil && s.Said.Event > a.Event && s.Said.Doubt.IsZero()
	return since && (a.Verdict == importer.NoVerdict || a.Verdict == importer.LeaveIt && !isFree(s))
}

// meant reports whether a person has answered that the trip is meant beside the other one, which
// is 0 for one of the same file. The answer that the other one was cancelled is in its state.
func (r *rowJudge) meant(i int, other int64) bool {
	a := r.answer(i, other)
	return a != nil && a.Verdict == importer.Meant
}

// meansSeveral reports whether a person has answered that the rider has several trips a day between the places of the
// trip with the index, and what was said of this one beside the other trip is not in doubt.
func (r *rowJudge) meansSeveral(i int, other int64) bool {
	a := r.answer(i, other)
	return r.known.Own[i].Meant && (a == nil || a.Verdict != importer.NoVerdict)
}

// ask makes a trip wait for the answer to a question about a booked trip, which is nil if the
// other trip is in the same file.
func (r *rowJudge) ask(i int, q importer.Question, other *importer.Standing, reason string) Decision {
	o := importer.Outcome{State: importer.Held, Question: q, Reason: reason, RowNumber: r.known.Row}
	if other != nil {
		o.Attempt, o.BookedAt, o.Reason = other.Number, other.SettledAt, reason+guidOf(other)
		if why := doubtOf(other); why != "" {
			o.Reason, o.Contradicted = why+"; "+o.Reason, true
		}
	}
	switch a := r.answer(i, 0); {
	case a == nil:
	case a.Verdict == importer.LeaveIt && o.Contradicted && other.Said.Event > a.Event: // what was written since is not lost
	case a.Verdict == importer.LeaveIt:
		o = r.left(i, a, &o)
	case a.Verdict == importer.NoVerdict:
		if why := inDoubt(a.Doubt); !strings.HasPrefix(o.Reason, why) { // the same may be told of the other trip
			o.Reason = why + "; " + o.Reason
		}
		o.Contradicted = true
	}
	return Decision{Leg: i, Trip: r.own[i], Outcome: o}
}

// guidOf names the GUID of a booked trip, for the end of a sentence.
func guidOf(s *importer.Standing) string {
	if s.GUID == "" {
		return ""
	}
	return " (GUID " + s.GUID + ")"
}

// hold holds back the trips of a row of which another leg has a fault or waits. A trip that is
// left out, or that is booked already, holds back none.
func (r *rowJudge) hold(decisions []Decision) {
	has := func(s importer.State) bool {
		return slices.ContainsFunc(decisions, func(d Decision) bool { return d.Outcome.State == s })
	}
	var held string
	switch {
	case has(importer.Fix):
		held = "the other leg of this row has to be fixed first"
	case has(importer.Held):
		held = "the other leg of this row waits for an answer"
	default:
		return
	}
	for i := range decisions {
		if d := &decisions[i]; d.Do == Send {
			d.Do, d.Outcome.State, d.Outcome.Reason = Nothing, importer.Held, held
		}
	}
}

// notMade decides the booked trips of the row that it does not make any more. A row with a fault
// may make fewer trips than it would once it is fixed, so nothing is to be cancelled because of
// it.
func (r *rowJudge) notMade() []Decision {
	if importer.Faulty(r.Row.Problems) {
		return nil
	}
	var decisions []Decision
	for _, s := range r.dropped {
		if d, listed := unwanted(s, r.known, r.options, "the row does not make this trip any more"); listed {
			decisions = append(decisions, d)
		}
	}
	return append(decisions, r.notMadeByHand()...)
}

// faults reports whether a trip may be booked twice by its file, and whether it has any other fault.
func faults(t *importer.Trip) (twice, other bool) {
	for _, p := range t.Problems {
		switch {
		case p.Severity != importer.Fault:
		case p.Code == importer.CodeDoubleBooking:
			twice = true
		default:
			other = true
		}
	}
	return twice, other
}
