package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/run"
	"tripimport/mapping"
)

// The exit statuses; the README lists them.
const (
	exitDone        = 0   // every trip booked, or booked earlier
	exitUnexpected  = 1   // unexpected failure
	exitUsage       = 2   // usage, configuration, mapping or ledger; nothing sent
	exitMend        = 3   // finished; some rows to mend or refused
	exitLook        = 4   // finished; a person must look before the day starts
	exitLater       = 5   // stopped early; a later run may help
	exitBlocked     = 6   // stopped early; a later run will not help
	exitInput       = 7   // the input can't be read, or is not the expected one
	exitLocked      = 11  // another run holds the ledger
	exitInterrupted = 130 // interrupted; what was in flight is recorded
)

// A complaint ends a command with a status of its own. Reason says what is
// wrong and Fix what to do, for the person at the terminal; both may be empty
// where the summary has said it all.
type complaint struct {
	Status      int
	Reason, Fix string
}

func (c *complaint) Error() string { return c.Reason }

// usage is the complaint of a command that was called wrongly, or is not set
// up; nothing was sent.
func usage(fix, format string, args ...any) error {
	return &complaint{Status: exitUsage, Reason: fmt.Sprintf(format, args...), Fix: fix}
}

// exitCode is the one place where an error becomes a status.
func exitCode(err error) int {
	var (
		c     *complaint
		input *importer.InputError
		held  *ledger.Error
		wrong mapping.Findings
	)
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &c):
		return c.Status
	case errors.As(err, &input):
		return exitInput
	case errors.As(err, &held) && held.Locked:
		return exitLocked
	case errors.As(err, &held), errors.As(err, &wrong):
		return exitUsage
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitUnexpected
}

// complain says on standard error why a command failed, and what to do.
func complain(w world, err error) {
	var (
		c     *complaint
		input *importer.InputError
		held  *ledger.Error
		wrong mapping.Findings
		fault *run.ProgramError
	)
	switch {
	case err == nil:
	case errors.As(err, &c):
		say(w, c.Reason, c.Fix)
	case errors.As(err, &input):
		say(w, input.Error(), input.Fix)
	case errors.As(err, &held):
		say(w, held.Reason, held.Fix)
	case errors.As(err, &wrong):
		for _, f := range wrong {
			_, _ = fmt.Fprintf(w.Err, "%s\n", strings.TrimRight(f.Long(), "\n"))
		}
		say(w, "the mapping can't be used; nothing was sent", "mend the lines above")
	case errors.Is(err, context.Canceled):
		say(w, "interrupted", "")
	case errors.As(err, &fault):
		say(w, "a fault of the program itself; what was sent is recorded", "report it with the file "+w.keepStack(fault.Stack))
	default:
		say(w, err.Error(), "")
	}
}

// keepStack keeps where a fault of the program happened, for a report: a
// dispatcher is not to read it.
func (w world) keepStack(stack string) string {
	f, err := w.userFolders()
	if err == nil {
		err = private(f.Data)
	}
	path := filepath.Join(f.Data, "fault.txt")
	if err == nil {
		err = os.WriteFile(path, []byte(version()+"\n"+stack+"\n"), 0o600)
	}
	if err != nil {
		return "(which could not be written)"
	}
	return path
}

// say prints a reason and what to do about it. Standard error is the last
// resort, so a failure to write there has nowhere to go.
func say(w world, reason, fix string) {
	if reason != "" {
		_, _ = fmt.Fprintf(w.Err, "tripimport: %s\n", reason)
	}
	if fix != "" {
		_, _ = fmt.Fprintf(w.Err, "what to do: %s\n", fix)
	}
}

// outcome is the status of a finished run (design, section 3: 130 > 6 > 5 > 4 >
// 3).
func outcome(end importer.RunResult) int {
	t := end.Totals
	look := t.Trips[importer.Unknown] + t.Trips[importer.Changed] + t.Trips[importer.CancelledCreated] + t.HalfBooked + t.TooLate
	mend := t.Rows[importer.Invalid] + t.Rows[importer.Refused] + t.Rows[importer.NotSent] + t.Rows[importer.Held]
	switch {
	case end.Interrupted:
		return exitInterrupted
	case end.Stop != nil && !end.Stop.Later:
		return exitBlocked
	case end.Stop != nil:
		return exitLater
	case look > 0:
		return exitLook
	case mend > 0:
		return exitMend
	}
	return exitDone
}
