package app

import "time"

// Options say how a job is carried out. The zero value is a real run with
// everything that the settings say.
type Options struct {
	// Rehearsal sends to a sandbox inside the process, with a ledger of its own.
	Rehearsal bool
	// Access says what a check holds providers and funding sources against.
	Access AccessSource
	// Today takes that day (2026-12-01) to be today; empty for the real one. A
	// rehearsal takes the day before the first trip.
	Today string
	// ForDay refuses a file without trips on that day: a date, today or tomorrow.
	ForDay string
	// Limit sends that many rows and stops; 0 for no limit.
	Limit int
	// Output is where the results are written; empty for beside the input. It
	// must end as the format of the results does.
	Output string
	// Report is "html" where a page is written beside the results as well.
	Report string
	// FailedOnly leaves the rows that need nothing out of the results.
	FailedOnly bool
	// Redact writes results of ids and codes only.
	Redact bool
	// Yes answers every question with yes; Events.Ask is not called then.
	Yes bool
	// TokenStdin reads the token from Environment.Stdin.
	TokenStdin bool
	// LockWait is how long to wait for another run that holds the ledger.
	LockWait time.Duration
}

// An AccessSource is where a check gets the list of providers and funding
// sources from.
type AccessSource uint8

const (
	NoAccess     AccessSource = iota // names are not checked
	OnlineAccess                     // the service is asked
	SavedAccess                      // the last answer, as it was saved
)
