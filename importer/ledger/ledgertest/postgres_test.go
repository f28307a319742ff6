package ledgertest

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/ledger/postgres"
)

func TestMain(m *testing.M) { pgtest.Main(m).Run() }

func TestInServer(t *testing.T) {
	t.Parallel()
	conform(t, newPostgres)
}

// newPostgres makes a ledger in a database of the shared server. After a crash the next
// process finds the leases of the one that crashed ended.
func newPostgres(tb testing.TB) fixture {
	tb.Helper()
	ctx := tb.Context()
	location := pgtest.Shared(tb).NewDatabase(tb)
	store := postgres.Store{Folder: tb.TempDir()}
	l, err := store.Create(ctx, location, ledger.Options{Who: "dana", Host: "FRONT-DESK", Command: "import"})
	must(tb, err)
	tb.Cleanup(func() { _ = l.Close() }) // a test may have closed it

	return fixture{
		Ledger: l,
		Crash: func(tb testing.TB) ledger.Ledger {
			tb.Helper()
			must(tb, l.Close())
			// A renewal may be under way in the server.
			new(pgtest.Cluster).Exec(tb, location, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
			new(pgtest.Cluster).Exec(tb, location, "UPDATE tripimport.runs SET leased_until = NULL")
			l, err = store.Open(ctx, location, ledger.Options{Who: "sam", Host: "BACK-OFFICE", Command: "import"})
			must(tb, err)
			return l
		},
		ReadOnly: func(tb testing.TB) ledger.Ledger {
			tb.Helper()
			reader, err := store.Open(ctx, location, ledger.Options{ReadOnly: true})
			must(tb, err)
			tb.Cleanup(func() { must(tb, reader.Close()) })
			return reader
		},
		Stored: func(tb testing.TB) map[string][]byte {
			tb.Helper()
			contents := readFolders(tb, filepath.Dir(store.KeyPath("any")))
			for name, content := range dump(tb, location) {
				contents[name] = content
			}
			return contents
		},
	}
}

// dump returns all tables of the database, as the server writes them.
func dump(tb testing.TB, location string) map[string][]byte {
	tb.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, location)
	must(tb, err)
	defer func() { must(tb, conn.Close(ctx)) }()
	rows, err := conn.Query(ctx, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'tripimport'")
	must(tb, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(tb, err)
	contents := map[string][]byte{}
	for _, table := range tables {
		var content []byte
		err := conn.QueryRow(ctx, fmt.Sprintf("SELECT COALESCE(string_agg(convert_to(t::text, 'UTF8'), ''), '') FROM tripimport.%s t", table)).Scan(&content)
		must(tb, err)
		contents[table] = content
	}
	return contents
}
