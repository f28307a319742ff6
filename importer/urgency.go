package importer

// An Urgency says when people in the office have to act on a trip. A greater one is more
// urgent.
type Urgency uint8

// The urgencies.
const (
	// NoAction: nobody needs to look.
	NoAction Urgency = iota
	// ToSend: the trip is not booked. Its row is to be fixed, or sent again.
	ToSend
	// Listed: a person has to act in the service, and not before the next pickup.
	Listed
	// ActNow: a person has to act before the next pickup.
	ActNow
)

// urgencies say when a person has to act. It is never written to.
var urgencies = []string{NoAction: "", ToSend: "", Listed: "in the course of the day", ActNow: "before the next pickup"}

// String says when a person has to act, for people; empty where nobody has to.
func (u Urgency) String() string { return codeOf(urgencies, u) }
