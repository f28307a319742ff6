package places

import (
	"math"

	"tripimport/importer/usps"
)

// A match is a place that a geocoder offers for an address.
type match struct {
	Latitude, Longitude float64 // in degrees
	// Line is the address of the place, on one line.
	Line string
	// House reports whether the place is the house itself, or a point of the
	// street by the house's number; not the middle of a street, a ZIP code or a
	// city.
	House bool
}

// bestMatch returns the match that is at an address, or says why there is none to be used. It
// compares the addresses itself and ignores how the geocoder rates its matches.
func bestMatch(a usps.Address, matches []match) (best match, why string) {
	why = "does not know it"
	for _, m := range matches {
		switch isAt := m.isAt(a); {
		case isAt && why == "" && areApart(best, m):
			return match{}, "has more than one place"
		case isAt:
			best, why = m, ""
		case why != "":
			why = "has only the street, the ZIP, another house or another spelling of the street"
		}
	}
	return best, why
}

// areApart reports whether two matches are more than about 100 yards from each
// other. Nearer matches are points on one plot, from two sources.
func areApart(a, b match) bool {
	const near = 0.001 // degrees
	return math.Abs(a.Latitude-b.Latitude) > near || math.Abs(a.Longitude-b.Longitude) > near
}

// differ reports whether both texts are there and are not equal.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

// isAt reports whether the match is the house that was asked about: number, street and ZIP code are
// equal, or the city for an address without one.
func (m match) isAt(want usps.Address) bool {
	if want.Number == "" || !m.House || m.Latitude == 0 || m.Longitude == 0 || !isInState(want.State, want.Zip, m.Latitude, m.Longitude) {
		return false
	}
	got, ok := usps.ParseLine(m.Line)
	return ok && got.Number == want.Number && got.Street == want.Street && !differ(got.Zip, want.Zip) && !differ(got.State, want.State) &&
		(want.Zip != "" || got.City == want.City)
}
