package app

import (
	"context"
	"errors"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/run"
	"tripimport/mapping"
)

// A Status says how a job ended. Its number is the exit status of the command; the
// README lists them.
type Status int

// How a job ends.
const (
	Done        Status = 0   // every trip booked, or booked earlier
	Unexpected  Status = 1   // unexpected failure
	NotSetUp    Status = 2   // usage, configuration, mapping or ledger; nothing sent
	FixRows     Status = 3   // finished; some rows to fix or refused
	NeedsPerson Status = 4   // finished; a person must act before the next pickup
	Later       Status = 5   // stopped early; a later run may help
	Blocked     Status = 6   // stopped early; a later run will not help
	Listed      Status = 8   // finished; a list for a person, nothing urgent
	BadInput    Status = 7   // the input can't be read, or is not the expected one
	Locked      Status = 11  // another run holds the ledger
	Interrupted Status = 130 // interrupted; what was in flight is recorded
)

// An Error says why a job ended without success. Reason is what is wrong and Fix
// what to do, in words for a dispatcher. Both are empty where the summary of the
// run has said it already.
type Error struct {
	Status      Status
	Reason, Fix string
}

// Error returns the reason.
func (e *Error) Error() string { return e.Reason }

// A ProgramError is a panic during a run: an error in the program itself. What
// was sent is recorded.
type ProgramError = run.ProgramError

// Usage returns the *Error of a job that was called wrongly or is not set up. Its
// status says that nothing was sent.
func Usage(fix, format string, args ...any) error {
	return &Error{Status: NotSetUp, Reason: fmt.Sprintf(format, args...), Fix: fix}
}

// StatusOf returns the status of a job that returned err.
func StatusOf(err error) Status {
	var (
		own       *Error
		input     *importer.InputError
		ledgerErr *ledger.Error
		findings  mapping.Findings
	)

	switch {
	case err == nil:
		return Done
	case errors.As(err, &own):
		return own.Status
	case errors.As(err, &input):
		return BadInput
	case errors.As(err, &ledgerErr) && ledgerErr.Locked:
		return Locked
	case errors.As(err, &ledgerErr), errors.As(err, &findings):
		return NotSetUp
	case errors.Is(err, context.Canceled):
		return Interrupted
	}
	return Unexpected
}

// statusOfRun returns the status of a run that ended in r. Where several hold,
// the order is: interrupted, blocked, later, a person now, rows to fix, a list.
func statusOfRun(r importer.RunResult) Status {
	t := r.Totals
	switch {
	case r.Interrupted:
		return Interrupted
	case r.Stop != nil && !r.Stop.Later:
		return Blocked
	case r.Stop != nil:
		return Later
	case t.Urgencies[importer.ActNow] > 0:
		return NeedsPerson
	case t.Urgencies[importer.ToSend] > t.Limited || t.Rows[importer.Invalid] > 0: // a row may have no trip
		return FixRows
	case t.Urgencies[importer.Listed] > 0 || t.RowsRead > 0 && t.Rows[importer.Skipped] == t.RowsRead:
		return Listed
	}
	return Done
}
