package results

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSweepParts leaves half-written results behind, as a process does that is
// killed, and finds them gone when the next results are begun; those that a
// process is still writing, and other people's files, stay.
func TestSweepParts(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "night.csv")
	for _, name := range []string{".tripimport-123.part", ".night.part", "tripimport-1.part"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("rows"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first, err := newPlacing(target)
	if err != nil {
		t.Fatal(err)
	}
	second, err := newPlacing(target)
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
	second.discard()
	name, err := first.place(target)
	if err != nil || name != target {
		t.Fatalf("placed as %q, %v", name, err)
	}
	parts, err := filepath.Glob(filepath.Join(dir, partPattern))
	if err != nil || len(parts) != 0 {
		t.Errorf("%v are left, %v", parts, err)
	}
}
