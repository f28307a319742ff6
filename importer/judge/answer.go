package judge

import (
	"cmp"
	"fmt"
	"slices"

	"tripimport/importer"
)

// A Refusal says in words why an answer is not taken. It is a value and not an error: the other
// answers are taken.
type Refusal struct {
	Reason string
	// Waits reports that the trip waits because of what was said.
	Waits bool
}

func refuse(format string, args ...any) *Refusal {
	return &Refusal{Reason: fmt.Sprintf(format, args...)}
}

// Take decides what an answer does, given everything that is known of its subject: of the trip
// with the number Answer.Trip, or of the row with the number Answer.Row. The answer fits what the
// person saw (importer.Verdict.RuleOf); Take decides whether it still holds.
//
//   - The same answer again does nothing: there are no effects.
//   - An answer about a trip that was sent since, or whose state it does not fit any more, is
//     refused.
//   - An answer that contradicts another one about the same state: neither counts. The trip
//     stands as it did before both, until a person answers about that.
//   - A look within importer.UnderWay of the sending does not count, and is asked again.
//   - No answer frees a trip that the service itself proved to be booked.
//   - What is read again where it stands contradicts nothing that was said since.
//   - What is written in a workbook and not taken is a doubt: its trip waits until a person
//     answers about that, or corrects the text where it stands. An answer without a verdict and a note
//     says that the workbook at Where can be read again, which could not be.
func Take(a importer.Answer, k *importer.Known) ([]importer.Effect, *Refusal) {
	effects, refusal := take(a, k)
	if a.Again && slices.ContainsFunc(effects, func(e importer.Effect) bool { return !e.Doubt.IsZero() }) {
		return nil, readBefore(&a)
	}
	if refusal != nil && !refusal.Waits && a.Note != "" {
		effects, refusal.Waits = doubt(a, k)
	}
	return effects, refusal
}

// readBefore refuses an answer that was read before where it stands.
func readBefore(a *importer.Answer) *Refusal {
	return refuse("`%s` was read here before, and something else was said or done since: look again in newer results", a.Verdict)
}

// TakeFix decides whether what a person wrote into a cell in the line of a list still holds, who had seen the row
// up to an event. now is what is open of the row by now; nil for nothing.
func TakeFix(saw int64, now *importer.Outcome) *Refusal {
	switch {
	case now == nil:
		return refuse("nothing is open about its row any more: look again in a newer list")
	case now.Saw > saw: // the cell may be another one now, or have another text
		return &Refusal{"its row has changed since the list was written: look again in a newer list", true}
	}
	return nil
}

func take(a importer.Answer, k *importer.Known) ([]importer.Effect, *Refusal) {
	if a.Verdict == importer.NoVerdict {
		return readAgain(a, k), refuse("it is no answer")
	}
	if ofWordsAlone(&a, k) {
		return nil, nil
	}
	if a.Trip == 0 {
		return takeAboutRow(a, k)
	}
	s := tripOf(k, a.Trip)
	if s == nil {
		return nil, refuse("no trip that was sent fits this answer: look again in newer results")
	}
	if s.Claimed > a.Saw {
		return late(a, s, k)
	}
	if sent := sentSince(k, s.Row, s.Leg, s.Pickup, s.Dropoff, importer.Date{}, a.Saw); isFree(s) && sent != nil { // under another number
		return late(a, sent, k)
	}
	if s.Said == nil || s.Said.Event <= a.Saw {
		return about(a, s, k)
	}
	return answeredSinceSeen(a, s, k)
}

// answeredSinceSeen is take for an answer about a trip about which somebody has answered since the person looked.
func answeredSinceSeen(a importer.Answer, s *importer.Standing, k *importer.Known) ([]importer.Effect, *Refusal) {
	before := s.Said
	switch {
	case before.Doubt.SameText(textOf(&a)): // it is read once more
		return nil, &Refusal{Told(before.Doubt), true}
	case corrects(&a, before.Doubt):
		return about(a, s, k)
	case (sameAnswer(before, &a) || bothCancelled(before, &a)) && isSo(&a, s, k) && !changedBack(&a, s, k):
		return nil, stillTooSoon(&a, s)
	case before.Doubt.Has(a.Who, a.Verdict):
		return nil, neitherCounts(before.Doubt)
	case before.Verdict == a.Verdict && before.GUID == "" && a.GUID != "": // only its GUID is added
		return about(a, s, k)
	}
	doubt := contradiction(before, &a)
	return []importer.Effect{contradict(a, s, k, doubt)}, neitherCounts(doubt)
}

// sentSince returns the trip of a row that was sent after an event and that is, or may be, its leg between
// the two places, on the day, or on any if it is zero; nil if none was.
func sentSince(k *importer.Known, row int64, leg importer.Leg, pickup, dropoff string, day importer.Date, event int64) *importer.Standing {
	return k.Trip(func(s *importer.Standing) bool {
		return s.Row == row && s.Claimed > event && (day.IsZero() || s.Day == day) && importer.LegsCollide(s.Leg, leg, importer.CompareWays(s.Pickup, s.Dropoff, pickup, dropoff))
	})
}

func sentSinceSeen() *Refusal { return refuse("the trip was sent since: look again in newer results") }

// late refuses an answer about a trip that was sent since. If it says that another car comes, or that none is
// wanted, the trip is in doubt until a person looks.
func late(a importer.Answer, s *importer.Standing, k *importer.Known) ([]importer.Effect, *Refusal) {
	doubt := importer.Doubt{Sides: []importer.Side{sideOf(&a)}, Late: true}
	said := s.Said
	switch {
	case s.State != importer.TripBooked && s.State != importer.TripUnclear, !speaksAgainst(&a, s):
		return nil, sentSinceSeen()
	case said == nil || said.Event < s.Claimed:
	case said.Doubt.Has(a.Who, a.Verdict):
		return nil, &Refusal{Told(said.Doubt), true}
	default: // somebody answered about the trip that was sent
		return nil, sentSinceSeen()
	}
	a.Trip, a.Row, a.Other, a.GUID = s.Number, s.Row, 0, ""
	return []importer.Effect{{Answer: a, Saw: k.Saw(), Keep: true, Doubt: doubt}}, &Refusal{Told(doubt), true}
}

// lateAboutRow is late for an answer about a row. If somebody answered since, the trip was sent because of that.
func lateAboutRow(a importer.Answer, s *importer.Standing, word *importer.Word, k *importer.Known) ([]importer.Effect, *Refusal) {
	byHand := s.State == importer.TripBooked && s.Code == importer.CodeBookedByHand
	switch {
	case a.Verdict == importer.CancelledThere && a.Other != 0: // the trip that the question names was not sent since
		a.Trip, a.Other = a.Other, 0
		return Take(a, k)
	case byHand && a.Verdict == importer.BookedByHand && (a.GUID == "" || importer.SameGUID(a.GUID, s.GUID)):
		return nil, nil
	case byHand && a.Verdict == importer.BookedByHand && s.GUID == "": // its GUID is added
		a.Trip, a.Saw = s.Number, s.Event
		return about(a, s, k)
	case a.Verdict == importer.LeaveIt && answeredSince(&a, word) != nil:
		return nil, sentSinceSeen()
	}
	return late(a, s, k)
}

// speaksAgainst reports whether an answer that was given before a trip was sent says that nobody wants it, or
// that another one is in the service.
func speaksAgainst(a *importer.Answer, s *importer.Standing) bool {
	switch a.Verdict {
	case importer.LeaveIt: // a booked trip that is left as it is stays wanted
		return a.Shown.Missing()
	case importer.BookedByHand: // that it was recorded since is no second car
		return !importer.SameGUID(a.GUID, s.GUID) && s.Code != importer.CodeBookedByHand
	case importer.CancelledThere: // nobody knows whether that was before or after it was sent
		return true
	case importer.DoneByHand: // another trip was made what this one is, or it was cancelled
		return a.Other != 0 || a.Shown == importer.CancelByHand
	case importer.There:
		return a.GUID == "" && a.At.Before(s.ClaimedAt) || a.GUID != "" && !importer.SameGUID(a.GUID, s.GUID)
	}
	return false
}

// stillTooSoon refuses a look that came too soon, in the same words once more: nobody knows whether the person
// has looked again. It returns nil for any other answer.
func stillTooSoon(a *importer.Answer, s *importer.Standing) *Refusal {
	if a.Verdict != importer.NotThere || s.State != importer.TripUnclear || s.LookAfter.IsZero() {
		return nil
	}
	return &Refusal{"that look was too soon to be sure: look after " + Clock(s.LookAfter, nil) + ", and answer in the newest list or results", true}
}

func tripOf(k *importer.Known, number int64) *importer.Standing {
	return k.Trip(func(s *importer.Standing) bool { return s.Number == number && number != 0 })
}

// sameAnswer reports whether a person gave the same answer before.
func sameAnswer(before *importer.StandingAnswer, a *importer.Answer) bool {
	return before.Verdict == a.Verdict && (a.GUID == "" || importer.SameGUID(before.GUID, a.GUID))
}

// bothCancelled reports whether two answers in different words say that a trip was cancelled: one
// beside the trip, and one beside a row whose question names it.
func bothCancelled(before *importer.StandingAnswer, a *importer.Answer) bool {
	toCancel := a.Shown == importer.CancelByHand
	return before.Verdict == importer.CancelledThere && a.Verdict == importer.DoneByHand && toCancel ||
		before.Verdict == importer.DoneByHand && a.Verdict == importer.CancelledThere
}

// changedBack reports whether a person with an older list may have changed a trip in the service back to what
// that list has, after another one had changed it to what a newer one has.
func changedBack(a *importer.Answer, s *importer.Standing, k *importer.Known) bool {
	if s == nil || s.Said == nil || a.Verdict != importer.DoneByHand || a.Shown == importer.CancelByHand || a.Shown == importer.ReinstateByHand || !a.At.After(s.Said.At) {
		return false
	}
	then := legSeen(a, s, k)
	return then != nil && !importer.Informational(then.Values.Differs(s.Seen))
}

// isSo reports whether the trip stands as the answer says. The same word about another list may
// mean another thing: done by hand is a cancellation or a change.
func isSo(a *importer.Answer, s *importer.Standing, k *importer.Known) bool {
	toCancel := a.Shown == importer.CancelByHand
	switch a.Verdict {
	case importer.DoneByHand:
		return toCancel == (s.State == importer.TripCancelled)
	case importer.LeaveIt:
		return toCancel == isLeft(s, k)
	case importer.CancelledThere:
		return s.State == importer.TripCancelled
	}
	return true
}

// contradict returns the effect of two answers of which neither counts, because they were given about the
// same state. The trip stands as it was shown to the person: one that may be booked stays one that may
// be, and what differs in a booked one is a change again.
func contradict(a importer.Answer, s *importer.Standing, k *importer.Known, doubt importer.Doubt) importer.Effect {
	e := importer.Effect{Answer: a, Saw: k.Saw(), Doubt: doubt}
	e.Answer.Row, e.Answer.GUID = s.Row, ""
	said := importer.NoVerdict
	if s.Said != nil {
		said = s.Said.Verdict
	}
	switch {
	case a.Shown == importer.ReinstateByHand:
		e.State = importer.TripCancelled
	case !s.Proved && (s.State == importer.TripUnclear || a.Shown == importer.Unknown || tellsIfThere(a.Verdict) || tellsIfThere(said)):
		e.State = importer.TripUnclear
	default:
		e.State = importer.TripBooked
		if leg := legSeen(&a, s, k); leg != nil {
			e.Seen = s.Seen.Forget(leg.Values.Differs(s.Sent))
		}
	}
	switch { // no `leave it` of the row stands either
	case a.Shown == importer.CancelByHand:
		e.ForRow, e.Answer.Other, e.Answer.Leg = true, s.Number, s.Leg
	case said == importer.LeaveIt && s.State != importer.TripBooked:
		e.ForRow, e.Answer.Other, e.Answer.Leg = true, 0, s.Leg
	}
	return e
}

// tellsIfThere reports whether an answer says whether a trip is in the service.
func tellsIfThere(v importer.Verdict) bool {
	return v == importer.There || v == importer.NotThere || v == importer.BookedByHand
}

// neitherCounts refuses an answer that contradicts another one.
func neitherCounts(d importer.Doubt) *Refusal {
	return &Refusal{Told(d) + ": neither counts until somebody answers about the newest list", true}
}

// about returns the effects of an answer about a trip that stands as the person saw it.
func about(a importer.Answer, s *importer.Standing, k *importer.Known) ([]importer.Effect, *Refusal) {
	e := importer.Effect{Answer: a, Saw: k.Saw(), Keep: true}
	e.Answer.Row = s.Row
	misfit := refuse("`%s` does not fit what is known of the trip now: look again in newer results", a.Verdict)
	switch a.Verdict {
	case importer.DoneByHand:
		return doneByHand(e, s, k, misfit)
	case importer.LeaveIt:
		return leave(e, s, k, misfit)
	}
	state, fits := stateBy(a.Verdict, s)
	if a.Proof && s.State == importer.TripSending && s.Claimed == a.Saw { // its run has ended, and could not record that
		state, fits = importer.TripBooked, true
	}
	if !fits {
		return nil, misfit
	}
	if provider := k.WordOf(s.Row).PairAt(a.Saw).Provider; a.Verdict == importer.BookedByHand && provider != "" && !importer.SameName(provider, s.Account.Provider) {
		return nil, refuse("it was sent to %s, and its row had another transportation provider: look there, and answer `not there` if it is not", s.Account.Provider)
	}
	if a.Verdict == importer.NotThere && s.Code != importer.CodeBookedByHand && a.At.Before(s.ClaimedAt.Add(importer.UnderWay)) {
		e.State = state
		return tooSoon(e, s)
	}
	e.State, e.Keep = state, false
	if a.Verdict == importer.BookedByHand && s.State != importer.TripBooked { // as its row said, which may be another thing than was sent
		changedTo(&e, seenBy(&a, s, k), s, legSeen(&a, s, k))
	}
	return []importer.Effect{e}, nil
}

// stateBy returns the state that a verdict gives a trip, and whether it fits what is known of the
// trip. No verdict frees a trip that the service proved.
func stateBy(v importer.Verdict, s *importer.Standing) (state importer.TripState, fits bool) {
	waits, booked := s.State == importer.TripUnclear, s.State == importer.TripBooked
	switch v {
	case importer.There:
		return importer.TripBooked, waits || booked && (!s.Proved || s.GUIDMissing)
	case importer.NotThere:
		return importer.TripNotSent, (waits || booked && s.Answered) && !s.Proved
	case importer.BookedByHand:
		return importer.TripBooked, !s.Proved && s.State != importer.TripSending
	case importer.CancelledThere:
		return importer.TripCancelled, s.State.Taken() || s.State == importer.TripCancelled
	}
	return s.State, false
}

// tooSoon returns the effects of a look at a time when the request could still arrive: it does not
// count, and it is kept when to look again.
func tooSoon(e importer.Effect, s *importer.Standing) ([]importer.Effect, *Refusal) {
	from := s.ClaimedAt.Add(importer.UnderWay)
	refusal := refuse("the trip may still appear: look after %s", Clock(from, nil))
	e.LookAfter, refusal.Waits = from, true
	if s.State != importer.TripUnclear { // a person said that it is there: nobody knows
		e.State, e.Keep = importer.TripUnclear, false
	}
	return []importer.Effect{e}, refusal
}

// doneByHand returns the effects of the answer that a person did in the service what the list
// asked for: cancelled the trip, reinstated it, or changed it to what its row says.
func doneByHand(e importer.Effect, s *importer.Standing, k *importer.Known, misfit *Refusal) ([]importer.Effect, *Refusal) {
	toCancel, toReinstate := e.Answer.Shown == importer.CancelByHand, e.Answer.Shown == importer.ReinstateByHand
	switch {
	case toCancel && inService(s):
		e.State, e.Keep = importer.TripCancelled, false
	case toReinstate && s.State == importer.TripCancelled:
		e.State, e.Keep = importer.TripBooked, false
	case !toCancel && !toReinstate && s.State == importer.TripBooked:
		changedTo(&e, seenBy(&e.Answer, s, k), s, legSeen(&e.Answer, s, k))
	default:
		return nil, misfit
	}
	return []importer.Effect{e}, nil
}

// legSeen returns what the word said of the trip when the person saw it: of the leg that it was then,
// or of that as which it was sent. It returns nil if that is not known any more.
func legSeen(a *importer.Answer, s *importer.Standing, k *importer.Known) *importer.LegWord {
	word := k.WordOf(s.Row)
	return cmp.Or(word.LegAt(a.Saw, a.Leg), word.LegAt(a.Saw, s.Leg))
}

// changedTo adds to an effect what the service has since a person changed the trip there: what the
// person's row said. seen is what the schedule said, and leg what its word said; nil if that is not known.
func changedTo(e *importer.Effect, seen importer.Values, s *importer.Standing, leg *importer.LegWord) {
	e.Seen, e.ChangeDone = seen, true
	now, begins := seen, importer.DateTime{}
	if leg != nil {
		begins = leg.Begins
	}
	if own := e.Answer.Own; own != nil {
		now, begins = own.Values, e.Answer.Places.Time()
	}
	keys := e.Seen.Differs(s.Seen)
	for _, key := range now.Differs(e.Seen) { // fixed in the workbook
		if !now.Same(s.Sent, key) && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	e.Sent = s.Sent.With(now, keys)
	if slices.ContainsFunc(keys, isTime) {
		e.Begins = begins
	}
}

// leave returns the effects of the answer that a trip stays as it is.
func leave(e importer.Effect, s *importer.Standing, k *importer.Known, misfit *Refusal) ([]importer.Effect, *Refusal) {
	switch shown := e.Answer.Shown; {
	case shown == importer.CancelByHand:
		if word := k.WordOf(s.Row); word == nil || word.Said > e.Answer.Saw || !inService(s) {
			return nil, misfit // the schedule says something else since
		}
		e.ForRow, e.Answer.Other, e.Answer.Leg = true, s.Number, s.Leg
	case shown == importer.ReinstateByHand && s.State != importer.TripCancelled:
		return nil, misfit
	case shown == importer.ReinstateByHand, isFree(s): // it is about the row: nothing of it is booked
		e.ForRow, e.Answer.Other, e.Answer.Leg = true, 0, s.Leg
	case s.State == importer.TripBooked:
		e.Seen, e.ChangeDone = seenBy(&e.Answer, s, k), true
	default:
		return nil, misfit
	}
	return []importer.Effect{e}, nil
}

// seenBy returns the values that the schedule had for the trip at the event that the person saw.
// If that is not known any more, nobody knows what the person took them for: whatever differs now
// stays a change.
func seenBy(a *importer.Answer, s *importer.Standing, k *importer.Known) importer.Values {
	if leg := legSeen(a, s, k); leg != nil {
		return leg.Values
	}
	if word := k.WordOf(s.Row); word != nil && word.Leg(s.Leg) != nil {
		return s.Seen.Forget(word.Leg(s.Leg).Values.Differs(s.Seen))
	}
	return s.Seen
}

// takeAboutRow returns the effects of an answer about a leg of a row that is not booked.
func takeAboutRow(a importer.Answer, k *importer.Known) ([]importer.Effect, *Refusal) {
	word := k.WordOf(a.Row)
	if word == nil {
		return nil, refuse("its row is not known: look again in newer results")
	}
	day := wayByHand(&a, word)
	if sent := sentSince(k, a.Row, a.Leg, a.Pickup, a.Dropoff, day, a.Saw); sent != nil && !isOfTwin(&a, sent) {
		return lateAboutRow(a, sent, word, k)
	}
	e := importer.Effect{Answer: a, Saw: k.Saw(), Keep: true, ForRow: true}
	e.Begins.Date = cmp.Or(day, dayOf(&a, word))
	switch before := answeredSince(&a, word); {
	case before == nil || corrects(&a, before.Doubt):
	case sameAnswer(&before.StandingAnswer, &a) && !ofAnotherTime(&e, before, word) && !changedBack(&a, tripOf(k, a.Other), k):
		return nil, nil
	case before.Doubt.Has(a.Who, a.Verdict):
		return nil, neitherCounts(before.Doubt)
	default:
		e.Doubt, e.Answer.Other = contradiction(&before.StandingAnswer, &a), before.Other
		return append([]importer.Effect{e}, contradictOther(&e, cmp.Or(before.Other, a.Other), k)...), neitherCounts(e.Doubt)
	}

	if a.Shown == importer.CancelByHand {
		return aboutByHand(e)
	}
	switch a.Verdict {
	case importer.LeaveIt, importer.BookedByHand, importer.Book:
		e.Answer.Other = 0
	case importer.Meant:
		e.Meant = a.Question == importer.AskDoubleBooking
	case importer.CancelledThere, importer.DoneByHand:
		return takeAboutOther(e, k)
	default:
		return nil, refuse("`%s` does not fit a trip that was not sent", a.Verdict)
	}
	return []importer.Effect{e}, nil
}

// dayOf returns the day of the leg that an answer is about: as its line had it, if the schedule has it so by now, or as the
// schedule had it then. What was said of the leg on another day stands.
func dayOf(a *importer.Answer, word *importer.Word) importer.Date {
	leg := word.Leg(a.Leg)
	if leg == nil || leg.Begins.Date != a.Day {
		leg = word.LegAt(a.Saw, a.Leg)
	}
	return cmp.Or(cmp.Or(leg, &importer.LegWord{}).Begins.Date, word.Day)
}

// isOfTwin reports whether an answer is about one of two rows with one id, and a trip that was sent is the other's.
func isOfTwin(a *importer.Answer, sent *importer.Standing) bool {
	return a.Apart && a.Own != nil && slices.ContainsFunc(a.Own.Values.Differs(sent.Seen), tellsTripsApart)
}

// ofAnotherTime reports whether the same was said of another day, or of what a person did by hand, and each of the two saw
// something else in the row.
func ofAnotherTime(e *importer.Effect, before *importer.RowAnswer, word *importer.Word) bool {
	a := &e.Answer
	now, was := word.LegAt(a.Saw, a.Leg), word.LegAt(before.Saw, a.Leg)
	byHand := a.Verdict == importer.DoneByHand || a.Verdict == importer.BookedByHand
	return before.Given != a.Day && before.Day != e.Begins.Date ||
		byHand && a.At.After(before.At) && now != nil && was != nil && !importer.Informational(now.Values.Differs(was.Values))
}

// contradictOther puts the trip that a question names, the one with the number other, in doubt if one of two answers of
// which neither counts says that it was cancelled or changed in the service.
func contradictOther(e *importer.Effect, other int64, k *importer.Known) []importer.Effect {
	a := e.Answer
	told := slices.ContainsFunc(e.Doubt.Sides, func(s importer.Side) bool {
		return s.Verdict == importer.CancelledThere || s.Verdict == importer.DoneByHand
	})
	s := tripOf(k, other)
	if !told || s == nil || !inService(s) {
		return nil
	}
	a.Trip, a.Other = other, 0
	there := contradict(a, s, k, e.Doubt)
	there.ForRow = false
	return []importer.Effect{there}
}

// aboutByHand returns the effects of an answer about what a person booked by hand of a row that is
// cancelled, and no run has recorded: it was cancelled too, or stays booked.
func aboutByHand(e importer.Effect) ([]importer.Effect, *Refusal) {
	e.Answer.Other = 0
	if e.Answer.Verdict == importer.LeaveIt {
		e.Answer.Verdict = importer.BookedByHand
	}
	return []importer.Effect{e}, nil
}

// takeAboutOther returns the effects of the answer that the trip which the question names was
// cancelled in the service, or made the row's.
func takeAboutOther(e importer.Effect, k *importer.Known) ([]importer.Effect, *Refusal) {
	other := e.Answer
	other.Trip, other.Other = e.Answer.Other, 0
	if other.Trip == 0 {
		return nil, refuse("`%s` fits no trip of the same file: cancel its row there", e.Answer.Verdict)
	}
	there, refused := Take(other, k)
	if refused != nil {
		return there, refused
	}
	return append([]importer.Effect{e}, there...), nil
}

// answeredSince returns the last answer about the same leg that was given after the event that the
// person saw, or nil.
func answeredSince(a *importer.Answer, word *importer.Word) *importer.RowAnswer {
	return importer.Last(word.Answers, func(before *importer.RowAnswer) bool {
		ofOtherRow := before.Apart != nil && a.Own != nil && !before.Apart.Equal(a.Own.Values)
		return before.Leg == a.Leg && before.Event > a.Saw && !ofOtherRow
	})
}
