package app

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
)

// A Purge says what of the files that are past their time is removed and what stays.
type Purge struct {
	// Past are the files to remove, and Removed those that were.
	Past, Removed []string
	// Kept are past their time and stay, and Failed could not be removed.
	Kept, Failed []KeptFile
}

// A KeptFile is a file that stays, and why.
type KeptFile struct{ Path, Why string }

// madeFile is the name of a file that a run made, with its time in UTC and its kind;
// safetyCopy that of a copy of the ledger that an upgrade made.
func madeFile() *regexp.Regexp {
	return regexp.MustCompile(`\.(\d{8}T\d{6}Z)\.(results|rehearsal|check)(-\d+)?\.(xlsx|csv|html)$`)
}

func safetyCopy() *regexp.Regexp { return regexp.MustCompile(`\.schema\d+\.(\d{8}T\d{6}Z)$`) }

// Purge removes what is older than the setting keep_results from folders: results,
// rehearsals, checks, lists of places to fill in, and the copies that upgrades made of
// the ledger. Results stay while their ledger is not backed up since (BackupLedger), and
// while a trip of theirs is still to come or waits for a person; so do results of other
// ledgers. It removes nothing before agree has returned true for what it would do.
func (a *App) Purge(ctx context.Context, agree func(*Purge) bool, folders ...string) (*Purge, error) {
	if err := a.Settings.trusted("keep_results", "ledger"); err != nil {
		return nil, err
	}
	keep, set := parseDays(a.Settings.Text("keep_results"))
	if !set {
		return nil, Usage("write `keep: {results: 90d}` in "+a.Folders.Settings(), "the settings do not say how long results are kept")
	}

	p := &purge{Purge: &Purge{}, until: a.env.Clock.Now().Add(-keep), today: a.env.Clock.Wall(nil).Date}
	err := a.ReadLedger(ctx, func(l ledger.Ledger) error {
		p.backedUp = a.backedUp(l.Identity())
		if err := p.findOpen(ctx, l); err != nil {
			return err
		}
		for _, folder := range folders {
			if err := p.look(folder, l.Identity()); err != nil {
				return err
			}
		}
		return p.lookAtCopies(l.Location())
	})
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

// A purge looks for files.
type purge struct {
	*Purge

	until    time.Time // what was made before is past its time
	today    importer.Date
	backedUp time.Time
	open     map[string]string // why the results of a run stay, by its id
}

// findOpen finds the runs of which something is still to be done.
func (p *purge) findOpen(ctx context.Context, l ledger.Ledger) error {
	p.open = map[string]string{}
	for h, err := range l.Histories(ctx, ledger.Search{From: p.today}) {
		if err != nil {
			return err
		}
		for _, e := range h.Events {
			p.open[e.Run] = "it has trips of " + h.Date.Spoken()
		}
	}
	unresolved, err := l.Unresolved(ctx)
	for _, e := range unresolved {
		p.open[e.Run] = "a trip of it waits for an answer: `tripimport resolve`"
		for h, err := range l.Histories(ctx, ledger.Search{Trip: e.TripID, From: e.Date, To: e.Date}) {
			if err != nil {
				return err
			}
			for _, event := range h.Events {
				p.open[event.Run] = p.open[e.Run]
			}
		}
	}
	return err
}

// look finds what is past its time in a folder.
func (p *purge) look(folder, identity string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return Usage("name a folder that this user may read", "the folder %s can't be read", folder)
	}
	runs := map[string]string{}
	for _, trace := range returned.Traces(folder, identity) {
		runs[trace.Path] = trace.Run
	}

	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		info, err := entry.Info()
		if err != nil || !entry.Type().IsRegular() {
			continue
		}
		made, kind := info.ModTime(), "places"
		if m := madeFile().FindStringSubmatch(entry.Name()); m != nil {
			made, _ = time.Parse("20060102T150405Z", m[1])
			kind = m[2]
		} else if !strings.HasSuffix(entry.Name(), ".places.csv") {
			continue
		}
		if !made.Before(p.until) {
			continue
		}
		if why := p.whyKept(kind, made, runs, path); why != "" {
			p.Kept = append(p.Kept, KeptFile{path, why})
			continue
		}
		p.Past = append(p.Past, path)
	}
	return nil
}

// whyKept says why a file that is past its time stays; empty if it does not.
func (p *purge) whyKept(kind string, made time.Time, runs map[string]string, path string) string {
	if kind != "results" {
		return ""
	}
	if page := strings.TrimSuffix(path, ".html"); page != path { // it goes with the results that it shows
		path = page + ".xlsx"
		if _, csv := runs[page+".csv"]; csv {
			path = page + ".csv"
		}
	}
	run, ours := runs[path]
	switch {
	case !ours:
		return "it is of another ledger, or can't be read"
	case p.open[run] != "":
		return p.open[run]
	case !made.Before(p.backedUp):
		return "the ledger was not backed up since: `tripimport ledger backup FILE`"
	}
	return ""
}

// lookAtCopies finds the copies that upgrades made of the ledger, with their keys.
func (p *purge) lookAtCopies(ledger string) error {
	copies, err := filepath.Glob(ledger + ".schema*")
	for _, path := range copies {
		m := safetyCopy().FindStringSubmatch(strings.TrimSuffix(path, ".key"))
		if m == nil {
			continue
		}
		made, err := time.Parse("20060102T150405Z", m[1])
		switch {
		case err != nil || !made.Before(p.until):
		case !made.Before(p.backedUp):
			p.Kept = append(p.Kept, KeptFile{path, "the ledger was not backed up since: `tripimport ledger backup FILE`"})
		default:
			p.Past = append(p.Past, path)
		}
	}
	slices.Sort(p.Past)
	return err
}

// parseDays reads a number of days such as 90d; from a month on, so that no schedule
// that was made ahead loses its results.
func parseDays(text string) (time.Duration, bool) {
	const least, most = 31, 3660
	number, isDays := strings.CutSuffix(text, "d")
	n := 0
	for _, digit := range number {
		if digit < '0' || digit > '9' || n > most {
			return 0, false
		}
		n = 10*n + int(digit-'0')
	}
	return time.Duration(n) * 24 * time.Hour, isDays && n >= least && n <= most
}

// A backupRecord says that a ledger was copied, and the copy proved sound.
type backupRecord struct {
	Ledger string    `json:"ledger"`
	At     time.Time `json:"at"`
}

// backedUp returns when the ledger of that identity was last backed up by this user
// and the backup read through; zero if it never was.
func (a *App) backedUp(identity string) time.Time {
	var r backupRecord
	text, err := os.ReadFile(a.Folders.backups())
	if err != nil || json.Unmarshal(text, &r) != nil || r.Ledger != identity {
		return time.Time{}
	}
	return r.At
}

// verifyBackup reads a copy of the ledger through, and records that it is sound.
func (a *App) verifyBackup(ctx context.Context, path string, at time.Time) (err error) {
	l, err := ledgers().Open(ctx, path, ledger.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	v, err := l.Verify(ctx)
	if err != nil {
		return err
	}
	if len(v.Wrong) > 0 {
		return &Error{Unexpected, "the backup " + path + " was written, and it is not sound: " + v.Wrong[0], "run `tripimport ledger verify`, which says whether the ledger is; keep the backups from before"}
	}
	return a.saveJSON(a.Folders.backups(), backupRecord{l.Identity(), at})
}
