package places

import "math"

// find gives the line of the list that is the place read. Where several lines
// fit equally well and lie apart, it gives them all: choosing is for a person.
func (l *List) find(r reading, hasAddress bool) []*entry {
	if l == nil {
		return nil
	}
	if !hasAddress {
		return l.alike(l.pick(l.names[r.name], r.name != ""), "")
	}
	var found []*entry
	best := conflict
	for _, a := range r.addresses {
		for _, n := range l.streets[streetKey{a.number, a.street}] {
			e := &l.entries[n]
			fit := a.unit.fits(e.addr.unit)
			if fit == conflict || fit < best || !a.agrees(e.addr) {
				continue
			}
			if fit > best {
				best, found = fit, nil
			}
			found = append(found, e)
		}
	}
	if found == nil {
		words := r.literal()
		found = l.pick(l.texts[words], words != "")
	}
	return l.alike(found, r.name)
}

func (l *List) pick(ns []int32, ok bool) []*entry {
	if !ok {
		return nil
	}
	var es []*entry
	for _, n := range ns {
		es = append(es, &l.entries[n])
	}
	return es
}

// alike gives one entry where all lie at one spot; else the one that the
// facility's name tells apart; else all.
func (l *List) alike(es []*entry, name string) []*entry {
	if len(es) < 2 || oneSpot(es) {
		return es[:min(1, len(es))]
	}
	var named []*entry
	for _, e := range es {
		if name != "" && e.name == name {
			named = append(named, e)
		}
	}
	if len(named) > 0 && oneSpot(named) {
		return named[:1]
	}
	return es
}

// oneSpot reports whether the entries lie within about 20 yards of each other.
func oneSpot(es []*entry) bool {
	const near = 0.0002 // degrees
	for _, e := range es[1:] {
		if math.Abs(e.line.Latitude-es[0].line.Latitude) > near || math.Abs(e.line.Longitude-es[0].line.Longitude) > near {
			return false
		}
	}
	return true
}
