package results

import (
	"fmt"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A Morning lists what is still open from all runs, for the people who come in the
// morning.
type Morning struct {
	// Made is when the list was made.
	Made time.Time
	// Urgent is to be done before the next pickup, and Listed in the course of the day.
	// Both are in the order of the pickups.
	Urgent, Listed []OpenItem
	// NeverAnswered counts the items, from the day Since on, that were still open when
	// their trips began.
	NeverAnswered int
	Since         importer.Date
	// Lost are the runs whose open trips are not known. They are urgent.
	Lost []LostRun
	// Unsent are the trips of the schedules that were not sent by last call: trips to book and
	// trips to cancel. UnsentSchedules are the names of these schedules, and UnsentFile is the
	// workbook from which people phone the trips.
	Unsent          []OpenItem
	UnsentSchedules []string
	UnsentFile      string
	// Missing are the results that were not found where they were written.
	Missing []MissingResults
	// Written is the workbook; empty for none.
	Written string
}

// A LostRun is a run whose open trips are not known.
type LostRun struct {
	// Run is the run's id, Host the name of its machine, and File the name of its
	// schedule.
	Run  string `json:"run,omitempty"`
	Host string `json:"machine,omitempty"`
	File string `json:"file"`
	// Reason says why they are not known, and Fix what to do.
	Reason string `json:"reason"`
	Fix    string `json:"fix"`
}

// A MissingResults is a workbook of results that was not found where it was written. Host is the
// machine of its run.
type MissingResults struct {
	File string `json:"file"`
	Host string `json:"machine,omitempty"`
}

// String names the workbook in a sentence.
func (m MissingResults) String() string {
	return m.File + " is not where a run on " + m.Host + " wrote it: what people write in it is taken only when it is retried"
}

// Sort puts the items in the order of their pickups. Items without a time come last.
func (m *Morning) Sort() {
	sortItems(m.Urgent)
	sortItems(m.Listed)
}

// WriteWorkbook writes the list as a workbook in which people answer. If the path is
// taken, it uses a similar name; Written has the name. ledger is the identity of the
// ledger, after its last run, and key the key of its results.
func (m *Morning) WriteWorkbook(path, ledger, after string, key []byte) (err error) {
	record := seal.RunRecord{Morning: true, After: after, Run: "morning " + m.Made.UTC().Format("20060102T150405.000000000Z"), Ledger: ledger}
	m.Written, err = writeTables(path, seal.NewSealer(key, record.Run), func(w *workbook) {
		title := func(what string, items []OpenItem) string {
			return "To do " + what + ": " + importer.Counted(len(items), "trip", "trips") + ", as of " + m.Made.Format("Mon Jan 2, 2006 15:04") +
				". Write what you found, and your name, in the yellow cells, and save the file: the next run takes it."
		}
		w.writeItems("Before the next pickup", m.Urgent, append([]string{title(importer.ActNow.String(), m.Urgent)}, m.Unknown()...)...)
		w.writeItems("Through the day", m.Listed, append([]string{title(importer.Listed.String(), m.Listed)}, m.Past()...)...)
		w.beginHidden()
		w.writeRecord(&record)
	})
	return err
}

// Unknown says of which schedules it is not known what is open.
func (m *Morning) Unknown() []string {
	return importer.Each(m.Lost, func(lost LostRun) string {
		return lost.File + ": what is open in it is not known: " + lost.Reason + "; " + lost.Fix
	})
}

// Past says what was not answered in time, and which results are missing.
func (m *Morning) Past() (texts []string) {
	if m.NeverAnswered > 0 {
		texts = append(texts, fmt.Sprintf("since %s, %s begun before anybody answered", m.Since.Spoken(), importer.Counted(m.NeverAnswered, "trip has", "trips have")))
	}
	return append(texts, importer.Each(m.Missing, MissingResults.String)...)
}
