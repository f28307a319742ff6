package importer

import "fmt"

// A Leg says which of its row's trips a trip is. Files and ledgers have the leg's Code,
// never its number.
type Leg uint8

// The legs of a row.
const (
	OnlyLeg     Leg = iota // the row is one trip
	OutboundLeg            // the first of two trips
	ReturnLeg              // the second one, back or onwards
)

// legs is the only list of legs. It is never written to. Codes are stored in ledgers, so
// they never change.
var legs = [...]struct{ code, words string }{
	OnlyLeg:     {"only", ""},
	OutboundLeg: {"outbound", "outbound"},
	ReturnLeg:   {"return", "return"},
}

// Code returns the leg's code, or "" for a number that no leg has. Codes never
// change.
func (l Leg) Code() string {
	if int(l) >= len(legs) {
		return ""
	}
	return legs[l].code
}

// ParseLeg is the inverse of Code. It reports false for a code that no leg has.
func ParseLeg(code string) (Leg, bool) {
	for l := range legs {
		if legs[l].code == code {
			return Leg(l), true
		}
	}
	return OnlyLeg, false
}

// MarshalText returns the leg's code, and UnmarshalText reads it.
func (l Leg) MarshalText() ([]byte, error) { return []byte(l.Code()), nil }

// UnmarshalText is the inverse of MarshalText.
func (l *Leg) UnmarshalText(text []byte) error { return parseCode(l, text, ParseLeg) }

// parseCode parses the code of one of the lists whose codes never change.
func parseCode[T any](to *T, code []byte, parse func(string) (T, bool)) error {
	known, ok := parse(string(code))
	if !ok {
		return fmt.Errorf("the word %q is not known to this program", code)
	}
	*to = known
	return nil
}

// String returns the leg's name for people. It is empty for OnlyLeg.
func (l Leg) String() string {
	if int(l) >= len(legs) {
		return ""
	}
	return legs[l].words
}
