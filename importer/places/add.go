package places

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tripimport/importer"
)

// An Added says what became of the lines of a file that was filled in.
type Added struct {
	Added   int // to the list
	Known   int // in the list already, at the same spot
	Waiting int // still without coordinates
}

// Add checks a file in the list's format, such as one that WriteUnplaced wrote
// and a person filled in, and appends its lines to the list at listPath, which
// it makes where there is none. It is all or nothing: a faulty line, or one
// that the list has at another spot, is an *importer.InputError and changes
// nothing. The list's own lines and further columns stay as they are.
func Add(listPath, filePath string) (Added, error) {
	file, err := readListFile(filePath)
	if err != nil {
		return Added{}, err
	}
	lines, err := file.lines()
	if err != nil {
		return Added{}, err
	}

	list, err := listToAddTo(listPath)
	if err != nil {
		return Added{}, err
	}
	known, err := list.list()
	if err != nil {
		return Added{}, err
	}

	added, fresh, err := sift(known, lines, filepath.Base(filePath))
	if err != nil || len(fresh) == 0 {
		return added, err
	}
	return added, list.append(fresh)
}

// sift parts the lines that are new from those that the list has.
func sift(known *List, lines []Line, file string) (Added, []Line, error) {
	var result Added
	var fresh []Line
	faults := faults{file: file}
	for _, line := range lines {
		if line.waits() {
			result.Waiting++
			continue
		}
		at, listed := known.has(line)
		switch {
		case !listed:
			known.add(line)
			fresh = append(fresh, line)
			result.Added++
		case oneSpot([]*entry{at, {line: line}}):
			result.Known++
		default:
			faults.add(line.Num, fmt.Sprintf("the list has this place at %s, %s, on its line %d",
				degrees(at.line.Latitude), degrees(at.line.Longitude), at.line.Num))
		}
	}
	return result, fresh, faults.err()
}

// has gives the entry that is the very place of the line, unit included.
func (l *List) has(line Line) (*entry, bool) {
	as := line.read()
	for i := range l.entries {
		e := &l.entries[i]
		switch {
		case len(as) == 1 && e.addr.street != "":
			if e.addr.agrees(as[0]) && e.addr.unit == as[0].unit {
				return e, true
			}
		case literal(e.line.text()) == literal(line.text()) && e.name == literal(line.Name):
			return e, true
		}
	}
	return nil, false
}

// listToAddTo reads the list at path, or gives an empty one where there is none.
func listToAddTo(path string) (*listFile, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return &listFile{path: path, rows: [][]string{listColumns()}, nums: []int{1}}, nil
	}
	if strings.EqualFold(filepath.Ext(path), ".xlsx") {
		return nil, &importer.InputError{
			File: filepath.Base(path), Reason: "lines can't be added to a workbook",
			Fix: "save the places list as CSV, or copy the lines over by hand",
		}
	}
	return readListFile(path)
}

// append writes the list with the lines at its end, as UTF-8 with commas.
func (f *listFile) append(lines []Line) error {
	columns := f.columns()
	for _, line := range lines {
		f.rows = append(f.rows, line.row(columns))
	}
	return writeRows(f.path, f.rows)
}

// row gives the line's cells under the columns; empty under those of others.
func (line Line) row(columns []string) []string {
	cells := map[string]string{
		"name": line.Name, "address1": line.Address1, "city": line.City, "state": line.State, "zip": line.Zip,
	}
	for name, text := range cells {
		cells[name] = inert(text)
	}
	if !line.waits() {
		cells["latitude"], cells["longitude"] = degrees(line.Latitude), degrees(line.Longitude)
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
