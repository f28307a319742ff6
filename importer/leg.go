package importer

// A Leg says which of its row's trips a trip is. Files and ledgers have the leg's Code,
// never its number.
type Leg uint8

// The legs of a row.
const (
	OnlyLeg     Leg = iota // the row is one trip
	OutboundLeg            // the first of two trips
	ReturnLeg              // the second one, back or onwards
)

// legCodes are stored in ledgers, so they never change. legWords are for people. Neither is ever written to.
var (
	legCodes = []string{OnlyLeg: "only", OutboundLeg: "outbound", ReturnLeg: "return"}
	legWords = []string{OnlyLeg: "", OutboundLeg: "outbound", ReturnLeg: "return"}
)

// Code returns the leg's code, or "" for a number that no leg has. Codes never
// change.
func (l Leg) Code() string { return codeOf(legCodes, l) }

// MarshalText returns the leg's code, and UnmarshalText reads it.
func (l Leg) MarshalText() ([]byte, error) { return []byte(l.Code()), nil }

// UnmarshalText is the inverse of MarshalText.
func (l *Leg) UnmarshalText(text []byte) error { return parseCode(l, text, legCodes) }

// String returns the leg's name for people. It is empty for OnlyLeg.
func (l Leg) String() string { return codeOf(legWords, l) }
