package move

import (
	"database/sql"
	"errors"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer/ledger/sqlite"
)

// TestSameTables compares the tables of the two engines: what is new in one has to be in the
// other, or named here.
func TestSameTables(t *testing.T) {
	t.Parallel()
	// In a file meta has what is in state; one process at a time writes to it, and asks the
	// service.
	alone := regexp.MustCompile(`^(state|sessions|rates|budgets)\.|^runs\.leased_until$`)
	o := newOffice(t)
	leaving, err := sqlite.Store{}.Leave(t.Context(), o.path, o.options())
	must(t, err)
	columns, err := leaving.Columns(t.Context())
	must(t, errors.Join(err, leaving.Close()))
	var inFile, inDatabase []string
	for table, names := range columns {
		for _, name := range names {
			inFile = append(inFile, table+"."+name)
		}
	}

	o.move(t)
	db, err := sql.Open("pgx", o.url)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	rows, err := db.QueryContext(t.Context(), "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'tripimport'")
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		if !alone.MatchString(name) {
			inDatabase = append(inDatabase, name)
		}
	}
	must(t, rows.Err())
	slices.Sort(inFile)
	slices.Sort(inDatabase)
	if diff := cmp.Diff(inFile, inDatabase); diff != "" || len(inFile) == 0 {
		t.Errorf("(-file +database):\n%s", diff)
	}
}

// TestTotal: rows that differ anywhere have another total, in whatever order they come.
func TestTotal(t *testing.T) {
	of := func(rows ...[]any) (all total) {
		for _, row := range rows {
			must(t, all.add(row))
		}
		return all
	}
	a, b := []any{int64(1), "x", nil}, []any{int64(2), "", []byte("x")}
	if of(a, b) != of(b, a) {
		t.Error("the order matters")
	}
	seen := map[total]bool{}
	for _, rows := range [][][]any{
		{},
		{a},
		{b},
		{a, b},
		{a, a},
		{a, a, b},
		{{int64(1), "x", ""}},
		{{int64(1), []byte("x"), nil}},
		{{int64(1), "", "x"}},
		{{int64(1), "xn"}},
		{{"1", "x", nil}},
		{{int64(-1), "x", nil}},
	} {
		sum := of(rows...)
		if seen[sum] {
			t.Errorf("%v has the total of other rows", rows)
		}
		seen[sum] = true
	}
	if err := new(total).add([]any{1.5}); err == nil {
		t.Error("a value of an unknown type was counted")
	}
}
