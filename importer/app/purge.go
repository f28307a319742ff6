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
	// Young counts the files that are not past their time yet.
	Young int
}

// A KeptFile is a file that stays, and why.
type KeptFile struct{ Path, Why string }

// madeFile is the name of a file that a run made, with its time in UTC and its kind: also of
// a morning workbook whose answers were taken, and of one by which trips were phoned.
// safetyCopy is that of a copy of the ledger that an upgrade made.
func madeFile() *regexp.Regexp {
	return regexp.MustCompile(`(?:\.|^downtime\.)(\d{8}T\d{6}Z)(?:\.(results|rehearsal|check|answered))?(?:-\d+)?\.(?:xlsx|csv|html)$`)
}

func safetyCopy() *regexp.Regexp { return regexp.MustCompile(`\.schema\d+\.(\d{8}T\d{6}Z)$`) }

// PurgeFolders are the folders from which files are removed: Results those with results, and
// Done those of schedules that nights have put away, which have nothing else.
type PurgeFolders struct{ Results, Done []string }

// Purge removes from folders what is older than the settings keep_results and keep_done:
// results, rehearsals, checks, lists of places to fill in, morning and downtime workbooks,
// schedules that were put away, and the copies that upgrades made of the ledger. Nothing
// goes that was not backed up since with the ledger (BackupLedger), nor results and
// schedules of which a trip is still to come, or anything is open; results of other ledgers
// stay too. Of a shared ledger the newest backup is taken to be 30 days old. It removes nothing before agree has returned true for what it would do.
func (a *App) Purge(ctx context.Context, agree func(*Purge) bool, folders PurgeFolders) (*Purge, error) {
	if err := a.Settings.trusted("keep_results", "keep_done", "ledger"); err != nil {
		return nil, err
	}
	keep, set := parseDays(a.Settings.Text("keep_results"), leastDays("keep_results"))
	keepDone, setDone := parseDays(a.Settings.Text("keep_done"), leastDays("keep_done"))
	if !set && !setDone {
		return nil, Usage("write `keep: {results: 90d}` in "+a.Folders.Settings(), "the settings do not say how long results are kept")
	}
	now := a.env.Clock.Now()
	p := &purge{
		Purge: &Purge{}, today: a.env.Clock.Wall(nil).Date,
		open: map[string]string{}, openInputs: map[string]string{}, openResults: map[string]string{},
	}
	if set { // otherwise nothing is past its time
		p.until = now.Add(-keep)
	}
	if setDone {
		p.doneUntil = now.Add(-keepDone)
	}
	err := a.ReadLedger(ctx, func(l ledger.Ledger) error { return p.find(ctx, a, l, folders) })
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

// oldestServerBackup is how old the newest backup of a shared ledger is taken to be: the
// server's administrator makes it, and the program learns nothing of it.
const oldestServerBackup = 30 * 24 * time.Hour

// A purge looks for files.
type purge struct {
	*Purge

	until, doneUntil time.Time // results, and schedules, from before are past their time
	today            importer.Date
	backedUp         time.Time
	// open says why the results of a run stay, by its id, openResults why results stay, by
	// their path, and openInputs why a schedule stays, by its SHA-256.
	open, openResults, openInputs map[string]string
}

// find finds what is past its time, and what of it stays.
func (p *purge) find(ctx context.Context, a *App, l ledger.Ledger, folders PurgeFolders) error {
	p.backedUp = a.backedUp(l.Identity())
	if a.IsShared() {
		p.backedUp = a.env.Clock.Now().Add(-oldestServerBackup)
	}
	if err := p.findOpen(ctx, l); err != nil {
		return err
	}
	if err := p.findOpenRows(ctx, a, l, folders.Results); err != nil {
		return err
	}
	for _, folder := range folders.Results {
		if err := p.look(folder, l.Identity()); err != nil {
			return err
		}
	}
	for _, folder := range folders.Done {
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			continue // no schedule was put away yet
		}
		if err := p.lookAtDone(folder); err != nil {
			return err
		}
	}
	return p.lookAtCopies(l.Location())
}

// findOpen finds the runs and the schedules of which something is still to be done.
func (p *purge) findOpen(ctx context.Context, l ledger.Ledger) error {
	note := func(h *ledger.History, why string) {
		for _, e := range h.Events {
			p.open[e.Run], p.openInputs[e.Input] = why, why
		}
	}
	for h, err := range l.Histories(ctx, ledger.Search{From: p.today}) {
		if err != nil {
			return err
		}
		note(&h, "it has trips of "+h.Date.Spoken())
	}
	unresolved, err := l.Unresolved(ctx)
	for _, e := range unresolved {
		const why = "a trip of it waits for an answer: `tripimport resolve`"
		p.open[e.Run], p.openInputs[e.Input] = why, why
		for h, err := range l.Histories(ctx, ledger.Search{Trip: e.TripID, From: e.Date, To: e.Date}) {
			if err != nil {
				return err
			}
			note(&h, why)
		}
	}
	return err
}

// findOpenRows finds the results that are or may be past their time, and the schedules of
// these, with rows that are open by the morning list: such as those of a schedule that was
// made long ahead, of which nothing is booked.
func (p *purge) findOpenRows(ctx context.Context, a *App, l ledger.Ledger, folders []string) error {
	g, err := a.newOpenList(ctx, l)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		for _, trace := range returned.Traces(folder, l.Identity()) {
			info, err := os.Stat(trace.Path)
			if err != nil {
				continue
			}
			if made, _, _ := madeAt(info); !made.Before(p.until) && !made.Before(p.doneUntil) {
				continue
			}
			lost := len(g.Lost)
			if err := g.readResults(trace.Path); err != nil {
				return err
			}
			if len(g.Lost) > lost {
				p.openResults[trace.Path] = "whether rows of it are open can't be told: " + g.Lost[lost].Reason
			}
		}
	}
	const why = "rows of it are open: `tripimport morning`"
	for _, item := range slices.Concat(g.Urgent, g.Listed) {
		p.openResults[item.Results], p.openInputs[item.Input] = why, why
	}
	return nil
}

// madeAt returns when a file was made, by its name, or else its time, and its kind. ours
// reports whether it is a file that runs make.
func madeAt(info fs.FileInfo) (made time.Time, kind string, ours bool) {
	m := madeFile().FindStringSubmatch(info.Name())
	if m == nil {
		return info.ModTime(), "places", strings.HasSuffix(info.Name(), ".places.csv")
	}
	made, _ = time.Parse(runTime, m[1])
	return made, m[2], true
}

// filesIn returns the files of a folder.
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

// notBackedUp is why what could be wanted with a lost ledger stays.
const notBackedUp = "the ledger was not backed up since: `tripimport ledger backup FILE`"

// keepOrRemove decides a file that is past its time, and that goes with the ledger: it stays
// where there is a reason why, or no backup since it was made.
func (p *purge) keepOrRemove(path string, made time.Time, why string) {
	if why == "" && !made.Before(p.backedUp) {
		why = notBackedUp
	}
	if why != "" {
		p.Kept = append(p.Kept, KeptFile{path, why})
		return
	}
	p.Past = append(p.Past, path)
}

// lookAtDone finds the schedules past their time in a folder.
func (p *purge) lookAtDone(folder string) error {
	files, err := filesIn(folder)
	for _, info := range files {
		path, made := filepath.Join(folder, info.Name()), info.ModTime()
		if !made.Before(p.doneUntil) {
			p.Young++
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			p.Failed = append(p.Failed, KeptFile{path, "it can't be read"})
			continue
		}
		p.keepOrRemove(path, made, p.openInputs[fmt.Sprintf("%x", sha256.Sum256(text))])
	}
	return err
}

// look finds what is past its time in a folder.
func (p *purge) look(folder, identity string) error {
	files, err := filesIn(folder)
	runs := map[string]string{}
	for _, trace := range returned.Traces(folder, identity) {
		runs[trace.Path] = trace.Run
	}
	for _, info := range files {
		path := filepath.Join(folder, info.Name())
		switch made, kind, ours := madeAt(info); {
		case !ours:
		case !made.Before(p.until):
			p.Young++
		case kind == "results":
			p.keepOrRemove(path, made, p.whyKept(runs, path))
		default:
			p.Past = append(p.Past, path)
		}
	}
	return err
}

// whyKept says why results that are past their time stay; empty if they do not.
func (p *purge) whyKept(runs map[string]string, path string) string {
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
	}
	return p.openResults[path]
}

// lookAtCopies finds the copies that upgrades made of the ledger, with their keys.
func (p *purge) lookAtCopies(ledger string) error {
	copies, err := filepath.Glob(ledger + ".schema*")
	for _, path := range copies {
		m := safetyCopy().FindStringSubmatch(strings.TrimSuffix(path, ".key"))
		if m == nil {
			continue
		}
		if made, err := time.Parse(runTime, m[1]); err == nil && made.Before(p.until) {
			p.keepOrRemove(path, made, "")
		}
	}
	slices.Sort(p.Past)
	return err
}

// mostDays is the longest time for which a file may be kept.
const mostDays = 3660

// leastDays is the shortest time that a setting may have files kept: a month, so that no
// schedule that was made ahead loses its results, and a week for the schedules.
func leastDays(setting string) int {
	if setting == "keep_done" {
		return 7
	}
	return 31
}

// parseDays reads a number of days such as 90d.
func parseDays(text string, least int) (time.Duration, bool) {
	number, isDays := strings.CutSuffix(text, "d")
	n := 0
	for _, digit := range number {
		if digit < '0' || digit > '9' || n > mostDays {
			return 0, false
		}
		n = 10*n + int(digit-'0')
	}
	return time.Duration(n) * 24 * time.Hour, isDays && n >= least && n <= mostDays
}

// A backupRecord says that a ledger was copied, and the copy proved sound.
type backupRecord struct {
	Ledger string    `json:"ledger"`
	At     time.Time `json:"at"`
}

// backedUp returns when the ledger of that identity was last backed up by this user
// and the backup read through; zero if it never was.
func (a *App) backedUp(identity string) time.Time {
	r, err := ReadJSON[backupRecord](a.Folders.backups())
	if err != nil || r.Ledger != identity {
		return time.Time{}
	}
	return r.At
}

// verifyBackup reads a copy of the ledger through, and records that it is sound.
func (a *App) verifyBackup(ctx context.Context, path string, at time.Time) (err error) {
	l, err := a.open(ctx, path, ledger.Options{ReadOnly: true})
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
	return WriteJSON(a.Folders.backups(), backupRecord{l.Identity(), at})
}
