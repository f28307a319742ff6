package app

import (
	"context"
	"errors"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// RewriteResults writes the results of a run again, from its input, which must be the very file that the
// run read, with what the ledger knows of its rows by now. Messages of the service are given by their code
// alone, because the ledger does not have their text.
func (a *App) RewriteResults(ctx context.Context, o Options, e Events, id, input string) (err error) {
	l, err := a.readLedgerOf(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	original, err := FindRun(ctx, l, id)
	if err != nil {
		return err
	}

	if err := refuseResults(input); err != nil {
		return err
	}
	j, err := a.openJob(original.Command, o, e, input)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	isIt := func(in importer.InputInfo) bool { return in.Hash == j.described.Hash } // a night may have put it away under another name
	if !slices.ContainsFunc(original.Inputs, isIt) {
		return &importer.InputError{
			File:   j.described.Name,
			Reason: "it is not the file that the run read, or it was changed since",
			Fix:    "use the file as it was when the run read it",
		}
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
