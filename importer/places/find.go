package places

import (
	"slices"

	"tripimport/importer/usps"
)

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
	if len(s.Entries) == 0 {
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
		if fitting := slices.DeleteFunc(slices.Clone(found), func(e entry) bool { return e.Unit != unit }); len(fitting) > 0 {
			return fitting
		}
	}
	if u != (usps.Unit{}) {
		return nil
	}
	return found
}

// agreeing returns the entries that agree with an address, units aside.
func (s *Store) agreeing(id identity) (found []entry) {
	for _, i := range s.byPlace[id.Zip] {
		if e := s.Entries[i]; e.City == "" || id.City == "" || e.City == id.City {
			found = append(found, e)
		}
	}
	for _, i := range s.byPlace[id.City] {
		if e := s.Entries[i]; e.Zip == "" || id.Zip == "" {
			found = append(found, e)
		}
	}
	return found
}

// replace adds an entry in the place of those of the same unit that agree with it.
func (s *Store) replace(fresh entry) {
	for _, old := range s.agreeing(fresh.identity) {
		if old.Unit == fresh.Unit {
			s.Entries = slices.DeleteFunc(s.Entries, func(e entry) bool { return e.identity == old.identity })
			s.index()
		}
	}
	s.Entries = append(s.Entries, fresh)
	s.indexEntry(len(s.Entries) - 1)
}
