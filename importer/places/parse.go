package places

import (
	"slices"
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

	address  usps.Address // the same for all spellings of the address
	isStreet bool         // whether it is a street and nothing else
}

// unplaced returns the line of a list that the address will match once it is filled in.
func (p parsed) unplaced() *Unplaced {
	a := p.address
	if !p.ok || !a.IsStreetOnly() { // it can be matched by its words only
		return &Unplaced{Address1: p.text, address: usps.Address{Street: p.words()}}
	}
	return &Unplaced{
		Address1: a.StreetLine, City: a.CityLine, State: withoutMark(a.State), Zip: withoutMark(a.Zip),
		address: a.WithoutUnit(), isStreet: true,
	}
}

// withoutMark returns a state or a ZIP code as the row has it, without the "?" of
// an unknown one.
func withoutMark(s string) string { return strings.TrimPrefix(s, "?") }

// mayName reports whether an address has a word of a name at either end of the trip. The
// name may be the rider's.
func mayName(e *importer.Event, t *importer.Trip) bool {
	names := strings.Fields(usps.Words(t.Pickup.Name + " " + t.Dropoff.Name))
	return slices.ContainsFunc(strings.Fields(usps.Words(e.Address())), func(word string) bool {
		return len(word) > 1 && slices.Contains(names, word)
	})
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
