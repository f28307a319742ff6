package places

import (
	"bytes"
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
	num int // in its file
	importer.Event
}

// A list is the content of a list's file. Such files are small enough to be read whole.
type list struct {
	name    string
	columns []string   // in lower case and with _ for a space
	rows    [][]string // below the header, without white space around a cell
	nums    []int      // the number of each row in the file

	first   int      // the first line with which something is wrong
	reasons []string // what is wrong with it, and with others
}

// readList reads a list in CSV and checks that it has the columns of one.
func readList(path string) (*list, error) {
	f := &list{name: filepath.Base(path)}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, f.wrong(0, "there is no such list of places", "correct its name")
	case err != nil:
		return nil, f.wrong(0, "the list of places can't be opened", "close it in other programs, and check its permissions")
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return nil, f.wrong(0, "a list of places is a CSV file, and this is a workbook", "save it as CSV")
	}

	in := listcsv.NewReader(data)
	in.FieldsPerRecord = -1
	row, err := in.Read()
	for ; err == nil; row, err = in.Read() {
		row = importer.Each(row, strings.TrimSpace)
		if f.columns == nil {
			f.columns = strings.Split(strings.ReplaceAll(strings.ToLower(strings.Join(row, ",")), " ", "_"), ",")
			continue
		}
		num, _ := in.FieldPos(0)
		f.rows, f.nums = append(f.rows, row), append(f.nums, num)
	}
	if bad, ok := errors.AsType[*csv.ParseError](err); ok {
		return nil, f.wrong(bad.StartLine, "the quotes of this line don't match", "correct the line, or save the list again from a spreadsheet")
	}
	for _, name := range listColumns() {
		if !slices.Contains(f.columns, name) {
			return nil, f.wrong(1, "the list of places has no column "+name, "give it the header "+strings.Join(listColumns(), ","))
		}
	}
	return f, nil
}

// wrong returns the error for a list, or a row of it, that can't be used.
func (f *list) wrong(row int, reason, fix string) error {
	return &importer.InputError{File: f.name, At: importer.Ref{File: f.name, Row: row}, Reason: reason, Fix: fix}
}

// lines parses all lines that are not blank, and notes what is wrong with one.
func (f *list) lines() (lines []line) {
	for i, row := range f.rows {
		if strings.Join(row, "") != "" {
			l, reason := f.line(row)
			l.num = f.nums[i]
			f.note(l.num, reason)
			lines = append(lines, l)
		}
	}
	return lines
}

// line parses a row, and says what is wrong with it, or "". An address that is all in the first column is on
// one line.
func (f *list) line(row []string) (l line, reason string) {
	cell := func(name string) string {
		if col := slices.Index(f.columns, name); col < len(row) {
			return row[col]
		}
		return ""
	}
	l.Address1, l.City, l.State, l.Zip = cell("address1"), cell("city"), cell("state"), cell("zip")
	if usps.Words(l.Address1) == "" {
		return l, "there is no address1"
	}
	if l.City == "" && l.State == "" && l.Zip == "" {
		l.CompleteAddress, l.Address1 = l.Address1, ""
	}

	lat, lng, p := cell("latitude"), cell("longitude"), &l.Position
	if lat == "" && lng == "" {
		return l, ""
	}
	var errLat, errLng error
	p.Latitude, errLat = strconv.ParseFloat(lat, 64)
	p.Longitude, errLng = strconv.ParseFloat(lng, 64)
	p.HasLatitude, p.HasLongitude = true, true
	what, _ := usps.WrongPosition(p.Latitude, p.Longitude)
	switch {
	case lat == "" || lng == "":
		return l, "there is only one of latitude and longitude"
	case errLat != nil || errLng != nil:
		what = "are not numbers of degrees"
	case what == "" && !isInState(l.State, l.Zip, p.Latitude, p.Longitude):
		what = "are outside the state of the address"
	}
	if what != "" {
		what = "the coordinates " + lat + ", " + lng + " " + what
	}
	return l, what
}

// note notes what is wrong with a line; "" for nothing.
func (f *list) note(num int, reason string) {
	switch {
	case reason == "":
	case f.reasons == nil:
		f.first, f.reasons = num, []string{reason}
	default:
		f.reasons = append(f.reasons, fmt.Sprintf("line %d: %s", num, reason))
	}
}

// err returns an error about all lines with which something is wrong; nil if there are none.
func (f *list) err() error {
	const most = 10
	if f.reasons == nil {
		return nil
	}
	reason := strings.Join(f.reasons[:min(most, len(f.reasons))], "; ")
	if more := len(f.reasons) - most; more > 0 {
		reason += fmt.Sprintf("; and %d more", more)
	}
	return f.wrong(f.first, reason, "correct the list, or have the address forgotten whose known coordinates are wrong; nothing of the list was added")
}

// Added says what became of the lines of a list.
type Added struct {
	Added   int
	Known   int // with the same coordinates
	Waiting int // still without coordinates
}

// Add brings in the lines of a list: a CSV file with the columns address1, city, state,
// zip, latitude and longitude, such as one that WriteUnplaced wrote and a person filled
// in. A line replaces what a geocoder answered. If a line can't be used, or gives other
// coordinates than an earlier list, Add changes nothing and returns an *importer.InputError.
func (s *Store) Add(path string) (Added, error) {
	file, err := readList(path)
	if err != nil {
		return Added{}, err
	}
	lines := file.lines()
	var result Added
	err = s.update(func() bool {
		for i := range lines {
			file.note(lines[i].num, s.add(&lines[i], &result))
		}
		return result.Added > 0 && file.err() == nil
	})
	if err == nil && file.err() != nil {
		return Added{}, errors.Join(file.err(), s.read())
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
	default:
		result.Known++
	}
	return ""
}
