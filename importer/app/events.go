package app

import (
	"tripimport/importer"
	"tripimport/importer/results"
)

// Events receives what a job reports while it runs. A job makes one call at a time, from any
// goroutine. Start is called once, before anything is sent; then Row and Finding for each row in
// input order; then Summary once. Notice may be called at any time. A job that fails before its
// run begins calls neither Row nor Summary.
type Events interface {
	// Start says what the files hold.
	Start(Start)
	// Notice reports something that is not about one row. The text is one sentence in lower
	// case, without row content.
	Notice(text string)
	// Row is called once for each row, when its trips have their outcomes.
	Row(importer.RowResult)
	// Finding is called after Row for each problem that a check finds in the row.
	Finding(row importer.Row, p importer.Problem)
	// Summary reports the result of the run, after the results were written or could not
	// be written. Its error becomes the job's error, unless the job has one already.
	Summary(*results.Summary) error
}

// A Start says what is known before the first trip is sent.
type Start struct {
	// File is the name of the first input, and Files the number of inputs.
	File  string
	Files int
	importer.PlanSummary
	// Sends reports that the job sends trips, so that the ledger was asked which are new.
	Sends bool
	// Rehearsal reports that nothing is really booked.
	Rehearsal bool
	// Inputs are the sheets that are read, with their columns.
	Inputs []results.Input
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

// Finding implements Events.
func (Silent) Finding(importer.Row, importer.Problem) {}

// Summary implements Events.
func (Silent) Summary(*results.Summary) error { return nil }

// An eachRow is an Events that is only told of rows.
type eachRow struct {
	Silent

	each func(importer.RowResult)
}

// Row implements Events.
func (e eachRow) Row(row importer.RowResult) { e.each(row) }
