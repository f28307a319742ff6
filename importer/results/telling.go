package results

import (
	"cmp"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// tooLate is the problem of a trip that was not sent in time.
const tooLate = "too late: its pickup time has passed"

// A telling is what is said of trips in a state, or of those of them that are in a case, if their problems don't say it: what is
// wrong, and what to do. In its texts {id} is the trip's id, {trip} its GUID or else its id, {on} when it was booked, {keys} what
// differs, {reason} the run's own reason, {reply} that of the service, and {then} the answers to write. What follows a colon is
// left out if it is empty or was said before it.
type telling struct {
	state        importer.State
	is           func(*importer.TripResult) bool // nil for any
	problem, fix string
}

// tellings has the tellings: the first that holds and has such a text counts. It is never written to.
var tellings = []telling{
	{importer.Unknown, nil, "may be booked: {reply}", "look for trip {id} in the dispatch system{then}"},
	{importer.Fix, nil, "{reason}", ""},
	{importer.Refused, nil, "the service refused it: {reply}", "fix what the service names, then retry"},
	{importer.NotSent, isLate, tooLate + ": {reason}", "phone now"},
	{importer.NotSent, nil, "not sent: {reply}", "retry its results, or import the schedule again"},
	{importer.Held, asks, "{reason}", "find out{then}"},
	{importer.Held, nil, "held: {reason}", ""},
	{importer.LeftOut, isMoved, "{reason}", "find out whether it is left all the same{then}"},

	// A trip that was booked earlier, or changed, is told of as one that is booked.
	{importer.Booked, lacksGUID, "booked, but the service did not return its GUID: {reason}", "look for trip {id} in the dispatch system{then}"},
	{importer.Booked, asksWord, "booked{on}, and perhaps cancelled now: {reason}", askForWord},
	{importer.Booked, isMisplaced, "{reason}", "look at the address of trip {trip} in the dispatch system"},

	{importer.ReinstateByHand, isUnchanged, "cancelled by hand in the dispatch system, and in the schedule again: {reason}", ""},
	{importer.ReinstateByHand, nil, "cancelled by hand in the dispatch system, and in the schedule again, with another {keys}: {reason}", "reinstate trip {trip} by hand in the dispatch system{then}"},
	{importer.CancelByHand, isGone, "booked{on}, and not in the schedule any more: {reason}", "find out whether trip {trip} is still wanted; cancel it by hand if not{then}"},
	{importer.CancelByHand, isOffRow, "trip {id} was booked from its row{on}: {reason}", ""},
	{importer.CancelByHand, nil, "left out as cancelled, but booked{on}: {reason}", "cancel trip {trip} by hand in the dispatch system{then}"},

	{importer.ChangeUnknown, nil, "booked{on}, and a change may not have arrived: {keys}: {reply}", "look for trip {trip} in the dispatch system, and change it if it is not as the row says{then}"},
	{importer.ChangeByHand, isOlder, "", "work with the results of the newer schedule"},
	{importer.ChangeByHand, isBack, "", "see that trip {trip} is still in the dispatch system as the row says, and reinstate it if somebody cancelled it{then}"},
	{importer.ChangeByHand, isContradicted, "", "see that the dispatch system has trip {trip} once, as the row says{then}"},
	{importer.ChangeByHand, asksWord, "", askForWord},
	{importer.ChangeByHand, isRefused, "the service refused to change {keys}: {reply}", ""},
	{importer.ChangeByHand, isUnsentEdit, "", "see that the schedule says so too, then import it again and send its changes; only if that can't, " + changeIt},
	{importer.ChangeByHand, isUnsent, "booked{on}, and changed since: {keys}: {reason}", "import the schedule again and send its changes; only if that can't, " + changeIt},
	{importer.ChangeByHand, isUnchanged, "booked{on}: {reason}", "see that trip {trip} is in the dispatch system as the row says{then}"},
	{importer.ChangeByHand, nil, "booked{on}, and differs now: {keys}: {reason}", changeIt},
}

const (
	changeIt   = "change trip {trip} by hand in the dispatch system{then}"
	askForWord = "find out what the word means, then write `book` or `leave out` under " + seal.AnswerHeader + ": it counts for all rows that say so, later ones too"
)

func isLate(t *importer.TripResult) bool         { return t.Outcome.TooLate }
func asks(t *importer.TripResult) bool           { return t.Outcome.Asked() }
func lacksGUID(t *importer.TripResult) bool      { return t.Outcome.GUIDMissing }
func asksWord(t *importer.TripResult) bool       { return t.Outcome.Question == importer.AskWord }
func isMoved(t *importer.TripResult) bool        { return t.Outcome.Moved }
func isMisplaced(t *importer.TripResult) bool    { return t.Outcome.Misplaced }
func isOffRow(t *importer.TripResult) bool       { return t.OffRow }
func isOlder(t *importer.TripResult) bool        { return t.Outcome.Older }
func isBack(t *importer.TripResult) bool         { return t.Outcome.Back }
func isContradicted(t *importer.TripResult) bool { return t.Outcome.Contradicted }
func isRefused(t *importer.TripResult) bool      { return t.Outcome.Why == importer.WhyRefused }
func isGone(t *importer.TripResult) bool         { return t.Outcome.Why == importer.WhyGone }
func isUnsent(t *importer.TripResult) bool       { return t.Outcome.Why == importer.WhyUnsent }
func isUnsentEdit(t *importer.TripResult) bool   { return isUnsent(t) && t.Outcome.Edited }
func isUnchanged(t *importer.TripResult) bool    { return len(t.Outcome.Changed) == 0 }

// explain says what is wrong with a trip, and what to do about it, as far as the trip's problems don't.
func explain(t *importer.TripResult, loc *time.Location) (problem, fix string) {
	o := &t.Outcome
	state := o.State
	if state == importer.BookedEarlier || state == importer.Changed {
		state = importer.Booked
	}
	for _, c := range tellings {
		if c.state == state && (c.is == nil || c.is(t)) {
			problem, fix = cmp.Or(problem, c.problem), cmp.Or(fix, c.fix)
		}
	}
	if problem == "" && fix == "" {
		return "", ""
	}
	expand := strings.NewReplacer("{id}", t.Trip.ID, "{trip}", cmp.Or(o.GUID, t.Trip.ID), "{on}", onTime(o.BookedAt, loc), "{keys}", importer.PropertyNames(o.Changed),
		"{reason}", o.Reason, "{reply}", replyOf(o), "{then}", ", then write "+o.VerdictWords()+" under "+seal.AnswerHeader)
	said := ""
	for part := range strings.SplitSeq(problem, ": ") {
		said = because(said, expand.Replace(part))
	}
	return said, expand.Replace(fix)
}
