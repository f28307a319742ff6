package ledger

import (
	"context"
	"iter"
	"time"

	"tripimport/importer"
)

// A Ledger is an office's ledger, open: importer.Ledger, which a run needs, and
// what the other jobs ask it. It is safe for concurrent use. One that was opened
// with Options.ReadOnly refuses with an *Error whatever would write.
//
// Errors of the ledger itself are *Error. A method that reads returns ctx.Err()
// where ctx has ended.
type Ledger interface {
	importer.Ledger

	// Number grows with whatever is written to the ledger and never goes back: a
	// copy with a smaller number lacks something. What was returned without an
	// error is in it.
	Number() int64
	// Location says for a person where the ledger is: the path of a file, or a
	// server and its database. It holds no password.
	Location() string
	// Key gives a key of 32 bytes, derived from the ledger's hash key for a
	// purpose of the caller's. It is the same whenever the ledger is opened, and
	// tells nothing about the keys for other purposes.
	Key(purpose string) []byte

	// CheckAccounts proves that each provider has the key under which the ledger
	// knows it. A provider with another key would have none of its trips booked
	// as far as the ledger can tell, so that is an *Error. Call it once the access
	// operation has given the keys, before anything is sent. A provider that has
	// a new name and its old key is known by the new name from then on.
	CheckAccounts(ctx context.Context, accounts []importer.Account) error
	// Rekey takes the account's key as the new one of the provider of that name:
	// its trips stay booked. Where the provider had another name, was names it;
	// otherwise it is empty. It is for a person who has made sure that the
	// service changed the key. Who did it and when are recorded.
	Rekey(ctx context.Context, account importer.Account, was string, by Person) error
	// SeparateProvider records that a provider is new: none that the ledger knows
	// by another name.
	SeparateProvider(ctx context.Context, account importer.Account, by Person) error

	// CheckMoved refuses, with an *Error, accounts that may be known ones under
	// another address or name, whose trips would all be booked again: those at
	// an address of which nobody has said whether it is the service where trips
	// are booked for today or later, and new providers of a service where such
	// trips are booked under a provider that access does not list, neither by its
	// name nor by its key. Call it like CheckAccounts, and after it.
	CheckMoved(ctx context.Context, accounts []importer.Account, access importer.Access, today importer.Date) error
	// Service gives the address by which records name the service at an address:
	// the one where it was first known.
	Service(ctx context.Context, address string) (string, error)
	// Ahead gives trips of the service at an address that are booked, or may be,
	// for the day or later: those with a GUID first, and then the earliest, as
	// many as limit at most. They are for a person who finds out whether the
	// service moved.
	Ahead(ctx context.Context, address string, from importer.Date, limit int) ([]Entry, error)
	// Link records that an address is the one of the known service as well: trips
	// that were sent to one of its addresses are booked for all of them. It is
	// for a person who has found a trip of the one at the other. Who did it and
	// when are recorded. Separate takes it back.
	Link(ctx context.Context, known, address string, by Person) error
	// Separate records that an address is that of another service than all those
	// known: only trips that were sent to that address are booked there, also
	// where it was linked before. Who did it and when are recorded.
	Separate(ctx context.Context, address string, by Person) error

	// FindRow gives the record of the trip that the same row and leg of the same
	// input made and that may be booked, whatever its trip id: the reason for an
	// importer.ErrClaimed of a trip that Find does not know. Service is the address
	// by which records name the service, empty for any. Input is the file's
	// SHA-256.
	FindRow(ctx context.Context, service, input string, trip *importer.Trip) (importer.Record, bool, error)
	// NewRider reports whether the run was the first to try a trip of the rider
	// under the account, whatever came of it. A rider of whom no trip was ever
	// tried is not new, and neither is an empty id. Ids are compared as they
	// stand. A provider's new name or key makes no rider new.
	NewRider(ctx context.Context, run string, account importer.Account, riderID string) (bool, error)

	// Hold records that a person wants nothing of a booked trip changed, because it
	// was changed in the service itself, or that changes may be sent again.
	Hold(ctx context.Context, attempt int64, hold bool, by Person) error
	// LatestStamp gives the latest Stamp of a schedule of the run's broker that had
	// trips of one of the pairs on one of the days of s; zero for none. Those of the
	// run's own inputs do not count.
	LatestStamp(ctx context.Context, info importer.RunInfo, s *importer.Schedule) (time.Time, error)

	// Runs gives the latest runs, newest first; all of them where limit is 0.
	Runs(ctx context.Context, limit int) ([]Run, error)
	// Run gives the run of that id; ErrNoRun where there is none.
	Run(ctx context.Context, id string) (Run, error)
	// Trips gives the trips that a run claimed, in the order of their claims,
	// each as its last attempt of that run left it and as a person answered
	// since. An attempt without a settlement is importer.Unknown. The trips are
	// read as they are asked for; other calls may be made meanwhile.
	Trips(ctx context.Context, run string) iter.Seq2[Entry, error]

	// NoteSlot records something that came of a slot of a night.
	NoteSlot(ctx context.Context, e SlotEvent) error
	// SlotEvents gives what was noted of slots at or after an instant, in the order in
	// which it was noted.
	SlotEvents(ctx context.Context, from time.Time) ([]SlotEvent, error)

	// Histories gives what is known of the trips that the search finds, by day of
	// service and time. They are read as they are asked for, as they were at one
	// instant; other calls may be made meanwhile.
	Histories(ctx context.Context, s Search) iter.Seq2[History, error]
	// Verify reads the whole ledger: that its file is whole, that every attempt has
	// an answer or waits for a person, that no two trips have one GUID, and that what
	// each run booked and changed is in its control total.
	Verify(ctx context.Context) (Verification, error)

	// Unresolved gives the trips that may be booked, those booked without a GUID,
	// and those with a change that may not have arrived (Record.Change), about which
	// no person has answered; the earliest service date first. Trips that are being
	// sent or changed at this moment are among them, as InFlight.
	Unresolved(ctx context.Context) ([]Entry, error)
	// Entry gives an attempt; an *Error with OneTrip set where there is none.
	Entry(ctx context.Context, attempt int64) (Entry, error)
	// Resolve records a person's answer about a trip's last attempt and lets it
	// decide, as importer.VerdictRules says; NoVerdict does nothing. A NotThere
	// that comes earlier than NotThereAfter the claim is kept, and sets the trip
	// free with the first run that begins after that. A GUID that another trip
	// has is importer.ErrGUIDTaken. A trip that is not open to the answer, as
	// CheckAnswer says, is an *Error with OneTrip set. A later answer replaces an
	// earlier one; both are kept.
	Resolve(ctx context.Context, r Resolution) error
	// Decide records what a person decided, for Decided. A later decision
	// replaces an earlier one; both are kept. One that nothing identifies is an
	// *Error with OneTrip set.
	Decide(ctx context.Context, d importer.Decision, v importer.Verdict, by Person) error
	// DecidedAt gives what Decided gives, and when it was decided: Person.When of Decide.
	DecidedAt(ctx context.Context, d importer.Decision) (importer.Verdict, time.Time, error)

	// Close gives the ledger back. It may be called once. What was returned
	// without an error is durable already.
	Close() error
}

// A Store keeps ledgers of one kind, each at a location. What a location is, is
// the store's own business: a path, or the address of a database. A store holds
// no state and is safe for concurrent use.
type Store interface {
	// Open opens the ledger at a location. It never makes one, because an empty
	// ledger would book the night twice: its error is an *Error with Missing set
	// then. It waits for another run as long as the options say, and gives up
	// with ctx.Err() when ctx ends. A ledger that is behind its mark, a backup,
	// and one that is in use on another machine are opened for reading alone.
	// Reading changes nothing, also where the ledger has an older schema.
	Open(ctx context.Context, location string, o Options) (Ledger, error)
	// Create makes a new ledger at a location and opens it. It never touches
	// what is there already.
	Create(ctx context.Context, location string, o Options) (Ledger, error)
	// Adopt opens a backup, another older copy, or the ledger of another machine
	// as the ledger in use from now on. It is for a person who knows that trips
	// booked since the copy was made are not in it. Who did it and when are
	// recorded. enter is called before, to enter what can be proved of them: it may
	// begin a run again that was broken off, and end it. It
	// gives the greatest Number that is known of the lost ledger, behind which this
	// one goes on. Where it fails, the ledger is refused as before. It may be nil.
	Adopt(ctx context.Context, location string, o Options, enter func(Ledger) (int64, error)) (Ledger, error)
	// Backup copies the ledger at a location, as it is at one instant, to a new
	// file at dest, with all that belongs to it. A run may go on meanwhile. It
	// never overwrites a file and leaves none behind where it fails. Open refuses
	// the copy, except for reading, until it is adopted. A store whose ledgers
	// are backed up by other means returns an *Error that says how.
	Backup(ctx context.Context, location, dest string) error
}

// Options say how a ledger is opened.
type Options struct {
	// ReadOnly opens it for reading only, beside a run that may be writing.
	ReadOnly bool
	// Rehearsal is for a ledger that records rehearsals and nothing real. Create makes one
	// whose commits a power cut may lose, and Open refuses it without Rehearsal.
	Rehearsal bool
	// LockWait is how long to wait for another run to end, where the store
	// allows one run at a time.
	LockWait time.Duration
	// Who, Host and Command tell others who is using the ledger.
	Who, Host, Command string
	// Machine is the id of this machine, which the ledger is bound to. It is
	// empty for a ledger that records nothing real.
	Machine string
	// Marks are the folders of this machine, outside the ledger's own, in which
	// the ledger's Number is kept as well.
	Marks []string
}

// An AheadCount counts trips that are booked, or may be, for today or later.
type AheadCount struct {
	// Name is the service's address or the provider's name, and Key the hash of
	// the provider's key.
	Name  string
	Key   []byte
	Trips int
}

// A Person is who did something to the ledger, and when.
type Person struct {
	Who, Host string
	When      time.Time
}

// A Run is a run with its end.
type Run struct {
	importer.RunInfo
	// Ended is when it ended and How in what way; both are empty for a run that
	// was broken off or still goes on.
	Ended time.Time
	How   string
	// Totals of a run without an end are the trips that it sent or changed, by what
	// came of them; how many it read, and its rows, are not known.
	Totals importer.Totals
	// BrokenOffAt is the ledger's Number when the run was found to be broken off. It is
	// 0 for other runs, and for those that an earlier program found.
	BrokenOffAt int64
	// Live reports that a process is still at it.
	Live bool
}

// A SlotEvent is something that came of a slot: a time at which an import was due.
type SlotEvent struct {
	At time.Time
	// Slot names the slot and Kind what it is. Both are in clear, and so are Broker and
	// Input, the SHA-256 of a file in hex; either may be empty.
	Slot, Kind, Broker, Input string
	// Detail is whatever the caller wants to remember. It is kept encrypted.
	Detail string
}

// An Entry is one trip as a run left it. Its Record.Attempt names the attempt, for
// Resolve. It is durable: no other attempt of the ledger ever has it. Of two attempts
// of one trip the later one has the greater number.
type Entry struct {
	importer.Record
	// Input is the SHA-256 of the file that the row came from, and Row the row's
	// number there.
	Input string
	Row   int
	// Superseded reports that the trip was sent again after the attempt.
	Superseded bool
	// Proved reports that the service itself said that it created the trip.
	Proved bool
	// Resolved is a person's last answer about the attempt, with who gave it and
	// when; NoVerdict where nobody did. A NotThere whose time has not come leaves
	// the trip Unknown.
	Resolved   importer.Verdict
	ResolvedBy string
	ResolvedAt time.Time
	Note       string
}

// NotThereAfter is how long after a claim the trip's absence from the service proves
// nothing, since its request may still be under way.
const NotThereAfter = importer.UnderWay

// A Resolution is a person's answer about an attempt.
type Resolution struct {
	// Attempt is Entry.Attempt.
	Attempt int64
	Verdict importer.Verdict
	// State is the state in which the trip was shown to the person, which tells
	// what was DoneByHand.
	State importer.State
	// GUID is the trip's, where it is there and the person knows it.
	GUID string
	// Trip is the trip as its row has it now, for an answer about a change: its
	// values count as booked from then on. Without it, an answer about a trip that was
	// shown as ChangeUnknown or ChangeRefused is about the values that were sent.
	Trip *importer.Trip
	// MappingHash is that of the mapping which made Trip. It may be empty: then that
	// of the Record stays.
	MappingHash string
	Who         string
	When        time.Time
	// Note is whatever the person wants to remember. It is kept encrypted.
	Note string
}
