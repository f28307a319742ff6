package app

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/returned"
)

// A Work is a schedule that a person brought: a private copy, with what was fixed in it.
type Work struct {
	ID string
	// Name is the file's name, and Saved when it was saved before it was brought.
	Name    string
	Saved   time.Time
	Arrived time.Time
	Kept

	folder string
}

// Kept is what is kept of a work beside its copy.
type Kept struct {
	// Days are its trips by their days, in words, and Faulty counts its faulty rows, as its last check found them.
	// Days is empty if it could not be checked.
	Days   string
	Faulty int
	// Last says how its last run ended.
	Last string
	// Fixes are the cells that were fixed, in the order in which they were fixed last.
	Fixes []Fix
	// Answers are those to the questions about its mapping.
	Answers []Answered
}

// keep changes what is kept of a work that is still there. Once it returns nil, no crash loses that.
func (j *Jobs) keep(w Work, change func(*Kept)) error {
	j.keeping.Lock()
	defer j.keeping.Unlock()
	_, err := os.Stat(w.path())
	if err == nil {
		err = w.readKept()
	}
	if err == nil {
		change(&w.Kept)
		err = WriteJSON(w.keptPath(), w.Kept)
	}
	if err != nil {
		return Usage("see that there is room on the disk, and do it again", "it could not be kept for %s", w.Name)
	}
	return nil
}

// readKept reads what is kept of a work; of a new one there is nothing.
func (w *Work) readKept() (err error) {
	if w.Kept, err = ReadJSON[Kept](w.keptPath()); err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return Usage("bring the schedule again", "what was fixed in %s can't be read", w.Name)
}

func (w *Work) keptPath() string { return filepath.Join(w.folder, "kept.json") }

// path is the copy of the schedule.
func (w *Work) path() string { return filepath.Join(w.folder, "file", w.Name) }

// These limit what may be brought, and how long it is kept.
const (
	// LargestFile is the size in bytes of the largest schedule that may be brought.
	LargestFile = 50 << 20
	worksKept   = 7 * 24 * time.Hour
	longestName = 200
)

// workID is the form of the ids: the time of the arrival in UTC, and eight random bytes.
var workID = regexp.MustCompile(`^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{16}$`)

// works is the folder with what people brought.
func (f Folders) works() string { return filepath.Join(f.Data, "works") }

// arrive keeps a private copy of a schedule.
func (f Folders) arrive(name string, saved, now time.Time, content io.Reader) (w Work, err error) {
	name = name[strings.LastIndexAny(name, `/\`)+1:] // some browsers send a path
	inName := func(r rune) bool { return r < ' ' || strings.ContainsRune(`<>:"|?*`, r) }
	if !filepath.IsLocal(name) || name == "." || len(name) > longestName || strings.ContainsFunc(name, inName) {
		return w, Usage("give the file another name", "the name of the file can't be used")
	}
	if saved.IsZero() {
		return w, Usage("say when the file was saved", "%s: it is not known when it was saved, which tells the newest schedule", name)
	}
	id := newID(now, 8)
	w = Work{ID: id, Name: name, Saved: saved, Arrived: now, folder: filepath.Join(f.works(), id)}
	if err := makePrivate(filepath.Dir(w.path())); err != nil {
		return w, err
	}
	if err := w.keep(content); err != nil {
		return w, errors.Join(err, os.RemoveAll(w.folder))
	}
	return w, nil
}

// keep writes the copy, with the time of the file that was brought.
func (w *Work) keep(content io.Reader) error {
	out, err := os.OpenFile(w.path(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Usage("see that there is room, or give the file another name", "%s can't be kept", w.Name)
	}
	n, err := io.Copy(out, io.LimitReader(content, LargestFile+1))
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return Usage("bring it again; see that there is room on the disk", "%s did not arrive whole", w.Name)
	}
	if n > LargestFile {
		return Usage("remove what is no trip from it", "%s is larger than 50 MB", w.Name)
	}
	return os.Chtimes(w.path(), w.Saved, w.Saved)
}

// work finds what a person brought, by its id. It returns one of which only what is kept beside it can't be read, too.
func (f Folders) work(id string) (Work, error) {
	gone := Usage("bring the schedule again", "this schedule is not here any more")
	if !workID.MatchString(id) {
		return Work{}, gone
	}
	w := Work{ID: id, folder: filepath.Join(f.works(), id)}
	files, err := os.ReadDir(filepath.Join(w.folder, "file"))
	if err != nil || len(files) != 1 {
		return Work{}, gone
	}
	info, err := files[0].Info()
	if err != nil || !info.Mode().IsRegular() {
		return Work{}, gone
	}
	w.Name, w.Saved = info.Name(), info.ModTime()
	if w.Arrived, err = runBegan(id); err != nil {
		return Work{}, gone
	}
	err = w.readKept()
	return w, err
}

// removeOldWorks removes what people brought and what is past its time, with the results of rehearsals.
// Those of runs are the office's records. What is open somewhere is removed by a later call.
func (f Folders) removeOldWorks(now time.Time) {
	rehearsed, _ := fs.Glob(os.DirFS(f.results()), "*.rehearsal.*") // the pattern is right
	for _, name := range rehearsed {
		path := filepath.Join(f.results(), name)
		if info, err := os.Stat(path); err == nil && now.Sub(info.ModTime()) > worksKept {
			_ = os.Remove(path)
		}
	}
	works, _ := f.allWorks()
	for _, w := range works {
		if now.Sub(w.Arrived) > worksKept {
			_ = os.RemoveAll(w.folder)
		}
	}
}

// allWorks returns what people brought and what is still there, the last first.
func (f Folders) allWorks() ([]Work, error) {
	entries, err := os.ReadDir(f.works())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, Usage("see that this user may read it", "%s can't be read", f.works())
	}
	var works []Work
	for _, e := range slices.Backward(entries) {
		if w, _ := f.work(e.Name()); w.ID != "" { // else it is arriving just now
			works = append(works, w)
		}
	}
	return works, nil
}

// isResults reports whether the file is a workbook with results, and not a schedule.
func (w *Work) isResults() bool {
	_, ok := returned.TraceOf(w.path())
	return ok
}

// CanRehearse reports whether it may be rehearsed: a schedule, or what was only rehearsed.
func (w Work) CanRehearse() bool {
	trace, ours := returned.TraceOf(w.path())
	return !ours || trace.Rehearsal
}

// at returns a cell of the schedule.
func (w *Work) at(sheet string, row, col int) importer.Ref {
	return importer.Ref{File: w.Name, Sheet: sheet, Row: row, Col: col}
}
