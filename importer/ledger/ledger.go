package ledger

import (
	"context"
	"iter"
	"time"

	"tripimport/importer"
)

// A Ledger is an open ledger of an office: importer.Ledger, which a run needs, and the
// methods that other jobs need. It is safe for concurrent use. If it was opened with
// Options.ReadOnly, the methods that write return an *Error.
//
// Errors of the ledger itself are *Error. A method that reads returns ctx.Err() if ctx
// has ended.
type Ledger interface {
	importer.Ledger

	// Number grows with every write to the ledger and never decreases: a copy with a
	// smaller number lacks something. It counts every write that returned without an
	// error.
	Number() int64
	// Location names the ledger's place for a person: the path of a file, or a server and
	// its database. It holds no password.
	Location() string
	// Key returns a key of 32 bytes, derived from the ledger's hash key for a purpose of
	// the caller. It is the same whenever the ledger is opened, and reveals nothing about
	// the keys for other purposes.
	Key(purpose string) []byte

	// CheckAccounts proves that each provider has the API key that the ledger has for it.
	// It returns an *Error for a provider with another key, because the ledger would not
	// find its booked trips. It is called after the access operation has returned the
	// keys, before anything is sent. A provider with a new name and its old key gets the
	// new name in the ledger.
	CheckAccounts(ctx context.Context, accounts []importer.Account) error
	// Rekey records the account's key as the new key of the provider with that name; its
	// trips stay booked. was is the provider's earlier name, or empty if the name has not
	// changed. It is for a person who has made sure that the service changed the key. by
	// is recorded.
	Rekey(ctx context.Context, account importer.Account, was string, by Person) error
	// SeparateProvider records that a provider is new, and not one that the ledger has
	// under another name.
	SeparateProvider(ctx context.Context, account importer.Account, by Person) error

	// CheckMoved returns an *Error for accounts that may be known ones under another
	// address or name, whose trips would all be booked again. These are accounts at a new
	// address, while trips are booked for today or later at another one and nobody has
	// said whether the two are the same service; and new providers of a service, while
	// such trips are booked there under a provider that access lists neither by its name
	// nor by its key. It is called after CheckAccounts.
	CheckMoved(ctx context.Context, accounts []importer.Account, access importer.Access, today importer.Date) error
	// Service returns the address that records have for the service at an address: the
	// first address under which the ledger knew the service.
	Service(ctx context.Context, address string) (string, error)
	// Ahead returns at most limit trips of the service at an address that are booked, or
	// may be, for the day or later: first those with a GUID, and among these the
	// earliest. A person looks them up to find out whether the service moved.
	Ahead(ctx context.Context, address string, from importer.Date, limit int) ([]Entry, error)
	// Link records that an address is another address of the known service: trips that
	// were sent to one of its addresses count as booked for all of them. It is for a
	// person who has found a trip of the one at the other. by is recorded. Separate is
	// the inverse.
	Link(ctx context.Context, known, address string, by Person) error
	// Separate records that an address belongs to a service of its own: only trips that
	// were sent to that address count as booked there, even if the address was linked
	// before. by is recorded.
	Separate(ctx context.Context, address string, by Person) error

	// FindRow returns the record of a trip that the same row and leg of the same input
	// made, and that is booked or may be booked, whatever its trip id. Such a trip is the
	// reason if Claim returns importer.ErrClaimed for a trip that Find does not find.
	// service is the address that records have for the service, or empty for any. input
	// is the file's SHA-256.
	FindRow(ctx context.Context, service, input string, trip *importer.Trip) (importer.Record, bool, error)
	// NewRider reports whether the run was the first to try a trip of the rider under the
	// account, whatever came of it. It reports false for a rider of whom no trip was ever
	// tried, and for an empty id. Ids are compared byte by byte. A new name or key of the
	// provider does not make a rider new.
	NewRider(ctx context.Context, run string, account importer.Account, riderID string) (bool, error)

	// Hold records that a person put a booked trip on hold, so that no changes are sent,
	// because it was changed in the service itself; or, if hold is false, that changes
	// may be sent again.
	Hold(ctx context.Context, attempt int64, hold bool, by Person) error
	// LatestStamp returns the latest Stamp of a schedule of the run's broker that had
	// trips of one of the pairs on one of the days of s, or zero if there is none.
	// Schedules of the run's own inputs do not count.
	LatestStamp(ctx context.Context, info importer.RunInfo, s *importer.Schedule) (time.Time, error)

	// Runs returns the latest runs, newest first; all of them if limit is 0.
	Runs(ctx context.Context, limit int) ([]Run, error)
	// Run returns the run with that id, or ErrNoRun.
	Run(ctx context.Context, id string) (Run, error)
	// Trips returns the trips that a run claimed, in the order of their claims, each as
	// its last attempt in that run left it and as a person has answered since. An attempt
	// without a settlement is importer.Unknown. The trips are read during the iteration;
	// other methods may be called meanwhile.
	Trips(ctx context.Context, run string) iter.Seq2[Entry, error]

	// NoteSlot records an event of a slot.
	NoteSlot(ctx context.Context, e SlotEvent) error
	// SlotEvents returns the events at or after an instant, in the order in which they
	// were recorded.
	SlotEvents(ctx context.Context, from time.Time) ([]SlotEvent, error)

	// Histories returns the histories of the trips that the search selects, by day of
	// service and time. They are read during the iteration, as they were at one instant;
	// other methods may be called meanwhile.
	Histories(ctx context.Context, s Search) iter.Seq2[History, error]
	// Verify reads the whole ledger and checks that its file is whole, that every attempt
	// has an answer or waits for a person, that no two trips have the same GUID, and that
	// each run's control total has what the run booked and changed.
	Verify(ctx context.Context) (Verification, error)

	// Unresolved returns the trips without a person's answer that may be booked, that are
	// booked without a GUID, or that have a change that may not have arrived
	// (Record.Change); the earliest service date first. Trips that are being sent or
	// changed at this moment are among them, as InFlight.
	Unresolved(ctx context.Context) ([]Entry, error)
	// Entry returns an attempt, or an *Error with OneTrip set if there is none.
	Entry(ctx context.Context, attempt int64) (Entry, error)
	// Resolve records a person's answer about a trip's last attempt and applies it, as
	// importer.VerdictRules says; NoVerdict does nothing. A NotThere that is given less
	// than NotThereAfter after the claim is kept, and frees the trip for the first run
	// that begins after that time. Resolve returns importer.ErrGUIDTaken if another trip
	// has the GUID, and an *Error with OneTrip set if CheckAnswer refuses the answer. A
	// later answer replaces an earlier one; both are kept.
	Resolve(ctx context.Context, r Resolution) error
	// Decide records a person's decision, for Decided. A later decision replaces an
	// earlier one; both are kept. It returns an *Error with OneTrip set for a Decision
	// without a Subject.
	Decide(ctx context.Context, d importer.Decision, v importer.Verdict, by Person) error
	// DecidedAt returns the verdict as Decided does, and when it was decided: Person.When
	// of Decide.
	DecidedAt(ctx context.Context, d importer.Decision) (importer.Verdict, time.Time, error)

	// Close closes the ledger. It may be called once. Writes that returned without an
	// error are durable already.
	Close() error
}

// A Store keeps ledgers of one kind, each at a location. The store defines what a
// location is: a path, or the address of a database. A store holds no state and is safe
// for concurrent use.
type Store interface {
	// Open opens the ledger at a location. It never makes one, because an empty ledger
	// would book the night twice; it returns an *Error with Missing set if there is none.
	// It waits for another run as long as the options say, and returns ctx.Err() when ctx
	// ends. A ledger that is behind its mark, a backup, and a ledger that is in use on
	// another machine can be opened only for reading. Reading changes nothing, even if
	// the ledger has an older schema.
	Open(ctx context.Context, location string, o Options) (Ledger, error)
	// Create makes a new ledger at a location and opens it. It never changes anything
	// that exists there.
	Create(ctx context.Context, location string, o Options) (Ledger, error)
	// Adopt opens a backup, another older copy, or the ledger of another machine as the
	// ledger in use from now on. It is for a person who knows that trips booked since the
	// copy was made are not in it. The person and the time are recorded. Adopt first
	// calls enter, which may be nil, to enter the trips that can be proved to be booked.
	// enter may begin again a run that was broken off, and end it. It returns the
	// greatest Number that is known of the lost ledger; this ledger continues after that.
	// If enter fails, the ledger is refused as before.
	Adopt(ctx context.Context, location string, o Options, enter func(Ledger) (int64, error)) (Ledger, error)
	// Backup copies the ledger at a location, as it is at one instant, to a new file at
	// dest, with everything that belongs to it. A run may go on meanwhile. Backup never
	// overwrites a file, and leaves none behind if it fails. Open refuses the copy,
	// except for reading, until it is adopted. A store whose ledgers are backed up by
	// other means returns an *Error that says how.
	Backup(ctx context.Context, location, dest string) error
}

// Options control how a ledger is opened.
type Options struct {
	// ReadOnly opens the ledger only for reading, beside a run that may be writing.
	ReadOnly bool
	// Rehearsal is for a ledger that records only rehearsals. With it, Create makes a
	// ledger whose commits a power cut may lose, and which Open refuses without
	// Rehearsal.
	Rehearsal bool
	// LockWait is how long to wait for another run to end, if the store allows only one
	// run at a time.
	LockWait time.Duration
	// Who, Host and Command tell others who is using the ledger.
	Who, Host, Command string
	// Machine is the id of this machine, to which the ledger is bound. It is empty for a
	// ledger that records nothing real.
	Machine string
	// Marks are folders of this machine, outside the ledger's own folder, that keep the
	// ledger's Number as well.
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

// A Person says who did something to the ledger, and when.
type Person struct {
	Who, Host string
	When      time.Time
}

// InputLost is how a run ended whose input could not be read to its end again. The rows
// from there on have no outcome, so its control total need not balance.
const InputLost = "failed: the input could not be read to its end again"

// A Run is a run as the ledger has it.
type Run struct {
	importer.RunInfo
	// Ended is when the run ended, and How says how; both are empty for a run that was
	// broken off or still goes on.
	Ended time.Time
	How   string
	// Totals of a run without an end count only the trips that it sent or changed, by
	// State.
	Totals importer.Totals
	// BrokenOffAt is the ledger's Number when the run was found to be broken off. It is 0
	// for other runs, and for those that an earlier version of the program found.
	BrokenOffAt int64
	// Live reports that a process is still running it.
	Live bool
}

// A SlotEvent is an event of a slot, a time at which an import was due.
type SlotEvent struct {
	At time.Time
	// Slot names the slot and Kind the kind of event. Both are in clear, and so are
	// Broker and Input, the SHA-256 of a file in hex; these two may be empty.
	Slot, Kind, Broker, Input string
	// Detail is any text of the caller. It is kept encrypted.
	Detail string
}

// An Entry is one trip as a run left it. Its Record.Attempt is the number of the attempt,
// for Resolve. No other attempt of the ledger ever gets the same number, and the later of
// two attempts of a trip has the greater one.
type Entry struct {
	importer.Record
	// Input is the SHA-256 of the file with the row, and Row the row's number there.
	Input string
	Row   int
	// Superseded reports that the trip was sent again after the attempt.
	Superseded bool
	// Proved reports that the service itself said that it created the trip.
	Proved bool
	// Resolved is a person's last answer about the attempt, or NoVerdict. ResolvedBy and
	// ResolvedAt say who gave it and when. A NotThere whose time has not come leaves the
	// trip Unknown.
	Resolved   importer.Verdict
	ResolvedBy string
	ResolvedAt time.Time
	Note       string
}

// NotThereAfter is the time after a claim during which the trip's absence from the
// service proves nothing, because its request may still be under way.
const NotThereAfter = importer.UnderWay

// A Resolution is a person's answer about an attempt.
type Resolution struct {
	// Attempt is Entry.Attempt.
	Attempt int64
	Verdict importer.Verdict
	// State is the state in which the person saw the trip. It says what DoneByHand means.
	State importer.State
	// GUID is the trip's GUID, if the person gives it.
	GUID string
	// Trip is the trip as its row has it now, for an answer about a change: its values
	// count as booked from then on. If it is nil, an answer about a trip that was shown
	// as ChangeUnknown or ChangeRefused is about the values that were sent.
	Trip *importer.Trip
	// MappingHash is the hash of the mapping that made Trip. If it is empty, the Record
	// keeps its own.
	MappingHash string
	Who         string
	When        time.Time
	// Note is any text of the person. It is kept encrypted.
	Note string
}
