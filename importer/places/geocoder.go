package places

import (
	"context"
	"time"

	"tripimport/importer/usps"
)

// A Geocoder says where addresses are. It is sent parts of addresses and
// numbers that mean nothing outside the request: no names, no ids, no times.
type Geocoder interface {
	// Name stands beside every answer: "census".
	Name() string
	// Batch is how many addresses one request may carry.
	Batch() int
	// Geocode makes one request. Answers come in any order; a query that has
	// none was not answered and may be asked again. The error is a *Refusal.
	Geocode(context.Context, []Query) ([]Answer, error)
}

// A Query is an address that leaves the building.
type Query struct {
	Number                   int // opaque, unique within a request
	Street, City, State, Zip string
}

// An Answer is what a geocoder has for a query; no Matches where it knows no
// such address.
type Answer struct {
	Number  int
	Matches []Match
}

// A Match is a place that a geocoder offers.
type Match struct {
	Latitude, Longitude float64
	// Line is the address it stands for, on one line.
	Line string
	// House reports that the geocoder places the house itself, or a point of
	// its street by the house's number: not the middle of a street, a ZIP or a
	// city.
	House bool
}

// A Refusal is a request to a geocoder that came to nothing.
type Refusal struct {
	// Reason says why, for a dispatcher; no part of any address.
	Reason string
	// Again reports that the same request may succeed later, and After when
	// the geocoder asks for it, where it does.
	Again bool
	After time.Duration
}

func (r *Refusal) Error() string { return r.Reason }

// A Quality says how well an answer fits what was asked. Cached answers keep
// it.
type Quality uint8

const (
	// NoMatch: the geocoder knows no such address.
	NoMatch Quality = iota
	// Several: it knows more than one, apart from each other.
	Several
	// Poor: it has the street, the ZIP or another house: never used.
	Poor
	// Near: the house number and the ZIP agree, the street's name is another
	// spelling or another street.
	Near
	// Exact: number, street and ZIP agree.
	Exact
)

// String names the quality as the cache has it.
func (q Quality) String() string {
	switch q {
	case Exact:
		return "exact"
	case Near:
		return "near"
	case Poor:
		return "poor"
	case Several:
		return "several"
	case NoMatch:
	}
	return "none"
}

func qualityOf(s string) (Quality, bool) {
	for q := NoMatch; q <= Exact; q++ {
		if q.String() == s {
			return q, true
		}
	}
	return NoMatch, false
}

// judge gives the best of the matches and how well it fits. A geocoder's own
// opinion of its answer counts only against it: the parts must agree.
func judge(asked []address, matches []Match) (Match, Quality) {
	best, quality := Match{}, NoMatch
	for _, m := range matches {
		q := m.fits(asked)
		switch {
		case q > quality:
			best, quality = m, q
		case q == quality && q >= Near && apart(best, m):
			return Match{}, Several
		}
	}
	return best, quality
}

// apart reports whether two matches are more than about 100 yards from each
// other; below that, they are two sources' points on one plot.
func apart(a, b Match) bool {
	const near = 0.001 // degrees
	return max(a.Latitude-b.Latitude, b.Latitude-a.Latitude) > near ||
		max(a.Longitude-b.Longitude, b.Longitude-a.Longitude) > near
}

func (m Match) fits(asked []address) Quality {
	if !m.House || m.Latitude == 0 || m.Longitude == 0 {
		return Poor
	}
	quality := Poor
	for _, got := range readLine(m.Line) {
		for _, want := range asked {
			switch {
			case want.number == "" || got.number != want.number || differ(got.zip, want.zip) || differ(got.state, want.state):
			case got.street == want.street && (want.zip != "" || got.city == want.city):
				return Exact
			case got.zip == want.zip && want.zip != "":
				quality = Near
			}
		}
	}
	return quality
}

// query gives what is sent of an address, and false where it must not be: a
// street that may carry a name or a note, a box, a place without a number.
func (r reading) query() (Query, bool) {
	a, ok := r.likely()
	if !ok || r.box() || a.number == "" || !pure(flat(tokenize(a.line))) {
		return Query{}, false
	}
	return Query{Street: a.line, City: a.town, State: written(a.state), Zip: digitsOnly(a.zip)}, true
}

// likely gives the reading that is most probably meant: where a line does not
// show the end of its street, the first that ends as streets do.
func (r reading) likely() (address, bool) {
	if len(r.addresses) == 1 {
		return r.addresses[0], true
	}
	for _, a := range r.addresses {
		if a.city != "" && endsStreet(flat(tokenize(a.line))) {
			return a, true
		}
	}
	return address{}, false
}

func digitsOnly(zip string) string {
	if allDigits(zip) {
		return zip
	}
	return ""
}

// endsStreet reports whether a street looks finished, where the line does not
// say where the city begins.
func endsStreet(ts []token) bool {
	last := ts[len(ts)-1].s
	return isSuffix(last) || usps.Direction(last) != "" || hasDigit(last)
}

// pure reports whether the tokens are a street and nothing beside it. After
// its suffix a street has only directions and numbers, as in Ranch Rd 620 S.
func pure(ts []token) bool {
	const longest = 8 // tokens
	end := 0
	for i := 2; i < len(ts); i++ {
		if isSuffix(ts[i].s) {
			end = i
		}
	}
	if end == 0 {
		return len(ts) <= 5
	}
	for _, t := range ts[end+1:] {
		if usps.Direction(t.s) == "" && !hasDigit(t.s) {
			return false
		}
	}
	return len(ts) <= longest
}
