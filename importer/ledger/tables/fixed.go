package tables

import (
	"context"
	"maps"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger/keyed"
)

const (
	wordsOfKeysSQL = "SELECT " + wordColumns + " FROM rows w WHERE w.key IN (listed(?1)) ORDER BY w.id"
	// withoutIDSQL selects the rows without an id that have trips by a key, or an event.
	withoutIDSQL = "SELECT " + wordColumns + ", k.hash FROM keys k JOIN trips t ON t.id = k.trip JOIN rows w ON w.id = t.row WHERE k.hash IN (numbers(?1)) AND " + withoutID +
		" UNION ALL SELECT " + wordColumns + ", e.num FROM events e JOIN rows w ON w.id = e.row WHERE e.trip = 0 AND e.num IN (numbers(?2)) AND " + withoutID
	withoutID = "w.key LIKE '%" + keyed.WithoutID + "'"
)

// A soughtRow is a row that is looked for: its key with the hash of that, and the version of its word that it
// has, if any.
type soughtRow struct {
	key     *importer.RowKey
	id      string
	version int64
}

// fixedIDs returns, by the indices of the rows, the ids of rows without an id to which a person gave the ids
// that the rows have now.
func (l *Ledger) fixedIDs(ctx context.Context, rows []soughtRow) (map[int]string, error) {
	keys, versions := make([]int64, len(rows)), make([]int64, len(rows))
	for i, r := range rows {
		keys[i], versions[i] = keyed.Number(r.id), r.version
	}
	without := map[int64][]importer.Word{} // by a key or a version
	_, err := Query(ctx, l.Readers, func(row Scanner) (by int64, err error) {
		word, err := l.scanWordWith(row, &by)
		without[by] = append(without[by], word)
		return by, err
	}, withoutIDSQL, list(keys), list(versions))
	if err != nil || len(without) == 0 {
		return nil, err
	}

	fixed := map[int]string{}
	var ids []string
	for i, r := range rows {
		words := slices.DeleteFunc(slices.Concat(without[keys[i]], without[r.version]), func(w importer.Word) bool { return w.Broker != r.key.Broker })
		if n := importer.PickWord(r.key, r.version, words); n >= 0 {
			fixed[i], ids = words[n].ID, append(ids, r.id)
		}
	}
	own, err := Query(ctx, l.Readers, l.scanWord, wordsOfKeysSQL, list(ids))
	maps.DeleteFunc(fixed, func(i int, _ string) bool {
		words := slices.DeleteFunc(slices.Clone(own), func(w importer.Word) bool { return w.ID != rows[i].id })
		return importer.PickWord(rows[i].key, rows[i].version, words) >= 0
	})
	return fixed, err
}
