package ledgertest

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/ledger/postgres"
)

func TestInDatabase(t *testing.T) {
	t.Parallel()
	cluster := pgtest.Shared(t)
	first := cluster.NewDatabase(t)
	newKeys := Copies(func(dir string) error {
		l, err := postgres.Store{Folder: dir}.Create(context.Background(), first, ledger.Options{})
		if err == nil {
			err = l.Close()
		}
		return err
	})
	conform(t, func(tb testing.TB) fixture {
		tb.Helper()
		folder := tb.TempDir()
		newKeys(tb, folder)
		return newPostgres(tb, cluster, cluster.Copy(tb, first), folder)
	})
}

func TestInDatabaseStore(t *testing.T) {
	cluster := pgtest.Shared(t)
	none := func(testing.TB) string { return "" }
	newStore := func(tb testing.TB) ledger.Store { return postgres.Store{Folder: tb.TempDir()} }
	conformStore(t, newStore, cluster.NewDatabase, none)
}

// newPostgres opens a ledger in a database, with its key in a folder. After a crash, and a
// minute of silence, the next process has what is in the database.
func newPostgres(tb testing.TB, cluster *pgtest.Cluster, url, folder string) fixture {
	tb.Helper()
	ctx := tb.Context()
	store := postgres.Store{Folder: folder}
	l, err := store.Open(ctx, url, ledger.Options{Who: "dana", Host: "FRONT-DESK", Command: "import"})
	must(tb, err)
	tb.Cleanup(func() { _ = l.Close() }) // a test may have closed it

	return fixture{
		Ledger: l,
		Crash: func(tb testing.TB) ledger.Ledger {
			tb.Helper()
			must(tb, l.Close()) // it ends no run
			cluster.Exec(tb, url, "UPDATE tripimport.runs SET leased_until = clock_timestamp() - INTERVAL '1 second' WHERE leased_until IS NOT NULL")
			l, err = store.Open(ctx, url, ledger.Options{Who: "sam", Host: "BACK-OFFICE", Command: "import"})
			must(tb, err)
			return l
		},
		ReadOnly: func(tb testing.TB) ledger.Ledger {
			tb.Helper()
			reader, err := store.Open(ctx, url, ledger.Options{ReadOnly: true})
			must(tb, err)
			tb.Cleanup(func() { must(tb, reader.Close()) })
			return reader
		},
		Stored: func(tb testing.TB) map[string][]byte {
			tb.Helper()
			return readTables(tb, url)
		},
		Beside: func(tb testing.TB) ledger.Ledger {
			tb.Helper()
			beside, err := store.Open(ctx, url, ledger.Options{Who: "sam", Host: "BACK-OFFICE", Command: "import"})
			must(tb, err)
			tb.Cleanup(func() { must(tb, beside.Close()) })
			return beside
		},
		Together: func(tb testing.TB, jobs ...func()) {
			tb.Helper()
			db, err := sql.Open("pgx", url)
			must(tb, err)
			defer func() { must(tb, db.Close()) }()
			inOrder(tb, db, l, jobs)
		},
	}
}

// readTables reads all tables of a ledger, their bytes as they are.
func readTables(tb testing.TB, url string) map[string][]byte {
	tb.Helper()
	db, err := sql.Open("pgx", url+"&options=-cbytea_output%3Descape")
	must(tb, err)
	defer func() { must(tb, db.Close()) }()
	var list string
	must(tb, db.QueryRowContext(tb.Context(), "SELECT string_agg(table_name, ' ') FROM information_schema.tables WHERE table_schema = 'tripimport'").Scan(&list))
	contents := map[string][]byte{}
	for name := range strings.FieldsSeq(list) {
		var text string
		must(tb, db.QueryRowContext(tb.Context(), "SELECT COALESCE(string_agg(t::text, ' '), '') FROM tripimport."+name+" t").Scan(&text))
		contents[name] = []byte(text)
	}
	return contents
}
