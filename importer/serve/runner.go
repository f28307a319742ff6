package serve

import (
	"context"
	"sync"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

// A runner has the run that goes on, and what became of the last run of each schedule. It owns the
// goroutine of the run, which goes on if the window is closed.
type runner struct {
	jobs *app.Jobs

	mu   sync.Mutex
	now  *oneRun
	last map[string]*oneRun
	ends sync.WaitGroup
}

// A oneRun is one run.
type oneRun struct {
	Work, Name string
	Rehearsal  bool
	Going      bool // it has not ended
	// Rows were decided of Of; Booked, Faulty and Open count trips.
	Rows, Of, Booked, Faulty, Open int
	Notices                        []string
	// Waits is what it waits for, if that takes long.
	Waits string
	// Stopping is 1 if a person stopped it after the rows under way, and 2 if at once.
	Stopping int
	Summary  *results.Summary
	Err      error

	stop, abandon func()
}

// begin starts a run, unless one goes on.
func (r *runner) begin(w app.Work, by string, o app.Options) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil && r.now.Going {
		return app.ErrRunning
	}
	ctx, stop := context.WithCancel(context.Background())
	gone, abandon := context.WithCancel(context.Background())
	one := &oneRun{Work: w.ID, Name: w.Name, Rehearsal: o.Rehearsal, Going: true, stop: stop, abandon: abandon}
	r.now, r.last[w.ID] = one, one
	o.Abandon, o.Waiting = gone, func(text string) { r.note(func() { one.Waits = text }) }
	r.ends.Go(func() {
		summary, err := r.jobs.Run(ctx, w.ID, by, o, watch{runner: r, one: one})
		r.note(func() { one.Summary, one.Err, one.Going = summary, err, false })
		stop()
		abandon()
	})
	return nil
}

// A watch notes what a run reports.
type watch struct {
	app.Silent
	*runner

	one *oneRun
}

// Start implements app.Events.
func (w watch) Start(s app.Start) { w.note(func() { w.one.Of = s.Rows }) }

// Notice implements app.Events.
func (w watch) Notice(text string) { w.note(func() { w.one.Notices = append(w.one.Notices, text) }) }

// Row implements app.Events.
func (w watch) Row(row importer.RowResult) { w.note(func() { w.one.row(&row) }) }

// note changes what is known of a run.
func (r *runner) note(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
}

// row counts a row that was decided.
func (r *oneRun) row(row *importer.RowResult) {
	r.Waits = ""
	r.Rows++
	for i := range row.Trips {
		switch state := row.Trips[i].Outcome.State; {
		case state == importer.Booked:
			r.Booked++
		case state == importer.Fix:
			r.Faulty++
		case state.Missing(), row.Trips[i].Outcome.Asks():
			r.Open++
		}
	}
}

// stop has the run end after the rows under way, both legs; or at once, if it was to end before.
func (r *runner) stop(atOnce bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.now == nil || !r.now.Going:
	case atOnce && r.now.Stopping > 0:
		r.now.Stopping = 2
		r.now.abandon()
	case r.now.Stopping == 0:
		r.now.Stopping = 1
		r.now.stop()
	}
}

// current returns the run that goes on, and of returns the last run of a schedule; zero for none.
func (r *runner) current() (one oneRun, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil || !r.now.Going {
		return oneRun{}, false
	}
	return *r.now, true
}

func (r *runner) of(work string) (one oneRun, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last := r.last[work]; last != nil {
		return *last, true
	}
	return oneRun{}, false
}

// wait returns when no run goes on.
func (r *runner) wait() { r.ends.Wait() }
