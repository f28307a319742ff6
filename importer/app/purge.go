package app

import (
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

	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
)

// A Purge says what happens to the files that are older than the settings allow.
type Purge struct {
	// Past are the files to remove. Of these Removed were removed, and Failed could not be.
	Past, Removed, Failed []string
	// Kept are old files that stay, each with the reason.
	Kept []string
}

// PurgeFolders are the folders from which files are removed. Results are folders with results.
// Done are folders in which nights put away schedules.
type PurgeFolders struct{ Results, Done []string }

// Purge removes files from folders that were saved before the time of the setting keep: results, rehearsals, checks and
// lists that carry our seal; and, where the ledger knows their schedule or folder, workbooks to phone from, lists of places
// to fill in, and schedules that nights have put away. It never touches another file, whatever its name and folder.
//
// Files of which something is open stay, and results of other ledgers. Purge removes nothing unless agree returns true
// for what it is about to do.
func (a *App) Purge(ctx context.Context, agree func(*Purge) bool, folders PurgeFolders) (*Purge, error) {
	keep, set := parseDays(a.Settings.Text("keep"))
	if !set {
		return nil, Usage("write `keep: 90d` in "+a.Folders.Settings(), "the settings do not say how long results are kept")
	}
	now := a.env.Clock.Now()
	p := &purge{Purge: &Purge{}, until: now.Add(-keep), open: map[string]bool{}, known: map[string]bool{}}
	notes, err := a.SlotNotes(ctx, now.AddDate(-10, 0, 0))
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		for _, hash := range hashText.FindAllString(n.Text, -1) {
			p.known[hash] = true
		}
	}
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		err := p.ask(ctx, a, l)
		for _, folder := range folders.Results {
			err = errors.Join(err, p.findIn(folder, false))
		}
		for _, folder := range folders.Done {
			if _, missing := os.Stat(folder); !errors.Is(missing, fs.ErrNotExist) { // else no schedule was put away yet
				err = errors.Join(err, p.findIn(folder, true))
			}
		}
		return err
	})
	if err != nil || !agree(p.Purge) {
		return p.Purge, err
	}
	for _, path := range p.Past {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			p.Failed = append(p.Failed, path)
			continue
		}
		p.Removed = append(p.Removed, path)
	}
	return p.Purge, nil
}

// A purge finds the files to remove.
type purge struct {
	*Purge

	until    time.Time // files from before this are too old
	identity string    // of the ledger
	// open has the ids of runs, and the SHA-256s of schedules, of which something is open. known has the names and
	// SHA-256s of the schedules that the ledger knows, and the folders with morning lists.
	open, known map[string]bool
}

// hashText matches the SHA-256 of a file in a note about a slot.
var hashText = regexp.MustCompile(`[0-9a-f]{64}`)

// ask asks the ledger what it knows, and what is open.
func (p *purge) ask(ctx context.Context, a *App, l ledger.Ledger) error {
	p.identity = l.Identity()
	runs, err := l.Runs(ctx, 0)
	for i := range runs {
		p.known[runs[i].Input.Name], p.known[runs[i].Input.Hash] = true, true
	}
	lists, listErr := l.Facts(ctx, factFolder)
	for _, f := range lists {
		p.known[f.Subject] = true
	}
	g, openErr := a.listOpen(ctx, l, time.Time{})
	if err = errors.Join(err, listErr, openErr); err != nil {
		return err
	}
	for _, item := range slices.Concat(g.Urgent, g.Listed) {
		p.open[item.Run], p.open[item.Input] = true, true
	}
	delete(p.open, "") // of items that no run left
	return nil
}

// findIn decides about each old file in a folder, in order of their names. done reports that nights put away schedules there.
func (p *purge) findIn(folder string, done bool) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return Usage("name a folder that this user may read", "the folder %s can't be read", folder)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(p.until) {
			p.decide(folder, entry.Name(), done)
		}
	}
	return nil
}

// decide decides about an old file. What neither carries our seal nor has a name of ours is said to stay only where nights
// put away schedules.
func (p *purge) decide(folder, name string, done bool) {
	path := filepath.Join(folder, name)
	_, named := results.Made(name)
	trace, ours := returned.TraceOf(path)
	open := p.open[trace.Run] && !trace.Morning
	switch {
	case ours:
		ours = trace.Rehearsal || trace.Check || trace.Ledger == p.identity
		named = true
	case done:
		text, _ := os.ReadFile(path) // what can't be read is not known
		hash := fmt.Sprintf("%x", sha256.Sum256(text))
		ours, open = p.known[hash], p.open[hash]
	default:
		ours = !named && p.isOurs(folder, name)
	}
	switch {
	case ours && open:
		p.Kept = append(p.Kept, path+": something of it is open")
	case ours:
		p.Past = append(p.Past, path)
	case named || done:
		p.Kept = append(p.Kept, path+": this ledger does not know it, or it can't be read: remove it by hand once nobody needs it")
	}
}

// isOurs reports whether a file without our seal is ours: one beside a schedule that the ledger knows, or, in a
// folder of morning lists, one that was put aside, or a workbook to phone from.
func (p *purge) isOurs(folder, name string) bool {
	full, _ := filepath.Abs(folder) // as the ledger has it
	schedule, isBeside := results.Beside(name)
	isList := regexp.MustCompile(`^(morning|downtime)(-\d+)?\.\d{8}T\d{6}Z\.xlsx$`).MatchString(name)
	return isBeside && p.known[schedule] || isList && p.known[full]
}

// leastDays is the shortest time for which a setting may keep files: a month, so that they last until the days of a
// schedule that was made ahead.
const leastDays = 31

// parseDays parses a number of days such as 90d. It returns false if that is none, or fewer than leastDays.
func parseDays(text string) (time.Duration, bool) {
	number, isDays := strings.CutSuffix(text, "d")
	n, err := strconv.ParseInt(number, 10, 16)
	return time.Duration(n) * 24 * time.Hour, err == nil && isDays && n >= leastDays
}
