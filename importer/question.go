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

// questions is the only list of questions. It is never written to. Codes are stored, so
// they never change.
var questions = [...]struct {
	code  string
	words string
}{
	NoQuestion:       {code: ""},
	AskReplaced:      {code: "replaced", words: "replaced?"},
	AskReassigned:    {code: "reassigned", words: "given to another provider"},
	AskWay:           {code: "way", words: "which trip of the row is booked?"},
	AskRider:         {code: "rider", words: "booked for another rider"},
	AskOtherDay:      {code: "other_day", words: "moved to another day?"},
	AskDoubleBooking: {code: "double_booking", words: "possible double booking"},
	AskWord:          {code: "word", words: "book or leave out?"},
	AskAgain:         {code: "again", words: "what was answered does not hold"},
}

// Code returns the question's code; empty for NoQuestion and for a number that no
// question has.
func (q Question) Code() string {
	if int(q) >= len(questions) {
		return ""
	}
	return questions[q].code
}

// String returns the question in a few words, for people.
func (q Question) String() string {
	if int(q) >= len(questions) {
		return ""
	}
	return questions[q].words
}

// ParseQuestion is the inverse of Code. It reports false for a code that no
// question has.
func ParseQuestion(code string) (Question, bool) {
	for q := range questions {
		if questions[q].code == code {
			return Question(q), true
		}
	}
	return NoQuestion, false
}
