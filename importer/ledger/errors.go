package ledger

import (
	"errors"
	"fmt"
)

// ErrNoRun says that the ledger has no run of that id.
var ErrNoRun = errors.New("the ledger has no such run")

// An Error says why the ledger can't be used, or can't be used any further, or
// why it refuses what was asked. It holds no row content.
type Error struct {
	// Code is stable and for machines: "ledger-missing".
	Code string
	// Reason says what is wrong and Fix what to do, for a dispatcher.
	Reason, Fix string
	// Missing reports that there is no ledger at the location.
	Missing bool
	// Locked reports that another run is using the ledger: waiting helps.
	Locked bool
	// Later reports that the same command may work later: the server can't be reached.
	Later bool
	// OneTrip reports that the trip of a Resolution is not open to an answer.
	// The ledger is in order, and answers about other trips can be given.
	OneTrip bool
	// Err is what the operating system or the database said; nil for nothing.
	Err error
}

// NewError makes an Error of its code, what to do, and the reason, as fmt.Sprintf does.
func NewError(code, fix, reason string, args ...any) *Error {
	return &Error{Code: code, Reason: fmt.Sprintf(reason, args...), Fix: fix}
}

// Because gives the Error its cause and returns it.
func (e *Error) Because(err error) *Error {
	e.Err = err
	return e
}

// Error implements error.
func (e *Error) Error() string { return e.Reason }

// Advice gives Fix.
func (e *Error) Advice() string { return e.Fix }

// Unwrap gives Err, for errors.Is.
func (e *Error) Unwrap() error { return e.Err }
