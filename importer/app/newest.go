package app

import (
	"cmp"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// ledgerNumber returns the number of the job's ledger; 0 if the job has no ledger.
func (j *job) ledgerNumber() int64 {
	switch {
	case j.isCheck():
		return 0
	case j.rewritten != nil: // the results of a broken-off run have what was known when it broke off
		return cmp.Or(j.rewritten.BrokenOffAt, j.ledger.Number())
	}
	return j.ledger.Number()
}

// refuseLost returns the error for a ledger that lacks what the results at the paths show as
// sent. It returns nil if there are no paths.
func refuseLost(l ledger.Ledger, paths []string) error {
	if len(paths) == 0 {
		return nil
	}

	shown := filepath.Base(paths[0])
	if more := len(paths) - 1; more > 0 {
		shown += " and " + importer.Counted(more, "other file", "other files")
	}
	return usageStep(importer.Do("put the newest ledger in its place; if it is lost, enter what these results prove", importer.AdoptLedger, paths...), "the ledger %s is an older copy: it lacks what was sent according to %s, and would book it again; nothing was sent now",
		l.Location(), shown)
}
