package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
	"tripimport/importer/run"
)

// Retry sends the trips in a results workbook that are not booked, with the cells as a person
// has fixed them, and sends nothing twice. It uses the mapping as it is now. Answers in the
// column "What we found" settle trips that may be booked. Of a rehearsal's results it books the rows of
// the schedule for real, with the cells that were fixed. Of a morning list it takes the answers, and
// retries the results whose rows were fixed in the list.
func (a *App) Retry(ctx context.Context, o Options, e Events, path string) error {
	name := filepath.Base(path)
	switch trace, ok := returned.TraceOf(path); {
	case !ok: // it is refused when it is opened
	case trace.Morning:
		return a.retryList(ctx, o, e, path)
	case trace.Check:
		return Usage("fix the schedule itself, then import it", "%s comes from a check: nothing of it was ever sent", name)
	case trace.Run != "" && !trace.Rehearsal && o.Rehearsal:
		return Usage("only a schedule is rehearsed: retry this for real", "%s comes from a real run", name)
	}
	return a.newBareJob("retry", o, e, path).doResults(ctx)
}

// doResults checks or retries results.
func (j *job) doResults(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, j.close()) }()
	if err := j.openTarget(ctx); err != nil {
		return err
	}
	edited, err := returned.Open(j.path, j.resultsKey, j.opts.Fixes...)
	if err != nil {
		return err
	}
	j.closers = append(j.closers, edited.Close)
	j.noticeOpen(j.path)

	// Rows were fixed for the mapping that read them, unless another one is named.
	if err := j.bindEdited(edited, cmp.Or(j.Mapping, j.mappingOf(edited))); err != nil {
		return err
	}
	j.edited = edited
	return j.run(ctx)
}

// confirmEdited refuses edited results of another broker than the mapping's, and has a person agree to what was changed.
func (j *job) confirmEdited(context.Context) error {
	if j.edited == nil {
		return nil
	}
	// For another broker they would be other rows, which are not booked yet.
	if was := j.edited.Mapping.Name; j.Mapping != "" && importer.BrokerText(j.mapping.Name()) != importer.BrokerText(was) {
		return Usage("use the mapping that read them, or another one of their broker",
			"%s has rows of %s, and the mapping is for %s", filepath.Base(j.path), was, j.mapping.Name())
	}
	if j.fromRehearsal(j.edited) {
		j.edited.ForReal = true
		if err := j.openRehearsed(); err != nil {
			return err
		}
	}
	if j.isCheck() {
		return nil
	}
	return j.allowEdits(j.edited.Edits)
}

// keyOf returns the key that seals the results at a path, which must be those of a run of the ledger.
func keyOf(l ledger.Ledger, path string) func(identity string) ([]byte, error) {
	return func(identity string) ([]byte, error) {
		if identity != l.Identity() {
			return nil, Usage("use it where that ledger is; what was only rehearsed may be rehearsed again", "%s belongs to another ledger than %s", filepath.Base(path), l.Location())
		}
		return l.Key("results"), nil
	}
}

// fromRehearsal reports whether a rehearsal's results are now booked for real.
func (j *job) fromRehearsal(edited *returned.Results) bool {
	return edited != nil && edited.Rehearsal && j.service != nil && !j.opts.Rehearsal
}

// mappingOf returns the path of the mapping of edited results: on another computer that of the office's mapping
// that says the same.
func (j *job) mappingOf(edited *returned.Results) string {
	was := edited.Mapping
	if _, err := os.Stat(was.Path); err == nil || !filepath.IsAbs(was.Path) {
		return was.Path
	}
	own, _, _ := readMappings(j.mappingFolders(j.path)) // what can't be read is none
	for _, c := range own {
		if c.mapping.Meaning() == was.Hash {
			return c.mapping.File()
		}
	}
	return was.Path
}

// bindEdited binds the mapping with the name, as it is now, to the source columns of edited results.
func (j *job) bindEdited(edited *returned.Results, name string) error {
	m, err := ReadMapping(name)
	if err != nil {
		return err
	}

	j.mapping = m
	in := edited.Input
	if j.bound, err = m.Bind(in.Head, in.Name); err != nil {
		return err
	}
	j.input = run.Input{Source: edited.Source(), Mapper: j.bound, MappingHash: m.Meaning(), Edited: true, Arrival: importer.Arrival{Stamp: in.Stamp}}
	j.described = in
	return nil
}

// allowEdits asks a person whether to take cells that were changed although nothing was wrong
// with them, or that give a refused row another rider. Both the question and the refusal list the cells, so that nobody has to decide without
// them; the refusal may be logged, and does not show what is in them.
func (j *job) allowEdits(edits []returned.Edit) error {
	if len(edits) == 0 {
		return nil
	}

	var items, cells []string
	const shown = 10
	for i, e := range edits {
		if i >= shown && !e.Rider { // the riders are first, and all of them are shown
			break
		}
		is := fmt.Sprintf("is now %q", results.Inert(e.Is))
		if e.Rider {
			is = fmt.Sprintf("was %q, ", results.Inert(e.Was)) + is
		}
		items, cells = append(items, e.String()+": "+is), append(cells, e.String())
	}

	changed := importer.Counted(len(edits), "changed cell needs", "changed cells need") + " a yes"
	if j.agrees(Ask{Text: changed + ":", Items: items, Question: "take what is in them now?"}) {
		return nil
	}
	return usageStep(importer.Do("compare with the schedule, then put back what was in them, or take what is in them now", importer.Agree, j.inputPath()), "%s; nothing was sent:%s", changed, listed(cells))
}

// listed returns the items for the end of a message, each on a line of its own.
func listed(items []string) string { return "\n    " + strings.Join(items, "\n    ") }

// findDeleted finds the rows that were deleted from edited results and whose trips are not all
// booked.
func (j *job) findDeleted(ctx context.Context) error {
	if j.edited == nil {
		return nil
	}
	if j.isCheck() {
		j.deleted = j.edited.Deleted()
		return nil
	}
	for _, row := range j.edited.Deleted() {
		booked := 0
		for _, id := range row.Trips {
			found, err := takenTrips(ctx, j.ledger, j.address, ledger.Search{Trip: id})
			if err != nil {
				return err
			}
			isIt := func(s importer.Standing) bool { return s.State == importer.TripBooked && s.TripID == id }
			booked += importer.One(slices.ContainsFunc(found, isIt))
		}
		if booked == 0 || booked < len(row.Trips) {
			j.deleted = append(j.deleted, row)
		}
	}
	return nil
}
