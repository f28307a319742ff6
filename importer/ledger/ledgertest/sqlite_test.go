package ledgertest

import (
	"os"
	"path/filepath"
	"testing"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/sqlite"
)

func TestInFile(t *testing.T) {
	t.Parallel()
	conform(t, newSQLite)
}

// newSQLite makes a ledger in a file. After a crash the next process has the files as they
// were at that moment.
func newSQLite(tb testing.TB) fixture {
	tb.Helper()
	ctx := tb.Context()
	path := filepath.Join(tb.TempDir(), "office", "ledger.db")
	l, err := sqlite.Store{}.Create(ctx, path, ledger.Options{Who: "dana", Host: "FRONT-DESK", Command: "import"})
	must(tb, err)
	tb.Cleanup(func() { _ = l.Close() }) // a test may have closed it

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
			l, err = sqlite.Store{}.Open(ctx, path, ledger.Options{Who: "sam", Host: "BACK-OFFICE", Command: "import"})
			must(tb, err)
			return l
		},
		ReadOnly: func(tb testing.TB) ledger.Ledger {
			tb.Helper()
			reader, err := sqlite.Store{}.Open(ctx, path, ledger.Options{ReadOnly: true})
			must(tb, err)
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
