package ledger

import (
	"errors"
	"fmt"
	"strings"

	"tripimport/importer"
)

// ErrNoRun reports that the ledger has no run with the id.
var ErrNoRun = errors.New("the ledger has no such run")

// An Error says why the ledger can't be used, or not any further, or why it refuses a
// call. It holds no row content.
type Error struct {
	// Code is stable and for machines: "ledger-missing".
	Code string
	// Reason says what is wrong and Fix what to do, for a dispatcher.
	Reason, Fix string
	// Steps say what else to do, by jobs of the program.
	Steps []importer.Advice
	// Missing reports that there is no ledger at the location.
	Missing bool
	// Locked reports that another run is using the ledger, so that waiting helps.
	Locked bool
	// Later reports that the same command may work later, because the server can't be
	// reached now.
	Later bool
	// Err is the error of the operating system or the database; nil if there is none.
	Err error
}

// NewError makes an Error. reason and args are formatted as by fmt.Sprintf.
func NewError(code, fix, reason string, args ...any) *Error {
	return &Error{Code: code, Reason: fmt.Sprintf(reason, args...), Fix: fix}
}

// Or adds a step: in which case, and which job then helps.
func (e *Error) Or(text string, do importer.Action, on ...string) *Error {
	e.Steps = append(e.Steps, importer.Do(text, do, on...))
	return e
}

// Because sets Err and returns the Error.
func (e *Error) Because(err error) *Error {
	e.Err = err
	return e
}

// Error implements error.
func (e *Error) Error() string { return e.Reason }

// Advice returns Fix and Steps.
func (e *Error) Advice() []importer.Advice {
	return append([]importer.Advice{{Text: e.Fix}}, e.Steps...)
}

// Unwrap returns Err, for errors.Is.
func (e *Error) Unwrap() error { return e.Err }

// The errors that all stores have in common.

// MissingError says that there is no ledger at a location.
func MissingError(location string) *Error {
	missing := NewError("ledger-missing", "if there is a ledger already, name it in tripimport.yaml: an empty second one would book the night twice",
		"there is no ledger at %s", location).Or("if there is none yet, make one", importer.NewLedger, location)
	missing.Missing = true
	return missing
}

// OtherBuildError refuses a ledger whose form this program does not know.
func OtherBuildError(location string) *Error {
	return NewError("ledger-older", "install the newest tripimport, which may have made it; otherwise keep it, see in the service which of its trips are booked, and make a new ledger in another place",
		"the ledger at %s was made by another build of tripimport, which this one can't read", location)
}

// RunEndedError refuses to write for a run that has ended, or was ended by others.
func RunEndedError() *Error {
	return NewError("ledger-run-ended", "do the same again: it goes on where it stopped",
		"this run has ended, or was ended from another machine because nothing was heard of it for a minute")
}

// KeyChangedError refuses a provider that is known with another key.
func KeyChangedError(provider string) *Error {
	return NewError("ledger-provider-key", "ask the service whether it changed the key; if it did not, the provider's name now belongs to someone else: do not import",
		"the API key of %s is not the one under which its trips were booked", provider).Or("if it did, say so", importer.NewKey, provider)
}

// ServiceMovedError refuses a new address while trips are booked ahead at other ones,
// which count them, until a person says whether it belongs to the same service.
func ServiceMovedError(address string, others []string) *Error {
	moved := NewError("ledger-service-moved", "find out whether they are one system",
		"nobody has said yet whether %s is the system where trips are booked for today or later: %s; if it is, an import would book them again", address, strings.Join(others, ", "))
	for _, other := range others {
		moved = moved.Or("if the system at "+other+" has moved to "+address+", say so", importer.SameService, address, other)
	}
	return moved.Or("if "+address+" is another system, such as a test host, say so", importer.OtherService, address)
}
