package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/next/ledgertest"
)

// closedLedger makes a ledger with one booked trip and gives its path.
func closedLedger(t *testing.T) string {
	t.Helper()
	l := begun(t)
	ledgertest.Book(t, l, "run-1", ledgertest.Row("1"), "g1")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.path
}

func TestOpenRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*testing.T, string)
		code  string
	}{
		"missing":            {func(t *testing.T, p string) { remove(t, p) }, "ledger-missing"},
		"a folder":           {func(t *testing.T, p string) { remove(t, p); mkdir(t, p) }, "ledger-other-file"},
		"no database":        {func(t *testing.T, p string) { overwrite(t, p, 0, "Trip Number,Rider\n") }, "ledger-damaged"},
		"an empty file":      {func(t *testing.T, p string) { truncate(t, p, 0) }, "ledger-other-file"},
		"half a file":        {func(t *testing.T, p string) { truncate(t, p, 8192) }, "ledger-damaged"},
		"a page overwritten": {func(t *testing.T, p string) { overwrite(t, p, 4096, strings.Repeat("\xff", 4096)) }, "ledger-damaged"},
		"another program's":  {func(t *testing.T, p string) { executeAt(t, p, "PRAGMA application_id = 7") }, "ledger-other-file"},
		"a newer schema":     {func(t *testing.T, p string) { executeAt(t, p, "PRAGMA user_version = 99") }, "ledger-newer"},
		"an older build's": {func(t *testing.T, p string) {
			executeAt(t, p, "PRAGMA application_id = 0x74726970; PRAGMA user_version = 14")
		}, "ledger-older"},
		"no key":          {func(t *testing.T, p string) { remove(t, keyPath(p)) }, "ledger-key-missing"},
		"an empty key":    {func(t *testing.T, p string) { truncate(t, keyPath(p), 0) }, "ledger-key-damaged"},
		"a key cut short": {func(t *testing.T, p string) { truncate(t, keyPath(p), 60) }, "ledger-key-damaged"},
		"another key":     {func(t *testing.T, p string) { write(t, keyPath(p), keyfile.New(identityOf(t, p)).Bytes()) }, "ledger-key-other"},
		"another's key":   {func(t *testing.T, p string) { write(t, keyPath(p), keyfile.New("ANOTHER").Bytes()) }, "ledger-key-other"},
	} {
		t.Run(name, func(t *testing.T) {
			path := closedLedger(t)
			c.spoil(t, path)
			for _, o := range []ledger.Options{{}, {ReadOnly: true}} {
				l, err := openAt(path, o)
				if err == nil {
					_ = l.Close()
				}
				ledgertest.WantError(t, err, c.code)
			}
			if name == "missing" {
				if _, err := os.Stat(path); err == nil {
					t.Error("opening made a ledger")
				}
			}
		})
	}
}

func TestOpenNetworkDrive(t *testing.T) {
	path := closedLedger(t)
	share := func(folder string) string {
		if folder == filepath.Dir(path) {
			return "NFS"
		}
		return ""
	}

	_, err := open(context.Background(), path, options{hooks: hooks{networkDrive: share}})
	ledgertest.WantError(t, err, "ledger-network")
	other := filepath.Join(filepath.Dir(path), "second.db")
	_, err = create(context.Background(), other, options{hooks: hooks{networkDrive: share}})
	ledgertest.WantError(t, err, "ledger-network")
	if _, err := os.Stat(other); err == nil {
		t.Error("a ledger was made on a network drive")
	}
}

func TestCreate(t *testing.T) {
	l := newLedger(t)
	path := l.path
	if runtime.GOOS != "windows" {
		for file, want := range map[string]os.FileMode{
			filepath.Dir(path): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
			keyPath(path): 0o600, lockPath(path): 0o600,
		} {
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("%s has %o, want %o", filepath.Base(file), got, want)
			}
		}
	}

	if other := newLedger(t); other.Identity() == l.Identity() {
		t.Error("two ledgers have one identity")
	}

	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	_, err := create(context.Background(), path, options{})
	ledgertest.WantError(t, err, "ledger-exists")
	remove(t, path)
	_, err = create(context.Background(), path, options{})
	ledgertest.WantError(t, err, "ledger-exists") // the key alone: the ledger was moved away
}

// TestCreateLeavesNothing fails to make a ledger half way.
func TestCreateLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := create(ctx, path, options{}); err == nil {
		t.Fatal("it was made although the context had ended")
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestStrangePaths keeps ledgers under names with characters that URLs use.
func TestStrangePaths(t *testing.T) {
	for _, name := range []string{"with space", "50%25 off", "a#b", "a?mode=memory", "öffentlich"} {
		if runtime.GOOS == "windows" && strings.Contains(name, "?") {
			continue
		}
		path := filepath.Join(t.TempDir(), name, name+".db")
		l, err := create(context.Background(), path, options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: the ledger is elsewhere: %v", name, err)
		}
	}
}

// TestAddressIsNoPath passes the address of a database where a path belongs.
func TestAddressIsNoPath(t *testing.T) {
	t.Chdir(t.TempDir())
	s, ctx, address := Store{}, context.Background(), "postgres://host/ledger"
	_, opened := s.Open(ctx, address, ledger.Options{})
	_, created := s.Create(ctx, address, ledger.Options{})
	_, adopted := s.Adopt(ctx, address, ledger.Options{}, nil)
	for _, err := range []error{opened, created, adopted, s.Backup(ctx, address, "copy.db")} {
		ledgertest.WantError(t, err, "ledger-path")
	}

	if left, err := os.ReadDir("."); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestDurable(t *testing.T) {
	l := newLedger(t)
	if err := checkDurable(context.Background(), l.engine.conn); err != nil {
		t.Error(err)
	}

	for _, pragma := range []string{"synchronous = NORMAL", "fullfsync = 0"} {
		if _, err := l.engine.conn.ExecContext(context.Background(), "PRAGMA "+pragma); err != nil {
			t.Fatal(err)
		}
		ledgertest.WantError(t, checkDurable(context.Background(), l.engine.conn), "ledger-not-durable")
	}

	if _, err := l.Readers.ExecContext(context.Background(), "DELETE FROM trips"); err == nil {
		t.Error("a reading connection could write")
	}
}

func remove(t *testing.T, path string) { must(t, os.Remove(path)) }

func mkdir(t *testing.T, path string) { must(t, os.Mkdir(path, 0o700)) }

func truncate(t *testing.T, path string, size int64) { must(t, os.Truncate(path, size)) }

func write(t *testing.T, path string, content []byte) { must(t, os.WriteFile(path, content, 0o600)) }

func overwrite(t *testing.T, path string, at int64, content string) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	_, err = f.WriteAt([]byte(content), at)
	must(t, errors.Join(err, f.Close()))
}

// executeAt executes statements on a closed ledger, as another program does.
func executeAt(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn(path, "rw"))
	must(t, err)
	_, err = db.ExecContext(context.Background(), statement)
	must(t, errors.Join(err, db.Close()))
}

func identityOf(t *testing.T, path string) string {
	t.Helper()
	k, err := readKey(path)
	must(t, err)
	return k.Identity
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(fmt.Errorf("prepare: %w", err))
	}
}
