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

	"tripimport/importer"
	"tripimport/importer/listcsv"
	"tripimport/importer/usps"
)

// listColumns returns the columns of a places list, in the order of a new one.
// A list may lack name and name_is_enough.
func listColumns() []string {
	return []string{"name", "address1", "city", "state", "zip", "latitude", "longitude", "name_is_enough"}
}

// OpenList reads the office's places list: a CSV file, or the first sheet of a
// workbook. It has the columns address1, city, state, zip, latitude and longitude
// and may have name and name_is_enough, in any order, and other columns beside
// them. A line without coordinates is still to be filled in and is left out.
//
// The error for a list that can't be used is an *importer.InputError that names
// the lines to correct.
func OpenList(path string) (*List, error) {
	file, err := readListFile(path)
	if err != nil {
		return nil, err
	}
	return file.list()
}

// A listFile is the content of a places list's file. Such files are small enough
// to be read whole.
type listFile struct {
	path string
	rows [][]string // the header first; without white space around a cell
	nums []int      // the number of each row in the file
}

// readListFile reads a list and checks that it has the columns of one.
func readListFile(path string) (*listFile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, openError(path, err)
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

// openError returns the error for a list that can't be opened.
func openError(path string, err error) error {
	reason, fix := "the places list can't be opened", "close it in other programs, and check its permissions"
	if errors.Is(err, fs.ErrNotExist) {
		reason, fix = "there is no such places list", "correct the path of the places list in the configuration"
	}
	return &importer.InputError{File: filepath.Base(path), Reason: reason, Fix: fix}
}

// readCSV reads CSV.
func (f *listFile) readCSV(data []byte) error {
	in := listcsv.NewReader(data)
	in.FieldsPerRecord = -1
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
			Reason: "the quotes of this line don't match", Fix: "correct the line, or save the list again from a spreadsheet",
		}
	}
	return nil
}

// columns returns the names in the header, in lower case and with _ for a space.
func (f *listFile) columns() []string {
	names := make([]string, len(f.rows[0]))
	for i, name := range f.rows[0] {
		names[i] = strings.ReplaceAll(strings.ToLower(name), " ", "_")
	}
	return names
}

// checkColumns returns an error if the list lacks a column that it must have.
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

// list returns the list of the lines that have coordinates.
func (f *listFile) list() (*List, error) {
	lines, err := f.lines()
	if err != nil {
		return nil, err
	}
	list := NewList(slices.DeleteFunc(lines, Line.lacksPosition))
	return list, nil
}

// lines parses all lines that are not blank. One that is still to be filled in has
// coordinates of 0.
func (f *listFile) lines() ([]Line, error) {
	columns := f.columns()
	errs := lineErrors{file: filepath.Base(f.path)}
	var lines []Line
	for i, row := range f.rows[1:] {
		cells := map[string]string{}
		for col, text := range row {
			if col < len(columns) && text != "" && slices.Contains(listColumns(), columns[col]) {
				cells[columns[col]] = text
			}
		}
		if line, ok := parseListLine(cells, f.nums[i+1], &errs); ok {
			lines = append(lines, line)
		}
	}
	return lines, errs.err()
}

// parseListLine parses the cells of a line, by column; empty ones are left out.
// It reports false for a blank line, and for one that it adds to errs.
func parseListLine(cells map[string]string, num int, errs *lineErrors) (Line, bool) {
	if len(cells) == 0 {
		return Line{}, false
	}
	line := Line{
		Name: cells["name"], Address1: cells["address1"], City: cells["city"],
		State: cells["state"], Zip: cells["zip"], Num: num,
	}

	before := len(errs.messages)
	var known bool
	line.NameIsEnough, known = parseFlag(cells["name_is_enough"])
	switch {
	case !known:
		errs.add(num, "name_is_enough is "+strconv.Quote(cells["name_is_enough"])+", and it should be yes or no")
	case line.NameIsEnough && usps.Words(line.Name) == "":
		errs.add(num, "name_is_enough is yes, and there is no name")
	case usps.Words(line.Address1) == "" && !line.NameIsEnough:
		errs.add(num, "there is no address1; a name alone needs yes under name_is_enough")
	}
	if cells["latitude"] != "" || cells["longitude"] != "" {
		line.Latitude = parseCoordinate(num, "latitude", cells["latitude"], 90, errs)
		line.Longitude = parseCoordinate(num, "longitude", cells["longitude"], 180, errs)
	}
	return line, len(errs.messages) == before
}

// parseCoordinate parses degrees between -limit and limit.
func parseCoordinate(num int, name, s string, limit float64, errs *lineErrors) float64 {
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case s == "":
		errs.add(num, "there is no "+name)
	case err != nil || math.IsNaN(x) || math.IsInf(x, 0):
		errs.add(num, "the "+name+" "+strconv.Quote(s)+" is not a number of degrees")
	case x == 0:
		errs.add(num, "the "+name+" is 0, which stands for no place")
	case math.Abs(x) > limit:
		errs.add(num, "the "+name+" "+s+" is out of range; check whether latitude and longitude are exchanged")
	}
	return x
}

// parseFlag parses yes or no. An empty text is no.
func parseFlag(s string) (yes, known bool) {
	switch strings.ToLower(s) {
	case "yes", "y", "true", "1", "x":
		return true, true
	case "", "no", "n", "false", "0":
		return false, true
	}
	return false, false
}

// lineErrors collects what is wrong with the lines of a list, so that all of it
// can be said at once.
type lineErrors struct {
	file     string
	messages []string
	first    int // the number of the first line
}

func (e *lineErrors) add(num int, message string) {
	if e.messages == nil {
		e.first = num
	} else {
		message = fmt.Sprintf("line %d: %s", num, message)
	}
	e.messages = append(e.messages, message)
}

// err returns one error for all messages, or nil if there are none.
func (e *lineErrors) err() error {
	const most = 10
	if e.messages == nil {
		return nil
	}
	reason := strings.Join(e.messages[:min(most, len(e.messages))], "; ")
	if more := len(e.messages) - most; more > 0 {
		reason += fmt.Sprintf("; and %d more", more)
	}
	return &importer.InputError{
		File: e.file, At: importer.Ref{File: e.file, Row: e.first}, Reason: reason, Fix: "correct the places list",
	}
}

// row returns the cells of the line under some columns. A cell under a column
// that is not the list's is empty.
func (line Line) row(columns []string) []string {
	cells := map[string]string{
		"name": line.Name, "address1": line.Address1, "city": line.City, "state": line.State, "zip": line.Zip,
	}
	for name, text := range cells {
		cells[name] = escapeFormula(text)
	}
	if !line.lacksPosition() {
		cells["latitude"], cells["longitude"] = formatDegrees(line.Latitude), formatDegrees(line.Longitude)
	}
	if line.NameIsEnough {
		cells["name_is_enough"] = "yes"
	}
	row := make([]string, len(columns))
	for i, name := range columns {
		row[i] = cells[name]
	}
	return row
}

// writeRows writes a CSV file that is readable by this user alone.
func writeRows(path string, rows [][]string) error {
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		return err
	}
	return writePrivate(path, &b)
}

// escapeFormula returns a text that no spreadsheet takes for a formula.
func escapeFormula(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return " " + s
	}
	return s
}
