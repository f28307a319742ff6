package app

import (
	"context"
	"errors"
	"maps"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// RewriteResults writes the results of a run again, from inputs, which must be the very files that the
// run read, with what the ledger knows of their rows by now. A notice names files of the run that are
// missing from inputs. Messages of the service are given by their code alone, because the ledger does
// not have their text.
func (a *App) RewriteResults(ctx context.Context, o Options, e Events, id string, inputs ...string) (err error) {
	l, err := a.readLedgerOf(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	original, err := FindRun(ctx, l, id)
	if err != nil {
		return err
	}

	if err := refuseResults(inputs...); err != nil {
		return err
	}
	j, err := a.openJob(original.Command, o, e, inputs...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	if err := j.refuseOtherInputs(original); err != nil {
		return err
	}

	if j.opts.Today == "" {
		j.opts.Today = importer.DateOf(original.Started.In(j.zone())).String()
	}
	if len(original.Inputs) > 0 && original.MappingHash != j.mapping.Meaning() {
		return usageStep(importer.Do("name the mapping that the run used with -m; if it was changed since, look at the run's trips", importer.ShowRun, original.ID),
			"the run used another mapping (%s) than %s is now", original.Mapping, j.mapping.File())
	}

	j.rewritten, j.ledger, j.address = &original, l, rehearsalAddress
	if !o.Rehearsal {
		if j.address, err = a.addressIn(ctx, l); err != nil {
			return err
		}
	}

	err = j.run(ctx)
	if ended, ok := errors.AsType[*Error](err); ok && ended.Reason == "" {
		return nil // the results are written; the status of the run does not matter here
	}
	return err
}

// readLedgerOf opens the office's ledger for reading, or the rehearsals' ledger.
func (a *App) readLedgerOf(ctx context.Context, o Options) (ledger.Ledger, error) {
	location := a.ledgerPath()
	if o.Rehearsal {
		location = a.Folders.rehearsalLedger()
	}
	l, err := a.open(ctx, location, ledger.Options{ReadOnly: true, Rehearsal: o.Rehearsal})
	if missing, ok := errors.AsType[*ledger.Error](err); o.Rehearsal && ok && missing.Missing {
		return nil, usageStep(importer.Do("rehearse", importer.Rehearse, "FILE"), "there was no rehearsal on this machine, or they were forgotten")
	}
	return l, err
}

// refuseOtherInputs refuses a file that the run did not read. A notice names files of the run
// that were not given, because their rows will be missing from the results.
func (j *job) refuseOtherInputs(original ledger.Run) error {
	left := map[string]string{} // file names, by hash
	for _, in := range original.Inputs {
		left[in.Hash] = in.Name
	}
	for _, in := range j.files() {
		if _, ok := left[in.Hash]; !ok {
			return &importer.InputError{
				File:   in.Name,
				Reason: "it is not the file that the run read, or it was changed since",
				Fix:    "use the file as it was when the run read it",
			}
		}
		delete(left, in.Hash)
	}
	for _, name := range slices.Sorted(maps.Values(left)) {
		j.notice("the run read %s too: its rows are not in these results; name it with an --input of its own", name)
	}
	return nil
}
