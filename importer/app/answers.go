package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
)

// answers holds what people wrote under What we found in the results of a retry. An answer
// about an attempt is recorded before the run. Any other answer waits until the run comes
// to its trip; it is then recorded for the question that is asked and for the values that
// the trip has. It is safe for concurrent use.
type answers struct {
	ledger.Ledger
	app *App

	// mappingHash is the hash of the mapping that makes the trips. run is the id of the run
	// that wrote the results.
	mappingHash, run string

	mu      sync.Mutex
	pending map[tripAt]pendingAnswer
	// kept are answers that stay in the next results: they were not taken, or they count
	// later.
	kept map[tripAt]returned.Answer
	// outdated are answers that were taken before and have been corrected elsewhere since.
	outdated []returned.Answer
	// fileOf gives the name of the input with a hash.
	fileOf func(hash string) string
}

// A pendingAnswer waits for its trip. why is the reason why the ledger did not take it;
// empty if it was not tried.
type pendingAnswer struct {
	returned.Answer
	why string
}

// A rowAt identifies a row of an input, and a tripAt one of its legs.
type rowAt struct {
	file, sheet string
	row         int
}

type tripAt struct {
	rowAt
	leg importer.Leg
}

func tripOf(t *importer.Trip) tripAt { return tripAt{rowAt{t.Row.File, t.Row.Sheet, t.Row.Row}, t.Leg} }

// keptText returns the text that stays under What we found for a row in the next results.
// An answer about an earlier attempt is left out, because nobody has looked for the new one:
// in the next results it would be an answer about that. Any answer is left out if nothing is
// asked about the row any more, because results with such an answer are refused.
func (a *answers) keptText(row *importer.RowResult) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var texts []string
	answerable := slices.ContainsFunc(row.Trips, func(t importer.TripResult) bool { return len(t.Outcome.Verdicts()) > 0 })
	for i := range row.Trips {
		at, o := tripOf(&row.Trips[i].Trip), &row.Trips[i].Outcome
		if given := a.pending[at]; isKnownByHand(&given.Answer, o) {
			delete(a.pending, at)
		}
		for _, given := range []returned.Answer{a.pending[at].Answer, a.kept[at]} {
			if !movesToAttempt(&given, o) && given.Text != "" && (answerable || !returned.HasAnswer(given.Text)) && !slices.Contains(texts, given.Text) {
				texts = append(texts, given.Text)
			}
		}
	}
	return strings.Join(texts, "; ")
}

// movesToAttempt reports whether an answer, written beside a trip that has the outcome now,
// would be about another attempt than the one that it was given for.
func movesToAttempt(given *returned.Answer, o *importer.Outcome) bool {
	now := *given
	now.Shown = *o
	_, fits := given.Verdict.RuleOf(o)
	return o.Attempt != given.Shown.Attempt && (o.State == importer.Unknown || fits && aboutAttempt(&now))
}

// take removes and returns the pending answer about a trip, if there is one that fits.
func (a *answers) take(trip *importer.Trip, fits func(*returned.Answer) bool) (returned.Answer, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	given, ok := a.pending[tripOf(trip)]
	if !ok || !fits(&given.Answer) {
		return returned.Answer{}, false
	}
	delete(a.pending, tripOf(trip))
	return given.Answer, true
}

// giveBack makes an answer pending again, so that it stays in the next results. why is the
// reason why it could not be taken.
func (a *answers) giveBack(trip *importer.Trip, given returned.Answer, why string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending[tripOf(trip)] = pendingAnswer{given, why}
}

// Decided implements importer.Ledger. It first records the pending answer about the trip.
func (a *answers) Decided(ctx context.Context, d importer.Decision) (importer.Verdict, error) {
	if d.Trip != nil {
		given, ok := a.take(d.Trip, func(given *returned.Answer) bool { return decides(given, &d) })
		if ok {
			now, err := a.Ledger.Decided(ctx, d)
			if err != nil {
				return now, err
			}
			outdated, err := a.isOutdated(ctx, d, &given, now == importer.NoVerdict || now == given.Verdict)
			if outdated || err != nil {
				return now, err
			}
			refusal, err := refused(a.decide(ctx, d, given.Verdict, a.app.personOf(&given)))
			switch {
			case refusal != "":
				a.giveBack(d.Trip, given, refusal)
			case err == nil:
				err = a.remember(ctx, d, &given)
			}
			switch { // a trip that a person wants left is not sent, even if the ledger refuses the answer
			case err != nil, refusal != "" && given.Verdict != importer.LeaveIt:
				return importer.NoVerdict, err
			case refusal != "", given.Verdict == importer.CancelledThere:
				return given.Verdict, nil
			}
		}
	}
	return a.Ledger.Decided(ctx, d)
}

// decides reports whether an answer makes the decision that d asks for.
func decides(given *returned.Answer, d *importer.Decision) bool {
	if d.Question == importer.NoQuestion {
		return given.Verdict == importer.LeaveIt || given.Verdict == importer.Book && given.Shown.Left()
	}
	return given.Shown.Question == d.Question && (given.Verdict == importer.CancelledThere && given.Shown.Attempt == d.Other ||
		given.Verdict == importer.Meant && (given.Shown.Attempt == d.Other || d.Question == importer.AskDoubleBooking))
}

// decide records a decision. CancelledThere is recorded as an answer about the other trip's
// attempt. For a possible double booking that is all, because the answer says nothing about
// other double bookings.
func (a *answers) decide(ctx context.Context, d importer.Decision, v importer.Verdict, by ledger.Person) error {
	if v == importer.CancelledThere {
		r := ledger.Resolution{Attempt: d.Other, Verdict: v, State: importer.Waiting, Who: by.Who, When: by.When}
		if err := a.Resolve(ctx, r); err != nil || d.Question == importer.AskDoubleBooking {
			return err
		}
	}
	return a.Decide(ctx, d, v, by)
}

// changedSince reports whether a trip in state s is booked and differs from its row.
func changedSince(s importer.State) bool {
	switch s {
	case importer.Changed, importer.ChangeByHand, importer.ChangeRefused, importer.ChangeUnknown:
		return true
	}
	return false
}

// unwanted reports whether a trip in state s is booked but no longer wanted by the schedule.
func unwanted(s importer.State) bool { return s == importer.CancelledCreated || s == importer.Gone }

// accept records the pending answer about a booked trip: that a person changed the trip by
// hand to what its row says now, or wants it left as it is. It reports whether it did.
func (a *answers) accept(ctx context.Context, trip *importer.Trip, rec *importer.Record) (bool, error) {
	given, ok := a.take(trip, func(given *returned.Answer) bool {
		return (given.Verdict == importer.DoneByHand || given.Verdict == importer.LeaveIt) && given.Shown.Attempt == rec.Attempt && rec.Taken() &&
			(given.Verdict == importer.DoneByHand || changedSince(given.Shown.State))
	})
	if !ok {
		return false, nil
	}

	// The answer is about the values that the row has now: a person may have fixed them since.
	about := importer.Decision{Key: importer.RowKey{TripID: trip.ID}, Trip: trip}
	if outdated, err := a.isOutdated(ctx, about, &given, len(rec.Differs) == 0); outdated || err != nil {
		return false, err
	}
	by := a.app.personOf(&given)
	refusal, err := refused(a.Resolve(ctx, ledger.Resolution{
		Attempt: rec.Attempt, Verdict: given.Verdict, State: given.Shown.State, Trip: trip, MappingHash: a.mappingHash, Who: by.Who, When: by.When,
	}))
	switch {
	case refusal != "":
		a.giveBack(trip, given, refusal)
	case err == nil:
		err = a.remember(ctx, about, &given)
	}
	return refusal == "" && err == nil, err
}

// RowTrips implements importer.Ledger. It first records the pending answers about the trips
// that it finds.
func (a *answers) RowTrips(ctx context.Context, service string, row *importer.Mapped) (importer.RowTrips, error) {
	found, err := a.Ledger.RowTrips(ctx, service, row)
	for i := range found.Matched {
		for _, rec := range []*importer.Record{found.Matched[i], found.Unclear[i]} {
			if err == nil && rec != nil {
				var accepted bool
				if accepted, err = a.accept(ctx, &row.Trips[i], rec); accepted && err == nil {
					return a.RowTrips(ctx, service, row)
				}
			}
		}
	}
	return found, err
}

// Lacks implements importer.Ledger. It returns false for a row with a pending answer, so that
// the run asks about each of its trips and the answer is recorded.
func (a *answers) Lacks(ctx context.Context, row *importer.Mapped, accounts []importer.Account, within int) (bool, error) {
	a.mu.Lock()
	isPending := slices.ContainsFunc(row.Trips, func(trip importer.Trip) bool {
		_, ok := a.pending[tripOf(&trip)]
		return ok
	})
	a.mu.Unlock()
	if isPending {
		return false, nil
	}
	return a.Ledger.Lacks(ctx, row, accounts, within)
}

// Find implements importer.Ledger. It first records the pending answer about the trip.
func (a *answers) Find(ctx context.Context, account importer.Account, trip *importer.Trip) (importer.Record, bool, error) {
	rec, found, err := a.Ledger.Find(ctx, account, trip)
	if err != nil || !found {
		return rec, found, err
	}
	if accepted, err := a.accept(ctx, trip, &rec); !accepted {
		return rec, found, err
	}
	return a.Ledger.Find(ctx, account, trip)
}

// byHand records a trip as booked if the pending answer says that a person entered it in the
// service. The trip is claimed and settled without being sent.
func (a *answers) byHand(ctx context.Context, c importer.Claim) (importer.Outcome, bool, error) {
	given, ok := a.take(c.Trip, func(given *returned.Answer) bool { return given.Verdict == importer.BookedByHand })
	if !ok {
		return importer.Outcome{}, false, nil
	}
	if c.Account.Provider == "" || c.Trip.ID == "" {
		a.giveBack(c.Trip, given, "its trip id, or its transportation provider, has to be fixed first")
		return importer.Outcome{}, false, nil
	}

	about := importer.Decision{Key: c.Key, Trip: c.Trip}
	if outdated, err := a.isOutdated(ctx, about, &given, false); outdated || err != nil {
		return importer.Outcome{}, false, err
	}

	c.Within = 0 // the person entered this very trip, whatever other trip is near it
	claimed, err := a.Claim(ctx, c)
	if errors.Is(err, importer.ErrClaimed) {
		a.giveBack(c.Trip, given, "another trip of its row, or the same rider's at that time, is booked: "+seeResults)
		return importer.Outcome{}, false, nil
	}
	if err != nil {
		return importer.Outcome{}, false, err
	}

	s := importer.Settlement{State: importer.Created, GUID: given.GUID, Code: importer.CodeBookedByHand, At: c.At}
	err = a.Settle(ctx, claimed, s)
	if errors.Is(err, importer.ErrGUIDTaken) {
		a.giveBack(c.Trip, given, guidTaken)
		s.State, s.GUID = importer.NotSent, ""
		return importer.Outcome{}, false, a.Settle(ctx, claimed, s)
	}
	if by := a.app.personOf(&given); err == nil { // the claim names the run's user instead
		_, err = refused(a.Resolve(ctx, ledger.Resolution{
			Attempt: claimed.Attempt, Verdict: importer.BookedByHand, State: importer.AlreadyCreated, GUID: s.GUID, Who: by.Who, When: by.When,
		}))
	}
	if err == nil {
		err = a.remember(ctx, about, &given)
	}
	return importer.Outcome{
		State: importer.AlreadyCreated, GUID: s.GUID, BookedAt: s.At, Answered: true, Attempt: claimed.Attempt, Reason: "booked by hand",
	}, true, err
}
