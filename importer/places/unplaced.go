package places

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Unplaced returns the addresses without coordinates once Prepare has returned,
// each once, however the rows write it. Those for which most trips wait come
// first. Left out are post office boxes, and addresses that may hold a rider's name:
// these must be corrected in their rows.
func (p *Places) Unplaced() []Unplaced {
	var all []Unplaced
	for _, l := range p.missing {
		if !l.position.IsSet() && !l.named {
			all = append(all, *l.missing)
		}
	}
	slices.SortStableFunc(all, func(a, b Unplaced) int { return cmp.Compare(b.Trips, a.Trips) })
	return all
}

// WriteUnplaced writes addresses as a list with a column trips. The coordinates are to be
// filled in, for Store.Add. The file is readable by this user alone. If the file exists,
// somebody may have filled it in: WriteUnplaced keeps its lines and columns and adds only
// the addresses that it lacks. It returns how many lines it kept.
func WriteUnplaced(path string, addresses []Unplaced) (kept int, err error) {
	file := &list{columns: append(listColumns(), "trips")}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if file, err = readList(path); err != nil {
			return 0, err
		}
	}

	kept = len(file.rows)
	there := map[string]bool{}
	for _, row := range file.rows {
		there[file.address(row)] = true
	}
	for _, a := range addresses {
		if row := file.row(a); !there[file.address(row)] {
			file.rows = append(file.rows, row)
		}
	}
	if kept > 0 && kept == len(file.rows) {
		return kept, nil
	}

	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(slices.Insert(file.rows, 0, file.columns)); err != nil {
		return kept, err
	}
	return kept, writePrivate(path, &b)
}

// row returns the cells of an address under the columns of the list.
func (f *list) row(a Unplaced) []string {
	cells := map[string]string{
		"address1": a.Address1, "city": a.City, "state": a.State, "zip": a.Zip, "trips": strconv.Itoa(a.Trips),
	}
	row := make([]string, len(f.columns))
	for i, name := range f.columns {
		if row[i] = cells[name]; row[i] != "" && strings.ContainsRune("=+-@\t\r", rune(row[i][0])) {
			row[i] = " " + row[i] // so that no spreadsheet takes it for a formula
		}
	}
	return row
}

// address returns the cells of a row that say which address it is for.
func (f *list) address(row []string) string {
	var cells []string
	for _, name := range listColumns()[:4] {
		cell := ""
		if i := slices.Index(f.columns, name); i < len(row) {
			cell = row[i]
		}
		cells = append(cells, strings.ToLower(strings.TrimSpace(cell)))
	}
	return strings.Join(cells, "\x00")
}
