package places

import (
	"math"

	"tripimport/importer/usps"
)

// fit says how well the unit of a line of the list goes with that of a row. A
// higher one is better.
type fit uint8

const (
	conflict fit = 0  // the two contradict each other
	within   fit = 1  // the line is more exact than the row
	around   fit = 2  // the row is more exact than the line; one more for each equal part
	same     fit = 10 // the two are equal
)

// fitOf compares a row's unit with that of a line of the list.
func fitOf(row, line usps.Unit) fit {
	lineIsFiner, agreed := false, around
	for _, p := range [...][2]string{
		{row.Door, line.Door}, {row.Inner, line.Inner}, {row.Building, line.Building}, {row.Floor, line.Floor},
	} {
		switch given, listed := p[0], p[1]; {
		case given == listed:
			if given != "" {
				agreed++
			}
		case given == "":
			lineIsFiner = true
		case listed != "":
			return conflict
		}
	}

	switch {
	case row == line:
		return same
	case lineIsFiner:
		return within
	}
	return agreed
}

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
		for _, n := range l.streets[streetKey{a.Number, a.Street}] {
			e := &l.entries[n]
			fit := fitOf(a.Unit, e.address.Unit)
			if fit == conflict || fit < best || !a.Agrees(e.address) {
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
