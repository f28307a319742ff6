package sqlite

import (
	"fmt"

	"tripimport/importer"
)

// What may come of an attempt. A trip is free to be sent where it has no record,
// or its last attempt was refused or notSent.
const (
	created = "created"
	refused = "refused"
	unknown = "unknown"
	notSent = "not_sent"
)

// stored gives the ledger's word for a settlement's state, and false for states
// that no attempt can end in.
func stored(s importer.State) (string, bool) {
	switch s {
	case importer.Created:
		return created, true
	case importer.Refused:
		return refused, true
	case importer.Unknown:
		return unknown, true
	case importer.NotSent:
		return notSent, true
	}
	return "", false
}

// stateOf is the inverse of stored. Whatever is not certain is Unknown, a claim
// without a settlement above all.
func stateOf(word string) importer.State {
	switch word {
	case created:
		return importer.Created
	case refused:
		return importer.Refused
	case notSent:
		return importer.NotSent
	}
	return importer.Unknown
}

// A legOf scans the code of a leg.
type legOf struct{ leg *importer.Leg }

// Scan implements sql.Scanner.
func (l legOf) Scan(value any) error {
	code, _ := value.(string)
	leg, ok := importer.ParseLeg(code)
	if !ok {
		return fmt.Errorf("the ledger has the leg %v, which this program does not know", value)
	}
	*l.leg = leg
	return nil
}
