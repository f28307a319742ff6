package ledger

import (
	"fmt"
	"strings"

	"tripimport/importer"
)

// The errors that all stores have in common.

// ReadOnlyError refuses to write to a ledger that was opened only for reading. The
// program's own commands never try that.
func ReadOnlyError() *Error {
	return NewError("ledger-only-looked-at", "report this: the program tried to write to it",
		"the ledger was opened only for reading")
}

// ClosedError refuses to write to a ledger that is closed.
func ClosedError() *Error {
	return &Error{Code: "ledger-closed", Reason: "the ledger is closed already", Fix: "run the same command again"}
}

// RunEndedError refuses to write for a run that has ended, or was ended by others.
func RunEndedError() *Error {
	return NewError("ledger-run-ended", "run the same command again: it goes on where it stopped",
		"this run has ended, or was ended from another machine because nothing was heard of it for a minute")
}

// KeyChangedError refuses a provider that is known with another key.
func KeyChangedError(provider string) *Error {
	return &Error{
		Code:   "ledger-provider-key",
		Reason: fmt.Sprintf("the API key of %s is not the one under which its trips were booked", provider),
		Fix: fmt.Sprintf("ask the service whether it changed the key; if it did, run `tripimport ledger rekey %q`; "+
			"if not, the provider's name now belongs to someone else: do not import", provider),
	}
}

// RowIDsChangedError refuses a mapping that makes the row ids of its broker from other
// columns than before. columns are the headers that made them before.
func RowIDsChangedError(ids importer.RowIDs, columns string) *Error {
	return &Error{
		Code: "ledger-row-ids",
		Reason: fmt.Sprintf("the mapping now makes the row ids of %s from the columns %s, but trips are booked ahead whose row ids were made from %s: they would be booked again",
			ids.Broker, strings.ReplaceAll(ids.Columns, "+", ", "), strings.ReplaceAll(columns, "+", ", ")),
		Fix: "if no two rows have the same values in those columns, add row_id: with them to the mapping; trip_id may be made from other columns. " +
			"If two rows can, such as the way there and the way back, use the mapping as it was until these trips are past, and book by hand the rows that have a fault until then",
	}
}

// UnknownProviderError refuses a new key for a provider that is not known.
func UnknownProviderError(provider string) *Error {
	return NewError("ledger-provider-unknown", "nothing has to be done: the ledger takes the key with the first trip",
		"the ledger has no trips of %s", provider)
}

// ProviderMovedError refuses a new provider while trips are booked ahead under others
// that the service does not list any more.
func ProviderMovedError(provider string, gone []AheadCount) *Error {
	fix := ""
	for _, g := range gone {
		fix += fmt.Sprintf("if it is %s under a new name, run `tripimport ledger rekey %q --was %q`; ", g.Name, provider, g.Name)
	}

	return &Error{
		Code: "ledger-provider-moved",
		Reason: fmt.Sprintf("the ledger does not know the provider %s, and trips are booked for today or later under a provider that the service does not list for this token: %s; "+
			"if they are one provider, an import would book them again", provider, spokenCounts(gone)),
		Fix: fix + fmt.Sprintf("if it is another provider, run `tripimport ledger rekey %q --new`", provider),
	}
}

// ProviderBookedError refuses to record a provider as the new name of another one after
// trips were booked under both.
func ProviderBookedError(provider string) *Error {
	return NewError("ledger-provider-booked", "look in the service whether trips of the two are booked twice, and cancel the second ones there",
		"the ledger has trips of %s as a provider of its own", provider)
}

// ServiceMovedError refuses a new address while trips are booked ahead at other ones,
// until a person says whether it belongs to the same service.
func ServiceMovedError(address string, others []AheadCount) *Error {
	fix := ""
	for _, o := range others {
		fix += fmt.Sprintf("if the system at %s has moved to %s, run `tripimport ledger link %s %s`; ", o.Name, address, o.Name, address)
	}

	return &Error{
		Code: "ledger-service-moved",
		Reason: fmt.Sprintf("nobody has said yet whether %s is the system where trips are booked for today or later: %s; "+
			"if it is, an import would book them again", address, spokenCounts(others)),
		Fix: fix + fmt.Sprintf("if %s is another system, such as a test host, run `tripimport ledger separate %s`", address, address),
	}
}

// UnknownServiceError refuses to link an address to a service that the ledger does
// not know.
func UnknownServiceError(address string) *Error {
	return &Error{
		Code:   "ledger-service-unknown",
		Reason: "the ledger has no trips of the service at " + address,
		Fix:    "name the address where the trips were booked first, then the new one",
	}
}

func spokenCounts(counts []AheadCount) string {
	var spoken []string
	for _, c := range counts {
		spoken = append(spoken, fmt.Sprintf("%s (%s)", c.Name, importer.Counted(c.Trips, "trip", "trips")))
	}
	return strings.Join(spoken, ", ")
}

// NoAttemptError refuses an answer about an attempt that the ledger does not
// have.
func NoAttemptError(attempt int64) *Error {
	return refuseAnswer("ledger-no-attempt", fmt.Sprintf("the ledger has no attempt %d", attempt))
}

// RowSentAgainError refuses an answer about a trip whose row was sent under another trip
// id since.
func RowSentAgainError() *Error {
	return refuseAnswer("ledger-sent-again", "the row was sent again since, under another trip id")
}

// UnknownSubjectError refuses a decision that nothing identifies.
func UnknownSubjectError() *Error {
	return refuseAnswer("ledger-no-subject", "the row has no id by which the answer could be kept")
}

// CheckAnswer returns an *Error with OneTrip set for an answer that the attempt can't
// have. No answer frees a trip that the service proved to be booked. A person's earlier
// answer can be corrected until the trip's time has passed.
func CheckAnswer(e Entry, r Resolution) error {
	switch {
	case e.Superseded:
		return refuseAnswer("ledger-sent-again", "the trip was sent again since then: look for it again")
	case e.InFlight, e.Change != nil && e.Change.InFlight:
		return refuseAnswer("ledger-in-flight", "the trip is being sent just now")
	case r.Verdict == importer.CancelledThere && e.State == importer.Unknown:
		return nil
	case r.Verdict == importer.DoneByHand, r.Verdict == importer.LeaveIt, r.Verdict == importer.CancelledThere:
		if e.State != importer.Created {
			return notBookedError()
		}
		return nil
	}
	return checkFound(e, r)
}

// AnswersChange reports whether an answer is about the trip's last change. Nobody is
// asked about that change any more (Record.Change).
func AnswersChange(e Entry, r Resolution) bool {
	asked := r.State == importer.ChangeUnknown || r.State == importer.ChangeRefused
	return r.Trip != nil || e.Change != nil && (r.Verdict == importer.DoneByHand || r.Verdict == importer.LeaveIt && asked)
}

// CheckHold returns an *Error with OneTrip set for an attempt that can't be held, because
// its trip is not booked or was sent again since.
func CheckHold(e Entry) error {
	switch {
	case e.Superseded:
		return refuseAnswer("ledger-sent-again", "the trip was sent again since then: look for it again")
	case !e.Taken():
		return notBookedError()
	}
	return nil
}

// checkFound is CheckAnswer for an answer that says whether the trip is in the service.
func checkFound(e Entry, r Resolution) error {
	answered := e.Resolved != importer.NoVerdict
	switch {
	case !answered && (e.State == importer.Refused || e.State == importer.NotSent):
		return notBookedError()
	case e.Cancelled:
		return refuseAnswer("ledger-cancelled", "a person cancelled the trip since")
	case e.Proved && (r.Verdict != importer.There || !e.GUIDMissing && !e.Answered):
		return refuseAnswer("ledger-booked", "the service said that the trip is booked")
	case answered && e.Time.MinutesUntil(importer.DateTimeOf(r.When)) >= 0:
		return refuseAnswer("ledger-past", "somebody answered already, and the trip's time has passed")
	}
	return nil
}

func notBookedError() *Error {
	return refuseAnswer("ledger-not-booked", "the trip is certainly not booked")
}

// An AnsweredTrip is the state of a trip after a person's answer.
type AnsweredTrip struct {
	// State is Created or NotSent. Cancelled and GUID are as in Record.
	State     importer.State
	Cancelled bool
	GUID      string
	// Taken reports that the trip must not be sent.
	Taken bool
}

// Answered returns the state of an attempt's trip after an answer that CheckAnswer has
// accepted. A trip that was cancelled in favour of another one may be sent again. A trip
// that was cancelled for good may not, because it would have to be reinstated.
func Answered(e Entry, r Resolution) AnsweredTrip {
	a := AnsweredTrip{State: importer.Created, GUID: r.GUID, Cancelled: e.Cancelled, Taken: true}
	if a.GUID == "" {
		a.GUID = e.GUID
	}

	switch {
	case r.Verdict == importer.NotThere:
		early := r.When.Sub(e.ClaimedAt) < NotThereAfter && e.Code != importer.CodeBookedByHand
		return AnsweredTrip{State: importer.NotSent, Taken: early}
	case r.Verdict == importer.CancelledThere:
		a.Cancelled, a.Taken = true, false
	case r.Verdict == importer.DoneByHand && (r.State == importer.CancelledCreated || r.State == importer.Gone):
		a.Cancelled = true
	case r.Verdict == importer.DoneByHand && r.State == importer.Reinstate:
		a.Cancelled = false
	}
	return a
}

func refuseAnswer(code, reason string) *Error {
	return &Error{
		Code: code, OneTrip: true, Reason: reason,
		Fix: "leave it out: `tripimport resolve` lists the trips that wait for an answer",
	}
}
