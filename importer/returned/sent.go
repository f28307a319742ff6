package returned

import (
	"errors"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A SentTrip is a trip for which results prove a state that a ledger may lack: it is
// booked, it may be booked, a person cancelled it, or a person answered to leave it. A
// trip that is still to be sent is one too: it proves that nobody answered to leave it.
type SentTrip struct {
	Row int // the row's number in the input
	seal.TripKey
}

// addSent adds the row's SentTrips.
func (r *Results) addSent(e *editedRow) {
	for _, t := range e.key.Trips {
		if !t.OffRow && (t.State.Booked() || t.State == importer.Unknown || t.Left() || t.Cancelled() || t.State.Missing()) {
			r.Sent = append(r.Sent, SentTrip{e.key.Row, t})
		}
	}
}

// Lacks says in words why the results do not prove everything that their run booked. It
// is empty for results that have all rows of a run.
func (r *Results) Lacks() string {
	switch n := r.Rows - r.rows; {
	case r.Check:
		return "it comes from a check, and nothing was sent"
	case n > 0:
		return importer.Counted(n, "row was", "rows were") + " deleted from it"
	}
	return ""
}

// A Trace is what a results file says about its run, before its record is proved. The Run of a list is the last
// run before it.
type Trace struct {
	seal.RunRecord

	Path string
	// Lost reports that the file has the headers of results or of a list, and not the record.
	Lost bool
	// Unreadable is why the file can't be opened; nil if it can.
	Unreadable error
}

// TraceOf returns the trace of a results file. It reports false for a file that is no
// results file, or that has lost its record.
func TraceOf(path string) (Trace, bool) {
	f, err := openFile(path)
	if err != nil {
		return Trace{Path: path, Unreadable: err}, false
	}
	defer func() { _ = f.close() }() // only read from

	record, err := f.record()
	if errors.Is(err, seal.ErrNoRecord) {
		return Trace{Path: path, Lost: f.isLost()}, false
	}
	if record.Morning {
		record.Run = record.After
	}
	return Trace{RunRecord: record, Path: path}, err == nil
}
