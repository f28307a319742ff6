package places

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tripimport/importer"
	"tripimport/importer/usps"
)

// Added says what became of the lines of a file that was filled in.
type Added struct {
	Added   int // to the list
	Known   int // that the list has already, with the same coordinates
	Waiting int // still without coordinates
	// Clashes are lines of the file that were not added: Second is such a line, and First
	// the line that has the same place with other coordinates.
	Clashes []AddClash
}

// An AddClash is a Clash with a line of a file that was to be added.
type AddClash struct {
	Clash

	InFile bool // First is a line of the file too, not of the list
}

// Add appends the lines of a file to the list at listPath. The file has the
// list's format, such as one that WriteUnplaced wrote and a person filled in. Add
// creates the list if there is none, and keeps its own lines and additional
// columns.
//
// If a line can't be used, Add changes nothing and returns an *importer.InputError.
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

	added, fresh := newLines(known, lines)
	if len(fresh) == 0 {
		return added, nil
	}
	return added, list.append(fresh)
}

// newLines returns the lines of a file that the list known does not have, and
// adds them to it.
func newLines(known *List, lines []Line) (Added, []Line) {
	var result Added
	var fresh []Line
	listed := len(known.entries)
	for _, line := range lines {
		if line.lacksPosition() {
			result.Waiting++
			continue
		}
		at, found := known.entryFor(line)
		switch {
		case !found:
			known.add(line)
			fresh = append(fresh, line)
			result.Added++
		case samePosition([]*entry{at, {line: line}}):
			result.Known++
		default:
			result.Clashes = append(result.Clashes, AddClash{Clash{at.line, line}, at.index >= listed})
		}
	}
	return result, fresh
}

// entryFor returns the entry for exactly the place of a line, unit included.
func (l *List) entryFor(line Line) (*entry, bool) {
	addresses := line.parse()
	for i := range l.entries {
		e := &l.entries[i]
		switch {
		case len(addresses) == 1 && e.address.Street != "":
			if e.address.Agrees(addresses[0]) && e.address.Unit == addresses[0].Unit {
				return e, true
			}
		case usps.Words(e.line.text()) == usps.Words(line.text()) && e.name == usps.Words(line.Name):
			return e, true
		}
	}
	return nil, false
}

// listToAddTo reads the list at path, or returns an empty one if there is none.
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

// append replaces the file by one with further lines at its end, in UTF-8 with
// commas.
func (f *listFile) append(lines []Line) error {
	columns := f.columns()
	for _, line := range lines {
		f.rows = append(f.rows, line.row(columns))
	}
	return writeRows(f.path, f.rows)
}
