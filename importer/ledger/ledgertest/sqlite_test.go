package ledgertest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/ledger/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }

// The names of these tests become a part of the ledgers' paths, which messages
// repeat, so they must not hold the words that no message may hold.

func TestInFile(t *testing.T) {
	t.Parallel()
	conform(t, newSQLite)
}

// TestInFileCached runs the conformance tests on ledgers that answer from memory
// what they do not have.
func TestInFileCached(t *testing.T) {
	if testing.Short() {
		t.Skip("the same tests as TestInFile, with the cache: go test without -short runs them")
	}
	t.Parallel()
	conform(t, func(tb testing.TB) fixture {
		f := newSQLite(tb)
		FillCache(tb, f.Ledger)
		return f
	})
}

func TestInFileStore(t *testing.T) {
	newPath := func(tb testing.TB) string { return filepath.Join(tb.TempDir(), "office", "ledger.db") }
	inFolder := func(tb testing.TB) string { return filepath.Join(tb.TempDir(), "copy.db") }
	conformStore(t, func(testing.TB) ledger.Store { return sqlite.Store{} }, newPath, inFolder)
}

// newFile makes a ledger in a folder. TestInFileStore makes ledgers as the program does.
var newFile = Copies(func(dir string) error {
	l, err := sqlite.Store{}.Create(context.Background(), filepath.Join(dir, "ledger.db"), ledger.Options{})
	if err == nil {
		err = l.Close()
	}
	return err
})

// newSQLite makes a ledger in a file. After a crash the next process has the files
// as they were at that moment.
func newSQLite(tb testing.TB) fixture {
	tb.Helper()
	ctx := tb.Context()
	path := filepath.Join(tb.TempDir(), "office", "ledger.db")
	newFile(tb, filepath.Dir(path))
	l, err := sqlite.Store{}.Open(ctx, path, ledger.Options{Who: "dana", Host: "FRONT-DESK", Command: "import"})
	must(tb, err)
	tb.Cleanup(func() { _ = l.Close() }) // a test may have closed it
	open := func(o ledger.Options) ledger.Ledger {
		tb.Helper()
		l, err := sqlite.Store{}.Open(ctx, path, o)
		must(tb, err)
		return l
	}

	return fixture{
		Ledger: l,
		Crash: func(tb testing.TB) ledger.Ledger {
			tb.Helper()
			left := filepath.Join(tb.TempDir(), "ledger.db")
			for _, ending := range []string{"", "-wal", ".key"} {
				content, err := os.ReadFile(path + ending)
				must(tb, err)
				must(tb, os.WriteFile(left+ending, content, 0o600))
			}
			must(tb, l.Close())
			path = left
			l = open(ledger.Options{Who: "sam", Host: "BACK-OFFICE", Command: "import"})
			return l
		},
		ReadOnly: func(tb testing.TB) ledger.Ledger {
			tb.Helper()
			reader := open(ledger.Options{ReadOnly: true})
			tb.Cleanup(func() { must(tb, reader.Close()) })
			return reader
		},
		Stored: func(tb testing.TB) map[string][]byte {
			tb.Helper()
			dest := filepath.Join(tb.TempDir(), "copy.db")
			must(tb, sqlite.Store{}.Backup(ctx, path, dest))
			return readFolders(tb, filepath.Dir(path), filepath.Dir(dest))
		},
	}
}

// readFolders reads all files in the folders.
func readFolders(tb testing.TB, folders ...string) map[string][]byte {
	tb.Helper()
	contents := map[string][]byte{}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*"))
		must(tb, err)
		for _, file := range files {
			contents[filepath.Base(file)], err = os.ReadFile(file)
			must(tb, err)
		}
	}
	return contents
}
