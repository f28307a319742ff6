package importer

import (
	"context"
	"iter"
)

// A Source is an input file, open for the length of a run. Its rows can be
// read any number of times, one reading at a time.
type Source interface {
	// Name is the file's name without its folder.
	Name() string
	// Hash is the SHA-256 of the file's bytes, in hex.
	Hash() string
	// Rows gives the data rows below the header, in order, blank rows left
	// out. A row is the reader's own until the next one; clone it to keep it.
	// An error ends the reading: nothing of the file may be sent. It is an
	// *InputError where the file is at fault.
	Rows() iter.Seq2[Row, error]
}

// An InputError says that a file can't be read, or is not what was expected.
type InputError struct {
	File string
	// At is where, as exactly as is known; empty for the file as a whole.
	At Ref
	// Reason says what is wrong and Fix what to do, for a dispatcher.
	Reason, Fix string
}

func (e *InputError) Error() string {
	s := e.File
	if at := e.At.String(); at != "" {
		s += ", " + at
	}
	return s + ": " + e.Reason
}

// A Placer finds coordinates for trips that come without.
type Placer interface {
	// Want takes note of a trip's addresses during the first pass.
	Want(*Trip)
	// Prepare looks up what was wanted, once for all, between the passes.
	Prepare(context.Context) error
	// Place fills in missing positions, and reports as a Problem of the trip
	// each that it can't. It is safe for concurrent use.
	Place(*Trip)
}

// A Checker holds trips against the rules. It adds Problems to them.
type Checker interface {
	// Note takes a row into account during the first pass, for the rules that
	// look across rows: the same id twice, the same journey under two ids.
	Note(*Mapped, *Rules)
	// Check applies every rule. A row that is an exact copy of an earlier one
	// gets its LeftOut set. It is safe for concurrent use, rows may come in any
	// order, and one that comes again is found the same.
	Check(*Mapped, *Rules)
}

// A Reporter is told what becomes of a run. Its calls come one at a time, rows
// in input order.
type Reporter interface {
	Start(RunStart) error
	Row(RowResult) error
	// End is called once, also for a run that was cut short.
	End(RunResult) error
}

// A RunStart is what is known before the first row has an outcome.
type RunStart struct {
	Run RunInfo
	// Ledger is its identity; empty for a check.
	Ledger string
	// Rehearsal reports that nothing is really booked; Check that nothing is
	// sent at all.
	Rehearsal, Check bool
	// Plan counts what the files hold.
	Plan PlanSummary
}

// An RunResult is how a run ended.
type RunResult struct {
	Totals Totals
	// Stop is why it ended early; nil where it did not.
	Stop *Stop
	// Interrupted reports that a person stopped it.
	Interrupted bool
}

// A PlanSummary is what the first pass found.
type PlanSummary struct {
	Rows, Trips int
	// Dates counts the trips of each day, in order.
	Dates []DateCount
	// Undated counts trips whose date could not be read.
	Undated int
	// New and Earlier count the trips that are not yet booked and those that
	// the ledger already has.
	New, Earlier int
}

// A DateCount counts the trips of a day.
type DateCount struct {
	Date  Date
	Trips int
}
