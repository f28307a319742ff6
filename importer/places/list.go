package places

import (
	"tripimport/importer"
)

// A Line is one line of the office's places list: an address or a facility,
// with its coordinates.
type Line struct {
	Name      string
	Address1  string
	City      string
	State     string
	Zip       string
	Latitude  float64
	Longitude float64
	// NameIsEnough lets the name alone stand for the place, for rows without
	// any address. Chains share names, so a line says so or it does not.
	NameIsEnough bool
	// Num is the line's number in the list.
	Num int
}

// A List is the office's own places. It is safe for concurrent use.
type List struct {
	// Path is the file it came from.
	Path string

	entries []entry
	streets map[streetKey][]int32 // entries by number and street
	texts   map[string][]int32    // entries by all their words
	names   map[string][]int32    // entries whose name is enough
}

type entry struct {
	num  int // its place among the entries
	line Line
	addr address
	name string
}

type streetKey struct{ number, street string }

// NewList makes a list of lines.
func NewList(lines []Line) *List {
	l := &List{streets: map[streetKey][]int32{}, texts: map[string][]int32{}, names: map[string][]int32{}}
	for _, line := range lines {
		l.add(line)
	}
	return l
}

// Len is how many places the list has.
func (l *List) Len() int { return len(l.entries) }

func (l *List) add(line Line) {
	n := int32(len(l.entries))
	e := entry{num: int(n), line: line, name: literal(line.Name)}
	if line.NameIsEnough && e.name != "" {
		l.names[e.name] = append(l.names[e.name], n)
	}
	readings := line.read()
	if len(readings) == 1 {
		e.addr = readings[0]
		key := streetKey{e.addr.number, e.addr.street}
		l.streets[key] = append(l.streets[key], n)
	}
	// A line in one piece, or one that can't be taken apart, also stands for
	// rows that have the very same words.
	if text := literal(line.text()); text != "" && (len(readings) != 1 || line.onePiece()) {
		l.texts[text] = append(l.texts[text], n)
	}
	l.entries = append(l.entries, e)
}

// A Clash is one place that the list has at two spots.
type Clash struct{ First, Second Line }

// Clashes gives the lines that are the same place, unit and name included, and
// lie apart. Rows that need them can't be placed.
func (l *List) Clashes() []Clash {
	var all []Clash
	for i := range l.entries {
		e := &l.entries[i]
		for _, n := range l.streets[streetKey{e.addr.number, e.addr.street}] {
			o := &l.entries[n]
			if int(n) > i && e.addr.street != "" && e.addr.agrees(o.addr) && e.addr.unit == o.addr.unit &&
				e.name == o.name && !oneSpot([]*entry{e, o}) {
				all = append(all, Clash{e.line, o.line})
			}
		}
	}
	return all
}

// read takes the line's address apart. An address all in the one column is
// read as a line of its own.
func (line Line) read() []address {
	if line.onePiece() {
		return readLine(line.Address1)
	}
	return readParts(line.Address1, "", line.City, line.State, line.Zip)
}

// waits reports whether the line has no coordinates yet.
func (line Line) waits() bool { return line.Latitude == 0 && line.Longitude == 0 }

func (line Line) onePiece() bool { return line.City == "" && line.State == "" && line.Zip == "" }

// text gives the line's address as a row would write it.
func (line Line) text() string {
	return (importer.Event{Address1: line.Address1, City: line.City, State: line.State, Zip: line.Zip}).Address()
}

// spot gives the line's position.
func (line Line) spot() importer.Position {
	return importer.Position{
		Latitude: line.Latitude, Longitude: line.Longitude,
		HasLatitude: true, HasLongitude: true, Source: listSource,
	}
}

const listSource = "places list"
