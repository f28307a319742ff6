package places

import (
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// A parsed is the address and the facility's name of an event.
type parsed struct {
	// addresses are all that the text can mean: none if it can't be parsed,
	// several if it does not show where the street ends and the city begins.
	addresses []usps.Address
	text      string // the whole address as written
	name      string // the facility's, normalized
}

// words returns the whole address normalized, for an address that can't be
// parsed.
func (p parsed) words() string { return usps.Words(p.text) }

// parseEvent parses the address and the facility's name of an event.
func parseEvent(e *importer.Event) parsed {
	p := parsed{text: e.Address(), name: facilityName(e)}
	if e.CompleteAddress != "" {
		p.addresses = usps.ParseLine(e.CompleteAddress)
	} else {
		p.addresses = usps.ParseParts(e.Address1, e.Address2, e.City, e.State, e.Zip)
	}
	return p
}

// facilityName returns the normalized name of the facility where an event is.
func facilityName(e *importer.Event) string {
	if name := usps.Words(e.LocationName); name != "" {
		return name
	}
	return usps.Words(e.Name)
}

// isPOBox reports whether the address is a box at a post office, which no car
// can go to.
func (p parsed) isPOBox() bool {
	words := p.words()
	return strings.HasPrefix(words, "po box ") || strings.HasPrefix(words, "post office box ")
}

// mostLikely returns the address that is most probably meant.
func (p parsed) mostLikely() (usps.Address, bool) { return usps.MostLikely(p.addresses) }

// withoutMark returns a state or a ZIP code as the row has it, without the "?" of
// an unknown one.
func withoutMark(s string) string { return strings.TrimPrefix(s, "?") }
