package atomicfile

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestSpool gets back what was written, whether it stayed in memory or went to a file,
// which is this user's alone.
func TestSpool(t *testing.T) {
	for name, lines := range map[string]int{"empty": 0, "little": 3, "much": 400_000} {
		t.Run(name, func(t *testing.T) {
			dir, err := NewDir(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer dir.Remove()
			s := dir.NewSpool()
			defer func() { _ = s.Close() }()
			var want bytes.Buffer
			for range lines {
				want.WriteString("a row\n")
				if _, err := s.Write([]byte("a row\n")); err != nil {
					t.Fatal(err)
				}
			}

			for range 2 {
				var got bytes.Buffer
				if _, err := s.WriteTo(&got); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
					t.Errorf("got %d bytes back of %d (%v)", got.Len(), want.Len(), err)
				}
			}

			files, err := filepath.Glob(filepath.Join(dir.Path, "spool-*"))
			if err != nil || (len(files) == 1) != (want.Len() > spoolMemory) {
				t.Fatalf("files %v for %d bytes (%v)", files, want.Len(), err)
			}
			for _, f := range files {
				if info, err := os.Stat(f); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
					t.Errorf("permissions %v (%v)", info.Mode(), err)
				}
			}
			if s.file != nil && int64(cap(s.buf)) > 2*spoolMemory {
				t.Errorf("%d bytes stay in memory", cap(s.buf))
			}
		})
	}
}
