package app

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tripimport/importer"
	"tripimport/importer/places"
	"tripimport/importer/results"
)

// Jobs are the program's jobs for a face at which people stay for long, such as a page. Each call
// reads the settings, opens what it needs and closes it again: none holds the ledger while a person
// thinks. They are safe for concurrent use.
type Jobs struct {
	env Environment
	set map[string]string

	fixing    sync.Mutex // fixes are compared with what is there, and kept, by one call at a time
	answering sync.Mutex // and so are answers
	running   sync.Mutex // held by a run

	answered []AnsweredItem // the last first

	remembering sync.Mutex
	last        *remembered
}

// A remembered is what the last check found, so that the screens that show it, and the fixes of its
// cells, need no other one. It holds for the same fixes, for a minute, until something is run.
type remembered struct {
	Checked

	rows []importer.RowResult
	err  error
	at   time.Time
}

// NewJobs returns the jobs. Set holds settings that override all others, by key.
func NewJobs(env Environment, set map[string]string) *Jobs { return &Jobs{env: env, set: set} }

// open returns an App for one call. By is the person; empty for the system's user.
func (j *Jobs) open(by string) (*App, error) {
	env := j.env
	env.Who = by
	return New(env, j.set)
}

// openWork returns an App for one call, and what a person brought.
func (j *Jobs) openWork(id, by string) (*App, Work, error) {
	a, err := j.open(by)
	if err != nil {
		return nil, Work{}, err
	}
	w, err := a.Folders.work(id)
	return a, w, err
}

// Arrive keeps a private copy of a schedule that a person brought, with its name and the time at
// which it was saved, for seven days.
func (j *Jobs) Arrive(_ context.Context, name string, saved time.Time, content io.Reader) (Work, error) {
	a, err := j.open("")
	if err != nil {
		return Work{}, err
	}
	a.Folders.removeOldWorks(a.env.Clock.Now())
	return a.Folders.arrive(name, saved, a.env.Clock.Now(), content)
}

// Works returns what people brought, the last first.
func (j *Jobs) Works(context.Context) ([]Work, error) {
	a, err := j.open("")
	if err != nil {
		return nil, err
	}
	return a.Folders.allWorks(a.env.Clock.Now())
}

// Work returns what a person brought, by its id.
func (j *Jobs) Work(id string) (Work, error) {
	_, w, err := j.openWork(id, "")
	return w, err
}

// A gathered is an Events that keeps what a job reports.
type gathered struct {
	Silent

	each    func(importer.RowResult)
	begins  func(Start)
	noticed func(string)
	start   Start
	notices []string
	summary *results.Summary
}

// Start implements Events.
func (g *gathered) Start(s Start) {
	g.start = s
	if g.begins != nil {
		g.begins(s)
	}
}

// Notice implements Events.
func (g *gathered) Notice(text string) {
	if !slices.Contains(g.notices, text) {
		g.notices = append(g.notices, text)
		if g.noticed != nil {
			g.noticed(text)
		}
	}
}

// Row implements Events.
func (g *gathered) Row(row importer.RowResult) {
	if g.each != nil {
		g.each(row)
	}
}

// Summary implements Events.
func (g *gathered) Summary(s *results.Summary) error {
	g.summary = s
	return nil
}

// unsaid returns a job's error, or nil if the summary says it all.
func (g *gathered) unsaid(err error) error {
	var told *Error
	if g.summary != nil && errors.As(err, &told) && told.Reason == "" {
		return nil
	}
	return err
}

// Checked is what a check found in a work.
type Checked struct {
	Work    Work
	Start   Start
	Summary *results.Summary
	Notices []string
	// Fixes are the cells that were fixed. Earlier are cells that were fixed in the schedule of the same
	// name that was brought before, and that say here what they said there and are faulty again.
	Fixes, Earlier []Fix
	// Unplaced are the addresses without coordinates, those of the most trips first.
	Unplaced []Unplaced
	// Results reports that it is a workbook with results: its cells are fixed in the workbook.
	Results bool
}

// Check checks a work with its fixes, and passes on each row that has a problem or that was fixed, in
// order; the rows must not be changed. It sends nothing and writes no results. If no mapping is for the
// file, the error advises importer.ProposeMapping.
func (j *Jobs) Check(ctx context.Context, id string, each func(importer.RowResult)) (Checked, error) {
	a, w, err := j.openWork(id, "")
	if err != nil {
		return Checked{}, err
	}
	r, err := j.check(ctx, a, w)
	if err != nil {
		return Checked{Work: w}, err
	}
	for i := range r.rows {
		each(r.rows[i])
	}
	return r.Checked, r.err
}

// check returns what a check finds, or what the last one found if that still holds.
func (j *Jobs) check(ctx context.Context, a *App, w Work) (*remembered, error) {
	const holds, most = time.Minute, 10_000
	fixes, err := w.fixes()
	if err != nil {
		return nil, err
	}
	j.remembering.Lock()
	last := j.last
	j.remembering.Unlock()
	if last != nil && last.Work.ID == w.ID && slices.Equal(last.Fixes, fixes) && time.Since(last.at) < holds {
		return last, nil
	}
	r := &remembered{at: time.Now()}
	r.Checked, r.err = a.checkWork(ctx, w, fixes, func(row importer.RowResult) {
		if len(row.Problems) > 0 || row.Row.Edited {
			row.Row, row.Problems, row.Trips = row.Row.Clone(), slices.Clone(row.Problems), slices.Clone(row.Trips)
			r.rows = append(r.rows, row)
		}
	})
	if r.Earlier, err = a.earlierFixes(w, r.rows); err != nil {
		return nil, err
	}
	if len(r.rows) <= most && r.err == nil {
		j.remember(r)
	}
	return r, nil
}

// remember keeps what a check found; nil forgets it.
func (j *Jobs) remember(r *remembered) {
	j.remembering.Lock()
	defer j.remembering.Unlock()
	j.last = r
}

func (a *App) checkWork(ctx context.Context, w Work, fixes []Fix, each func(importer.RowResult)) (Checked, error) {
	c := Checked{Work: w, Results: w.isResults(), Fixes: fixes}
	o := Options{NoResults: true, Fixes: fixes, unplaced: &c.Unplaced}
	if _, err := a.savedAccess(); err == nil {
		o.Access = SavedAccess
	}
	g := gathered{each: each}
	err := g.unsaid(a.Check(ctx, o, &g, w.path()))
	c.Start, c.Summary, c.Notices = g.start, g.summary, g.notices
	return c, err
}

// A CellFix is what a person makes of a cell of a work.
type CellFix struct {
	Sheet    string
	Row, Col int
	// Was is what the person saw there, and Is what it is to be.
	Was, Is string
	// Alike reports that all cells of the column that say the same, and in which a fault is, are to be that.
	Alike bool
}

// These are the errors of Fix about a cell that can't be fixed.
var (
	// ErrChanged says that the cell is not as the person saw it.
	ErrChanged = Usage("look at it as it is now, and fix it again", "this cell was changed in another window")
	// ErrSound says that no problem names the cell.
	ErrSound = Usage("change it in the spreadsheet, save that, and bring it again", "nothing is wrong in this cell")
)

// Fix keeps what a person makes of a cell that a problem names or that was fixed before, or of all
// that are alike, and returns how many cells that are. No crash loses it. The schedule's own content
// takes a fix back.
func (j *Jobs) Fix(ctx context.Context, id string, f CellFix, by string) (cells int, err error) {
	j.fixing.Lock()
	defer j.fixing.Unlock()

	a, w, err := j.openWork(id, by)
	if err != nil {
		return 0, err
	}
	if w.isResults() {
		return 0, ErrSound
	}
	seen, err := j.check(ctx, a, w)
	if err != nil {
		return 0, err
	}
	wanted := fixing{CellFix: f, work: w, was: map[importer.Ref]string{}, found: ErrSound}
	for _, b := range seen.Fixes {
		wanted.was[b.At] = b.Was
	}
	for i := range seen.rows {
		wanted.row(&seen.rows[i])
	}
	if err = errors.Join(seen.err, wanted.found); err != nil {
		return 0, err
	}
	who, _ := a.whoAmI()
	return len(wanted.fixes), w.keepFixes(wanted.fixes, who, a.env.Clock.Now())
}

// A fixing finds the cells that a person wants to fix.
type fixing struct {
	CellFix

	work  Work
	was   map[importer.Ref]string // what the schedule says in the cells that were fixed before
	fixes []Fix
	found error // why the cell itself can't be fixed
}

// row looks for the cells in a row.
func (x *fixing) row(row *importer.RowResult) {
	target := x.work.at(x.Sheet, x.Row, x.Col)
	at := x.work.at(row.Row.Sheet, row.Row.Num, x.Col)
	text := row.Row.Cell(x.Col).Text
	original, fixed := x.was[at]
	if !fixed {
		original = text
	}
	named := slices.ContainsFunc(row.Problems, func(p importer.Problem) bool { return p.Names(x.Col) })
	faulty := slices.ContainsFunc(row.Problems, func(p importer.Problem) bool { return p.Severity == importer.Fault && p.Names(x.Col) })
	switch {
	case at == target && !named && !fixed:
	case at == target && text != x.Was:
		x.found = ErrChanged
	case at == target, x.Alike && faulty && at.Sheet == target.Sheet && text == x.Was:
		x.fixes = append(x.fixes, Fix{At: at, Was: original, Is: x.Is})
		if at == target {
			x.found = nil
		}
	}
}

// earlierFixes returns what was fixed in the schedule of the same name that was brought before, where a
// problem names the same cell with the same content.
func (a *App) earlierFixes(w Work, rows []importer.RowResult) ([]Fix, error) {
	works, err := a.Folders.allWorks(a.env.Clock.Now())
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(works, func(x Work) bool { return x.Name == w.Name && x.ID < w.ID })
	if i < 0 {
		return nil, nil
	}
	before, err := works[i].fixes()
	return slices.DeleteFunc(before, func(f Fix) bool {
		return !slices.ContainsFunc(rows, func(row importer.RowResult) bool {
			return row.Row.Num == f.At.Row && row.Row.Sheet == f.At.Sheet && row.Row.Cell(f.At.Col).Text == f.Was &&
				slices.ContainsFunc(row.Problems, func(p importer.Problem) bool { return p.Names(f.At.Col) })
		})
	}), err
}

// FixAsBefore keeps the fixes that Checked.Earlier lists.
func (j *Jobs) FixAsBefore(ctx context.Context, id, by string) error {
	j.fixing.Lock()
	defer j.fixing.Unlock()

	a, w, err := j.openWork(id, by)
	if err != nil {
		return err
	}
	seen, err := j.check(ctx, a, w)
	if err != nil {
		return err
	}
	who, _ := a.whoAmI()
	return w.keepFixes(seen.Earlier, who, a.env.Clock.Now())
}

// An Unplaced is an address without coordinates.
type Unplaced = places.Unplaced

// Place adds an address of Checked.Unplaced to the office's places. Position is its latitude and
// longitude in degrees, as maps give them: 42.3012, -83.4013.
func (j *Jobs) Place(_ context.Context, id string, at Unplaced, position string) error {
	a, w, err := j.openWork(id, "")
	if err != nil {
		return err
	}
	latitude, longitude, _ := strings.Cut(position, ",")
	var list strings.Builder
	line := []string{at.Address1, at.City, at.State, at.Zip, strings.TrimSpace(latitude), strings.TrimSpace(longitude)}
	if err := csv.NewWriter(&list).WriteAll([][]string{{"address1", "city", "state", "zip", "latitude", "longitude"}, line}); err != nil {
		return err
	}
	path := filepath.Join(w.folder, "place.csv")
	if err := writePrivate(path, []byte(list.String())); err != nil {
		return err
	}
	added, err := a.AddPlaces(path)
	j.remember(nil)
	var wrong *importer.InputError
	switch err = errors.Join(err, os.Remove(path)); {
	case errors.As(err, &wrong):
		return Usage("copy latitude and longitude from a map, such as 42.3012, -83.4013", "%s", wrong.Reason)
	case err != nil:
		return err
	case len(added.Clashes) > 0:
		return Usage("look which are right; whoever looks after the program can have the others forgotten", "this place is known with other coordinates: %g, %g", added.Clashes[0].Latitude, added.Clashes[0].Longitude)
	case added.Waiting > 0:
		return Usage("copy latitude and longitude from a map, such as 42.3012, -83.4013", "there are no coordinates")
	}
	return nil
}

// forRun returns how a work is planned and run.
func (a *App) forRun(w Work, rehearse bool) (Options, error) {
	fixes, err := w.fixes()
	o := Options{Rehearsal: rehearse, Attended: true, Fixes: fixes, OutputFolder: a.Folders.results()}
	return o, errors.Join(err, makePrivate(o.OutputFolder))
}

// results is the folder of the results of works.
func (f Folders) results() string { return filepath.Join(f.Data, "results") }

// Plan says what a run of a work would do, for real or as a rehearsal, and what a person has to
// agree to. It sends nothing. Notices are about the file.
func (j *Jobs) Plan(ctx context.Context, id string, rehearse bool, by string) (p *Plan, notices []string, err error) {
	a, w, err := j.openWork(id, by)
	if err != nil {
		return nil, nil, err
	}
	o, err := a.forRun(w, rehearse)
	if err != nil {
		return nil, nil, err
	}
	plan, g := a.PlanImport, gathered{}
	if w.isRetry() {
		plan = func(ctx context.Context, o Options, e Events, paths ...string) (*Plan, error) {
			return a.PlanRetry(ctx, o, e, paths[0])
		}
	}
	p, err = plan(ctx, o, &g, w.path())
	return p, g.notices, g.unsaid(err)
}

// isRetry reports whether the work is a workbook of a run, which is retried.
func (w *Work) isRetry() bool {
	trace, ok := givenResults([]string{w.path()})
	return ok && !trace.Rehearsal && !trace.Check && !trace.Morning
}

// ErrRunning is the error of a run while another one goes on.
var ErrRunning = Usage("wait for its end", "another run goes on")

// A Watch receives what a run reports, from the run's own goroutine.
type Watch struct {
	// Begins is called before anything is sent, Row for each row, and Notice for what is not about one, as
	// Events have them.
	Begins func(Start)
	Row    func(importer.RowResult)
	Notice func(text string)
	// Abandon ends if a person wants the run to stop at once; a run whose own context ends finishes
	// the rows that are under way, both legs.
	Abandon context.Context //nolint:containedctx // the second of two ways to stop
}

// A Go is what a person decided to have done.
type Go struct {
	Rehearse bool
	// Plan is the ID of the plan that the person saw, and Agreed are the IDs of its asks that they
	// agreed to.
	Plan   string
	Agreed []string
	By     string
}

// Run does what a plan says, once: ErrStale if it would do anything else by now, and then nothing
// was sent. The summary is there whenever the run began.
func (j *Jobs) Run(ctx context.Context, id string, g Go, watch Watch) (*results.Summary, error) {
	if !j.running.TryLock() {
		return nil, ErrRunning
	}
	defer j.running.Unlock()
	defer j.remember(nil)

	a, w, err := j.openWork(id, g.By)
	if err != nil {
		return nil, err
	}
	o, err := a.forRun(w, g.Rehearse)
	if err != nil {
		return nil, err
	}
	if g.Plan == "" {
		return nil, ErrStale
	}
	o.Plan, o.Agreed, o.Abandon = g.Plan, g.Agreed, watch.Abandon
	e := gathered{each: watch.Row, begins: watch.Begins, noticed: watch.Notice}
	if w.isRetry() {
		err = a.Retry(ctx, o, &e, w.path())
	} else {
		err = a.Import(ctx, o, &e, w.path())
	}
	return e.summary, e.unsaid(err)
}

// Remove forgets a work and what was fixed in it.
func (j *Jobs) Remove(_ context.Context, id string) error {
	_, w, err := j.openWork(id, "")
	if err != nil {
		return err
	}
	return w.remove()
}
