package importer

import (
	"context"
	"iter"
)

// A Placer finds coordinates for trips without them.
type Placer interface {
	// Want collects the addresses of a trip without coordinates, during the first
	// pass.
	Want(*Trip)
	// Prepare looks up all collected addresses, between the passes.
	Prepare(context.Context) error
	// Place sets the trip's missing positions, during the second pass. It adds a
	// Problem for each one that it does not find. It is safe for concurrent use.
	Place(*Trip)
}

// A Checker checks trips against the rules and adds Problems to them.
type Checker interface {
	// Note collects the values of a row for rules that compare rows, such as the rule
	// about trip ids that are used twice. It is called for every row during the first
	// pass, one call at a time.
	Note(*Mapped)
	// Check applies all rules to a row, during the second pass. It sets LeftOut in a row
	// that is a copy of an earlier one. It is safe for concurrent use, and may be called
	// for rows in any order and more than once, with the same result.
	Check(*Mapped, *Rules)
}

// A Reporter receives the results of a run. Its methods are called one at a time:
// Start, then Row for every row in input order, then End.
type Reporter interface {
	Start(RunStart) error
	// Row gets a row whose cells and trips are valid until it returns: a check uses their memory again.
	Row(RowResult) error
	// End is called once, also if the run ended early.
	End(RunResult) error
}

// EachRow is a Reporter that is only called for rows.
type EachRow func(RowResult) error

// Start implements Reporter.
func (EachRow) Start(RunStart) error { return nil }

// Row implements Reporter.
func (each EachRow) Row(row RowResult) error { return each(row) }

// End implements Reporter.
func (EachRow) End(RunResult) error { return nil }

// A RunStart is what is known of a run before the first row has an outcome.
type RunStart struct {
	Run RunInfo
	// Ledger is the ledger's identity; empty for a check.
	Ledger string
	// Rehearsal reports that nothing is really booked. Check reports that nothing
	// is sent.
	Rehearsal, Check bool
	// Plan counts the rows and trips of the files.
	Plan PlanSummary
}

// A RunResult is how a run ended.
type RunResult struct {
	Totals Totals
	// Stop is the reason for which the run ended early; nil if it did not.
	Stop *Stop
	// Interrupted reports that a person stopped the run.
	Interrupted bool
	// Gone are the booked trips that are not in the schedule any more. They are counted
	// in Totals.OffRow.
	Gone []TripResult
	// Urgent are the items of the trips that were urgent.
	Urgent []Item
}

// A PlanSummary counts what the first pass read.
type PlanSummary struct {
	// Rows and Trips are the numbers of all rows and trips, including those that are left
	// out.
	Rows, Trips int
	// Dates are the numbers of trips to be booked on each day, in order.
	Dates []DateCount
	// Untimed is the number of trips to be booked without a readable date or time.
	Untimed int
	// New is the number of trips to be booked that are not booked yet. Earlier is the
	// number of those that the ledger has as booked, and Unclear the number of those that
	// were sent and may be booked.
	New, Earlier, Unclear int
}

// ToBook returns the number of trips that are to be booked or were booked earlier: those
// that are not left out.
func (p *PlanSummary) ToBook() int {
	n := p.Untimed
	for _, d := range p.Dates {
		n += d.Trips
	}
	return n
}

// LeftOut returns the number of trips that are left out.
func (p *PlanSummary) LeftOut() int { return p.Trips - p.ToBook() }

// A DateCount is the number of trips on a day.
type DateCount struct {
	Date  Date `json:"date"`
	Trips int  `json:"n"`
}

// IsStray reports whether so few trips of a day are no schedule of it, in a schedule that has that many of another
// day: they begin after midnight, or have a wrong date.
func IsStray(trips, most int) bool { return 4*trips < most }

// A Source is an input file, open during a run. Its rows can be read several times,
// but not concurrently.
type Source interface {
	// Name returns the file's name without its folder.
	Name() string
	// Hash returns the SHA-256 of the file's bytes, in hex.
	Hash() string
	// Rows reads the rows below the header in order, without blank ones. A row's Cells
	// are valid until the next row; clone the row to keep it. After an error there are no
	// more rows, and nothing of the file may be sent. The error is an *InputError if
	// something is wrong with the file.
	Rows() iter.Seq2[Row, error]
}

// An InputError says why a file cannot be read, or is not the expected one.
type InputError struct {
	// File is the file's name.
	File string
	// At is the address of what is wrong, as exactly as it is known. It is zero for the
	// file as a whole.
	At Ref
	// Reason says what is wrong and Fix what to do, for a dispatcher.
	Reason, Fix string
}

// Error returns the file, the address and the Reason.
func (e *InputError) Error() string {
	s := e.File
	if at := e.At.String(); at != "" {
		s += ", " + at
	}
	return s + ": " + e.Reason
}

// Advice returns Fix.
func (e *InputError) Advice() []Advice { return []Advice{{Text: e.Fix}} }
