package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// sendAndEnd is the second pass: each trip is claimed, sent and settled, and its row is
// reported. Whatever happens, it then ends the run in the ledger and reports the summary.
func (j *job) sendAndEnd(ctx context.Context) error {
	defer func() { j.reporter.writer.Close() }() // a file that was not finished is removed
	pass := j.pass()
	pass.Accounts, pass.Reporter = j.accounts, j.reporter
	pass.Workers, pass.Limit, pass.Abandon = int(j.Settings.number("workers")), j.opts.Limit, j.opts.Abandon
	if j.service != nil {
		if j.env.Awake != nil && !j.opts.Rehearsal {
			defer j.env.Awake()()
		}
		gate, err := j.newGate(ctx)
		if err != nil {
			return err
		}
		pass.Service, pass.Pace, pass.NewToken = j.service, gate, j.NewToken().Say(j.env.Spell)
	}
	if j.ledger != nil {
		raised, err := raisedItems(ctx, j.ledger)
		if err != nil {
			return err
		}
		pass.Raised = func(i importer.Item) bool {
			_, detail, _ := strings.Cut(raised[i.Subject], "\n")
			return detail == i.Detail
		}
	}
	if j.rewritten != nil {
		pass.Unsent = "it is not booked yet"
	}

	result, err := pass.Do(ctx, j.start)
	if j.reporter.needsFile { // of a check
		j.reporter.beginFile()
		result, err = pass.Do(ctx, j.start)
	}
	if j.service != nil {
		err = errors.Join(err, j.endRun(result, err))
	}
	err = afterSending(err, result)

	summary := j.reporter.writer.Summary()
	j.telling.Lock()
	defer j.telling.Unlock()
	if summaryErr := j.events.Summary(summary); err == nil {
		err = summaryErr
	}
	status := j.statusWith(statusOfRun(result))
	if err == nil && status != Done {
		return &Error{Status: status} // the summary said why
	}
	return err
}

// statusWith returns the status of a run with regard to what people deleted and wrote.
func (j *job) statusWith(status Status) Status {
	if len(j.deleted) > 0 || j.notTaken > 0 { // no later run sends the deleted rows
		status = status.OrWorse(NeedsPerson)
	}
	if j.toCancel > 0 {
		status = status.OrWorse(Listed)
	}
	return status
}

// endRun records the end of the run in the ledger, even if the context is done.
func (j *job) endRun(result importer.RunResult, err error) error {
	how := "finished"
	var input *importer.InputError
	switch {
	case errors.As(err, &input):
		how = ledger.InputLost
	case err != nil:
		how = "failed"
	case result.Interrupted:
		how = "interrupted"
	case result.Stop != nil:
		how = "stopped: " + result.Stop.Code
	}
	if err == nil && statusOfRun(result) == NeedsPerson { // another status would not tell anybody of them
		raised := importer.Each(result.Urgent, func(item importer.Item) ledger.Fact {
			return ledger.Fact{Kind: factRaised, Subject: item.Subject, Value: raisedValue(item, j.opts.SeenBy), At: j.clock.Now()}
		})
		if err := j.ledger.SetFact(context.Background(), raised...); err != nil {
			return err
		}
	}
	return j.ledger.End(context.Background(), j.start.Run.ID, result.Totals, j.clock.Now(), how)
}

// factRaised is the kind of the facts that say what a run has raised about a leg. A fact is erased
// with what is open of the leg.
const factRaised = "raised"

// raisedValue returns the value of the fact that an item was raised, at night or at a terminal.
func raisedValue(i importer.Item, seenBy time.Time) string {
	if seenBy.IsZero() {
		return "terminal\n" + i.Detail
	}
	return "night\n" + i.Detail
}

// raisedItems returns what runs raised, by its subject.
func raisedItems(ctx context.Context, l ledger.Ledger) (map[string]string, error) {
	facts, err := l.Facts(ctx, factRaised)
	raised := make(map[string]string, len(facts))
	for _, f := range facts {
		raised[f.Subject] = f.Value
	}
	return raised, err
}

// afterSending replaces an error whose status promises that nothing was sent, if anything was, by that of a run that
// stopped early: the input could not be read to its end again, or the ledger could not take what became of it.
func afterSending(err error, r importer.RunResult) error {
	said, ok := errors.AsType[importer.Advised](err)
	status, t := StatusOf(err), r.Totals.Trips
	sent := t[importer.Booked]+t[importer.Changed]+t[importer.Unknown]+t[importer.ChangeUnknown]+t[importer.Refused] > 0
	if breaks := status == BadInput && sent || status == NotSetUp && (sent || r.Stop != nil); !ok || !breaks {
		return err
	}
	status = Later
	if r.Stop != nil || r.Interrupted {
		status = statusOfRun(r)
	}
	return &Error{status, said.Error(), importer.SayAll(said.Advice(), nil)}
}
