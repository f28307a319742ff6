package places

import (
	"slices"

	"tripimport/importer"
)

// Forget removes the positions of an address on one line, those of units within it
// included unless the line names one. It returns how many there were.
func (s *Store) Forget(address string) (int, error) {
	e := importer.Event{CompleteAddress: address}
	return s.remove(func() func(entry) bool {
		found := s.at(parseEvent(&e))
		return func(e entry) bool {
			return slices.ContainsFunc(found, func(f entry) bool { return f.identity == e.identity })
		}
	})
}

// ForgetUnused removes the positions that no run has needed since a day. It returns
// how many there were.
func (s *Store) ForgetUnused(since importer.Date) (int, error) {
	return s.remove(func() func(entry) bool {
		return func(e entry) bool { return e.Used.Compare(since) < 0 }
	})
}

// remove removes the entries for which the function that which returns is true.
func (s *Store) remove(which func() func(entry) bool) (removed int, err error) {
	err = s.update(func() bool {
		before := len(s.Entries)
		s.Entries = slices.DeleteFunc(s.Entries, which())
		removed = before - len(s.Entries)
		return removed > 0
	})
	return removed, err
}

// keepUse records that entries were used today. That it can't be recorded harms no run,
// such as one that may only read the file.
func (s *Store) keepUse(used map[identity]bool) {
	today := importer.DateOf(s.now())
	if !slices.ContainsFunc(s.Entries, func(e entry) bool { return used[e.identity] && e.Used != today }) {
		return
	}
	_ = s.update(func() bool {
		for i := range s.Entries {
			if used[s.Entries[i].identity] {
				s.Entries[i].Used = today
			}
		}
		return true
	})
}

// consent records that a person agreed to send addresses to a geocoder.
func (s *Store) consent(geocoder string) error {
	return s.update(func() bool {
		s.Consents[geocoder] = true
		return true
	})
}
