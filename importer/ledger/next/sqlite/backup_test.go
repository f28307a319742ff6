package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/next/ledgertest"
)

// TestBackup copies a ledger while many goroutines write to it, and reads the
// copy.
func TestBackup(t *testing.T) {
	l := begun(t)
	ctx := context.Background()
	ledgertest.Book(t, l, "run-1", ledgertest.Row("before"), "g-before")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 20 {
				id := fmt.Sprintf("%d-%d", i, n)
				ledgertest.Book(t, l, "run-1", ledgertest.Row(id), "g-"+id)
			}
		})
	}

	dest := filepath.Join(t.TempDir(), "copy.db")
	if err := l.backup(ctx, dest); err != nil {
		t.Fatal(err)
	}

	all.Wait()
	for _, file := range []string{dest, keyPath(dest)} {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has %o", file, info.Mode().Perm())
		}
	}

	left, err := filepath.Glob(dest + "*")
	if err != nil || len(left) != 2 {
		t.Errorf("beside the copy: %v, %v", left, err)
	}

	reader, err := openAt(dest, ledger.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}

	defer func() { _ = reader.Close() }()
	if reader.Identity() != l.Identity() {
		t.Error("the copy is another ledger")
	}

	if r := find(t, reader, "before"); r.State != importer.TripBooked {
		t.Errorf("got %+v", r)
	}
}

func TestBackupNeverOverwrites(t *testing.T) {
	l := begun(t)
	dest := filepath.Join(t.TempDir(), "copy.db")
	for _, file := range []string{dest, keyPath(dest)} {
		write(t, file, []byte("something dear"))
		ledgertest.WantError(t, l.backup(context.Background(), dest), "ledger-backup-exists")
		content, err := os.ReadFile(file)
		if err != nil || string(content) != "something dear" {
			t.Errorf("%s was overwritten with %q, %v", file, content, err)
		}
		remove(t, file)
	}

	ledgertest.WantError(t, l.backup(context.Background(), filepath.Join(t.TempDir(), "no", "folder", "copy.db")), "ledger-backup-failed")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := l.backup(cancelled, dest); err == nil {
		t.Error("a backup was made after its end")
	}

	if left, err := filepath.Glob(dest + "*"); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}

	if err := l.backup(context.Background(), dest); err != nil {
		t.Error(err)
	}
}
