package places

import (
	"math"

	"tripimport/importer/usps"
)

// A query is an address to be geocoded.
type query struct{ Street, City, State, Zip string }

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

// A quality says how well an answer fits its query, from worst to best.
type quality uint8

const (
	noMatch quality = iota
	several         // the geocoder knows several such places, apart from each other
	poor            // it has the street, the ZIP code, another house, or a place in another state
	// near: the house number and the ZIP code are equal; the street's name is not, so it
	// is another spelling or another street.
	near
	exact // number, street and ZIP code are equal
)

// reason returns what is wrong with an answer that is not used.
func (q quality) reason() string {
	switch q {
	case near:
		return "has only a near match"
	case poor:
		return "has only the street, the ZIP or another house"
	case several:
		return "has more than one place"
	case noMatch, exact:
	}
	return "does not know it"
}

// bestMatch returns the match that fits an address best, and how well it does.
// It compares the addresses itself and ignores how the geocoder rates its
// matches.
func bestMatch(a usps.Address, matches []match) (match, quality) {
	best, quality := match{}, noMatch
	for _, m := range matches {
		q := m.quality(a)
		switch {
		case q > quality:
			best, quality = m, q
		case q == quality && q >= near && areApart(best, m):
			return match{}, several
		}
	}
	return best, quality
}

// areApart reports whether two matches are more than about 100 yards from each
// other. Nearer matches are points on one plot, from two sources.
func areApart(a, b match) bool {
	const near = 0.001 // degrees
	return math.Abs(a.Latitude-b.Latitude) > near || math.Abs(a.Longitude-b.Longitude) > near
}

// differ reports whether both texts are there and are not equal.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

// quality returns how well the match fits the address that was asked about.
func (m match) quality(want usps.Address) quality {
	quality := poor
	if want.Number == "" || !m.House || m.Latitude == 0 || m.Longitude == 0 || !isInState(want.State, want.Zip, m.Latitude, m.Longitude) {
		return quality
	}
	for _, got := range usps.ParseLine(m.Line) {
		switch {
		case got.Number != want.Number || differ(got.Zip, want.Zip) || differ(got.State, want.State):
		case got.Street == want.Street && (want.Zip != "" || got.City == want.City):
			return exact
		case got.Zip == want.Zip && want.Zip != "":
			quality = near
		}
	}
	return quality
}
