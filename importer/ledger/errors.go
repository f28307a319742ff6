package ledger

import (
	"errors"
	"fmt"

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
