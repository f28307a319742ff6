package places

import (
	"bytes"
	"encoding/csv"
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
	lines, err := readLines(filePath)
	if err != nil {
		return Added{}, err
	}
	list, err := rawListAt(listPath)
	if err != nil {
		return Added{}, err
	}
	known := NewList(nil)
	if !list.fresh {
		if known, err = OpenList(listPath); err != nil {
			return Added{}, err
		}
	}
	added, fresh, err := sift(known, lines, filepath.Base(filePath))
	if err != nil || len(fresh) == 0 {
		return added, err
	}
	return added, list.append(listPath, fresh)
}

// sift parts the lines that are new from those that the list has.
func sift(known *List, lines []Line, file string) (Added, []Line, error) {
	var result Added
	var fresh []Line
	faults := faults{file: file}
	for _, line := range lines {
		if line.Latitude == 0 {
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

// A rawList is the list's file as it is, to be written back with more lines.
type rawList struct {
	rows   [][]string
	header []string // folded
	fresh  bool     // there was no file
}

// rawListAt reads the list for writing back.
func rawListAt(path string) (*rawList, error) {
	header := []string{"name", "address1", "city", "state", "zip", "latitude", "longitude", "name_is_enough"}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return &rawList{rows: [][]string{header}, header: header, fresh: true}, nil
	}
	if strings.EqualFold(filepath.Ext(path), ".xlsx") {
		return nil, &importer.InputError{
			File: filepath.Base(path), Reason: "lines can't be added to a workbook",
			Fix: "save the places list as CSV, or copy the lines over by hand",
		}
	}
	r, err := readRecords(path)
	if err != nil {
		return nil, err
	}
	var first []string
	if len(r.rows) > 0 {
		first = append(first, r.rows[0]...)
	}
	if err := checkHeader(path, r); err != nil {
		return nil, err
	}
	raw := &rawList{rows: r.rows, header: append([]string(nil), r.rows[0]...)}
	raw.rows[0] = first
	return raw, nil
}

// append writes the list with the lines at its end, as UTF-8 with commas.
func (r *rawList) append(path string, lines []Line) error {
	for _, line := range lines {
		row := make([]string, len(r.header))
		for i, name := range r.header {
			row[i] = line.column(name)
		}
		r.rows = append(r.rows, row)
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(r.rows); err != nil {
		return err
	}
	return writePrivate(path, &b)
}

// column gives the line's value under a column of the list.
func (line Line) column(name string) string {
	switch name {
	case "name":
		return inert(line.Name)
	case "address1":
		return inert(line.Address1)
	case "city":
		return inert(line.City)
	case "state":
		return inert(line.State)
	case "zip":
		return inert(line.Zip)
	case "latitude":
		return degrees(line.Latitude)
	case "longitude":
		return degrees(line.Longitude)
	case "name_is_enough":
		if line.NameIsEnough {
			return "yes"
		}
	}
	return ""
}
