package returned

import (
	"os"
	"path/filepath"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A SentTrip is a trip that results prove to be booked, to be one that may be, to be
// cancelled by a person, or to be one that a person answered to leave.
type SentTrip struct {
	// Input is the SHA-256 of the row's file, Sheet the name of its sheet, empty for
	// CSV, and Row the row's number there.
	Input, Sheet string
	Row          int
	seal.TripKey
}

// Sent returns the trips of the results that no run may send, as the rows were
// sealed: what a person changed since is not asked.
func (r *Results) Sent() []SentTrip { return r.sent }

// addSent adds the row's trips that no run may send.
func (r *Results) addSent(e *editedRow, in *seal.ShownInput) {
	for _, t := range e.key.Trips {
		if !t.OffRow && (t.State.Booked() || t.State == importer.Unknown || t.Left() || t.Cancelled()) {
			r.sent = append(r.sent, SentTrip{in.Hash, in.Sheet, e.key.Row, t})
		}
	}
}

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
}

// Traces returns those of the results files in a folder that a run of the ledger
// with that identity has written. A file that can't be read is none.
func Traces(folder, ledger string) []Trace {
	entries, _ := os.ReadDir(folder) // none where it can't be read
	var traces []Trace
	for _, entry := range entries {
		ext := strings.ToLower(filepath.Ext(entry.Name()))
		if ext != ".xlsx" && ext != ".csv" || !entry.Type().IsRegular() {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		f, err := openFile(path)
		if err != nil {
			continue
		}
		record, _, err := f.record()
		_ = f.close() // nothing was written
		if err == nil && record.Ledger == ledger {
			traces = append(traces, Trace{path, record.Run, record.Ledger, record.Number})
		}
	}
	return traces
}
