package app

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"tripimport/importer"
	"tripimport/importer/results"
)

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
	if told, ok := errors.AsType[*Error](err); g.summary != nil && ok && told.Reason == "" {
		return nil
	}
	return err
}

// forRun returns a work, and how it is planned and run.
func (j *Jobs) forRun(id string, rehearse bool, by string) (*App, Work, Options, error) {
	a, w, err := j.openWork(id, by)
	if err != nil {
		return nil, w, Options{}, err
	}
	o := Options{Rehearsal: rehearse, Attended: true, Fixes: w.Fixes, OutputFolder: a.Folders.results()}
	return a, w, o, makePrivate(o.OutputFolder)
}

// results is the folder of the results of works.
func (f Folders) results() string { return filepath.Join(f.Data, "results") }

// Plan says what a run of a work would do, for real or as a rehearsal, and what a person has to
// agree to. It sends nothing. Notices are about the file.
func (j *Jobs) Plan(ctx context.Context, id string, rehearse bool, by string) (p *Plan, notices []string, err error) {
	a, w, o, err := j.forRun(id, rehearse, by)
	if err != nil {
		return nil, nil, err
	}
	j.remember(nil) // others may have booked and answered since the last check
	g := gathered{}
	o.Planning = &Plan{}
	err = a.runWork(ctx, w, o, &g)
	return o.Planning, g.notices, g.unsaid(err)
}

// runWork imports a schedule, or takes a workbook of ours back.
func (a *App) runWork(ctx context.Context, w Work, o Options, e Events) error {
	if w.isResults() {
		return a.Retry(ctx, o, e, w.path())
	}
	return a.Import(ctx, o, e, w.path())
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
	// Waits is called from any goroutine if the run waits for long, with what it waits for.
	Waits func(text string)
	// Abandon ends if a person wants the run to stop at once; a run whose own context ends finishes
	// the rows that are under way, both legs.
	Abandon context.Context //nolint:containedctx // the second of two ways to stop
}

// RunOptions say what a person decided to have done.
type RunOptions struct {
	Rehearse bool
	// Plan is the ID of the plan that the person saw, and Agreed are the IDs of its asks that they
	// agreed to.
	Plan   string
	Agreed []string
	By     string
}

// Run does what a plan says, once: ErrStale if it would do anything else by now, and then nothing
// was sent. The summary is there whenever the run began.
func (j *Jobs) Run(ctx context.Context, id string, g RunOptions, watch Watch) (*results.Summary, error) {
	if !j.running.TryLock() {
		return nil, ErrRunning
	}
	defer j.running.Unlock()
	defer j.remember(nil)

	a, w, o, err := j.forRun(id, g.Rehearse, g.By)
	if err != nil {
		return nil, err
	}
	if g.Plan == "" {
		return nil, ErrStale
	}
	o.Plan, o.Agreed, o.Abandon, o.Waiting = g.Plan, g.Agreed, watch.Abandon, watch.Waits
	e := gathered{each: watch.Row, begins: watch.Begins, noticed: watch.Notice}
	err = a.runWork(ctx, w, o, &e)
	if e.summary != nil {
		_ = j.keep(w, func(k *Kept) { k.Last = e.summary.Sentence }) // it is no loss if that fails
	}
	return e.summary, e.unsaid(err)
}
