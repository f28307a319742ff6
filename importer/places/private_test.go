package places

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// A watcher calls look whenever it is read from.
type watcher struct {
	io.Reader
	look func()
}

func (w watcher) Read(p []byte) (int, error) {
	w.look()
	return w.Reader.Read(p)
}

// Private reports whether nobody but this user may read a file. On Windows its folder says
// so, and the mode nothing.
func Private(file os.FileInfo) bool {
	return file.Mode().Perm() == 0o600 || runtime.GOOS == "windows"
}

// TestPrivateFiles holds that others can read neither a file of addresses nor the
// temporary file, even if it replaces one that they could read, and that a failure
// leaves no temporary file.
func TestPrivateFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "places.csv")
	files := func() []os.DirEntry {
		entries, err := os.ReadDir(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if info, err := e.Info(); err != nil || !Private(info) {
				t.Errorf("%s: %v, %v", e.Name(), info.Mode(), err)
			}
		}
		return entries
	}
	seen := 0
	watched := func(r io.Reader) io.Reader { return watcher{r, func() { seen = len(files()) }} }

	if err := writePrivate(path, watched(strings.NewReader("new"))); err != nil {
		t.Fatal(err)
	}
	if n := len(files()); n != 1 || seen != 1 {
		t.Errorf("%d files, %d while it was written", n, seen)
	}

	// A file that others can read, as one from a spreadsheet.
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writePrivate(path, watched(strings.NewReader("newer"))); err != nil {
		t.Fatal(err)
	}
	if n := len(files()); n != 1 || seen != 2 {
		t.Errorf("%d files, %d while it was written", n, seen)
	}

	broken := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(errors.New("no more")))
	if err := writePrivate(path, broken); err == nil {
		t.Error("a half was written")
	}
	if text, err := os.ReadFile(path); string(text) != "newer" || err != nil || len(files()) != 1 {
		t.Errorf("%q, %v; %d files", text, err, len(files()))
	}
}
