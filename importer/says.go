package importer

// Says is what an arrival says of a row.
type Says uint8

// What an arrival says of a row.
const (
	// SaysLive: the row is to be booked.
	SaysLive Says = iota + 1
	// SaysCancelled: the broker cancelled the row's trips.
	SaysCancelled
	// SaysLeftOut: the mapping leaves the row out for another reason.
	SaysLeftOut
	// SaysGone: a whole arrival of the row's day and pair does not have the row.
	SaysGone
)

// saysCodes are stored in ledgers, so they never change.
var saysCodes = []string{SaysLive: "live", SaysCancelled: "cancelled", SaysLeftOut: "left_out", SaysGone: "gone"}

// Code returns the code that is stored, and "" for a number that nothing has.
func (s Says) Code() string { return codeOf(saysCodes, s) }

// MarshalText returns the code, and UnmarshalText reads it.
func (s Says) MarshalText() ([]byte, error) { return []byte(s.Code()), nil }

// UnmarshalText is the inverse of MarshalText.
func (s *Says) UnmarshalText(text []byte) error { return parseCode(s, text, saysCodes) }
