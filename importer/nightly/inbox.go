package nightly

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tripimport/importer/app"
	"tripimport/importer/results"
	"tripimport/importer/results/atomicfile"
)

// An arrival is a file that has arrived in an inbox.
type arrival struct {
	path, hash string
	size       int64
	written    time.Time
	survey     *app.Survey
	// half says why the schedule looks like half an export; empty if it does not.
	half string
}

func spokenExactly(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

// A file counts as complete if it was last written to at least quiet ago, looks the same after it was
// watched, and no program has it open for writing, where the system tells.
const quiet, watched = time.Minute, 20 * time.Second

// inbox returns the broker's files in its inbox, sorted by name. One that can't be read now has no
// hash.
func inbox(b *Broker) ([]*arrival, error) {
	entries, err := os.ReadDir(b.Inbox)
	if err != nil {
		return nil, app.Usage("see that it is there and that this user may read it", "the inbox %s can't be read", b.Inbox)
	}
	var found []*arrival
	for _, e := range entries {
		if !isSchedule(e) || !b.sends(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil { // otherwise the file is gone by now
			path := filepath.Join(b.Inbox, e.Name())
			found = append(found, &arrival{path: path, hash: hashOf(path), size: info.Size(), written: info.ModTime()})
		}
	}
	return found, nil
}

// isSchedule reports whether a file may be a schedule, judged by its name: it is none of ours, none that another
// program is still writing, and none that Windows keeps in folders.
func isSchedule(e os.DirEntry) bool {
	name := strings.ToLower(e.Name())
	_, ours := results.Made(name)
	_, beside := results.Beside(name)
	return e.Type().IsRegular() && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "~$") &&
		!slices.Contains([]string{".tmp", ".part", ".partial", ".crdownload", ".filepart", ".download", ".ini", ".db"}, filepath.Ext(name)) && !ours && !beside
}

// sends reports whether a file with that name is one of the broker's schedules.
func (b *Broker) sends(name string) bool {
	fits, err := filepath.Match(strings.ToLower(cmp.Or(b.Files, "*")), strings.ToLower(name))
	return fits && err == nil
}

// complete returns the broker's files that are complete. busy reports that there are others.
func (w *wake) complete(ctx context.Context, b *Broker) (files []*arrival, busy bool, err error) {
	files, err = inbox(b)
	if err != nil || len(files) == 0 {
		return nil, false, err
	}
	all := len(files)
	files = slices.DeleteFunc(files, func(f *arrival) bool {
		age := w.now.Sub(f.written)
		return age >= 0 && age < quiet
	})
	if len(files) > 0 {
		if err := w.Wait(ctx, watched); err != nil {
			return nil, false, err
		}
	}
	files = slices.DeleteFunc(files, func(f *arrival) bool { return f.hash == "" || !f.unchanged() || isWrittenTo(f.path) })
	return files, len(files) < all, nil
}

// unchanged reports whether the file has the same size and time as before.
func (f *arrival) unchanged() bool {
	info, err := os.Stat(f.path)
	return err == nil && info.Size() == f.size && info.ModTime().Equal(f.written)
}

// hashOf returns the SHA-256 of a file, in hex; empty if it can't be read.
func hashOf(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }() // only read from
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// notBooked is the name of the folder in Done for files of which nothing was booked.
const notBooked = "not booked"

// DoneFolders returns the folders for files that were dealt with.
func (c *Config) DoneFolders() []string { return []string{c.Done, filepath.Join(c.Done, notBooked)} }

// replaced reports whether a new version of the file has come since the file was looked at.
func (f *arrival) replaced() bool {
	_, err := os.Stat(f.path)
	return err == nil && !f.unchanged()
}

// putAway moves a file that was dealt with to the folder of done files, under a name that is
// still free there. A newer version of the file stays, because it was not dealt
// with yet. One that is not there any more was put away by the night of another machine.
func (c *Config) putAway(f *arrival, booked bool) error {
	if !f.unchanged() {
		return nil
	}
	dir := c.Done
	if !booked {
		dir = filepath.Join(c.Done, notBooked)
		if info, err := os.Stat(c.Done); err == nil && os.Mkdir(dir, info.Mode().Perm()) == nil {
			_ = os.Chmod(dir, info.Mode()) // the same people may read it, whatever this user's mask
		}
	}
	return move(f.path, dir)
}

// move moves a file to a folder, under a name that is still free there.
func move(path, dir string) error {
	if os.Rename(path, atomicfile.FreeName(filepath.Join(dir, filepath.Base(path)))) != nil {
		return app.Usage("see that both folders are there, on one disk, and may be written to, and that no other program has the file open", "no file can be moved from %s to %s", filepath.Dir(path), dir)
	}
	return nil
}

// tryMove moves an empty file from a broker's inbox to the done files, and removes it.
func (c *Config) tryMove(b *Broker) error {
	const trial = "tripimport.tmp" // the name of no schedule
	from := filepath.Join(b.Inbox, trial)
	_ = os.WriteFile(from, nil, 0o600) // without it, the move fails
	err := move(from, c.Done)
	_, _ = os.Remove(from), os.Remove(filepath.Join(c.Done, trial)) // it is in one of them
	return err
}
