package app

import (
	"context"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
)

// isOutdated reports whether an answer was taken from these results before and the ledger has
// another answer now. That happens because people fix row after row in the same file, retry
// it each time, and may correct an answer elsewhere in between. An outdated answer is not
// taken, and does not stay in the next results, where it would look like a new one. holds
// reports that the ledger has the same answer, or none; then the answer is not outdated.
func (a *answers) isOutdated(ctx context.Context, d importer.Decision, given *returned.Answer, holds bool) (bool, error) {
	if holds {
		return false, nil
	}
	shown := &given.Shown
	outdated := given.Verdict == importer.NotThere && shown.State == importer.Unknown && shown.Answered // the results were written with the answer already in them
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

// heldBack returns the reason why a run must not send a trip, or "". A trip is held back if an
// answer that forbids to send it was not taken. The person who retries the results may still
// mean an outdated answer, and what could not be taken may say that the trip is in the service.
func (a *answers) heldBack(t *importer.Trip) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := tripOf(t)
	for i := range a.outdated {
		given := &a.outdated[i]
		if at == (tripAt{rowAt{a.fileOf(given.Input), given.Sheet, given.Row}, given.Leg}) && given.Verdict.KeepsUnsent() {
			return fmt.Sprintf("`%s` stood under What we found of the results that were retried, and something else was answered since: "+answerAnew, given.Verdict)
		}
	}
	for _, given := range []returned.Answer{a.pending[at].Answer, a.kept[at]} {
		if given.KeepsUnsent() {
			return "what stands under What we found may mean that it is not to be sent, but could not be taken: delete it to send the trip; if it is in the service, write only `booked by hand` with its own GUID or without one, and if nobody wants it, only `leave it`"
		}
	}
	for _, leg := range []importer.Leg{importer.OnlyLeg, importer.OutboundLeg, importer.ReturnLeg, importer.ThirdLeg} {
		given := a.pending[tripAt{at.rowAt, leg}]
		if (leg == importer.OnlyLeg) != (at.leg == importer.OnlyLeg) && given.KeepsUnsent() {
			return fmt.Sprintf("`%s` stood under What we found of the results that were retried, and the row makes other legs now: "+answerAnew, given.Verdict)
		}
	}
	return ""
}

const answerAnew = "retry these new results to send it; if it is in the service, write `booked by hand` here, and if nobody wants it, `leave it`"

// remember records in the ledger that an answer was taken from these results.
func (a *answers) remember(ctx context.Context, d importer.Decision, given *returned.Answer) error {
	d.From = a.fromOf(given)
	_, err := refused(a.Decide(ctx, d, given.Verdict, a.app.personOf(given)))
	return err
}

// fromOf returns the text that identifies an answer taken from results: the run of the
// results, the verdict, because a copy of the results may have another one, and the GUID,
// because an earlier one may have been mistyped.
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
		return false, err // taking the answer will report the refusal
	}
	// NoVerdict: the ledger may have been restored and lack the answer.
	return a.isOutdated(ctx, d, given, e.Resolved == importer.NoVerdict || isAnswered(e, given.Shown.State, given.Verdict, given.GUID))
}

// isAnswered reports whether the ledger has the same answer about an attempt.
func isAnswered(e ledger.Entry, shown importer.State, v importer.Verdict, guid string) bool {
	now := ledger.Answered(e, ledger.Resolution{Verdict: v, State: shown, GUID: guid})
	return e.Resolved == v && e.Cancelled == now.Cancelled && (now.GUID == e.GUID || importer.SameGUID(now.GUID, e.GUID))
}

// isKnownByHand reports whether the answer is that the trip was booked by hand, and the ledger
// has that answer already.
func isKnownByHand(given *returned.Answer, o *importer.Outcome) bool {
	return given.Verdict == importer.BookedByHand && o.State == importer.AlreadyCreated && o.Answered &&
		(given.GUID == "" || importer.SameGUID(given.GUID, o.GUID))
}
