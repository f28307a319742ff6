package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
)

// A Purge says what happens to the files that are older than the settings allow.
type Purge struct {
	// Past are the files to remove, and Removed those that were removed.
	Past, Removed []string
	// Kept are old files that stay for a reason, and Failed those that could not be removed.
	Kept, Failed []KeptFile
}

// A KeptFile is a file that stays, and the reason why.
type KeptFile struct{ Path, Why string }

// PurgeFolders are the folders from which files are removed. Results are folders with results.
// Done are folders in which nights put away schedules.
type PurgeFolders struct{ Results, Done []string }

// Purge removes files from folders that are older than the settings keep_results and keep_done:
// results, rehearsals and checks that carry the record of their run; morning workbooks that
// were put aside; workbooks to phone from, where the ledger knows the folder of the morning list;
// lists of places to fill in, of schedules that the ledger knows; and schedules that nights have
// put away and the ledger knows. It never touches another file, whatever its name and folder.
//
// Files stay if they have trips still to come or anything open: a ledger that was put back would
// send nothing of the others again. Results of other ledgers stay too. Purge removes nothing unless
// agree returns true for what it is about to do.
func (a *App) Purge(ctx context.Context, agree func(*Purge) bool, folders PurgeFolders) (*Purge, error) {
	keep, set := parseDays(a.Settings.Text("keep_results"), leastDays("keep_results"))
	keepDone, setDone := parseDays(a.Settings.Text("keep_done"), leastDays("keep_done"))
	if !set && !setDone {
		return nil, Usage("write `keep_results: 90d` in "+a.Folders.Settings(), "the settings do not say how long results are kept")
	}
	now := a.env.Clock.Now()
	p := &purge{
		Purge: &Purge{}, today: a.env.Clock.Wall(nil).Date,
		open: map[string]string{}, schedules: map[string]bool{}, known: map[string]bool{}, lists: map[string]bool{},
	}
	if set { // a zero time makes no file too old
		p.until = now.Add(-keep)
	}
	if setDone {
		p.doneUntil = now.Add(-keepDone)
	}
	notes, err := a.SlotNotes(ctx, now.AddDate(0, 0, -mostDays))
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		for _, hash := range hashText.FindAllString(n.Text, -1) {
			p.known[hash] = true
		}
	}
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error { return p.find(ctx, a, l, folders) })
	if err != nil || !agree(p.Purge) {
		return p.Purge, err
	}
	for _, path := range p.Past {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			p.Failed = append(p.Failed, KeptFile{path, "it can't be removed: is it open in another program?"})
			continue
		}
		p.Removed = append(p.Removed, path)
	}
	return p.Purge, nil
}

// A purge finds the files to remove.
type purge struct {
	*Purge

	until, doneUntil time.Time // results, or put-away schedules, from before this are too old
	today            importer.Date
	// open says why files stay: all results of a run by its id, a results file by its name, and a
	// schedule by its SHA-256.
	open map[string]string
	// schedules are the names of the schedules that the ledger knows, and known the SHA-256s of these and of
	// those that nights dealt with. lists are the folders with morning workbooks.
	schedules, known, lists map[string]bool
}

// hashText matches the SHA-256 of a file in a note about a slot.
var hashText = regexp.MustCompile(`[0-9a-f]{64}`)

// find finds the files that are too old, and decides which of them stay.
func (p *purge) find(ctx context.Context, a *App, l ledger.Ledger, folders PurgeFolders) error {
	if err := errors.Join(p.findOpen(ctx, l), p.findOpenRows(ctx, a, l)); err != nil {
		return err
	}
	var err error
	for _, folder := range distinct(folders.Results) {
		err = errors.Join(err, p.findInResults(folder, l.Identity()))
	}
	for _, folder := range distinct(folders.Done) {
		if _, missing := os.Stat(folder); !errors.Is(missing, fs.ErrNotExist) { // else no schedule was put away yet
			err = errors.Join(err, p.findInDone(folder))
		}
	}
	slices.Sort(p.Past)
	return err
}

// findOpen finds the runs and schedules that have trips still to come, or trips that wait for
// an answer and that lists still have: nothing is kept for ever, because nobody answered.
func (p *purge) findOpen(ctx context.Context, l ledger.Ledger) error {
	runs, err := l.Runs(ctx, 0)
	if err != nil {
		return err
	}
	inputs := map[string][]importer.InputInfo{} // by the id of their run
	for i := range runs {
		inputs[runs[i].ID] = runs[i].Inputs
		for _, in := range runs[i].Inputs {
			p.schedules[in.Name], p.known[in.Hash] = true, true
		}
	}
	folders, err := l.Facts(ctx, factFolder)
	if err != nil {
		return err
	}
	for _, f := range folders {
		p.lists[f.Subject] = true
	}
	keep := func(trip int64, why string) error {
		events, err := l.Events(ctx, trip, 0)
		for _, e := range events {
			p.open[e.Run] = why
			for _, in := range inputs[e.Run] {
				p.open[in.Hash] = why
			}
		}
		return err
	}
	for found, err := range l.Find(ctx, ledger.Search{From: p.today}) {
		if err == nil {
			err = keep(found.Number, "it has trips of "+found.Day.Spoken())
		}
		if err != nil {
			return err
		}
	}
	unresolved, err := l.Unresolved(ctx)
	for i := range unresolved {
		if unresolved[i].Day.Compare(p.today.AddDays(-keptOpen)) >= 0 { // no list has it after that
			err = errors.Join(err, keep(unresolved[i].Number, "a trip of it waits for an answer"))
		}
	}
	return err
}

// findOpenRows finds the results with rows that the morning list shows, and the schedules of these
// results. The ledger has no trip of such rows if nothing of a schedule is booked yet.
func (p *purge) findOpenRows(ctx context.Context, a *App, l ledger.Ledger) error {
	g, err := a.listOpen(ctx, l, time.Time{})
	if err != nil {
		return err
	}
	const why = "rows of it are open"
	for _, item := range slices.Concat(g.Urgent, g.Listed) {
		p.open[filepath.Base(item.Results)], p.open[item.Input] = why, why
	}
	return nil
}

// filesIn returns the regular files in a folder.
func filesIn(folder string) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, Usage("name a folder that this user may read", "the folder %s can't be read", folder)
	}
	var files []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	return files, nil
}

// findInDone finds the old schedules in a folder of put-away schedules.
func (p *purge) findInDone(folder string) error {
	files, err := filesIn(folder)
	for _, info := range files {
		path, made := filepath.Join(folder, info.Name()), info.ModTime()
		if !made.Before(p.doneUntil) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			p.Failed = append(p.Failed, KeptFile{path, "it can't be read"})
			continue
		}
		hash := fmt.Sprintf("%x", sha256.Sum256(text))
		why := p.open[hash]
		if !p.known[hash] {
			why = "the ledger does not know it: remove it by hand once nobody needs it"
		}
		p.settle(path, why)
	}
	return err
}

// findInResults finds the old files of ours in a folder of results.
func (p *purge) findInResults(folder, identity string) error {
	files, err := filesIn(folder)
	for _, info := range files {
		path := filepath.Join(folder, info.Name())
		made, named, hasRecord := p.named(folder, info)
		why := ""
		switch trace, sealed := returned.TraceOf(path); {
		case !named && (!sealed || trace.Morning), !made.Before(p.until): // morning.xlsx itself is written anew
			continue
		case !named:
			why = "it was renamed: remove it by hand once nobody needs it"
		case !hasRecord, trace.Morning: // a list has the run before it, whose trips may be to come
		case !sealed, !trace.Rehearsal && !trace.Check && trace.Ledger != identity:
			why = "it is of another ledger or no results of a run, or can't be read"
		default:
			why = cmp.Or(p.open[trace.Run], p.open[info.Name()])
		}
		p.settle(path, why)
	}
	return err
}

// named returns when a file was made, and reports whether its name is one that the program gives, and one of files that carry
// the record of their run. Where a file carries none, the ledger has to prove that it is ours.
func (p *purge) named(folder string, info fs.FileInfo) (made time.Time, ours, hasRecord bool) {
	name := info.Name()
	full, _ := filepath.Abs(folder) // as the ledger has it
	if _, at, ok := results.Made(name); ok {
		return at, true, true
	}
	aside := regexp.MustCompile(`^(morning|downtime)(?:-\d+)?\.(\d{8}T\d{6}Z)(\.answered)?(?:-\d+)?\.xlsx$`).FindStringSubmatch(name)
	if aside != nil && (aside[3] != "" || p.lists[full]) {
		made, _ = time.Parse(runTime, aside[2])
		return made, true, aside[3] != ""
	}
	schedule, isPlaces := strings.CutSuffix(name, ".places.csv")
	return info.ModTime(), isPlaces && p.schedules[schedule], false
}

// settle decides about an old file: it stays if why gives a reason.
func (p *purge) settle(path, why string) {
	if why != "" {
		p.Kept = append(p.Kept, KeptFile{path, why})
		return
	}
	p.Past = append(p.Past, path)
}

// mostDays is the longest time for which a setting may keep files.
const mostDays = 3660

// leastDays is the shortest time for which a setting may keep files: a week for schedules,
// and a month for results, so that they last until the days of a schedule that was made ahead.
func leastDays(setting string) int {
	if setting == "keep_done" {
		return 7
	}
	return 31
}

// parseDays parses a number of days such as 90d. It returns false if that is not a number of
// days, or less than least or more than mostDays.
func parseDays(text string, least int) (time.Duration, bool) {
	number, isDays := strings.CutSuffix(text, "d")
	n, err := strconv.ParseUint(number, 10, 16)
	return time.Duration(n) * 24 * time.Hour, err == nil && isDays && int(n) >= least && n <= mostDays //nolint:gosec // it has 16 bits
}
