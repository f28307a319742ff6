package app

import (
	"context"
	"errors"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// RewriteResults writes the results of a run again, from its input, which must be the very file that the
// run read, with what the ledger knows of its rows by now. Messages of the service are given by their code
// alone, because the ledger does not have their text.
func (a *App) RewriteResults(ctx context.Context, o Options, e Events, id, input string) error {
	if err := refuseResults(input); err != nil {
		return err
	}
	err := a.ReadLedger(ctx, func(l ledger.Ledger) (err error) {
		original, err := FindRun(ctx, l, id)
		if err != nil {
			return err
		}
		j, err := a.openJob(original.Command, o, e, input)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, j.close()) }()
		if err := j.rewrites(&original); err != nil {
			return err
		}
		j.rewritten, j.ledger = &original, l
		if j.address, err = a.addressIn(ctx, l); err != nil {
			return err
		}
		return j.run(ctx)
	})
	if ended, ok := errors.AsType[*Error](err); ok && ended.Reason == "" {
		return nil // the results are written; the status of the run does not matter here
	}
	return err
}

// rewrites refuses another file or mapping than a run had, and takes the day of the run to be today.
func (j *job) rewrites(original *ledger.Run) error {
	if original.Input.Hash != j.described.Hash { // a night may have put it away under another name
		return &importer.InputError{
			File:   j.described.Name,
			Reason: "it is not the file that the run read, or it was changed since",
			Fix:    "use the file as it was when the run read it",
		}
	}
	if original.MappingHash != j.mapping.Meaning() {
		return usageStep(importer.Do("name the mapping that the run used with -m; if it was changed since, look at the run's trips", importer.ShowRun, original.ID),
			"the run used another mapping (%s) than %s is now", original.Mapping, j.mapping.File())
	}
	j.opts.Today = importer.DateOf(original.Started.In(j.zone())).String()
	return nil
}
