package importer

import (
	"slices"
	"strings"
	"unicode"
)

// A Verdict is a person's answer about a trip. The verdicts are the same in workbooks, at
// the terminal and in lists. Ledgers store a verdict's word, never its number.
type Verdict uint8

// The verdicts.
const (
	// NoVerdict: there is no answer, or it can't be read.
	NoVerdict Verdict = iota
	// There: the trip is in the service. Its GUID may be given with it or alone.
	There
	// NotThere: the trip is not in the service and may be sent.
	NotThere
	// BookedByHand: a person entered the trip in the service.
	BookedByHand
	// DoneByHand: a person cancelled, changed or reinstated the trip in the service.
	DoneByHand
	// LeaveIt: nothing is to be done about the trip.
	LeaveIt
	// Meant: the trip is not the same as the one that the question names.
	Meant
	// CancelledThere: the booked trip that the question names was cancelled in the
	// service.
	CancelledThere
	// Book: rows with the word are to be booked.
	Book
	// LeaveOut: rows with the word are to be left out.
	LeaveOut
	// RiderIsRight: the row's new rider id is right although another row has it.
	RiderIsRight
)

// verdictWords are the words that people write as answers. Ledgers store them, so they
// never change.
var verdictWords = []string{
	There: "there", NotThere: "not there", BookedByHand: "booked by hand", DoneByHand: "done by hand",
	LeaveIt: "leave it", Meant: "meant", CancelledThere: "cancelled there",
	Book: "book", LeaveOut: "leave out", RiderIsRight: "rider is right",
}

// KeepsUnsent reports whether a trip is not sent for the answer.
func (v Verdict) KeepsUnsent() bool {
	return v == There || v == BookedByHand || v == DoneByHand || v == LeaveIt || v == LeaveOut
}

// AdviceMeant says what to do if a possible double booking is none.
const AdviceMeant = "if both are meant, write `meant` under What we found"

// String returns the answer's word; empty for NoVerdict.
func (v Verdict) String() string { return codeOf(verdictWords, v) }

// MarshalText returns the answer's word, and UnmarshalText reads it.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (v *Verdict) UnmarshalText(text []byte) error { return parseCode(v, text, verdictWords) }

// quotes are those into which people and spreadsheet programs put an answer, in any language.
const quotes = "\"'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a"

// ParseVerdict parses an answer, and the GUID in it. An answer is only a GUID, or a word
// in any case, with a GUID if that answer can have one; quotes around it and characters that
// nobody sees make no difference. It reports false for any other
// text, because a wrong guess would mean a second car or a passenger left standing.
func ParseVerdict(text string) (v Verdict, guid string, ok bool) {
	var words []string
	seen := func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}
	for _, word := range strings.Fields(strings.Map(seen, text)) {
		id, isGUID := ParseGUID(strings.Trim(word, ".,:()"+quotes))
		switch {
		case isGUID && guid != "":
			return NoVerdict, "", false
		case isGUID:
			guid = id
		default:
			words = append(words, word)
		}
	}

	word := strings.Trim(strings.Join(words, " "), ".!,:"+quotes)
	if guid != "" && (word == "" || word == "guid") {
		return There, guid, true
	}
	if word == "canceled there" {
		word = CancelledThere.String()
	}

	v, _ = ofCode[Verdict](verdictWords, word)
	if v == NoVerdict || guid != "" && v != There && v != BookedByHand && v != DoneByHand {
		return NoVerdict, "", false
	}
	return v, guid, true
}

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
		Verdict: DoneByHand, States: []State{ChangeByHand, ChangeUnknown}, Questions: []Question{AskWay, AskRider, AskOtherDay},
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
	case slices.Contains(r.Questions, o.Question) && (!o.State.Booked() || o.Question == AskWord && r.aboutWord()):
		return true
	case o.GUIDMissing && r.GUIDMissing, o.Answered && r.Answered && (o.State == BookedEarlier || o.State == ChangeByHand):
		return true
	}
	return slices.Contains(r.States, o.State) && !o.Asked()
}

func (r *VerdictRule) aboutWord() bool { return r.Verdict == Book || r.Verdict == LeaveOut }

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
