package app

import (
	"context"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
)

// isOutdated reports whether an answer was taken out of these results before, while the
// ledger has another one now: people fix row after row in the same file and retry it, and
// may have corrected an answer elsewhere in the meantime. holds reports that the answer
// is what the ledger has. An outdated answer is not taken, and does not stay in the next
// results, where it would look like a new one.
func (a *answers) isOutdated(ctx context.Context, d importer.Decision, given *returned.Answer, holds bool) (bool, error) {
	if holds {
		return false, nil
	}
	shown := &given.Shown
	outdated := given.Verdict == importer.NotThere && shown.State == importer.Unknown && shown.Answered // it was written there as taken
	if !outdated {
		d.From = a.fromOf(given)
		before, err := a.Ledger.Decided(ctx, d)
		if err != nil || before != given.Verdict {
			return false, err
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.outdated = append(a.outdated, *given)
	return true, nil
}

// remember has it known that an answer was taken out of these results.
func (a *answers) remember(ctx context.Context, d importer.Decision, given *returned.Answer) error {
	d.From = a.fromOf(given)
	_, err := refused(a.Decide(ctx, d, given.Verdict, a.app.personOf(given)))
	return err
}

// fromOf tells the answer's results from others, its GUID from one that was mistyped, and the
// answer from another one in a copy of these results.
func (a *answers) fromOf(given *returned.Answer) string {
	return a.run + " " + given.Verdict.String() + " " + given.GUID
}

// isOutdatedAttempt is isOutdated for an answer about what was sent.
func (a *answers) isOutdatedAttempt(ctx context.Context, given *returned.Answer) (bool, error) {
	d := importer.Decision{Other: given.Shown.Attempt}
	if given.Verdict == importer.LeaveIt {
		v, err := a.Ledger.Decided(ctx, d)
		if err != nil {
			return false, err
		}
		return a.isOutdated(ctx, d, given, v == importer.LeaveIt)
	}
	e, err := a.Entry(ctx, given.Shown.Attempt)
	if refusal, err := refused(err); refusal != "" || err != nil {
		return false, err // it says why it is not taken
	}
	// A ledger that was restored may lack the answer.
	return a.isOutdated(ctx, d, given, e.Resolved == importer.NoVerdict || isAnswered(e, given.Shown.State, given.Verdict, given.GUID))
}

// isAnswered reports whether an answer is what the ledger has about an attempt.
func isAnswered(e ledger.Entry, shown importer.State, v importer.Verdict, guid string) bool {
	now := ledger.Answered(e, ledger.Resolution{Verdict: v, State: shown, GUID: guid})
	return e.Resolved == v && e.Cancelled == now.Cancelled && (now.GUID == e.GUID || importer.SameGUID(now.GUID, e.GUID))
}

// isKnownByHand reports whether an answer says what the ledger has from a person already:
// that the trip was booked by hand.
func isKnownByHand(given *returned.Answer, o *importer.Outcome) bool {
	return given.Verdict == importer.BookedByHand && o.State == importer.AlreadyCreated && o.Answered &&
		(given.GUID == "" || importer.SameGUID(given.GUID, o.GUID))
}
