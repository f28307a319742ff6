package places

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"io/fs"
	"os"
	"slices"
	"strconv"
)

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
