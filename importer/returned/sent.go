package returned

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A SentTrip is a trip that results prove to be booked, to be one that may be, to be
// cancelled by a person, or to be one that a person answered to leave; or one that is still
// to be sent, which proves that nobody wants it left.
type SentTrip struct {
	// Input is the SHA-256 of the row's file, Sheet the name of its sheet, empty for
	// CSV, and Row the row's number there.
	Input, Sheet string
	Row          int
	seal.TripKey
}

// Sent returns the trips of the results that no run may send, and those that were sent in
// vain or wait to be sent, as the rows were sealed: what a person changed since is not
// asked.
func (r *Results) Sent() []SentTrip { return r.sent }

// addSent adds the row's trips of which the results prove something.
func (r *Results) addSent(e *editedRow, in *seal.ShownInput) {
	for _, t := range e.key.Trips {
		if !t.OffRow && (t.State.Booked() || t.State == importer.Unknown || t.Left() || t.Cancelled() || t.State.Missing()) {
			r.sent = append(r.sent, SentTrip{in.Hash, in.Sheet, e.key.Row, t})
		}
	}
}

// A ShownTrip is a trip as the results have it, with what the columns of its row say is
// wrong and how to fix it.
type ShownTrip struct {
	seal.TripKey
	Problem, Fix string
}

// A shownAt is a trip of a row: of the input with the number, as seal counts them.
type shownAt struct {
	sourceRow
	leg importer.Leg
}

// Shown returns a trip as the results have it: of the row with that number in the input
// with that name and sheet. It reports false if they have none.
func (r *Results) Shown(name, sheet string, row int, leg importer.Leg) (ShownTrip, bool) {
	t, ok := r.shown[shownAt{sourceRow{r.inputNumber(name, sheet), row}, leg}]
	return t, ok
}

// addShown adds the row's trips as the results have them.
func (r *Results) addShown(e *editedRow) {
	for _, t := range e.key.Trips {
		r.shown[shownAt{e.source(), t.Leg}] = ShownTrip{t, e.problem, e.fix}
	}
}

// OnTheirOwn returns the booked trips that the results list apart from the rows: those to
// cancel, and those that are gone from the schedule.
func (r *Results) OnTheirOwn() []seal.TripKey { return r.onTheirOwn }

// Lacks says in words which rows of their run the results don't have, so that they
// don't prove all that was booked; it is empty for results of all rows.
func (r *Results) Lacks() string {
	switch n := r.record.Rows - r.rows; {
	case r.record.Check:
		return "it comes from a check, and nothing was sent"
	case r.record.Partial:
		return "the rows that needed nothing were left out of it"
	case n > 0:
		return importer.Counted(n, "row was", "rows were") + " deleted from it"
	}
	return ""
}

// A Trace is what a results file says of its run before any row of it is read.
type Trace struct {
	Path string
	// Run is the run's id, Ledger the identity of its ledger, and Number the
	// ledger's number after the run; 0 for results of earlier programs.
	Run, Ledger string
	Number      int64
	// Rehearsal, Check and Morning say what kind of file it is.
	Rehearsal, Check, Morning bool
	// Unbooked reports that rows of it were not booked, and UnbookedUntil is their last day
	// of service; zero where it is not known.
	Unbooked      bool
	UnbookedUntil importer.Date
}

// TraceOf returns what a results file says of its run; false for a file that is none.
// Of results of another version it has the path alone.
func TraceOf(path string) (Trace, bool) {
	f, err := openFile(path)
	if err != nil {
		return Trace{}, false
	}
	record, _, err := f.record()
	_ = f.close() // nothing was written

	var version *seal.VersionError
	return Trace{path, record.Run, record.Ledger, record.Number, record.Rehearsal, record.Check, record.Morning, record.UnbookedRows > 0 || !record.Counted(), record.UnbookedUntil}, err == nil || errors.As(err, &version)
}

// Traces returns those of the results files in a folder, or of one file, that a run of
// the ledger with that identity has written. A file that can't be read is none.
func Traces(path, ledger string) []Trace {
	paths := []string{path}
	if entries, err := os.ReadDir(path); err == nil {
		paths = nil
		for _, entry := range entries {
			if entry.Type().IsRegular() {
				paths = append(paths, filepath.Join(path, entry.Name()))
			}
		}
	}

	var traces []Trace
	for _, path := range paths {
		ext := strings.ToLower(filepath.Ext(path))
		if ext != ".xlsx" && ext != ".csv" {
			continue
		}
		if trace, ok := TraceOf(path); ok && trace.Ledger == ledger && !trace.Morning {
			traces = append(traces, trace)
		}
	}
	return traces
}
