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
func (r *runner) begin(w app.Work, g app.RunOptions) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil && r.now.Going {
		return app.ErrRunning
	}
	ctx, stop := context.WithCancel(context.Background())
	gone, abandon := context.WithCancel(context.Background())
	one := &oneRun{Work: w.ID, Name: w.Name, Rehearsal: g.Rehearse, Going: true, stop: stop, abandon: abandon}
	r.now, r.last[w.ID] = one, one
	r.ends.Go(func() {
		summary, err := r.jobs.Run(ctx, w.ID, g, app.Watch{
			Abandon: gone,
			Begins:  func(s app.Start) { r.note(func() { one.Of = s.Rows }) },
			Row:     func(row importer.RowResult) { r.note(func() { one.row(&row) }) },
			Notice:  func(text string) { r.note(func() { one.Notices = append(one.Notices, text) }) },
			Waits:   func(text string) { r.note(func() { one.Waits = text }) },
		})
		r.note(func() { one.Summary, one.Err, one.Going = summary, err, false })
		stop()
		abandon()
	})
	return nil
}

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
