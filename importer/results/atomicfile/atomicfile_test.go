package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// TestFilesAreSwept leaves half-written results behind, as a process does that is
// killed, and finds them gone when the next results are begun; those that a
// process is still writing, and other people's files, stay.
func TestFilesAreSwept(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "night.csv")
	for _, name := range []string{".tripimport-123.part", ".night.part", "tripimport-1.part"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("rows"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, ".tripimport-123.part.d", "rows"), 0o700); err != nil {
		t.Fatal(err)
	}
	first, err := Create(target)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Create(target)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := second.Dir()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		filepath.Join(dir, ".tripimport-123.part"):   false,
		filepath.Join(dir, ".tripimport-123.part.d"): false,
		filepath.Join(dir, ".night.part"):            true,
		filepath.Join(dir, "tripimport-1.part"):      true,
		first.Name():                                 true,
		second.Name():                                true,
		folder:                                       true,
	} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(path), err == nil, want)
		}
	}
	second.Discard()
	name, err := first.Commit(target)
	if err != nil || name != target {
		t.Fatalf("committed as %q, %v", name, err)
	}
	parts, err := filepath.Glob(filepath.Join(dir, filePattern+"*"))
	if err != nil || len(parts) != 0 {
		t.Errorf("%v are left, %v", parts, err)
	}
}

// Processes that begin at once sweep the folder while others begin: each gets a
// file that stays, and every file gets a name of its own.
func TestBegunAtOnce(t *testing.T) {
	out := t.TempDir()
	target := filepath.Join(out, "night.csv")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 25 {
				f, err := Create(target)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := f.Commit(target); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if left, err := os.ReadDir(out); err != nil || len(left) != 200 {
		t.Errorf("%d files, want 200 (%v)", len(left), err)
	}
}

// What is not finished may be read by this user alone.
func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	f, err := Create(filepath.Join(t.TempDir(), "night.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	if info, err := os.Stat(f.Name()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, want 0600 (%v)", info.Mode().Perm(), err)
	}
}
