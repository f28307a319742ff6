package app

import (
	"context"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/results"
)

// A remembered is what the last check found, so that the screens that show it, and the fixes of its
// cells, need no other one. It holds for the same fixes, for a minute, until something is run.
type remembered struct {
	Checked

	rows []importer.RowResult
	err  error
	at   time.Time
}

// Checked is what a check found in a work.
type Checked struct {
	Work    Work
	Start   Start
	Summary *results.Summary
	Notices []string
	// Earlier are cells that were fixed in the schedule of the same name that was brought before, and that say
	// here what they said there and are faulty again.
	Earlier []Fix
	// Faulty counts the rows to fix, and Ready the trips that could be booked.
	Faulty, Ready int
	// Results reports that it is a workbook with results, whose cells are fixed in the workbook itself.
	Results bool
}

// Check checks a work with its fixes, and passes on each row that has a problem or that was fixed, in
// order; the rows must not be changed. It sends nothing and writes no results. If no mapping is for the
// file, the error advises importer.ProposeMapping.
func (j *Jobs) Check(ctx context.Context, id string, each func(importer.RowResult)) (Checked, error) {
	w, r, err := j.checked(ctx, id)
	if err != nil {
		return Checked{Work: w}, err
	}
	for i := range r.rows {
		each(r.rows[i])
	}
	return r.Checked, r.err
}

// Rows checks a work with its fixes and passes on every row, in order, each until the next one. It sends nothing and
// writes no results.
func (j *Jobs) Rows(ctx context.Context, id string, each func(importer.RowResult)) (Checked, error) {
	a, w, err := j.openWork(id, "")
	if err != nil {
		return Checked{}, err
	}
	return a.checkWork(ctx, w, &j.looks, each)
}

// checked returns what a person brought, and what a check finds in it, or what the last one found if that still holds.
func (j *Jobs) checked(ctx context.Context, id string) (w Work, r *remembered, err error) {
	a, w, err := j.openWork(id, "")
	if err != nil {
		return Work{}, nil, err
	}
	const holds, most = time.Minute, 25_000
	if last := j.last.Load(); last != nil && last.Work.ID == w.ID && slices.Equal(last.Work.Fixes, w.Fixes) && time.Since(last.at) < holds {
		return w, last, nil
	}
	j.last.Store(nil) // two large ones take too much memory
	r = &remembered{at: time.Now()}
	r.Checked, r.err = a.checkWork(ctx, w, &j.looks, func(row importer.RowResult) {
		if len(row.Problems) > 0 || row.Row.Edited {
			row.Row, row.Problems, row.Trips = row.Row.Clone(), slices.Clone(row.Problems), slices.Clone(row.Trips)
			r.rows = append(r.rows, row)
		}
	})
	if r.err == nil && r.Start.File != "" {
		_ = j.keep(w, func(k *Kept) { // it is no loss if that fails
			k.Days, k.Faulty = r.Start.SpokenDates(), r.Faulty
		})
	}
	if !r.Results {
		if r.Earlier, err = a.earlierFixes(w, r.rows); err != nil {
			return w, nil, err
		}
	}
	if len(r.rows) <= most && r.err == nil {
		j.last.Store(r)
	}
	return w, r, nil
}

func (a *App) checkWork(ctx context.Context, w Work, known *looks, each func(importer.RowResult)) (Checked, error) {
	c := Checked{Work: w, Results: w.isResults()}
	o := Options{NoResults: true, Saved: true, Fixes: w.Fixes, looks: known}
	g := gathered{Events: eachRow{each: func(row importer.RowResult) {
		c.Faulty += importer.One(importer.Faulty(row.Problems))
		for i := range row.Trips {
			c.Ready += importer.One(row.Trips[i].Outcome.State == importer.Ready)
		}
		each(row)
	}}}
	err := g.unsaid(a.Check(ctx, o, &g, w.path()))
	c.Start, c.Summary, c.Notices = g.start, g.summary, g.notices
	return c, err
}
