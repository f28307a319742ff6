package importer

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// A Ledger records which trips were sent and what the service answered. When a method
// returns without an error, what it wrote is durable. It is safe for concurrent use, and
// may commit concurrent calls together. It stores ids, dates, times and statuses in
// clear, and everything else of a row as keyed hashes. It stores the id of a trip with an
// Alias encrypted, and finds it by a keyed hash. Begin of a run with RowIDs.Private
// converts the ids that earlier runs of the broker stored in clear.
type Ledger interface {
	// Identity returns the ledger's own id, which results have too.
	Identity() string
	// Begin opens a run. End closes it with its totals and with the items that it
	// raised; how says in a few words how it ended.
	Begin(context.Context, RunInfo) error
	End(ctx context.Context, run string, t Totals, ended time.Time, how string, raised ...Item) error
	// Raised reports whether a run that has ended raised the item, and nobody has
	// answered about its attempt since.
	Raised(context.Context, Item) (bool, error)
	// Find returns the record of the trip's account and id, and false if there
	// is none. Record.Differs has the properties that differ from the trip's.
	Find(ctx context.Context, account Account, trip *Trip) (Record, bool, error)
	// CheckRowIDs reports whether the ledger knows the broker. If trips of the broker are
	// booked for from or later, it returns an error if the mapping makes row ids from
	// other columns than before, because the ledger would not recognize the rows. Begin
	// records the ids.
	CheckRowIDs(ctx context.Context, ids RowIDs, from Date) (known bool, err error)
	// RowTrips returns the trips of the row that are booked or may be booked, under any
	// trip id and account of the service, however many trips the row made when they were
	// booked. MatchLegs matches them to the row's trips.
	RowTrips(ctx context.Context, service string, row *Mapped) (RowTrips, error)
	// TripsOfID returns the records that are booked or may be booked and have the trip
	// id, under any account of the service.
	TripsOfID(ctx context.Context, service, tripID string) ([]Record, error)
	// TripsOfRider returns the records that are booked or may be booked and have the
	// rider and the date of the trip. It reads all trips of the day.
	TripsOfRider(ctx context.Context, service string, trip *Trip) ([]Record, error)
	// Respelt returns the records of trips that are booked or may be booked, have the
	// date of the trip, and come from rows of the same broker whose id differs from the
	// key's only in its spelling (IDSpellings). If the trip has a rider, the records have
	// the rider or the places of the trip, because a program that strips the zeros of a
	// trip id may strip those of the rider id too. On the other days of
	// RowKey.RespeltDays they have the rider of the trip.
	Respelt(ctx context.Context, service string, key RowKey, trip *Trip) ([]Record, error)
	// SameDay returns the records that are booked or may be booked and have the
	// rider, the pickup, the dropoff and the date of the trip, at whatever time.
	SameDay(ctx context.Context, account Account, trip *Trip) ([]Record, error)
	// RowMarks returns the values that Record.RowMark may have for trips of the row.
	// There are none if the row has no id, and several if older trips were stored with
	// another mark.
	RowMarks(key RowKey) []string
	// Similar returns the records that are booked or may be booked, and may be the same
	// trip under another id or account: those for which Identity.MayBe(…, within) holds.
	// They are in the order in which they were claimed.
	Similar(ctx context.Context, account Account, trip *Trip, within int) ([]Record, error)
	// Lacks reports that the ledger has nothing about a row and its trips, each under its
	// account: RowTrips, Find, Respelt, Similar and SameDay would find nothing, and
	// Decided would find no answer about a trip of the row that is not booked. It costs
	// no more than one of them. It may report false although they find nothing.
	Lacks(ctx context.Context, row *Mapped, accounts []Account, within int) (bool, error)
	// Decided returns the last answer of a person about the decision's subject, or
	// NoVerdict if there is none.
	Decided(context.Context, Decision) (Verdict, error)
	// DecidedBefore returns the verdict that Decided returned, or would have returned, when
	// the ledger was last asked about any decision, at the earliest when the run began. It
	// does not ask the ledger, which may be away.
	DecidedBefore(Decision) Verdict
	// Claim records that the trip is about to be sent. The caller sends the trip at once
	// after it. Claim returns ErrClaimed if the trip must not be sent because it is
	// booked, unknown, or claimed by another run. It returns ErrOutdated if Claim.Look is
	// out of date; the caller then asks the ledger again.
	Claim(context.Context, Claim) (Claimed, error)
	// Settle records what came of a claimed attempt. It returns ErrGUIDTaken if
	// another trip has the GUID, and then writes nothing.
	Settle(context.Context, Claimed, Settlement) error
	// ClaimChange records that properties of a booked trip are about to be changed, with
	// keyed hashes of their new values. The caller sends them at once after it. It
	// returns ErrClaimed if they must not be sent: if the trip is not booked, was
	// cancelled or is held by a person, if the attempt is not the one that counts, or if
	// another change of the trip is being sent or was sent since ChangeClaim.Seen.
	ClaimChange(context.Context, ChangeClaim) (ClaimedChange, error)
	// SettleChange records what came of a claimed change: Updated, ChangeRefused,
	// ChangeUnknown or NotSent. After Updated, the new values of the properties that were
	// sent count as booked; the other properties stay as they were.
	SettleChange(context.Context, ClaimedChange, Settlement) error
	// NoteSchedule records the values that the schedule has for a trip that is not
	// booked. If a person fixes them in the results and a retry (RunInfo.Command) books
	// the trip, the schedule's old values do not count as a change later: Record.Fixed.
	// An import books the values that the schedule has then, so the record does not apply
	// to it. The trip is identified by its row and leg; without a row id nothing is
	// recorded.
	NoteSchedule(ctx context.Context, key RowKey, trip *Trip) error
	// NoteChange records the values that the schedule has for a booked trip with other
	// values. If a person answers that the trip was changed by hand to values that only
	// the results have, the schedule must not change it back: the trip is Held then.
	NoteChange(ctx context.Context, key RowKey, trip *Trip) error
	// ForgetLeft withdraws a person's answer that the booked trip of the attempt stays
	// although it is not in the schedule: the Decision about Other alone. It is called
	// when the schedule has the trip again. If the trip disappears once more, a person is
	// asked again.
	ForgetLeft(ctx context.Context, attempt int64) error
	// TripsOfDay returns the records of the day that are booked or may be booked in
	// the service, come from rows of the broker, and have one of the pairs, in the
	// order of their times.
	TripsOfDay(ctx context.Context, service, broker string, day Date, pairs []Pair) ([]Record, error)
}

// UnderWay is how long after a claim its request may still arrive at the service. It is
// well over the time-out of a request.
const UnderWay = 15 * time.Minute

// StartWithin limits, by the wall clock, the time from a claim to the call of the
// Service, and the time from that call until the request begins to leave. A request that
// is later, for example because the computer slept, is not sent: with a shared ledger,
// another office may have found meanwhile that the trip is not in the service, and sent
// it.
const StartWithin = time.Minute

// Errors that a Ledger returns in normal operation.
var (
	ErrClaimed   = errors.New("the trip is booked, unknown, or being sent by another run")
	ErrOutdated  = errors.New("another run booked a trip that may be this one, or a person left it, since the ledger was asked")
	ErrGUIDTaken = errors.New("another trip has this GUID")
)

// An Account is where a trip is booked: a provider in a service.
type Account struct {
	// Service is the service's canonical address. It is compared byte by byte, so
	// another spelling of the address is another service, and a trip could be
	// booked twice.
	Service string
	// Provider is the provider's name.
	Provider string
	// Key is the provider's API key. The ledger stores a keyed hash of it. It may be
	// empty in a query: the provider's name then identifies the account.
	Key Secret
}

// A RunInfo describes a run.
type RunInfo struct {
	ID      string
	Started time.Time
	// Command is the command's name: import, update, retry or ImportRehearsed.
	Command string
	// Inputs are the input files.
	Inputs []InputInfo
	// Mapping is the mapping's name, MappingHash the SHA-256 of its text in hex.
	Mapping, MappingHash string
	// RowIDs says how the mapping makes row ids.
	RowIDs RowIDs
	// Schedules are those of the inputs. A ledger keeps the latest stamp of each
	// broker, pair and day.
	Schedules []Schedule
	// Who and Host are the names of the user and the machine.
	Who, Host string
	// Version is the version of the program.
	Version string
}

// ImportRehearsed is the command of a run that imports the results of a rehearsal.
const ImportRehearsed = "import of a rehearsal"

// Edited reports that the rows come from results, in which people may have changed them,
// so that what is booked may differ from the schedule.
func (r *RunInfo) Edited() bool { return r.Command == "retry" || r.Command == ImportRehearsed }

// A Schedule describes an input: the days of its trips to be booked, and their providers
// and funding sources. Input is the SHA-256 of its bytes in hex. Stamp is when the input
// was made, or zero if that is not known.
type Schedule struct {
	Input string
	Days  []Date
	Pairs []Pair
	Stamp time.Time
}

// An InputInfo has the name of an input file, without its folder, and the SHA-256
// of its bytes in hex.
type InputInfo struct{ Name, Hash string }

// A Claim is the intent to send one trip.
type Claim struct {
	Run     string
	Account Account
	Trip    *Trip
	// Key is the key of the trip's row. The claim is refused while another trip of the
	// row is booked or may be booked and LegsCollide.
	Key RowKey
	// Within is the limit of Identity.MayBe in minutes. The claim is refused while
	// another trip for which MayBe holds is booked or may be booked. 0 switches the rule
	// off.
	Within int
	// Input is the SHA-256 of the file of the row, in hex, and Row the row's number
	// there. The same leg of the same row is not created twice, whatever its trip id.
	Input string
	Row   int
	// MappingHash is the SHA-256 of the mapping's text, in hex.
	MappingHash string
	// Look is what the ledger had beside the trip when it was asked. It is nil for a trip
	// that is booked regardless of the others.
	Look *Look
	// At is when the claim is made.
	At time.Time
}

// A Look is what a ledger had beside a trip when it was asked, before the wait for the
// service. Offices that share a ledger may book more trips meanwhile. The claim is
// outdated if another run booked a trip on the day that Respelt finds, or that SameDay
// finds if it was asked.
type Look struct {
	// Found are the attempts of the trips that were found and do not prevent this
	// booking.
	Found []int64
	// SameDay reports that SameDay was asked.
	SameDay bool
}

// A Claimed is a granted claim. It is settled once.
type Claimed struct{ Attempt int64 }

// A ChangeClaim is the intent to change properties of one booked trip.
type ChangeClaim struct {
	Run string
	// Attempt is the attempt that booked the trip: Record.Attempt.
	Attempt int64
	// Trip has the new values, and Keys are the keys (Property.Key) of those that
	// are sent.
	Trip *Trip
	Keys []string
	// Input is the SHA-256 of the file of the row, in hex, and Row the row's number
	// there.
	Input string
	Row   int
	// Seen is the Record.Revision from which the change was decided. The claim is refused
	// if the trip has another revision now. nil allows any.
	Seen *Revision
	// MappingHash is as in Claim. Once the change is Updated, the trip's Record has it.
	MappingHash string
	// At is when the claim is made.
	At time.Time
}

// A ClaimedChange is a granted ChangeClaim. It is settled once. Changes have numbers
// of their own, which grow.
type ClaimedChange struct{ Number int64 }

// A Settlement is what came of a claimed attempt.
type Settlement struct {
	// State is Created, Refused, Unknown or NotSent. For a change it is one of the states
	// that Ledger.SettleChange lists.
	State State
	// GUID is the trip's, if it was created. GUIDMissing reports that it was
	// created and the service did not give its GUID.
	GUID        string
	GUIDMissing bool
	// HTTPStatus is the status of the answer, 0 without an answer.
	HTTPStatus int
	// Code is Answer.Code, which has no row content.
	Code string
	// At is when the answer came.
	At time.Time
}

// CodeBookedByHand is the Settlement.Code of a trip that a person entered in the
// service: it was never sent, and nobody asks for its GUID.
const CodeBookedByHand = "booked_by_hand"

// A Record is what the ledger has about a trip.
type Record struct {
	TripID string
	// Alias is shown in place of TripID everywhere except in results. It is empty unless
	// the id tells who the rider is.
	Alias   string
	Account Account // without its Key
	Date    Date    // the day of service
	// Time is when the trip begins.
	Time DateTime
	Leg  Leg
	// State is Created, Refused, Unknown or NotSent. A claim that was never
	// settled is Unknown.
	State       State
	GUID        string
	GUIDMissing bool
	// Answered reports that a person, not the service, said that the trip is booked, or
	// gave its GUID. For an Unknown trip it reports that a person said too early that the
	// trip is not there: a later run sends it.
	Answered bool
	// Cancelled reports that a person cancelled the booked trip in the service.
	// Its State stays Created.
	Cancelled bool
	// RowMark identifies the broker and the row of the trip: Ledger.RowMarks. It is empty
	// if they are not known.
	RowMark string
	// Attempt is the number of the attempt that counts. Answers refer to it.
	Attempt int64
	// InFlight reports that a run in progress is sending the trip now.
	InFlight bool
	// HTTPStatus and Code are from the last Settlement.
	HTTPStatus int
	Code       string
	// Run is the id of the run that claimed the trip last. Attempts is the number of
	// claims by all runs.
	Run      string
	Attempts int
	// ClaimedAt and SettledAt are the times of the last claim and of its
	// settlement; SettledAt is zero if it was never settled.
	ClaimedAt   time.Time
	SettledAt   time.Time
	MappingHash string
	// Differs are the keys of the properties (Property.Key) in which the trip of the
	// query differs from what was last sent; nil if there are none. A property that is
	// OfBoth can differ only if both have it.
	Differs []string
	// OtherTrip reports that the rider, the service date or the funding source
	// differs: the id seems to have been used for another trip.
	OtherTrip bool
	// Fixed are the keys of the properties in which the trip of the query still has what
	// the schedule had before a person fixed them in the results: Ledger.NoteSchedule.
	// They are not in Differs.
	Fixed []string
	// Held reports that a person put the trip on hold: it must not be changed. Copied
	// reports that the ledger is an older copy that was adopted since the trip was
	// booked, so it may not know of a hold.
	Held, Copied bool
	// Change is the last change of the trip, if the service refused it or nothing proves
	// that it arrived. It is nil otherwise, and once a person answered about it.
	Change *ChangeRecord
	// Revision differs later if the trip was changed or a person answered about it.
	Revision Revision
}

// A Revision numbers the values of a trip that count as booked, and its last open change.
// It differs whenever one of them does.
type Revision struct{ Accepted, Change int64 }

// A ChangeRecord is what the ledger has about the last change of a trip.
type ChangeRecord struct {
	// State is ChangeRefused or ChangeUnknown. A change that was never settled is
	// ChangeUnknown.
	State State
	// Keys are the keys of the properties that were sent. Same reports that the trip of
	// the query has the values that were sent.
	Keys []string
	Same bool
	// InFlight reports that a run in progress is sending the change now.
	InFlight bool
	// ClaimedAt is when the change was claimed, and Code is its Settlement.Code.
	ClaimedAt time.Time
	Code      string
}

// RowTrips are the trips of one row as the ledger has them.
type RowTrips struct {
	// Matched has, for each trip of the row, the record of the booked trip that it is, or
	// nil. Unclear has the record of a booked trip that it may be, or nil.
	Matched, Unclear []*Record
	// Dropped are the booked trips that the row does not make any more.
	Dropped []Record
}

// ListedID returns the trip's id as it is shown everywhere except in results.
func (r Record) ListedID() string { return cmp.Or(r.Alias, r.TripID) }

// Taken reports whether the trip is booked or may be booked, so that it must not
// be sent.
func (r Record) Taken() bool { return r.State == Created || r.State == Unknown }
