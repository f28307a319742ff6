package importer

import (
	"slices"
	"strings"
)

// A VerdictRule says which trips an answer fits, and what it does.
type VerdictRule struct {
	Verdict Verdict
	// States are the states of the trips that the answer fits, and Questions the
	// questions that it answers.
	States    []State
	Questions []Question
	// GUIDMissing reports that the answer fits a booked trip whose GUID is missing,
	// Answered that it corrects an earlier answer about a trip that counts as booked, and
	// Left that it withdraws the answer to leave a trip. Moved reports that it fits a trip that is
	// left, and listed again, and Contradicted one that is booked and of which nothing counts that was said.
	GUIDMissing, Answered, Left, Moved, Contradicted bool
	// Does says what the answer does, and Then is the state of the same row in the next
	// import.
	Does string
	Then State
}

// verdictRules is the list that VerdictRules returns. It is never written to.
var verdictRules = []VerdictRule{
	{
		Verdict: There, States: []State{Unknown}, GUIDMissing: true, Answered: true,
		Does: "the trip counts as booked, under its GUID if it is given", Then: BookedEarlier,
	},
	{
		Verdict: NotThere, States: []State{Unknown}, Answered: true,
		Does: "the next run sends the trip; a look within 15 minutes after it was sent last does not count", Then: Booked,
	},
	{
		Verdict:   BookedByHand,
		States:    []State{Unknown, Refused, Fix, NotSent, Held},
		Questions: []Question{AskReplaced, AskDoubleBooking, AskWord, AskAgain}, Answered: true,
		Does: "the trip counts as booked and is not sent; its GUID may be given", Then: BookedEarlier,
	},
	{
		Verdict: DoneByHand, States: []State{CancelByHand},
		Does: "the trip counts as cancelled: back in the schedule, it is to be reinstated", Then: LeftOut,
	},
	{
		Verdict: DoneByHand, States: []State{ReinstateByHand},
		Does: "the trip counts as booked again, under a new GUID if it is given", Then: BookedEarlier,
	},
	{
		Verdict: DoneByHand, States: []State{ChangeByHand, ChangeUnknown}, Questions: []Question{AskRider},
		Does: "the booked trip counts as changed to what the row says now; values that only the workbook has stay until the schedule says something new", Then: BookedEarlier,
	},
	{
		Verdict: LeaveIt, States: []State{CancelByHand},
		Does: "the trip stays booked, and is not listed again while the schedule does not have it", Then: LeftOut,
	},
	{
		Verdict: LeaveIt, States: []State{ChangeByHand, ChangeUnknown},
		Does: "the booked trip stays as it is, for what the row says now", Then: BookedEarlier,
	},
	{
		Verdict: LeaveIt, States: []State{ReinstateByHand, Refused, Fix, NotSent, Held},
		Questions: []Question{AskReplaced, AskReassigned, AskWay, AskRider, AskOtherDay, AskDoubleBooking, AskWord, AskAgain}, Moved: true,
		Does: "the trip is left out until somebody answers `book`, and is listed again if its rider, time or place is another", Then: LeftOut,
	},
	{
		Verdict: Meant, Questions: []Question{AskReplaced, AskOtherDay, AskDoubleBooking},
		Does: "the trip is sent beside the other one; a double booking is not asked about again for this rider and these places", Then: Booked,
	},
	{
		Verdict: CancelledThere, Questions: []Question{AskReplaced, AskReassigned, AskWay, AskRider, AskOtherDay, AskDoubleBooking},
		Does: "the other trip counts as cancelled, and this one is sent", Then: Booked,
	},
	{
		Verdict: CancelledThere, Contradicted: true,
		Does: "the trip counts as cancelled: while the schedule has it, it is to be reinstated", Then: ReinstateByHand,
	},
	{
		Verdict: Book, Questions: []Question{AskWord},
		Does: "rows of this broker with the word are booked", Then: Booked,
	},
	{
		Verdict: Book, Questions: []Question{AskAgain},
		Does: "the trip is sent", Then: Booked,
	},
	{
		Verdict: Book, Left: true,
		Does: "the answer `leave it` is withdrawn, and the trip is sent", Then: Booked,
	},
	{
		Verdict: LeaveOut, Questions: []Question{AskWord},
		Does: "rows of this broker with the word are left out", Then: LeftOut,
	},
	{
		Verdict: RiderIsRight, States: []State{Refused, Fix},
		Does: "the row is sent for its new rider, whom another row has as well", Then: Booked,
	},
}

// VerdictRules returns the rules of all answers, always in the same order. The reference
// of the answers is made from them, so that no answer is missing there. The caller must
// not change the list.
func VerdictRules() []VerdictRule { return verdictRules }

// Settles reports whether a trip with the answer is off people's lists: it is in another state than those that the
// answer fits.
func (v Verdict) Settles() bool {
	return !slices.ContainsFunc(verdictRules, func(r VerdictRule) bool { return r.Verdict == v && slices.Contains(r.States, r.Then) })
}

// KeepsUnsent reports whether a trip is not sent for the answer.
func (v Verdict) KeepsUnsent() bool {
	return v != NoVerdict && !slices.ContainsFunc(verdictRules, func(r VerdictRule) bool { return r.Verdict == v && r.Then == Booked })
}

// RuleOf returns the rule of the answer for a trip with the outcome. It reports false if
// the answer does not fit the trip.
func (v Verdict) RuleOf(o *Outcome) (VerdictRule, bool) {
	for _, r := range verdictRules {
		if r.Verdict == v && r.fits(o) {
			return r, true
		}
	}
	return VerdictRule{}, false
}

// fits reports whether the rule applies to a trip with the outcome. No rule lets a trip
// be sent that the service proved to be booked.
func (r *VerdictRule) fits(o *Outcome) bool {
	switch {
	case r.Left, r.Moved && o.Moved:
		return o.Left()
	case r.Contradicted:
		return o.Contradicted && o.State == ChangeByHand
	case slices.Contains(r.Questions, o.Question) && (!o.State.Booked() || r.Verdict.AboutWords(o.Question)):
		return true
	case o.GUIDMissing && r.GUIDMissing, o.Answered && r.Answered && (o.State == BookedEarlier || o.State == ChangeByHand):
		return true
	}
	return slices.Contains(r.States, o.State) && !o.Asked()
}

// Verdicts returns the answers that fit a trip with the outcome.
func (o *Outcome) Verdicts() []Verdict {
	var fit []Verdict
	for _, r := range verdictRules {
		if r.fits(o) {
			fit = append(fit, r.Verdict)
		}
	}
	return fit
}

// Asks reports whether a person is asked for an answer about the trip.
func (o *Outcome) Asks() bool {
	switch o.State {
	case Unknown, ReinstateByHand, ChangeUnknown, CancelByHand, ChangeByHand:
		return true
	}
	return o.GUIDMissing || o.Question != NoQuestion
}

// VerdictWords returns the words of the answers that fit the trip, for people:
// "its GUID, `there` or `not there`".
func (o *Outcome) VerdictWords() string {
	var words []string
	for _, v := range o.Verdicts() {
		if v == There {
			words = append(words, "its GUID")
		}
		if v != RiderIsRight {
			words = append(words, "`"+v.String()+"`")
		}
	}
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
