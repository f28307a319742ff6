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

// A Status says how a job ended. Its number is the exit status of the command.
type Status int

// The statuses; Meaning describes them.
const (
	Done        Status = 0
	Unexpected  Status = 1
	NotSetUp    Status = 2
	FixRows     Status = 3
	NeedsPerson Status = 4
	Later       Status = 5
	Blocked     Status = 6
	BadInput    Status = 7
	Listed      Status = 8
	Locked      Status = 11
	Interrupted Status = 130
)

// Statuses returns every status, in the order of their numbers.
func Statuses() []Status {
	return []Status{Done, Unexpected, NotSetUp, FixRows, NeedsPerson, Later, Blocked, BadInput, Listed, Locked, Interrupted}
}

// Meaning describes the status; empty for a number that is no status.
func (s Status) Meaning() string {
	return map[Status]string{
		Done:        "every trip booked, or booked earlier (check: every row good): nobody needs to look",
		Unexpected:  "unexpected failure",
		NotSetUp:    "wrong usage, or a configuration, mapping or ledger that can't be used; nothing sent",
		FixRows:     "finished; some rows to fix or refused",
		NeedsPerson: "finished; a person must act before the list is next read: a trip that may be booked, answers that contradict each other, a trip to reinstate, a possible second car, a row that was deleted before it was booked; and a trip that is not in the service, or whose new time or place could not be sent, with its old or new pickup within three hours (at night before seen_by, 10:00 of the next working day)",
		Later:       "stopped early, a later run may help (service down, rate refused)",
		Blocked:     "stopped early, a later run will not help (token or access refused): something must be changed first",
		BadInput:    "the input can't be read, or is not the expected one; nothing of it sent",
		Listed:      "finished; a list for a person, nothing new that is urgent: cancel, change or look, everything left out, still open since an earlier run said 4",
		Locked:      "another run holds the ledger",
		Interrupted: "interrupted; what was in flight is finished and recorded first",
	}[s]
}

// StatusOrder explains, for help texts, which status a run gets if several apply.
const StatusOrder = "What needs a person at once gives 4 in one run only. While it stays open, later runs give 8, or 3 if the trip is not booked. What was answered, and booked trips whose time has passed, give nothing. If several statuses apply, it is the first of 130, 6, 5, 4, 3, 8. Any other number is a failure."

// An Error says why a job ended without success. Reason says what is wrong, and Fix what to
// do, in words for a dispatcher. Both are empty if the summary of the run said it already.
type Error struct {
	Status      Status
	Reason, Fix string
}

// Error returns the reason.
func (e *Error) Error() string { return e.Reason }

// Advice returns what to do.
func (e *Error) Advice() []importer.Advice { return []importer.Advice{{Text: e.Fix}} }

// A ProgramError is a panic during a run, which is an error in the program itself. What was
// sent before it is recorded.
type ProgramError = run.ProgramError

// Usage returns an *Error for a job that was called in a wrong way or is not set up. Its
// status, NotSetUp, promises that nothing was sent.
func Usage(fix, format string, args ...any) error {
	return &Error{Status: NotSetUp, Reason: fmt.Sprintf(format, args...), Fix: fix}
}

// usageStep is Usage with advice that a job of the program helps.
func usageStep(step importer.Advice, format string, args ...any) error {
	return importer.Advise(Usage("", format, args...), step)
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
	case errors.As(err, &ledgerErr) && ledgerErr.Later:
		return Later
	case errors.As(err, &ledgerErr), errors.As(err, &findings):
		return NotSetUp
	case errors.Is(err, context.Canceled):
		return Interrupted
	}
	return Unexpected
}

// statusOfRun returns the status of a run with the result r. If several statuses apply, the
// first of these counts: Interrupted, Blocked, Later, NeedsPerson, FixRows, Listed.
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
	case t.Urgencies[importer.ToSend] > t.Limited || t.Rows[importer.Fix] > 0 || t.HalfBooked > 0: // a row may have no trip
		return FixRows
	case t.Urgencies[importer.Listed] > 0 || t.RowsRead > 0 && t.Rows[importer.LeftOut] == t.RowsRead:
		return Listed
	}
	return Done
}
