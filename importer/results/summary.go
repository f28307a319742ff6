package results

import (
	"slices"
	"time"

	"tripimport/importer"
)

// A Summary is the result of a run, in the order in which people need it. The workbook,
// the terminal and --json all show it. Its JSON is stable: fields may be added,
// but none changes its meaning. In JSON, states are codes, and instants are in RFC 3339
// with their zone.
type Summary struct {
	// Version is the version of the JSON: 1.
	Version int `json:"version"`
	// Kind is the command: import, retry or check.
	Kind string `json:"kind"`
	// Rehearsal reports that nothing was really booked, Check that nothing was
	// sent at all.
	Rehearsal bool `json:"rehearsal"`
	Check     bool `json:"check"`
	// Sentence says what happened.
	Sentence string `json:"sentence"`
	// Alarm says that the control total does not balance, which must not be overlooked.
	// It is empty if the total balances.
	Alarm string `json:"alarm,omitempty"`

	Run     string `json:"run,omitempty"`
	Ledger  string `json:"ledger,omitempty"`
	Program string `json:"program,omitempty"`
	// Started and Ended are when the run started and ended.
	Started time.Time          `json:"started"`
	Ended   time.Time          `json:"ended"`
	Input   importer.InputInfo `json:"input"`
	Mapping importer.InputInfo `json:"mapping"`

	// Rows and Trips count outcomes, the worst first. Balanced reports that the control
	// total balances: each sum is the number that was read.
	Rows     Tally `json:"rows"`
	Trips    Tally `json:"trips"`
	Balanced bool  `json:"balanced"`
	// HalfBooked counts rows.
	HalfBooked int `json:"half_booked"`

	// Urgent are the rows that need a person: half booked ones first, and last those that
	// need one only in the course of the day. It has the first thousand of each kind.
	// UrgentRows is the number of all such rows, and ListedRows the number of those that
	// need a person only in the course of the day.
	Urgent     []Item `json:"urgent"`
	UrgentRows int    `json:"urgent_rows"`
	ListedRows int    `json:"listed_rows"`
	// DeletedRows is the number of urgent rows that a person deleted from earlier results
	// before they were booked. They come first in Urgent, and are nowhere else in the
	// results.
	DeletedRows int `json:"deleted_rows,omitempty"`
	// Gone is the number of booked trips that are not in the schedule any more;
	// UrgentRows includes them.
	Gone int `json:"gone,omitempty"`
	// FixRows counts the rows to fix, WaitingRows those that wait for an answer, and
	// AgainRows those that another run may send as they are.
	FixRows     int `json:"fix_rows"`
	WaitingRows int `json:"waiting_rows"`
	AgainRows   int `json:"again_rows"`
	// toUpdate counts the trips that changed since they were booked and whose change can
	// be sent.
	toUpdate int
	// Problems and Notices are grouped by kind, the most frequent first.
	Problems []Group `json:"problems"`
	Notices  []Group `json:"notices"`

	// Stopped says why the run ended early.
	Stopped     *importer.Stop `json:"stopped,omitempty"`
	Interrupted bool           `json:"interrupted"`

	// Next are the steps to do now, in order.
	Next []Step `json:"next"`
	// Files are the names of the results files.
	Files []string `json:"files"`
	// Remarks are notes about the files themselves.
	Remarks []string `json:"remarks,omitempty"`
}

// A Tally counts outcomes.
type Tally struct {
	// Read is the number that the first pass counted, plus the booked trips that their
	// rows do not make any more. Sum is the number of outcomes.
	Read   int     `json:"read"`
	Sum    int     `json:"sum"`
	Counts []Count `json:"counts"`
}

// A Count is the number of rows or trips in one state. States without any are left out.
type Count struct {
	Code  string `json:"code"`
	Words string `json:"words"`
	N     int    `json:"n"`

	state importer.State
}

// An Item is a row that needs a person.
type Item struct {
	// Where is the row's address.
	Where string `json:"where"`
	Code  string `json:"code"`
	// TripID and GUID belong to the leg that is the cause, if they are known.
	TripID string `json:"trip_id,omitempty"`
	GUID   string `json:"guid,omitempty"`
	// Time is the trip's, wall clock: 2026-12-02 08:30.
	Time string `json:"time,omitempty"`
	// Why says what is wrong, Do what to do.
	Why string `json:"why"`
	Do  string `json:"do"`
}

// A Group is problems of one kind.
type Group struct {
	Code string `json:"code"`
	// Message is the first message, and Fix its fix.
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"`
	// Rows is the number of rows with such a problem, and Cell the address of the first.
	Rows int    `json:"rows"`
	Cell string `json:"cell"`
}

// A Step is one thing to do, with the command that does it if there is one.
type Step struct {
	Say     string `json:"say"`
	Command string `json:"command,omitempty"`
}

// addDeleted adds the deleted rows to those that need a person, before all others.
func (s *Summary) addDeleted(o *Options) {
	if len(o.Deleted) == 0 {
		return
	}

	var items []Item
	for _, row := range first(o.Deleted, maxItems) {
		if row.Row == 0 {
			continue // it is only counted
		}
		items = append(items, Item{
			Where: importer.Ref{Sheet: o.Input.Sheet, Row: row.Row}.String(), Code: "deleted",
			Why: "deleted from the results before it was booked", Do: fixDeleted,
		})
	}

	s.DeletedRows = len(o.Deleted)
	s.Urgent = append(items, s.Urgent...)
	s.UrgentRows += s.DeletedRows
	s.Sentence = s.sentence()
}

// fixDeleted says what to do about deleted rows.
const fixDeleted = "import the schedule again: it books what is missing, and nothing twice"

func tallyOf(read, sum int, counts [importer.StateCount]int) Tally {
	t := Tally{Read: read, Sum: sum, Counts: []Count{}}
	for s, n := range counts {
		if n > 0 {
			state := importer.State(s)
			t.Counts = append(t.Counts, Count{state.Code(), state.String(), n, state})
		}
	}
	return t
}

// counted returns the number of rows or trips in one of the states.
func (t Tally) counted(states ...importer.State) int {
	n := 0
	for _, c := range t.Counts {
		if slices.Contains(states, c.state) {
			n += c.N
		}
	}
	return n
}
