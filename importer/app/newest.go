package app

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
	"tripimport/importer/run"
)

// ledgerNumber returns a function that returns the number of the job's ledger; nil if the job
// has no ledger.
func (j *job) ledgerNumber() func() int64 {
	switch {
	case j.target != nil:
		return j.target.ledger.Number
	case j.replay != nil: // the results of a broken-off run have what was known when it broke off
		return func() int64 { return cmp.Or(j.replay.original.BrokenOffAt, j.replay.ledger.Number()) }
	}
	return nil
}

// confirmNewest refuses a ledger that lacks a run, or the end of a run, whose results are
// beside the inputs or in the folder of this run's results. The trips of that run would be
// booked again. Results of early versions have no number and prove nothing.
func (j *job) confirmNewest(ctx context.Context) error {
	if j.target == nil || j.opts.Rehearsal {
		return nil
	}

	var folders []string
	files := []string{j.path, j.output(results.XLSX)}
	for _, in := range j.described {
		files = append(files, in.Path)
	}
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		folders = append(folders, filepath.Dir(path))
	}
	slices.Sort(folders)

	l := j.target.ledger
	var lost []string
	for _, folder := range slices.Compact(folders) {
		for _, trace := range returned.Traces(folder, l.Identity()) {
			known, err := l.Run(ctx, trace.Run)
			if err != nil && !errors.Is(err, ledger.ErrNoRun) {
				return err
			}
			if trace.Number > l.Number() || trace.Number > 0 && err != nil || known.BrokenOffAt > 0 && trace.Number > known.BrokenOffAt {
				lost = append(lost, trace.Path)
			}
		}
	}
	return refuseLost(l, lost)
}

// refuseLost returns the error for a ledger that lacks what the results at the paths show as
// sent. It returns nil if there are no paths.
func refuseLost(l ledger.Ledger, paths []string) error {
	if len(paths) == 0 {
		return nil
	}

	fix := "put the newest ledger in its place; if it is lost, enter what these results prove with `tripimport ledger adopt"
	for _, path := range paths {
		fix += " --results " + Quoted(path)
	}
	shown := filepath.Base(paths[0])
	if more := len(paths) - 1; more > 0 {
		shown += " and " + importer.Counted(more, "other file", "other files")
	}
	return Usage(fix+"`", "the ledger %s is an older copy: it lacks what was sent according to %s, and would book it again; nothing was sent now",
		l.Location(), shown)
}

// confirmSent refuses edited results that show a trip as booked or maybe booked which the
// ledger does not have at all.
func (j *job) confirmSent(ctx context.Context) error {
	if j.edited == nil || j.target == nil || j.fromRehearsal(j.edited) {
		return nil
	}

	l := j.target.ledger
	return eachSent(j.inputs, j.edited, func(c importer.Claim, sent returned.SentTrip) error {
		if sent.Left() || sent.Cancelled() || sent.State.Missing() {
			return nil // it is not booked any more, or never was: its row may be sent
		}
		_, found, err := findSent(ctx, l, j.accounts, &c, &sent)
		if err == nil && !found {
			err = refuseLost(l, []string{j.path})
		}
		return err
	})
}

// eachSent calls do for each trip of r.Sent, with the trip's claim as far as its row gives it
// and with what the results show. If the row no longer makes the trip, the claim's trip has
// no id.
func eachSent(inputs []run.Input, r *returned.Results, do func(importer.Claim, returned.SentTrip) error) error {
	sent := map[rowAt][]returned.SentTrip{}
	for _, t := range r.Sent() {
		key := rowAt{t.Input, t.Sheet, t.Row}
		sent[key] = append(sent[key], t)
	}

	for _, in := range inputs {
		for row, err := range in.Source.Rows() {
			if err != nil {
				return err
			}
			mapped := in.Mapper.Map(row, nil)
			for _, s := range sent[rowAt{in.Source.Hash(), row.Sheet, row.Num}] {
				trip := &importer.Trip{Leg: s.Leg, Row: row.Ref(0)}
				for i := range mapped.Trips {
					if mapped.Trips[i].Leg == s.Leg {
						trip = &mapped.Trips[i]
					}
				}
				if err := do(importer.Claim{Input: s.Input, Row: s.Row, Trip: trip, Key: mapped.Key, MappingHash: in.MappingHash}, s); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// findSent returns the ledger's record of a trip that was sent: the record of its attempt if
// that has the same GUID, or else the one under its trip id, or else the one of its row. The
// attempt is checked first because the row may have made other trips when it was sent.
func findSent(ctx context.Context, l ledger.Ledger, accounts *run.AccountResolver, c *importer.Claim, sent *returned.SentTrip) (importer.Record, bool, error) {
	e, err := l.Entry(ctx, sent.Attempt)
	if refusal, err := refused(err); err != nil || refusal == "" && importer.SameGUID(e.GUID, sent.GUID) {
		return e.Record, err == nil, err
	}

	var known bool
	if c.Account, known = accounts.Of(c.Trip); known {
		if rec, found, err := l.Find(ctx, c.Account, c.Trip); err != nil || found {
			return rec, found, err
		}
	}
	return l.FindRow(ctx, "", c.Input, c.Trip)
}
