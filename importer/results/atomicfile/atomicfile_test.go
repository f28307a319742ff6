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
	first, err := Create(target)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Create(target)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		filepath.Join(dir, ".tripimport-123.part"): false,
		filepath.Join(dir, ".night.part"):          true,
		filepath.Join(dir, "tripimport-1.part"):    true,
		first.Name():                               true,
		second.Name():                              true,
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
	parts, err := filepath.Glob(filepath.Join(dir, filePattern))
	if err != nil || len(parts) != 0 {
		t.Errorf("%v are left, %v", parts, err)
	}
}

// The folder of a process that has died is removed by the next one; that of a
// living one is not.
func TestDirsAreSwept(t *testing.T) {
	base := t.TempDir()
	alive, err := NewDir(base)
	if err != nil {
		t.Fatal(err)
	}
	dead, err := NewDir(base)
	if err != nil {
		t.Fatal(err)
	}
	if err := dead.lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dead.Path, "excelize-1"), []byte("rows"), 0o600); err != nil {
		t.Fatal(err)
	}
	next, err := NewDir(base)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead.Path); !os.IsNotExist(err) {
		t.Error("the dead process's folder is still there")
	}
	if _, err := os.Stat(alive.Path); err != nil {
		t.Error("the living process's folder is gone")
	}
	for _, s := range []*Dir{alive, next} {
		s.Remove()
	}
}

// Processes that begin at once sweep the folder while others begin: each gets a
// file and a folder that stay, and every file gets a name of its own.
func TestBegunAtOnce(t *testing.T) {
	out, base := t.TempDir(), t.TempDir()
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
				d, err := NewDir(base)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := os.Stat(d.Path); err != nil {
					t.Error(err)
				}
				if _, err := f.Commit(target); err != nil {
					t.Error(err)
				}
				d.Remove()
			}
		})
	}
	group.Wait()
	last, err := NewDir(base) // removes what two have looked at while it was removed
	if err != nil {
		t.Fatal(err)
	}
	last.Remove()
	for dir, want := range map[string]int{out: 200, base: 0} {
		if left, err := os.ReadDir(dir); err != nil || len(left) != want {
			t.Errorf("%d files, want %d (%v)", len(left), want, err)
		}
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
	d, err := NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Remove()
	for path, want := range map[string]os.FileMode{f.Name(): 0o600, d.Path: 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, want %v (%v)", filepath.Base(path), info.Mode().Perm(), want, err)
		}
	}
}
