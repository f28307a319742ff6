package places

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/importer/listcsv"
	"tripimport/importer/usps"
)

// listColumns returns the columns that a list of places must have, in the order of a new
// one. It may have others beside them.
func listColumns() []string {
	return []string{"address1", "city", "state", "zip", "latitude", "longitude"}
}

// A line is one line of a list: an address as a row has it, with its position once that is filled in.
type line struct {
	importer.Event

	num   int    // in its file
	wrong string // why it can't be used; empty if it can
}

// readList reads a list in CSV, and checks that it has the columns of one.
func readList(path string) (lines []line, err error) {
	name := filepath.Base(path)
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, wrongList(name, 0, "there is no such list of places", "correct its name")
	case err != nil:
		return nil, wrongList(name, 0, "the list of places can't be opened", "close it in other programs, and check its permissions")
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return nil, wrongList(name, 0, "a list of places is a CSV file, and this is a workbook", "save it as CSV")
	}

	in := listcsv.NewReader(data)
	in.FieldsPerRecord = -1
	var columns []string
	row, err := in.Read()
	for ; err == nil; row, err = in.Read() {
		num, _ := in.FieldPos(0)
		switch {
		case columns == nil:
			columns = importer.Each(row, func(header string) string {
				return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(header)), " ", "_")
			})
		case strings.TrimSpace(strings.Join(row, "")) != "":
			lines = append(lines, newLine(num, columns, row))
		}
	}
	if bad, ok := errors.AsType[*csv.ParseError](err); ok {
		return nil, wrongList(name, bad.StartLine, "the quotes of this line don't match", "correct the line, or save the list again from a spreadsheet")
	}
	for _, column := range listColumns() {
		if !slices.Contains(columns, column) {
			return nil, wrongList(name, 1, "the list of places has no column "+column, "give it the header "+strings.Join(listColumns(), ","))
		}
	}
	return lines, nil
}

// wrongList returns the error for a list, or a line of it, that can't be used.
func wrongList(name string, num int, reason, fix string) error {
	return &importer.InputError{File: name, At: importer.Ref{File: name, Row: num}, Reason: reason, Fix: fix}
}

// newLine parses a row. An address that is all in the first column is on one line.
func newLine(num int, columns, row []string) line {
	cell := func(name string) string {
		if col := slices.Index(columns, name); 0 <= col && col < len(row) {
			return strings.TrimSpace(row[col])
		}
		return ""
	}
	l := line{num: num, Event: importer.Event{Address1: cell("address1"), City: cell("city"), State: cell("state"), Zip: cell("zip")}}
	if usps.Words(l.Address1) == "" {
		l.wrong = "there is no address1"
		return l
	}
	if l.City == "" && l.State == "" && l.Zip == "" {
		l.CompleteAddress, l.Address1 = l.Address1, ""
	}
	if lat, lng := cell("latitude"), cell("longitude"); lat != "" || lng != "" {
		l.wrong = l.setPosition(lat, lng)
	}
	return l
}

// setPosition sets the position of a line, and says what is wrong with it, or "".
func (l *line) setPosition(lat, lng string) (wrong string) {
	p := &l.Position
	var errLat, errLng error
	p.Latitude, errLat = strconv.ParseFloat(lat, 64)
	p.Longitude, errLng = strconv.ParseFloat(lng, 64)
	p.HasLatitude, p.HasLongitude = true, true
	what, _ := usps.WrongPosition(p.Latitude, p.Longitude)
	switch {
	case lat == "" || lng == "":
		return "there is only one of latitude and longitude"
	case errLat != nil || errLng != nil:
		what = "are not numbers of degrees"
	case what == "" && !isInState(l.State, l.Zip, p.Latitude, p.Longitude):
		what = "are outside the state of the address"
	case what == "":
		return ""
	}
	return "the coordinates " + lat + ", " + lng + " " + what
}

// wrongLines returns an error about the first lines with which something is wrong; nil if there are none.
func wrongLines(name string, lines []line) error {
	const most = 10
	var wrong []string
	for _, l := range lines {
		if l.wrong != "" {
			wrong = append(wrong, fmt.Sprintf("line %d: %s", l.num, l.wrong))
		}
	}
	if wrong == nil {
		return nil
	}
	return wrongList(name, 0, strings.Join(wrong[:min(most, len(wrong))], "; "),
		"correct the list, or have the address forgotten whose known coordinates are wrong; nothing of the list was added")
}

// Added says what became of the lines of a list.
type Added struct {
	Added   int
	Waiting int // still without coordinates
}

// Add brings in the lines of a list: a CSV file with the columns address1, city, state,
// zip, latitude and longitude, such as one that WriteUnplaced wrote and a person filled
// in. A line replaces what a geocoder answered. If a line can't be used, or gives other
// coordinates than an earlier list, Add changes nothing and returns an *importer.InputError.
func (s *Store) Add(path string) (Added, error) {
	lines, err := readList(path)
	if err != nil {
		return Added{}, err
	}
	var result Added
	var wrong error
	err = s.update(func() bool {
		for i := range lines {
			if l := &lines[i]; l.wrong == "" {
				l.wrong = s.add(l, &result)
			}
		}
		wrong = wrongLines(filepath.Base(path), lines)
		return result.Added > 0 && wrong == nil
	})
	if wrong != nil {
		return Added{}, errors.Join(wrong, s.read())
	}
	return result, err
}

// add adds one line, and counts it, or says why it can't be added.
func (s *Store) add(l *line, result *Added) (reason string) {
	if !l.Position.IsSet() {
		result.Waiting++
		return ""
	}
	key := s.keyOf(parseEvent(&l.Event))
	fresh := entry{Latitude: l.Position.Latitude, Longitude: l.Position.Longitude, Source: fromList, Used: importer.DateOf(s.now())}
	switch known := s.Entries[key]; {
	case known.Source != fromList:
		s.Entries[key] = fresh
		result.Added++
	case known.isApart(fresh):
		return "the same place is known at " + known.degrees()
	}
	return ""
}

// Unplaced returns the addresses without coordinates once Prepare has returned,
// each once, however the rows write it. Those for which most trips wait come
// first. Left out are post office boxes, and what is no street with its town alone, since it
// may hold a rider's name: these must be corrected in their rows.
func (p *Places) Unplaced() []Unplaced {
	var all []Unplaced
	for _, l := range p.missing {
		if !l.position.IsSet() {
			all = append(all, *l.missing)
		}
	}
	slices.SortStableFunc(all, func(a, b Unplaced) int { return cmp.Compare(b.Trips, a.Trips) })
	return all
}

// WriteUnplaced writes addresses as a list with a column trips. The coordinates are to be
// filled in, for Store.Add. The file is readable by this user alone. If there is another file,
// which somebody may have filled in, it is left as it is and the error is fs.ErrExist.
func WriteUnplaced(path string, addresses []Unplaced) error {
	rows := [][]string{append(listColumns(), "trips")}
	for _, a := range addresses {
		rows = append(rows, []string{a.Address1, a.City, a.State, a.Zip, "", "", strconv.Itoa(a.Trips)})
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		return err
	}
	if earlier, err := os.ReadFile(path); err == nil && !bytes.Equal(earlier, b.Bytes()) {
		return fs.ErrExist
	}
	return writePrivate(path, &b)
}
