package app

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"tripimport/importer/results"
)

// A gathered keeps what a job reports, and passes it on.
type gathered struct {
	Events

	start   Start
	notices []string
	summary *results.Summary
}

// Start implements Events.
func (g *gathered) Start(s Start) {
	g.start = s
	g.Events.Start(s)
}

// Notice implements Events.
func (g *gathered) Notice(text string) {
	if !slices.Contains(g.notices, text) {
		g.notices = append(g.notices, text)
		g.Events.Notice(text)
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
func (j *Jobs) forRun(id, by string, o Options) (*App, Work, Options, error) {
	a, w, err := j.openWork(id, by)
	if err != nil {
		return nil, w, o, err
	}
	o.Attended, o.Fixes, o.OutputFolder = true, w.Fixes, a.Folders.results()
	return a, w, o, makePrivate(o.OutputFolder)
}

// results is the folder of the results of works.
func (f Folders) results() string { return filepath.Join(f.Data, "results") }

// Plan says what a run of a work would do, for real or as a rehearsal, and what a person has to
// agree to. It sends nothing. Notices are about the file.
func (j *Jobs) Plan(ctx context.Context, id string, rehearse bool, by string) (p *Plan, notices []string, err error) {
	a, w, o, err := j.forRun(id, by, Options{Rehearsal: rehearse, Planning: &Plan{}})
	if err != nil {
		return nil, nil, err
	}
	j.last.Store(nil) // others may have booked and answered since the last check
	g := gathered{Events: Silent{}}
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

// Run does what a plan says, once: ErrStale if it would do anything else by now, and then nothing
// was sent. The options have the Plan that the person saw, what they agreed to, and how they are told
// and can stop it. The summary is there whenever the run began.
func (j *Jobs) Run(ctx context.Context, id, by string, o Options, e Events) (*results.Summary, error) {
	if !j.running.TryLock() {
		return nil, ErrRunning
	}
	defer j.running.Unlock()
	defer j.last.Store(nil)

	a, w, o, err := j.forRun(id, by, o)
	if err != nil {
		return nil, err
	}
	if o.Plan == "" {
		return nil, ErrStale
	}
	g := gathered{Events: e}
	err = a.runWork(ctx, w, o, &g)
	if g.summary != nil {
		_ = j.keep(w, func(k *Kept) { k.Last = g.summary.Sentence }) // it is no loss if that fails
	}
	return g.summary, g.unsaid(err)
}
