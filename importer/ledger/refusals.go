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
	fix := fmt.Sprintf("ask the service whether it changed the key; if it did, run `tripimport ledger rekey %q`; "+
		"if not, the provider's name now belongs to someone else: do not import", provider)
	return NewError("ledger-provider-key", fix, "the API key of %s is not the one under which its trips were booked", provider)
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
	fix += fmt.Sprintf("if it is another provider, run `tripimport ledger rekey %q --new`", provider)
	return NewError("ledger-provider-moved", fix, "the ledger does not know the provider %s, and trips are booked for today or later under a provider that the service does not list for this token: %s; "+
		"if they are one provider, an import would book them again", provider, spokenCounts(gone))
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
		fix += fmt.Sprintf("if the system at %s has moved to %s, run `tripimport ledger address %s --same-as %s`; ", o.Name, address, address, o.Name)
	}
	fix += fmt.Sprintf("if %s is another system, such as a test host, run `tripimport ledger address %s --new`", address, address)
	return NewError("ledger-service-moved", fix, "nobody has said yet whether %s is the system where trips are booked for today or later: %s; "+
		"if it is, an import would book them again", address, spokenCounts(others))
}

// UnknownServiceError refuses to link an address to a service that the ledger does
// not know.
func UnknownServiceError(address string) *Error {
	return NewError("ledger-service-unknown", "name with --same-as the address where the trips were booked", "the ledger has no trips of the service at %s", address)
}

func spokenCounts(counts []AheadCount) string {
	var spoken []string
	for _, c := range counts {
		spoken = append(spoken, fmt.Sprintf("%s (%s)", c.Name, importer.Counted(c.Trips, "trip", "trips")))
	}
	return strings.Join(spoken, ", ")
}
