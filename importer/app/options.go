package app

import (
	"context"
	"time"

	"tripimport/importer"
	"tripimport/importer/results"
)

// Options says how a job runs. The zero value is a real run with the settings in force.
type Options struct {
	// Rehearsal sends to a sandbox inside the process, with a ledger of its own.
	Rehearsal bool
	// Online has a check ask the service about providers and funding sources, and Saved has it compare
	// them with the service's last answer, if there is one.
	Online, Saved bool
	// Today is the day (2026-12-01) that the job takes to be today. If it is empty, a
	// rehearsal takes the day before that of most trips, or before the first day of a schedule of
	// several, and any other job the real day.
	Today string
	// ForDay is a date, "today" or "tomorrow"; empty for any day. A file without trips on
	// that day is refused. If the mapping says that its exports are complete, it is also the
	// day of which the file has all trips.
	ForDay string
	// Limit ends the run after that many rows were sent; 0 for no limit.
	Limit int
	// Output is the file that the results are written to; empty for a file beside the input.
	// Its extension must be that of the results' format.
	Output string
	// OutputFolder is the folder for the results instead of the input's; Output overrides it.
	OutputFolder string
	// Days are the service days of which a file has all trips, if it has trips of them and its
	// mapping says that its exports are complete. Nil means the day of ForDay, or else the day
	// with the most trips.
	Days []importer.Date
	// Suspect is for a file that is unlike those of other nights: new trips are booked, but no
	// booked trip is changed or counts as gone from the schedule.
	Suspect bool
	// Parts are the files of the command if there are several: they may be parts of one schedule, and
	// none of them has all trips of its days, whatever its mapping says.
	Parts []string
	// SeenBy is when people will have seen what the job lists; zero for three hours from now,
	// which is for somebody at a terminal.
	SeenBy time.Time
	// Redact writes only ids and codes to the results.
	Redact bool
	// Attended reports that a person started the job, who saw its plan and can be asked.
	Attended bool
	// Planning gets the plan of an import or a retry that is not to be run. Nothing is sent then, and
	// nothing recorded but the answers that people wrote into workbooks.
	Planning *Plan
	// Plan is the ID of the plan that a person saw; empty without one. Agreed are the IDs of
	// its Asks that were answered with yes: any other question is answered with no.
	Plan   string
	Agreed []string
	// Abandon ends if a person wants the job to stop at once. Without it, a job that is
	// interrupted finishes the rows that are under way, both legs. nil for never.
	Abandon context.Context //nolint:containedctx // the second of two ways to stop
	// Fixes are cells of the schedules that a person fixed at a page, or in a list.
	Fixes []Fix
	// NoResults keeps a check from writing results, and lists beside them.
	NoResults bool
	// LockWait is how long to wait for another run that holds the ledger.
	LockWait time.Duration
	// Waiting is told what the job waits for, one text at a time and without row content; nil for
	// Events.Notice.
	Waiting func(text string)

	// looks remembers what the ledger had of the rows of a check; nil for not.
	looks *looks
}

// Events receives what a job reports while it runs. A job makes one call at a time, from any
// goroutine. Start is called once, before anything is sent; then Row for each row in input order; then
// Summary once. Notice may be called at any time. A job that fails before its run begins calls
// neither Row nor Summary.
type Events interface {
	// Start says what the file holds.
	Start(Start)
	// Notice reports something that is not about one row. The text is one sentence in lower
	// case, without row content.
	Notice(text string)
	// Row is called once for each row, when its trips have their outcomes. Its cells and trips are valid until it
	// returns.
	Row(importer.RowResult)
	// Summary reports the result of the run, after the results were written or could not
	// be written. Its error becomes the job's error, unless the job has one already.
	Summary(*results.Summary) error
}

// A Start says what is known before the first trip is sent.
type Start struct {
	// File is the name of the input.
	File string
	importer.PlanSummary
	// Sends reports that the job sends trips, or repeats what one sent, so that the ledger was asked which are new.
	Sends bool
	// Rehearsal reports that nothing is really booked.
	Rehearsal bool
	// Input is the sheet that is read, with its columns.
	Input results.Input
	// Today is the day that the job takes to be today; zero for the real one.
	Today importer.Date
}

// Silent is an Events that reports nothing.
type Silent struct{}

// Start implements Events.
func (Silent) Start(Start) {}

// Notice implements Events.
func (Silent) Notice(string) {}

// Row implements Events.
func (Silent) Row(importer.RowResult) {}

// Summary implements Events.
func (Silent) Summary(*results.Summary) error { return nil }

// An eachRow is an Events that is only told of rows.
type eachRow struct {
	Silent

	each func(importer.RowResult)
}

// Row implements Events.
func (e eachRow) Row(row importer.RowResult) { e.each(row) }
