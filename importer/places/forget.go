package places

import (
	"maps"
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// Forget removes the position that the address on one line has, and those of units within it
// unless the line names one. It returns how many there were.
func (s *Store) Forget(address string) (int, error) {
	p := parseEvent(&importer.Event{CompleteAddress: address})
	at, _ := s.find(p)
	return s.remove(func(key string, _ entry) bool {
		return key == at || p.address.Unit == (usps.Unit{}) && strings.HasPrefix(key, at)
	})
}

// ForgetUnused removes the positions that no run has needed since a day. It returns
// how many there were.
func (s *Store) ForgetUnused(since importer.Date) (int, error) {
	return s.remove(func(_ string, e entry) bool { return e.Used.Compare(since) < 0 })
}

// remove removes some entries.
func (s *Store) remove(which func(key string, e entry) bool) (removed int, err error) {
	err = s.update(func() bool {
		before := len(s.Entries)
		maps.DeleteFunc(s.Entries, which)
		removed = before - len(s.Entries)
		return removed > 0
	})
	return removed, err
}

// keepUse records that entries were used today. That it can't be recorded harms no run,
// such as one that may only read the file.
func (s *Store) keepUse(used map[string]*lookup) {
	today := importer.DateOf(s.now())
	record := func() (changed bool) {
		for _, l := range used {
			if e, ok := s.Entries[l.key]; ok && e.Used != today {
				e.Used, changed = today, true
				s.Entries[l.key] = e
			}
		}
		return changed
	}
	if record() {
		_ = s.update(record)
	}
}

// consent records that a person agreed to send addresses to a geocoder.
func (s *Store) consent(geocoder string) error {
	return s.update(func() bool {
		s.Consents[geocoder] = true
		return true
	})
}
