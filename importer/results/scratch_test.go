package results

import (
	"os"
	"path/filepath"
	"testing"
)

// The folder of a process that has died is removed by the next one; that of a
// living one is not.
func TestScratchIsSwept(t *testing.T) {
	base := t.TempDir()
	alive, err := newScratch(base)
	if err != nil {
		t.Fatal(err)
	}
	dead, err := newScratch(base)
	if err != nil {
		t.Fatal(err)
	}
	if err := dead.lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dead.dir, "excelize-1"), []byte("rows"), 0o600); err != nil {
		t.Fatal(err)
	}
	next, err := newScratch(base)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead.dir); !os.IsNotExist(err) {
		t.Error("the dead process's folder is still there")
	}
	if _, err := os.Stat(alive.dir); err != nil {
		t.Error("the living process's folder is gone")
	}
	for _, s := range []*scratch{alive, next} {
		if err := s.remove(); err != nil {
			t.Error(err)
		}
	}
}
