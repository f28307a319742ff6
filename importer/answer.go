package importer

import "time"

// An Answer is what a person said about a trip or about a leg of a row that is not booked.
// It is the same in workbooks, in the list of the morning, at the terminal and on the page.
type Answer struct {
	// Trip is the number of the trip that the answer is about. If it is 0, the answer is
	// about the leg of the row with the number Row.
	Trip, Row int64
	Leg       Leg
	// Other is the trip that the question named, and Question the question; 0 and
	// NoQuestion if nothing was asked.
	Other    int64
	Question Question
	// Saw is the number of the last event in what the person was looking at, and Shown the
	// state in which the trip was shown.
	Saw     int64
	Shown   State
	Verdict Verdict
	// GUID is given with some verdicts; empty if it was not.
	GUID string
	// Pickup and Dropoff are as in Own, if the way of the leg is known. Places is the trip
	// of the leg if it is at hand, for an answer about its rider and places.
	Pickup, Dropoff string
	Places          *Trip
	// Day is the day of a trip that was not sent as the person saw it, who may have given it; zero if it is not known.
	Day Date
	// Own has the hashes of the leg as the workbook has it now, for an answer in a workbook; nil
	// for one given elsewhere.
	Own *Own
	// Apart reports that another row of the workbook has the row's id too.
	Apart bool
	// Proof reports that it is none of a person's: results of the run that sent the trip have the GUID that the
	// service gave it, which the ledger could not record.
	Proof bool
	// Again reports that the same was read before where it stands.
	Again bool
	// Note is any text of the person; empty for none. Ledgers keep it encrypted.
	Note string
	// Who and Host are the person and the machine, At is when the answer was given, and
	// Where names the place: a cell of the file In, a file alone, or "terminal".
	Who, Host, Where, In string
	At                   time.Time
}

// An Effect is what an Answer, or a proof from results, does to its subject. It is decided
// by the judge, and a ledger records it as an event.
type Effect struct {
	Answer Answer
	// Saw is compared with the ledger before anything is written: ErrMeanwhile.
	Saw []LastEvent
	// State is the trip's new state. Keep reports that it stays as it is. The GUID of the
	// answer, if it has one, becomes the trip's.
	State TripState
	Keep  bool
	// LookAfter is the trip's new one, also if it is zero. Seen and Sent are its new ones, and Begins is its new day and
	// time; they stay if they are zero. With ForRow alone, Begins has the day of the trip that the answer is about
	// if that is not the row's. Hold puts the trip on hold, and Release takes it off; with ForRow, it takes
	// away what is in doubt of the row's leg.
	LookAfter     time.Time
	Seen, Sent    Values
	Begins        DateTime
	Hold, Release bool
	// ChangeDone reports that the trip's open change is settled by the answer.
	ChangeDone bool
	// LacksGUID reports that the booked trip has no GUID again: what a person gave it is another one's.
	LacksGUID bool
	// Meant reports that the rider of the row's leg has several trips a day between its two
	// places: Own.Meant. Any other answer about a double booking withdraws that.
	Meant bool
	// ForRow reports that the answer is kept as a RowAnswer of the row with the number
	// Answer.Row, with the verdict Answer.Verdict.
	ForRow bool
	// Doubt is why the answer does not count, if there is any: it is kept without a verdict.
	Doubt Doubt
}

// Said returns the answer as it stands from the event with the number on.
func (e *Effect) Said(number int64) StandingAnswer {
	a := &e.Answer
	said := StandingAnswer{Verdict: a.Verdict, GUID: a.GUID, Event: number, Who: a.Who, At: a.At, Doubt: e.Doubt}
	if !e.Doubt.IsZero() {
		said.Verdict = NoVerdict
	}
	return said
}
