// Package judge decides what is done about each trip: it compares what a schedule wants with
// what the ledger knows. It is pure: it reads no file, no clock and no ledger, and its
// results depend on its arguments only.
//
// Every command asks it and has no rule of its own about identity, the newest schedule,
// answers or changes.
package judge

import (
	"time"

	"tripimport/importer"
)

// A Wanted is a row as its schedule, or a workbook of ours, has it now.
type Wanted struct {
	Row *importer.Mapped
	// Arrival is that of the schedule: for a row of a workbook, the one from which the
	// workbook was made.
	Arrival *importer.Arrival
	// Version is the version of the row's word that a workbook was made from. It is 0 for a
	// row that comes straight from a schedule.
	Version int64
	// Workbook reports that the row comes from a workbook of ours, where a person may have
	// fixed it: a value that only the workbook has is none of the schedule.
	Workbook bool
	// Mapping identifies the mapping, without its comments.
	Mapping string
}

// Options are what a run was told, and what it found about its file as a whole.
type Options struct {
	// Rules are the mapping's.
	Rules *importer.Rules
	// Now is the wall clock in the rules' zone, and At the same instant.
	Now importer.DateTime
	At  time.Time
	// SendChanges reports that changes are sent. Otherwise they are only listed.
	SendChanges bool
	// ManyBack reports that people are told in one sentence that many trips are as they are booked again.
	ManyBack bool
	// Confirmed reports that a person confirmed the changes of the plan: Guards do not
	// count.
	Confirmed bool
	// Guarded says why no change of the file is sent; empty if changes are sent. It comes
	// from Changes.Why.
	Guarded string
	// Freeze is how long before a booked trip begins its times, places, trip type and space
	// type are not changed any more without a person. If FreezeAt is not the zero
	// TimeOfDay, the freeze begins at that time of the evening before instead. A freeze of
	// 0 without FreezeAt is none.
	Freeze   time.Duration
	FreezeAt importer.TimeOfDay
}

// A Do is what a run does about a trip.
type Do uint8

// What a run does about a trip.
const (
	// Nothing: nothing is sent. The outcome says why.
	Nothing Do = iota
	// Send books it, once the leg before it is booked.
	Send
	// Change changes properties of it.
	Change
	// Enter records it as booked without sending it, because a person entered it in the
	// service.
	Enter
)

// A Decision is what the judge decides about one trip.
type Decision struct {
	// Leg is the index of the trip in the row, or -1 for a booked trip that the row does
	// not make.
	Leg int
	Do  Do
	// Trip is the trip as it stands, or nil if the ledger does not have it.
	Trip *importer.Standing
	// Outcome is what is known of the trip before anything is sent: its state, the question
	// and the reason. For Send it is what the trip has if it is not sent after all.
	Outcome importer.Outcome
	// Send are the keys of the properties to change, and ByHand those that a person has to
	// change. Frozen reports that some of ByHand are so only because of the freeze.
	Send, ByHand []string
	Frozen       bool
	// Shift is the number of minutes by which the trip begins later than it was booked, or by
	// which its appointment is later if it begins at the same time; 0 if no time differs.
	Shift int
	// OtherMapping reports that the mapping was changed since the trip was booked. Back reports that the schedule has the
	// trip as it is booked again.
	OtherMapping, Back bool
	// AddDay reports that the trip's id gets its day appended, because the id came again.
	AddDay bool
	// Problem is a notice or fault to be added to the trip; its Code is empty for none.
	Problem importer.Problem
	// Enter is the answer that says that a person entered the trip.
	Enter *importer.RowAnswer
}
