package app

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
	"tripimport/importer/run"
	"tripimport/importer/service"
)

// recentDays is how many days back the list goes. aheadDays is how many days ahead of service
// a schedule may be imported.
const recentDays, aheadDays = 3, 14

// An openList gathers what is open. Results are read from the newest to the oldest, and what
// newer results say about a trip overrides the older ones.
type openList struct {
	*App
	*results.Morning

	ctx     context.Context // kept here because callbacks get none
	ledger  ledger.Ledger
	address string
	past    []results.MorningItem
	now     importer.DateTime // in the time zone of the results being read

	rows     map[rowAt]bool  // the rows that were read
	complete map[string]bool // the inputs of which all rows were read, by their SHA-256
	found    map[string]bool // the inputs whose results were read, by their SHA-256
	sent     map[int64]bool  // the trips in the ledger that newer results decide, by their numbers
	trips    map[string]bool // the other trips that newer results decide
	brokers  map[string]bool // the brokers of newer results
	whole    map[dayOf]bool  // the days of which newer schedules have all trips
	runs     []ledger.Run    // the runs that began on Since or later, oldest first

	inputs   map[string][]importer.InputInfo // the schedules of each run, by its id
	mostRows map[string]int                  // the most rows that a run read of a schedule, by its SHA-256

	// order numbers the runs by their ids, from the oldest on. firstRead has for each run the
	// number of the run that first read its schedules.
	order, firstRead map[string]int
}

// A dayOf is a service day of a broker.
type dayOf struct {
	broker string
	day    importer.Date
}

// newOpenList returns an empty list.
func (a *App) newOpenList(ctx context.Context, l ledger.Ledger) (*openList, error) {
	address, err := service.CanonicalAddress(a.Settings.Text("base_url"))
	if err != nil {
		return nil, Usage("write `base_url: https://…` into "+a.Folders.Settings(), "the address of the service is not set")
	}
	if address, err = l.Service(ctx, address); err != nil {
		return nil, err
	}
	g := &openList{
		App: a, Morning: &results.Morning{Made: a.env.Clock.Now()}, ctx: ctx, ledger: l, address: address,
		now: a.env.Clock.Wall(nil), rows: map[rowAt]bool{}, complete: map[string]bool{}, found: map[string]bool{},
		sent: map[int64]bool{}, trips: map[string]bool{}, brokers: map[string]bool{}, whole: map[dayOf]bool{}, order: map[string]int{}, firstRead: map[string]int{}, inputs: map[string][]importer.InputInfo{}, mostRows: map[string]int{},
	}
	g.Since = g.now.AddDays(-recentDays)
	return g, nil
}

// listOpen lists what is open.
func (a *App) listOpen(ctx context.Context, l ledger.Ledger, o MorningOptions) (*openList, error) {
	g, err := a.newOpenList(ctx, l)
	if err != nil {
		return nil, err
	}
	return g, g.read(o)
}

// read reads the results of the runs that may have something open.
func (g *openList) read(o MorningOptions) error {
	traces, err := g.traces(o)
	if err != nil {
		return err
	}
	for _, trace := range traces {
		if err := g.readResults(trace.Path); err != nil {
			return err
		}
	}
	if err := errors.Join(g.addUnresolved(), g.addLost()); err != nil {
		return err
	}
	g.Sort()
	return nil
}

// traces returns the results, among the inputs, of the ledger's runs that may have
// something open, the newest first.
func (g *openList) traces(o MorningOptions) ([]returned.Trace, error) {
	recent, err := g.recentRuns()
	if err != nil {
		return nil, err
	}

	paths := slices.Clone(o.Inputs)
	if o.Folder != "" {
		paths = append(paths, o.Folder)
	}
	var all []returned.Trace
	written := map[string]time.Time{}
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			return nil, Usage("name results, or folders in which they are", "%s can't be read", path)
		}
		for _, t := range returned.Traces(path, g.ledger.Identity()) {
			info, err := os.Stat(t.Path)
			path, _ := filepath.Abs(t.Path)
			if err == nil && written[path].IsZero() && g.mayBeOpen(&t, recent, info.ModTime()) {
				all, written[path], written[t.Path] = append(all, t), info.ModTime(), info.ModTime()
			}
		}
	}
	slices.SortStableFunc(all, func(x, y returned.Trace) int {
		return cmp.Or(cmp.Compare(g.firstRead[y.Run], g.firstRead[x.Run]), cmp.Compare(g.order[y.Run], g.order[x.Run]), written[y.Path].Compare(written[x.Path]))
	})
	return all, nil
}

// mayBeOpen reports whether results may have something open. Results that were written to
// recently count, because a person may have given a row a later day.
func (g *openList) mayBeOpen(t *returned.Trace, recent map[string]bool, written time.Time) bool {
	begun, known := recent[t.Run]
	return begun || known && t.Unbooked && (t.UnbookedUntil.IsZero() || t.UnbookedUntil.Compare(g.Since) >= 0 || importer.DateOf(written.In(g.Made.Location())).Compare(g.Since) >= 0)
}

// recentRuns returns runs by their ids. The value is true for a run that began on g.Since or
// later, or that sent trips of such a day. It is false for the other runs of the last
// aheadDays days: rows that they did not book may be of a day to come. It also fills
// g.firstRead, because a retry does not make its schedule newer.
func (g *openList) recentRuns() (map[string]bool, error) {
	recent := map[string]bool{}
	for h, err := range histories(g.ctx, g.ledger, ledger.Search{From: g.Since}) {
		if err != nil {
			return nil, err
		}
		for i := range h.Past {
			recent[h.Past[i].Run] = true
		}
	}
	runs, err := g.ledger.Runs(g.ctx, 0)
	first := map[string]int{} // the first run of an input
	for i, r := range slices.Backward(runs) {
		g.order[r.ID] = len(runs) - i
		g.inputs[r.ID] = r.Inputs
		for _, in := range r.Inputs {
			g.mostRows[in.Hash] = max(g.mostRows[in.Hash], r.Totals.RowsRead)
			first[in.Hash] = cmp.Or(first[in.Hash], g.order[r.ID])
			g.firstRead[r.ID] = max(g.firstRead[r.ID], first[in.Hash])
		}
		switch began := importer.DateOf(r.Started.In(g.Made.Location())); {
		case recent[r.ID] || began.Compare(g.Since) >= 0:
			recent[r.ID] = true
			g.runs = append(g.runs, r)
		case began.Compare(g.now.AddDays(-aheadDays)) >= 0:
			recent[r.ID] = false
		}
	}
	return recent, err
}

// readResults adds what is open in the results of a run. Results that can't be read are named
// in g.Lost.
func (g *openList) readResults(path string) error {
	edited, err := g.openResultsOf(g.ledger, path)
	if err == nil {
		err = errors.Join(g.readOpened(edited, path), edited.Close())
	}
	if err == nil || g.ctx.Err() != nil {
		return g.ctx.Err()
	}

	g.Lost = append(g.Lost, lostFile(path, err))
	return nil
}

// lostFile names a file that could not be read, with the reason and advice.
func lostFile(path string, err error) results.LostRun {
	lost := results.LostRun{Files: []string{filepath.Base(path)}, Reason: err.Error(), Fix: "see that it can be read, and that its mapping is where it was"}
	var known importer.Advised
	if errors.As(err, &known) {
		lost.Fix = known.Advice()
	}
	return lost
}

// readOpened adds what is open in results whose file is open.
func (g *openList) readOpened(edited *returned.Results, path string) error {
	j := &job{App: g.App, events: Silent{}, path: path, command: "check", started: g.Made, edited: edited}
	if err := j.bindEdited(edited); err != nil {
		return err
	}
	known := true
	for _, in := range j.described {
		g.found[in.Hash] = true
		known = known && g.complete[in.Hash]
	}
	g.now = g.env.Clock.Wall(j.location())
	r := &openRows{openList: g, job: j, path: path}
	r.superseded = g.brokers[r.broker()]
	for _, in := range j.described {
		r.names = append(r.names, results.FindNames(in.Columns))
	}
	defer r.note()
	if err := r.addOnTheirOwn(); err != nil || known {
		return err
	}
	if err := j.checkRows(g.ctx, g.ledger, g.address, r.gather); err != nil {
		return err
	}
	for _, day := range j.wholeDays() {
		g.whole[dayOf{r.broker(), day}] = true
	}
	for _, in := range j.described {
		g.complete[in.Hash] = len(edited.Deleted()) == 0
	}
	return nil
}

// checkRows decides each row of the job as a run would, with the mapping, the rules and the
// ledger as they are now, and passes it to a function. It sends nothing.
func (j *job) checkRows(ctx context.Context, l ledger.Ledger, address string, to importer.EachRow) error {
	j.ledger, j.address = l, address
	for _, step := range []func(context.Context) error{j.setToday, j.openPlaces, j.watchWords, j.checkRowIDs, j.makePlan} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	check := &run.Run{
		Info: j.runInfo(), Inputs: j.inputs, Plan: j.plan, Checker: j.checker, Placer: j.placer, Clock: j.clock,
		Reporter: to, Ledger: l, Address: address, Options: j.judgeOptions, Unsent: "it is not booked yet",
	}
	_, err := check.Do(ctx, importer.RunStart{Run: check.Info, Check: true, Plan: j.plan.PlanSummary})
	return err
}
