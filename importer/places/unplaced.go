package places

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
)

// An Unplaced is an address without coordinates, as a line of the places list
// that is to be filled in. It has no unit, since a line without one is for the
// whole building.
type Unplaced struct {
	Line
	// Trips is how many trips wait for it.
	Trips int
}

// Unplaced returns the addresses without coordinates once Prepare has returned,
// each once, however the rows write it. Those for which most trips wait come
// first. Post office boxes are left out.
func (p *Places) Unplaced() []Unplaced {
	indexes := map[string]int{}
	var all []Unplaced
	for _, l := range p.missing {
		parsed := parseEvent(l.event)
		if l.position.IsSet() || parsed.isPOBox() {
			continue
		}
		line, key := unplacedLine(l.event, parsed)
		i, ok := indexes[key]
		if !ok {
			i = len(all)
			indexes[key] = i
			all = append(all, Unplaced{Line: line})
		}
		all[i].Trips += l.trips
	}
	slices.SortStableFunc(all, func(a, b Unplaced) int { return cmp.Compare(b.Trips, a.Trips) })
	return all
}

// unplacedLine returns the line of the list that an event will match once it is
// filled in, and a key that is the same for all events of the place.
func unplacedLine(e *importer.Event, parsed parsed) (line Line, key string) {
	line.Name = cmp.Or(e.LocationName, e.Name)
	if !e.HasAddress() {
		return line, "name\x00" + parsed.name
	}
	a, ok := parsed.mostLikely()
	if !ok {
		// It can be matched by its words only.
		line.Address1 = e.Address()
		return line, "text\x00" + parsed.words()
	}
	line.Address1, line.City, line.State, line.Zip = a.StreetLine, a.CityLine, withoutMark(a.State), withoutMark(a.Zip)
	return line, strings.Join([]string{a.Number, a.Street, a.City, a.State, a.Zip}, "\x00")
}

// WriteUnplaced writes addresses in the format of the places list, with a column
// trips. The coordinates are to be filled in, for `places add`. The file is readable
// by this user alone. If the file exists, somebody may have filled it in:
// WriteUnplaced keeps its lines and columns and adds only the addresses that it
// lacks. It returns how many lines it kept.
func WriteUnplaced(path string, addresses []Unplaced) (kept int, err error) {
	file := &listFile{path: path, rows: [][]string{append(listColumns(), "trips")}}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if file, err = readListFile(path); err != nil {
			return 0, err
		}
	}

	columns := file.columns()
	kept = len(file.rows) - 1
	there := map[string]bool{}
	for _, row := range file.rows[1:] {
		there[addressCells(columns, row)] = true
	}

	for _, a := range addresses {
		row := a.row(columns)
		if there[addressCells(columns, row)] {
			continue
		}
		if i := slices.Index(columns, "trips"); i >= 0 {
			row[i] = strconv.Itoa(a.Trips)
		}
		file.rows = append(file.rows, row)
	}

	if kept > 0 && kept == len(file.rows)-1 {
		return kept, nil
	}
	return kept, writeRows(path, file.rows)
}

// addressCells returns the cells of a row that say which place it is for.
func addressCells(columns, row []string) (cells string) {
	for i, text := range row[:min(len(row), len(columns))] {
		if text = strings.TrimSpace(text); text != "" && slices.Contains(listColumns()[:5], columns[i]) {
			cells += columns[i] + "\x00" + strings.ToLower(text) + "\x00"
		}
	}
	return cells
}
