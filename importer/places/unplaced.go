package places

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"

	"github.com/natefinch/atomic"
)

// An Unplaced is an address without coordinates, as a line of the places list,
// units left out: a line without one serves the whole building.
type Unplaced struct {
	Line
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

// WriteUnplaced writes the addresses in the list's own format, for this user
// alone, ready for their coordinates to be filled in and for `places add`. A
// file that is there already is replaced whole.
func WriteUnplaced(path string, addresses []Unplaced) error {
	columns := listColumns()
	rows := [][]string{append(listColumns(), "trips")}
	for _, a := range addresses {
		rows = append(rows, append(a.row(columns), strconv.Itoa(a.Trips)))
	}
	return writeRows(path, rows)
}

// writeRows replaces a file by rows as CSV, for this user alone.
func writeRows(path string, rows [][]string) error {
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
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

// writePrivate replaces a file whole, for this user alone. Neither the file nor
// the temporary one beside it can be read by others at any moment, and nothing
// is left of the temporary one on a failure.
func writePrivate(path string, r io.Reader) error {
	// The temporary file is for this user alone, until atomic gives it the mode
	// of the file that it replaces.
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		if err := os.Chmod(path, 0o600); err != nil {
			return notWritten(path)
		}
	}
	if err := atomic.WriteFile(path, r); err != nil {
		return notWritten(path)
	}
	return nil
}

func notWritten(path string) error {
	return &importer.InputError{
		File: path, Reason: "the file can't be written", Fix: "close it in other programs, and look at the folder's permissions",
	}
}
