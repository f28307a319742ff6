package app

import (
	"sync"

	"tripimport/importer"
	"tripimport/importer/results"
)

// Events is how a job reports and asks while it runs. A job makes one call at a
// time, from any goroutine, in this order: Notice and Ask at any time; Start once,
// before anything is sent; then Row and Finding for each row in input order;
// Summary once. A job that fails before its run begins calls neither Row nor
// Summary.
type Events interface {
	// Start says what the files hold.
	Start(Start)
	// Notice says something that is not about one row: lower case, one sentence.
	// It holds no row content.
	Notice(text string)
	// Ask puts a question that only a person may answer with yes. It returns
	// false where nobody is there to answer. A question may have several lines. It
	// may show the rider ids that it is about, so it goes to a person alone, never
	// to a log.
	Ask(question string) bool
	// Row is called once for each row, when its trips have their outcomes.
	Row(importer.RowResult)
	// Finding is called for each problem of a row of a check, after Row.
	Finding(row importer.Row, p importer.Problem)
	// Summary reports the result of the run, after the results were written, or
	// could not be. Its error is the job's, unless the job has one already.
	Summary(*results.Summary) error
}

// A Start is what is known before the first trip is sent.
type Start struct {
	// File is the name of the first input, Files how many there are.
	File  string
	Files int
	importer.PlanSummary
	// Sends reports that the ledger was asked which trips are new; a check does
	// not ask.
	Sends bool
	// Rehearsal reports that nothing is really booked.
	Rehearsal bool
	// Today is the day that the job takes to be today, where that is not the
	// real one.
	Today importer.Date
}

// An oneAtATime makes one call of Events at a time. A question may be answered while other
// calls are made.
type oneAtATime struct {
	Events

	mu sync.Mutex
}

// Start implements Events.
func (e *oneAtATime) Start(s Start) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Events.Start(s)
}

// Notice implements Events.
func (e *oneAtATime) Notice(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Events.Notice(text)
}

// Row implements Events.
func (e *oneAtATime) Row(row importer.RowResult) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Events.Row(row)
}

// Finding implements Events.
func (e *oneAtATime) Finding(row importer.Row, p importer.Problem) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Events.Finding(row, p)
}

// Summary implements Events.
func (e *oneAtATime) Summary(s *results.Summary) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.Events.Summary(s)
}

// Silent is an Events that reports nothing and answers every question with no.
type Silent struct{}

// Start implements Events.
func (Silent) Start(Start) {}

// Notice implements Events.
func (Silent) Notice(string) {}

// Ask implements Events.
func (Silent) Ask(string) bool { return false }

// Row implements Events.
func (Silent) Row(importer.RowResult) {}

// Finding implements Events.
func (Silent) Finding(importer.Row, importer.Problem) {}

// Summary implements Events.
func (Silent) Summary(*results.Summary) error { return nil }
