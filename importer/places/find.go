package places

import "math"

// find returns the entry for the place of an event. If several fit equally well
// but are apart, it returns all of them: a person must choose. It returns none if
// the list has no such place. l may be nil.
func (l *List) find(p parsed, hasAddress bool) []*entry {
	if l == nil {
		return nil
	}
	if !hasAddress {
		return tellApart(l.entriesAt(l.names[p.name]), "")
	}

	var found []*entry
	best := conflict
	for _, a := range p.addresses {
		for _, n := range l.streets[streetKey{a.number, a.street}] {
			e := &l.entries[n]
			fit := a.unit.fits(e.address.unit)
			if fit == conflict || fit < best || !a.agrees(e.address) {
				continue
			}
			if fit > best {
				best, found = fit, nil
			}
			found = append(found, e)
		}
	}

	if found == nil {
		found = l.entriesAt(l.texts[p.words()])
	}
	return tellApart(found, p.name)
}

// entriesAt returns the entries with the indexes.
func (l *List) entriesAt(indexes []int32) []*entry {
	var es []*entry
	for _, n := range indexes {
		es = append(es, &l.entries[n])
	}
	return es
}

// tellApart returns one entry if all have the same position, or if those with the
// facility's name do. Otherwise it returns all.
func tellApart(es []*entry, name string) []*entry {
	if len(es) < 2 || samePosition(es) {
		return es[:min(1, len(es))]
	}

	var named []*entry
	for _, e := range es {
		if name != "" && e.name == name {
			named = append(named, e)
		}
	}
	if len(named) > 0 && samePosition(named) {
		return named[:1]
	}
	return es
}

// samePosition reports whether the entries are within about 20 yards of the
// first.
func samePosition(es []*entry) bool {
	const near = 0.0002 // degrees
	for _, e := range es[1:] {
		if math.Abs(e.line.Latitude-es[0].line.Latitude) > near || math.Abs(e.line.Longitude-es[0].line.Longitude) > near {
			return false
		}
	}
	return true
}
