package app

import (
	"time"

	"tripimport/importer"
)

// Options say how a job runs. The zero value is a real run with the settings in
// force.
type Options struct {
	// Rehearsal sends to a sandbox inside the process, with a ledger of its own.
	Rehearsal bool
	// Access says what a check compares providers and funding sources with.
	Access AccessSource
	// Today is the day (2026-12-01) that the job takes to be today. Where it is
	// empty, a rehearsal takes the day before the first trip, any other job the
	// real day.
	Today string
	// ForDay is a date, "today" or "tomorrow": a file without trips on that day is
	// refused, and it is the day that the file has all trips of where its mapping says so.
	// Empty for any day.
	ForDay string
	// Limit ends the run after that many rows were sent; 0 for no limit.
	Limit int
	// Update has an import change booked trips as well, within the guards for runs that
	// nobody watches. DryRun has an update show what it would change, and send nothing.
	Update, DryRun bool
	// Plan is the id of the plan that a person agreed to; empty to ask.
	Plan string
	// Frozen asks about each trip that is too near to be changed without a phone call.
	Frozen bool
	// Output is the file that the results are written to; empty for a file beside
	// the input. Its extension must be that of the results' format.
	Output string
	// OutputFolder is the folder of that file instead of the input's. Output comes first.
	OutputFolder string
	// Days are the days of service that a file has all trips of, where its mapping says so
	// of its exports, as far as it has trips of them; nil for that of ForDay, or else the day with most of its trips.
	Days []importer.Date
	// Suspect books what is new in a file that is unlike those of other nights: no booked
	// trip is changed, and none is gone from the schedule.
	Suspect bool
	// Report is "html" where a page is written beside the results as well.
	Report string
	// FailedOnly leaves the rows that need nothing out of the results.
	FailedOnly bool
	// Redact writes only ids and codes to the results.
	Redact bool
	// Yes answers every question with yes; Events.Ask is not called then.
	Yes bool
	// LockWait is how long to wait while another run holds the ledger.
	LockWait time.Duration
}

// An AccessSource is where a check gets the list of providers and funding
// sources from.
type AccessSource uint8

// Where a check gets the access list from.
const (
	NoAccess     AccessSource = iota // names are not checked
	OnlineAccess                     // the service is asked
	SavedAccess                      // the last answer, as it was saved
)
