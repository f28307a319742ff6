package places

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"slices"
	"strings"

	"tripimport/importer"

	"github.com/gocarina/gocsv"
	"github.com/natefinch/atomic"
)

// An Unplaced is an address without coordinates, in the columns of the places
// list, units left out: a line without one serves the whole building.
type Unplaced struct {
	Name     string
	Address1 string
	City     string
	State    string
	Zip      string
	// Trips is how many trips wait for it.
	Trips int
}

// Unplaced gives each address still to be placed once, however many ways the
// rows write it, those that most trips wait for first.
func (p *Places) Unplaced() []Unplaced {
	byPlace := map[string]int{}
	var all []Unplaced
	for _, w := range p.open {
		if w.found.Known() || w.address.reading().box() {
			continue // no car goes to a PO box, wherever it is
		}
		u, key := w.address.unplaced()
		i, ok := byPlace[key]
		if !ok {
			i = len(all)
			byPlace[key] = i
			all = append(all, u)
		}
		all[i].Trips += w.trips
	}
	slices.SortStableFunc(all, func(a, b Unplaced) int { return cmp.Compare(b.Trips, a.Trips) })
	return all
}

// unplaced gives the address as a line of the list that will match it, and what
// tells it from other places.
func (o *open) unplaced() (u Unplaced, key string) {
	e, r := &o.event, o.reading()
	u.Name = cmp.Or(e.LocationName, e.Name)
	if !e.HasAddress() {
		return u, "name\x00" + r.name
	}
	a, ok := r.likely()
	if !ok {
		// Its words are all there is to match it by.
		u.Address1 = e.Address()
		return u, "text\x00" + r.literal()
	}
	u.Address1, u.City, u.State, u.Zip = a.line, a.town, written(a.state), written(a.zip)
	return u, strings.Join([]string{a.number, a.street, a.city, a.state, a.zip}, "\x00")
}

// written gives a part as the row has it, where it could not be understood.
func written(s string) string { return strings.TrimPrefix(s, "?") }

// An unplacedLine is a line of the file to be filled in: the list's columns,
// and how many trips wait.
type unplacedLine struct {
	Name         string `csv:"name"`
	Address1     string `csv:"address1"`
	City         string `csv:"city"`
	State        string `csv:"state"`
	Zip          string `csv:"zip"`
	Latitude     string `csv:"latitude"`
	Longitude    string `csv:"longitude"`
	NameIsEnough string `csv:"name_is_enough"`
	Trips        int    `csv:"trips"`
}

// WriteUnplaced writes the addresses in the list's own format, for this user
// alone, ready for their coordinates to be filled in and for `places add`. A
// file that is there already is replaced whole.
func WriteUnplaced(path string, addresses []Unplaced) error {
	lines := make([]unplacedLine, 0, len(addresses))
	for _, a := range addresses {
		lines = append(lines, unplacedLine{
			Name: inert(a.Name), Address1: inert(a.Address1), City: inert(a.City),
			State: inert(a.State), Zip: inert(a.Zip), Trips: a.Trips,
		})
	}
	var b bytes.Buffer
	if err := gocsv.Marshal(&lines, &b); err != nil {
		return err
	}
	return writePrivate(path, &b)
}

// inert keeps a spreadsheet from running a text as a formula.
func inert(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return " " + s
	}
	return s
}

// writePrivate replaces a file whole, for this user alone.
func writePrivate(path string, r io.Reader) error {
	if err := atomic.WriteFile(path, r); err != nil {
		return notWritten(path)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return notWritten(path)
	}
	return nil
}

func notWritten(path string) error {
	return &importer.InputError{
		File: path, Reason: "the file can't be written", Fix: "close it in other programs, and look at the folder's permissions",
	}
}
