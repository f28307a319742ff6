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
	"strconv"
	"strings"
	"unicode/utf8"

	"tripimport/importer"

	"github.com/gocarina/gocsv"
	"golang.org/x/text/encoding/charmap"
)

// A listLine is a line of the list as the file has it.
type listLine struct {
	Name         string `csv:"name"`
	Address1     string `csv:"address1"`
	City         string `csv:"city"`
	State        string `csv:"state"`
	Zip          string `csv:"zip"`
	Latitude     string `csv:"latitude"`
	Longitude    string `csv:"longitude"`
	NameIsEnough string `csv:"name_is_enough"`
}

// OpenList reads the office's places list, a CSV file or a workbook's first
// sheet, with the columns name, address1, city, state, zip, latitude,
// longitude and, if wanted, name_is_enough, in any order, others beside them.
// A line without any coordinates waits to be filled in and is left out. A list
// at fault is an *importer.InputError that names its lines.
func OpenList(path string) (*List, error) {
	lines, err := readLines(path)
	if err != nil {
		return nil, err
	}
	filled := lines[:0]
	for _, l := range lines {
		if l.Latitude != 0 || l.Longitude != 0 {
			filled = append(filled, l)
		}
	}
	list := NewList(filled)
	list.Path = path
	return list, nil
}

// readLines reads the list with its empty lines; those have coordinates of 0.
func readLines(path string) ([]Line, error) {
	records, err := readRecords(path)
	if err != nil {
		return nil, err
	}
	if err := checkHeader(path, records); err != nil {
		return nil, err
	}
	var raw []listLine
	if err := gocsv.UnmarshalCSV(records, &raw); err != nil {
		return nil, &importer.InputError{File: filepath.Base(path), Reason: "the places list can't be read", Fix: "save it anew as CSV (UTF-8)"}
	}
	var lines []Line
	faults := faults{file: filepath.Base(path)}
	for i, r := range raw {
		num := records.nums[i+1]
		if line, ok := r.parse(num, &faults); ok {
			lines = append(lines, line)
		}
	}
	return lines, faults.err()
}

// records are a list's rows as text, each with its number in the file. They
// are a gocsv.CSVReader.
type records struct {
	rows [][]string
	nums []int
	next int
}

func (r *records) Read() ([]string, error) {
	if r.next == len(r.rows) {
		return nil, fmt.Errorf("no more lines")
	}
	r.next++
	return r.rows[r.next-1], nil
}

func (r *records) ReadAll() ([][]string, error) { return r.rows, nil }

// readRecords reads a list's rows, white space around each cell taken off.
func readRecords(path string) (*records, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	read := readCSV
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		read = readWorkbook
	}
	r, err := read(filepath.Base(path), data)
	if err != nil {
		return nil, err
	}
	for _, row := range r.rows {
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
	}
	return r, nil
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
func readCSV(name string, data []byte) (*records, error) {
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
	r := &records{}
	row, err := in.Read()
	for err == nil {
		line, _ := in.FieldPos(0)
		r.rows, r.nums = append(r.rows, row), append(r.nums, line)
		row, err = in.Read()
	}
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		return nil, &importer.InputError{
			File: name, At: importer.Ref{File: name, Row: bad.StartLine},
			Reason: "the quotes of this line don't match", Fix: "correct the line, or save the list anew from a spreadsheet",
		}
	}
	return r, nil
}

// checkHeader folds the header's names and wants those that can't be missed.
func checkHeader(path string, r *records) error {
	if len(r.rows) == 0 {
		r.rows, r.nums = [][]string{nil}, []int{1}
	}
	header := map[string]bool{}
	for i, name := range r.rows[0] {
		name = strings.ReplaceAll(strings.ToLower(name), " ", "_")
		r.rows[0][i] = name
		header[name] = true
	}
	var missing []string
	for _, name := range []string{"address1", "city", "state", "zip", "latitude", "longitude"} {
		if !header[name] {
			missing = append(missing, name)
		}
	}
	if missing == nil {
		return nil
	}
	return &importer.InputError{
		File: filepath.Base(path), At: importer.Ref{File: filepath.Base(path), Row: r.nums[0]},
		Reason: "the places list has no column " + strings.Join(missing, ", "),
		Fix:    "give it the header name,address1,city,state,zip,latitude,longitude,name_is_enough",
	}
}

// parse reads one line. It reports false for a blank one and for a faulty one.
func (r listLine) parse(num int, faults *faults) (Line, bool) {
	if r == (listLine{}) {
		return Line{}, false
	}
	line := Line{Name: r.Name, Address1: r.Address1, City: r.City, State: r.State, Zip: r.Zip, Num: num}
	before := len(faults.found)
	var known bool
	line.NameIsEnough, known = yes(r.NameIsEnough)
	switch {
	case !known:
		faults.add(num, "name_is_enough is "+strconv.Quote(r.NameIsEnough)+", and it should be yes or no")
	case line.NameIsEnough && literal(r.Name) == "":
		faults.add(num, "name_is_enough is yes, and there is no name")
	case literal(r.Address1) == "" && !line.NameIsEnough:
		faults.add(num, "there is no address1; a name alone needs yes under name_is_enough")
	}
	if r.Latitude == "" && r.Longitude == "" {
		return line, len(faults.found) == before
	}
	line.Latitude = coordinate(num, "latitude", r.Latitude, 90, faults)
	line.Longitude = coordinate(num, "longitude", r.Longitude, 180, faults)
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
