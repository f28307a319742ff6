package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// A placing is a file that is written beside its target and takes the target's
// place only once it is complete and on the disk.
type placing struct {
	*os.File
	held *flock.Flock // nil where there are no locks
}

// newPlacing begins the file, readable by this user alone.
func newPlacing(target string) (*placing, error) {
	dir := filepath.Dir(target)
	sweepParts(dir)
	for {
		f, err := os.CreateTemp(dir, partPattern)
		if err != nil {
			return nil, err
		}
		held, busy := lockPart(f.Name()) // some shares have no locks: nobody sweeps there
		// Another process that swept the folder may have been quicker.
		if _, gone := os.Lstat(f.Name()); gone == nil && !errors.Is(busy, errPartHeld) {
			return &placing{f, held}, nil
		}
		_ = f.Close()
	}
}

// place gives the file its name and returns it: the target's, or the next free
// one where the target is taken. Nothing is ever overwritten.
func (p *placing) place(target string) (string, error) {
	if err := errors.Join(p.Sync(), p.Close()); err != nil {
		return "", err
	}
	for n := 1; n < maxNames; n++ {
		name := nthName(target, n)
		err := moveTo(p.Name(), name)
		if err == nil {
			unlockPart(p.held)
			syncDir(filepath.Dir(name))
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("%s and the names like it are taken", target)
}

const maxNames = 1000

// nthName gives the target's name, then report-2.xlsx and so on.
func nthName(target string, n int) string {
	if n == 1 {
		return target
	}
	ext := filepath.Ext(target)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(target, ext), n, ext)
}

// freeName gives the first of the target's names that is not taken, since the
// file itself says how it is called. A file that is open in Excel is there, so
// its name is taken.
func freeName(target string) string {
	for n := 1; n < maxNames; n++ {
		if _, err := os.Lstat(nthName(target, n)); errors.Is(err, fs.ErrNotExist) {
			return nthName(target, n)
		}
	}
	return target
}

// moveTo renames a file to a name that must be free; fs.ErrExist where it is
// not. A link fails on a taken name where a rename would replace it.
func moveTo(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		// The file is in its place; discard tries the other name once more.
		_ = os.Remove(from)
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	// Some file systems (FAT, some shares) have no links.
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return os.Rename(from, to)
}

// syncDir makes the new name durable. Not every system can; the file itself
// is safe by then.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// discard drops the file. It does nothing once the file has been placed.
func (p *placing) discard() {
	_ = p.Close()
	_ = os.Remove(p.Name())
	unlockPart(p.held)
}
