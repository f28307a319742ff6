package importer

// A Question is a question to a person about a trip that waits. Files and ledgers have
// the question's Code, never its number.
type Question uint8

// The questions.
const (
	// NoQuestion: nothing is asked.
	NoQuestion Question = iota
	// AskReplaced: a booked trip of the same rider, places and day is not in the
	// schedule any more. Is this trip booked in its place?
	AskReplaced
	// AskReassigned: the row's trip is booked with another transportation
	// provider. Was it cancelled there?
	AskReassigned
	// AskWay: the row made a different number of trips when it was booked, and its places
	// do not show which trip is booked. Was the booked trip cancelled?
	AskWay
	// AskRider: the trip is booked for another rider. Was the rider corrected, or did the
	// broker use the id for another trip?
	AskRider
	// AskOtherDay: the id is booked on another day. Is this another trip, or was
	// the booked one moved?
	AskOtherDay
	// AskDoubleBooking: a trip of the same rider between the same places at about
	// the same time is booked or in the file. Are both meant?
	AskDoubleBooking
	// AskWord: a status column has a word that nobody has approved, or a rule takes a trip
	// for a line of totals. Is the row to be booked or to be left out?
	AskWord
	// AskAgain: what people answered does not hold: two answers contradict each other, one could not be
	// taken, or the schedule has another time, say, than what a person booked by hand.
	// What becomes of the trip?
	AskAgain
)

// questionCodes are stored, so they never change. questionWords are for people. Neither is ever written to.
var (
	questionCodes = []string{
		NoQuestion: "", AskReplaced: "replaced", AskReassigned: "reassigned", AskWay: "way", AskRider: "rider",
		AskOtherDay: "other_day", AskDoubleBooking: "double_booking", AskWord: "word", AskAgain: "again",
	}
	questionWords = []string{
		NoQuestion:       "",
		AskReplaced:      "replaced?",
		AskReassigned:    "given to another provider",
		AskWay:           "which trip of the row is booked?",
		AskRider:         "booked for another rider",
		AskOtherDay:      "moved to another day?",
		AskDoubleBooking: "possible double booking",
		AskWord:          "book or leave out?",
		AskAgain:         "what was answered does not hold",
	}
)

// Code returns the question's code; empty for NoQuestion and for a number that no
// question has.
func (q Question) Code() string { return codeOf(questionCodes, q) }

// String returns the question in a few words, for people.
func (q Question) String() string { return codeOf(questionWords, q) }

// MarshalText returns the question's code, and UnmarshalText reads it.
func (q Question) MarshalText() ([]byte, error) { return []byte(q.Code()), nil }

// UnmarshalText is the inverse of MarshalText.
func (q *Question) UnmarshalText(text []byte) error { return parseCode(q, text, questionCodes) }
