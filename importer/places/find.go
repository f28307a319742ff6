package places

import (
	"math"
	"slices"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// An identity has the hashes of an address by which it is found. Two addresses agree if
// one of zip and city is equal, and the other one is equal or is missing in one of them.
type identity struct {
	zip  string // of number, street, state and ZIP code; or of the words of an address that can't be parsed
	city string // of number, street, city and state
	unit string // of the unit; empty for the whole house
}

// identify returns the hashes of an address. The state is the ZIP code's if the address
// has none.
func (s *Store) identify(a usps.Address) identity {
	id := identity{unit: s.unit(a.Unit)}
	state := a.State
	if state == "" {
		state = usps.ZIPState(a.Zip)
	}
	if a.Zip != "" {
		id.zip = s.hash("zip", a.Number, a.Street, state, a.Zip)
	}
	if a.City != "" && state != "" {
		id.city = s.hash("city", a.Number, a.Street, a.City, state)
	}
	return id
}

// unit returns the hash of a unit.
func (s *Store) unit(u usps.Unit) string {
	if u == (usps.Unit{}) {
		return ""
	}
	return s.hash("unit", u.Building, u.Floor, u.Door, u.Inner)
}

// find returns the entry for the place of an address. If several fit and are apart, it
// returns all of them: a person must choose.
func (s *Store) find(p parsed) []entry {
	found := s.at(p)
	if len(found) > 1 && !slices.ContainsFunc(found[1:], found[0].isApart) {
		return found[:1]
	}
	return found
}

// at returns the entries for the place of an address that fit its unit best: those of the
// unit itself, of its door or its building, or of the whole house. For an address
// without a unit, those of all units fit if there is none of the whole house.
func (s *Store) at(p parsed) []entry {
	if len(s.entries) == 0 {
		return nil
	}
	var found []entry
	for _, a := range p.addresses {
		found = append(found, s.agreeing(s.identify(a))...)
	}
	if found == nil {
		return s.agreeing(s.identifyWords(p))
	}

	u := p.addresses[0].Unit // it is the same in all of them
	for _, of := range []usps.Unit{u, {Building: u.Building, Door: u.Door}, {Building: u.Building}, {}} {
		unit := s.unit(of)
		if fitting := slices.DeleteFunc(slices.Clone(found), func(e entry) bool { return e.unit != unit }); len(fitting) > 0 {
			return fitting
		}
	}
	if u != (usps.Unit{}) {
		return nil
	}
	return found
}

// identifyWords returns the hash of an address that can't be parsed.
func (s *Store) identifyWords(p parsed) identity { return identity{zip: s.hash("words", p.words())} }

// agreeing returns the entries that agree with an address, units aside.
func (s *Store) agreeing(id identity) (found []entry) {
	for _, i := range s.byPlace[id.zip] {
		if e := s.entries[i]; e.city == "" || id.city == "" || e.city == id.city {
			found = append(found, e)
		}
	}
	for _, i := range s.byPlace[id.city] {
		if e := s.entries[i]; e.zip == "" || id.zip == "" {
			found = append(found, e)
		}
	}
	return found
}

// isApart reports whether two entries are more than about 20 yards from each other.
func (e entry) isApart(other entry) bool {
	const near = 0.0002 // degrees
	return math.Abs(e.latitude-other.latitude) > near || math.Abs(e.longitude-other.longitude) > near
}

// position returns the coordinates of the entry.
func (e entry) position() importer.Position {
	return importer.Position{Latitude: e.latitude, Longitude: e.longitude, HasLatitude: true, HasLongitude: true, Source: e.source}
}
