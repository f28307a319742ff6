package ledger

import (
	"fmt"
	"strings"

	"tripimport/importer"
)

// The refusals that every store has in common.

// ReadOnlyError refuses to write to a ledger that was opened for reading only.
// The program's own commands never do so.
func ReadOnlyError() *Error {
	return &Error{
		Code:   "ledger-only-looked-at",
		Reason: "the ledger was opened for reading only",
		Fix:    "report this: the program tried to write to it all the same",
	}
}

// ClosedError refuses to write to a ledger that is closed.
func ClosedError() *Error {
	return &Error{Code: "ledger-closed", Reason: "the ledger is closed already", Fix: "run the same command again"}
}

// KeyChangedError refuses a provider that is known with another key.
func KeyChangedError(provider string) *Error {
	return &Error{
		Code:   "ledger-provider-key",
		Reason: fmt.Sprintf("the API key of %s is not the one under which its trips were booked", provider),
		Fix: fmt.Sprintf("ask the service whether it changed the key; if it did, run: tripimport ledger rekey %q; "+
			"if not, the provider's name now belongs to someone else: do not import", provider),
	}
}

// UnknownProviderError refuses a new key for a provider that is not known.
func UnknownProviderError(provider string) *Error {
	return &Error{
		Code:   "ledger-provider-unknown",
		Reason: fmt.Sprintf("the ledger has no trips of %s", provider),
		Fix:    "nothing need be done: the key is taken with the first trip",
	}
}

// ProviderMovedError refuses a new provider where trips are booked ahead under
// others that the service does not list any more.
func ProviderMovedError(provider string, gone []AheadCount) *Error {
	fix := ""
	for _, g := range gone {
		fix += fmt.Sprintf("if it is %s under a new name, run: tripimport ledger rekey %q --was %q; ", g.Name, provider, g.Name)
	}

	return &Error{
		Code: "ledger-provider-moved",
		Reason: fmt.Sprintf("the ledger does not know the provider %s, and trips are booked for today or later under a provider that the service does not list for this token: %s; "+
			"if they are one provider, an import would book them again", provider, spokenCounts(gone)),
		Fix: fix + fmt.Sprintf("if it is another provider, run: tripimport ledger rekey %q --new", provider),
	}
}

// ProviderBookedError refuses to take a provider for another one that was
// renamed, after trips were booked under both.
func ProviderBookedError(provider string) *Error {
	return &Error{
		Code:   "ledger-provider-booked",
		Reason: fmt.Sprintf("the ledger has trips of %s as a provider of its own", provider),
		Fix:    "look in the service whether trips of the two are booked twice, and cancel the second ones there",
	}
}

// ServiceMovedError refuses an address of which nobody has said whether it is that
// of a service where trips are booked ahead.
func ServiceMovedError(address string, others []AheadCount) *Error {
	fix := ""
	for _, o := range others {
		fix += fmt.Sprintf("if the system at %s has moved to %s, run: tripimport ledger link %s %s; ", o.Name, address, o.Name, address)
	}

	return &Error{
		Code: "ledger-service-moved",
		Reason: fmt.Sprintf("nobody has said yet whether %s is the system where trips are booked for today or later: %s; "+
			"if it is, an import would book them again", address, spokenCounts(others)),
		Fix: fix + fmt.Sprintf("if %s is another system, such as a test host, run: tripimport ledger separate %s", address, address),
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

// RowSentAgainError refuses the answer that a trip is there whose row was sent
// under another trip id since.
func RowSentAgainError() *Error {
	return refuseAnswer("ledger-sent-again", "the row was sent again since, under another trip id")
}

// CheckAnswer is the rule of which answers a trip is open to. It gives an *Error
// with OneTrip set, or a *TooSoonError, for an answer that can't be taken. The
// entry is that of the attempt which the answer is about, as far as its Record
// and its Resolved; sentAgain says that the trip has a later attempt.
func CheckAnswer(e Entry, sentAgain bool, r Resolution) error {
	switch {
	case sentAgain:
		return refuseAnswer("ledger-sent-again", "the trip was sent again since")
	case e.InFlight:
		return refuseAnswer("ledger-in-flight", "the trip is being sent just now")
	case e.State == importer.Created && !e.GUIDMissing:
		return refuseAnswer("ledger-booked", "the trip is booked, and its GUID is known")
	case e.Resolved == Later && (e.State == importer.Refused || e.State == importer.NotSent):
		return refuseAnswer("ledger-not-booked", "the trip is not booked, which nobody doubts")
	}
	if left := NotThereAfter - r.When.Sub(e.ClaimedAt); r.Verdict == NotThere && left > 0 {
		return &TooSoonError{Left: left}
	}
	return nil
}

func refuseAnswer(code, reason string) *Error {
	return &Error{
		Code: code, OneTrip: true, Reason: reason,
		Fix: "leave it out: tripimport resolve lists the trips that wait for an answer",
	}
}
