package sqlite

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
)

// TestUpgradeHidesIDs opens a ledger of schema 7, written by a program that had all
// trip ids in clear. The first run of a mapping that takes them for private leaves none
// of its broker's in the file, also in the free pages that upgrades left, and knows the
// trips by them as before. The backup that the upgrade made has them.
func TestUpgradeHidesIDs(t *testing.T) {
	ctx := context.Background()
	path := ledgerOfSchema(t, "v7")
	const id = "MBR4471-20261202"
	executeAt(t, path, `CREATE TABLE dropped (id TEXT); INSERT INTO dropped VALUES ('`+id+`'), ('`+id+`'); DROP TABLE dropped`)
	executeAt(t, path, "UPDATE trips SET trip_id = '"+id+"' WHERE trip_id = 'R9'")

	l, err := openAt(path, ledger.Options{})
	must(t, err)
	old := ledgertest.Trip(id)
	old.RiderID = "R-R9"
	before := ledgertest.Find(t, l, old)
	if before.Alias != "" {
		t.Errorf("shown as %q before any run", before.Alias)
	}
	run := ledgertest.Run("run-2")
	run.RowIDs = importer.RowIDs{Broker: "Alpha", Columns: "member", Private: true}
	must(t, l.Begin(ctx, run))
	old.Alias = "row 2"
	after := ledgertest.Find(t, l, old)
	if after.Alias == "" || after.TripID != id || after.Attempt != before.Attempt || after.GUID != before.GUID {
		t.Errorf("before %+v, after %+v", before, after)
	}
	for _, e := range entries(t, l, after.Run) {
		if e.TripID == id && e.ListedID() != after.Alias {
			t.Errorf("listed as %q", e.ListedID())
		}
	}
	must(t, l.Close())

	files, err := filepath.Glob(path + "*")
	must(t, err)
	holds := map[bool]int{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(t, err)
		backup := file != path && !bytes.HasSuffix([]byte(file), []byte(".key")) && !bytes.HasSuffix([]byte(file), []byte(".lock"))
		if bytes.Contains(content, []byte("MBR4471")) {
			holds[backup]++
		}
	}
	if holds[false] != 0 || holds[true] != 1 {
		t.Errorf("of the ledger's files %d have the id, of the backups %d", holds[false], holds[true])
	}
}

func entries(t *testing.T, l *Ledger, run string) (all []ledger.Entry) {
	t.Helper()
	for e, err := range l.Trips(context.Background(), run) {
		must(t, err)
		all = append(all, e)
	}
	return all
}
