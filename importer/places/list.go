package places

import (
	"tripimport/importer"
	"tripimport/importer/usps"
)

// A Line is one line of the office's places list: an address or a facility,
// with its coordinates.
type Line struct {
	Name     string
	Address1 string
	City     string
	State    string
	Zip      string
	// Latitude and Longitude are in degrees. Both are 0 on a line that is still
	// to be filled in.
	Latitude  float64
	Longitude float64
	// NameIsEnough lets the name alone stand for the place, for rows without an
	// address. It is not so by default, since facilities of a chain share a name.
	NameIsEnough bool
	// Num is the number of the line in its file.
	Num int
}

// A List holds the office's own places. It is safe for concurrent use.
type List struct {
	entries []entry
	streets map[streetKey][]int32 // indexes of entries by number and street
	texts   map[string][]int32    // by all words of the address; none by ""
	names   map[string][]int32    // by name, of those whose name is enough; none by ""
}

// An entry is a line in the form that is searched.
type entry struct {
	index   int // among the entries of the list
	line    Line
	address usps.Address // empty for a line that can't be parsed
	name    string       // normalized
}

type streetKey struct{ number, street string }

// NewList returns a list of lines, which must have coordinates.
func NewList(lines []Line) *List {
	l := &List{streets: map[streetKey][]int32{}, texts: map[string][]int32{}, names: map[string][]int32{}}
	for _, line := range lines {
		l.add(line)
	}
	return l
}

// Len returns the number of places in the list.
func (l *List) Len() int { return len(l.entries) }

func (l *List) add(line Line) {
	n := int32(len(l.entries))
	e := entry{index: int(n), line: line, name: usps.Words(line.Name)}
	if line.NameIsEnough && e.name != "" {
		l.names[e.name] = append(l.names[e.name], n)
	}

	addresses := line.parse()
	if len(addresses) == 1 {
		e.address = addresses[0]
		key := streetKey{e.address.Number, e.address.Street}
		l.streets[key] = append(l.streets[key], n)
	}

	// A line in one piece, or one that can't be parsed, is also found by rows
	// with exactly the same words.
	if text := usps.Words(line.text()); text != "" && (len(addresses) != 1 || line.isOnePiece()) {
		l.texts[text] = append(l.texts[text], n)
	}
	l.entries = append(l.entries, e)
}

// A Clash is two lines of a list for the same place with different coordinates.
type Clash struct{ First, Second Line }

// Clashes returns the pairs of lines with the same address, unit and name whose
// coordinates are more than about 20 yards apart. Rows that need such a place
// get no coordinates.
func (l *List) Clashes() []Clash {
	var all []Clash
	for i := range l.entries {
		e := &l.entries[i]
		for _, n := range l.streets[streetKey{e.address.Number, e.address.Street}] {
			o := &l.entries[n]
			if int(n) > i && e.address.Street != "" && e.address.Agrees(o.address) && e.address.Unit == o.address.Unit &&
				e.name == o.name && !samePosition([]*entry{e, o}) {
				all = append(all, Clash{e.line, o.line})
			}
		}
	}
	return all
}

// parse parses the address of the line. An address that is all in the first
// column is parsed as one on a single line.
func (line Line) parse() []usps.Address {
	if line.isOnePiece() {
		return usps.ParseLine(line.Address1)
	}
	return usps.ParseParts(line.Address1, "", line.City, line.State, line.Zip)
}

// isOnePiece reports whether the address is all in the first column.
func (line Line) isOnePiece() bool { return line.City == "" && line.State == "" && line.Zip == "" }

// lacksPosition reports whether the line has no coordinates yet.
func (line Line) lacksPosition() bool { return line.Latitude == 0 && line.Longitude == 0 }

// text returns the address of the line as a row would write it.
func (line Line) text() string {
	return (importer.Event{Address1: line.Address1, City: line.City, State: line.State, Zip: line.Zip}).Address()
}

// position returns the coordinates of the line.
func (line Line) position() importer.Position {
	return importer.Position{
		Latitude: line.Latitude, Longitude: line.Longitude,
		HasLatitude: true, HasLongitude: true, Source: "places list",
	}
}
