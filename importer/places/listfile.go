package places

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tripimport/importer"

	"golang.org/x/text/encoding/charmap"
)

// listColumns are the columns of a places list, in the order of a new one. The
// name and name_is_enough may be missing.
func listColumns() []string {
	return []string{"name", "address1", "city", "state", "zip", "latitude", "longitude", "name_is_enough"}
}

// OpenList reads the office's places list, a CSV file or a workbook's first
// sheet, with the columns name, address1, city, state, zip, latitude,
// longitude and, if wanted, name_is_enough, in any order, others beside them.
// A line without any coordinates waits to be filled in and is left out. A list
// at fault is an *importer.InputError that names its lines.
func OpenList(path string) (*List, error) {
	file, err := readListFile(path)
	if err != nil {
		return nil, err
	}
	return file.list()
}

// A listFile is a places list as its file has it, read whole: such a list is
// small.
type listFile struct {
	path string
	rows [][]string // the header first; no white space around a cell
	nums []int      // each row's number in the file
}

// readListFile reads a list and checks that it has the columns of one.
func readListFile(path string) (*listFile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	f := &listFile{path: path}
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		err = f.readWorkbook(data)
	} else {
		err = f.readCSV(data)
	}
	if err != nil {
		return nil, err
	}

	for _, row := range f.rows {
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
	}
	return f, f.checkColumns()
}

func unreadable(path string, err error) error {
	reason, fix := "the places list can't be opened", "close it in other programs, and look at its permissions"
	if errors.Is(err, fs.ErrNotExist) {
		reason, fix = "there is no such places list", "correct the path of the places list in the configuration"
	}
	return &importer.InputError{File: filepath.Base(path), Reason: reason, Fix: fix}
}

// readCSV reads text in UTF-8, or in Windows-1252 as Excel's plain CSV has it,
// with whichever delimiter its header shows.
func (f *listFile) readCSV(data []byte) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		if decoded, err := charmap.Windows1252.NewDecoder().Bytes(data); err == nil {
			data = decoded
		}
	}

	in := csv.NewReader(bytes.NewReader(data))
	in.FieldsPerRecord = -1
	header, _, _ := bytes.Cut(data, []byte("\n"))
	for _, delimiter := range ";\t|" {
		if bytes.Count(header, []byte(string(delimiter))) > bytes.Count(header, []byte(string(in.Comma))) {
			in.Comma = delimiter
		}
	}

	row, err := in.Read()
	for err == nil {
		line, _ := in.FieldPos(0)
		f.rows, f.nums = append(f.rows, row), append(f.nums, line)
		row, err = in.Read()
	}
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		name := filepath.Base(f.path)
		return &importer.InputError{
			File: name, At: importer.Ref{File: name, Row: bad.StartLine},
			Reason: "the quotes of this line don't match", Fix: "correct the line, or save the list anew from a spreadsheet",
		}
	}
	return nil
}

// columns gives the names of the header, in lower case and with _ for a space.
func (f *listFile) columns() []string {
	names := make([]string, len(f.rows[0]))
	for i, name := range f.rows[0] {
		names[i] = strings.ReplaceAll(strings.ToLower(name), " ", "_")
	}
	return names
}

// checkColumns wants the columns that can't be missed.
func (f *listFile) checkColumns() error {
	if len(f.rows) == 0 {
		f.rows, f.nums = [][]string{nil}, []int{1}
	}
	have := f.columns()
	var missing []string
	for _, name := range listColumns() {
		if name != "name" && name != "name_is_enough" && !slices.Contains(have, name) {
			missing = append(missing, name)
		}
	}
	if missing == nil {
		return nil
	}
	name := filepath.Base(f.path)
	return &importer.InputError{
		File: name, At: importer.Ref{File: name, Row: f.nums[0]},
		Reason: "the places list has no column " + strings.Join(missing, ", "),
		Fix:    "give it the header " + strings.Join(listColumns(), ","),
	}
}

// list gives the lines that have coordinates.
func (f *listFile) list() (*List, error) {
	lines, err := f.lines()
	if err != nil {
		return nil, err
	}
	list := NewList(slices.DeleteFunc(lines, Line.waits))
	list.Path = f.path
	return list, nil
}

// lines parses all lines but the blank ones. Those that wait to be filled in
// have coordinates of 0.
func (f *listFile) lines() ([]Line, error) {
	columns := f.columns()
	faults := faults{file: filepath.Base(f.path)}
	var lines []Line
	for i, row := range f.rows[1:] {
		cells := map[string]string{}
		for col, text := range row {
			if col < len(columns) && text != "" && slices.Contains(listColumns(), columns[col]) {
				cells[columns[col]] = text
			}
		}
		if line, ok := parseLine(cells, f.nums[i+1], &faults); ok {
			lines = append(lines, line)
		}
	}
	return lines, faults.err()
}

// parseLine parses the cells of a line that are not empty. It reports false for
// a blank line and for a faulty one.
func parseLine(cells map[string]string, num int, faults *faults) (Line, bool) {
	if len(cells) == 0 {
		return Line{}, false
	}
	line := Line{
		Name: cells["name"], Address1: cells["address1"], City: cells["city"],
		State: cells["state"], Zip: cells["zip"], Num: num,
	}
	before := len(faults.found)
	var known bool
	line.NameIsEnough, known = yes(cells["name_is_enough"])
	switch {
	case !known:
		faults.add(num, "name_is_enough is "+strconv.Quote(cells["name_is_enough"])+", and it should be yes or no")
	case line.NameIsEnough && literal(line.Name) == "":
		faults.add(num, "name_is_enough is yes, and there is no name")
	case literal(line.Address1) == "" && !line.NameIsEnough:
		faults.add(num, "there is no address1; a name alone needs yes under name_is_enough")
	}
	if cells["latitude"] != "" || cells["longitude"] != "" {
		line.Latitude = coordinate(num, "latitude", cells["latitude"], 90, faults)
		line.Longitude = coordinate(num, "longitude", cells["longitude"], 180, faults)
	}
	return line, len(faults.found) == before
}

func coordinate(num int, name, s string, most float64, faults *faults) float64 {
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case s == "":
		faults.add(num, "there is no "+name)
	case err != nil || math.IsNaN(x) || math.IsInf(x, 0):
		faults.add(num, "the "+name+" "+strconv.Quote(s)+" is not a number of degrees")
	case x == 0:
		faults.add(num, "the "+name+" is 0, which stands for no place")
	case math.Abs(x) > most:
		faults.add(num, "the globe has no "+name+" "+s+"; look whether the two are exchanged")
	}
	return x
}

// yes reads a flag; nothing is no.
func yes(s string) (yes, known bool) {
	switch strings.ToLower(s) {
	case "yes", "y", "true", "1", "x":
		return true, true
	case "", "no", "n", "false", "0":
		return false, true
	}
	return false, false
}

// faults gathers what is wrong with a list, so that it is said at once.
type faults struct {
	file  string
	found []string
	first int
}

func (f *faults) add(num int, what string) {
	if f.found == nil {
		f.first = num
		f.found = append(f.found, what)
		return
	}
	f.found = append(f.found, fmt.Sprintf("line %d: %s", num, what))
}

func (f *faults) err() error {
	const most = 10
	if f.found == nil {
		return nil
	}
	reason := strings.Join(f.found[:min(most, len(f.found))], "; ")
	if more := len(f.found) - most; more > 0 {
		reason += fmt.Sprintf("; and %d more", more)
	}
	return &importer.InputError{
		File: f.file, At: importer.Ref{File: f.file, Row: f.first}, Reason: reason, Fix: "correct the places list",
	}
}
