package importer

import (
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

// AboutWords reports whether the answer to a question is about the new words of a row, and counts for all rows that have them.
func (v Verdict) AboutWords(q Question) bool {
	return q == AskWord && (v == Book || v == LeaveOut)
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

// WordsOf returns the words of a text in lower case, without characters that nobody sees.
func WordsOf(text string) []string {
	return strings.Fields(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text))
}

// ParseVerdict parses an answer, and the GUID in it. An answer is only a GUID, or a word
// in any case, with a GUID if that answer can have one; quotes around it and characters that
// nobody sees make no difference. It reports false for any other
// text, because a wrong guess would mean a second car or a passenger left standing.
func ParseVerdict(text string) (v Verdict, guid string, ok bool) {
	var words []string
	for _, word := range WordsOf(text) {
		id, isGUID := ParseGUID(strings.Trim(word, ".,:()"+quotes))
		switch {
		case isGUID && guid != "":
			return NoVerdict, "", false
		case isGUID:
			guid = id
		case strings.Trim(word, quotes) == "": // French ones have spaces inside
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
