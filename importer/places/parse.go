package places

import (
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// A parsed is the address of an event.
type parsed struct {
	address usps.Address
	ok      bool   // whether the text shows a whole address
	text    string // as written
}

// words returns the whole address normalized, for an address that can't be
// parsed.
func (p parsed) words() string { return usps.Words(p.text) }

// parseEvent parses the address of an event.
func parseEvent(e *importer.Event) parsed {
	p := parsed{text: e.Address()}
	if e.CompleteAddress != "" {
		p.address, p.ok = usps.ParseLine(e.CompleteAddress)
	} else {
		p.address, p.ok = usps.ParseParts(e.Address1, e.Address2, e.City, e.State, e.Zip)
	}
	return p
}

// isPOBox reports whether the address is a box at a post office, which no car
// can go to.
func (p parsed) isPOBox() bool {
	words := p.words()
	return strings.HasPrefix(words, "po box ") || strings.HasPrefix(words, "post office box ")
}

// An Unplaced is an address without coordinates. It has no unit, since a line of a list
// without one is for the whole house.
type Unplaced struct {
	Address1, City, State, Zip string
	// Trips is how many trips wait for it.
	Trips int

	address usps.Address // the same for all spellings of the address
}

// unplaced returns the line of a list that the address will match once it is filled in. It returns
// nil for what is more than a street, or has no real state or ZIP code.
func (p parsed) unplaced() *Unplaced {
	a := p.address
	if !p.ok || !a.IsStreetOnly() || strings.HasPrefix(a.State, "?") || strings.HasPrefix(a.Zip, "?") {
		return nil
	}
	return &Unplaced{Address1: a.StreetLine, City: a.CityLine, State: a.State, Zip: a.Zip, address: a.WithoutUnit()}
}

// isInState reports whether a position is in the state of an address, or the state has no
// area or is not known.
func isInState(state, zip string, latitude, longitude float64) bool {
	s, known := usps.StateOf(state)
	if !known {
		s, known = usps.StateOf(usps.ZIPState(zip))
	}
	return !known || !s.HasArea() || s.Contains(latitude, longitude)
}
