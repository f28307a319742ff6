package ledger

import (
	"context"
	"time"

	"tripimport/importer"
)

// A Ledger is an open ledger of an office. When a method returns without an error, what it
// wrote is durable. It is safe for concurrent use and may commit concurrent calls together.
// If it was opened with Options.ReadOnly, the methods that write return an *Error.
//
// It stores dates, GUIDs, states and times in clear; riders, names, addresses, phones and
// notes only as keyed hashes, each bound to its row or to its rider and day; and trip ids,
// names of files and texts of persons encrypted. It decides nothing: what is written was
// decided by the judge, and is compared with what the judge saw.
type Ledger interface {
	// Identity returns the ledger's own id, which results have too.
	Identity() string
	// Number is that of the last event, which grows and never decreases. A copy with a
	// smaller number lacks something.
	Number() int64
	// Location names the ledger's place for a person. It holds no password.
	Location() string
	// Key returns a key of 32 bytes for a purpose of the caller, derived from the ledger's
	// hash key.
	Key(purpose string) []byte

	// Begin opens a run, or opens one again that was broken off. End closes it with its
	// totals; how says in a few words how it ended.
	Begin(context.Context, importer.RunInfo) error
	End(ctx context.Context, run string, t importer.Totals, ended time.Time, how string) error

	// Look returns what the ledger has that shares a key with each of the rows, in their
	// order. service is the service's canonical address. It asks once for all rows.
	Look(ctx context.Context, service string, rows []*importer.Mapped) ([]importer.Known, error)
	// Schedule returns the last words of the broker's rows on the days, each with its
	// trips, in the order of the rows' numbers; and then those of rows of other days of
	// which a trip is on one of the days.
	Schedule(ctx context.Context, service, broker string, days []importer.Date) ([]importer.Known, error)
	// Arrivals returns the arrivals of the broker that have a scope on the day or later, in
	// the order of their numbers.
	Arrivals(ctx context.Context, broker string, from importer.Date) ([]importer.Arrival, error)
	// Arrive records an arrival with what it says of its rows, in one transaction, and
	// returns it with its number. A row whose word is of a newer arrival keeps that word. If
	// the arrival is Whole, rows of its scopes that it does not have and that Arrival.Tells
	// of are gone, unless their word is newer. Rows that an older arrival lacks get no word;
	// a row that is in none of the newer whole arrival's rows gets the word gone as of that
	// one. If SameReading holds for the newest arrival of its scopes, that arrival is
	// returned, and what its rows say with the mapping as it is now is the word of that one.
	Arrive(ctx context.Context, run string, of importer.Reading) (importer.Arrival, error)

	// Claim records that the step is about to be sent. The caller sends it at once after it.
	// It returns importer.ErrMeanwhile if a row or a trip of Step.Saw has another last
	// event, or if the ledger has a trip that shares a key with the step's trip and is not
	// in Step.Saw.
	Claim(context.Context, importer.Step) (importer.Ticket, error)
	// Settle records what came of a claimed step. It returns importer.GUIDTaken if
	// another trip has the GUID, and then writes nothing. It ignores the end of ctx.
	Settle(context.Context, importer.Ticket, importer.Settled) error
	// Record records the effects of answers and of proofs, all or none of them. It returns
	// importer.ErrMeanwhile if a row or a trip of Effect.Saw has another last event, and
	// importer.GUIDTaken if another trip has a GUID.
	Record(context.Context, ...importer.Effect) error

	// Trip returns the trip with the number, with its row's word, and false if there is
	// none.
	Trip(ctx context.Context, number int64) (importer.Known, bool, error)
	// Row returns the last word of the row with the number, with its trips, and false if
	// there is none.
	Row(ctx context.Context, number int64) (importer.Known, bool, error)
	// Unresolved returns the trips that may be booked, are booked without a GUID, have a
	// change that may not have arrived, or are in doubt, the earliest day first.
	Unresolved(ctx context.Context) ([]importer.Standing, error)
	// Find returns the trips that a search selects, by day and time.
	Find(ctx context.Context, s Search) ([]Found, error)
	// Events returns the events of a trip and those of a row that are about no trip, in their order; 0 for no trip or row.
	Events(ctx context.Context, trip, row int64) ([]Event, error)
	// Runs returns the latest runs, newest first; all of them if limit is 0. Run returns one
	// of them, or ErrNoRun.
	Runs(ctx context.Context, limit int) ([]Run, error)
	Run(ctx context.Context, id string) (Run, error)

	// Facts returns the facts of a kind, in the order of their events. SetFact records facts,
	// all or none of them, in place of earlier ones with the same kind and subject. One with
	// an empty Value is erased. It returns importer.ErrMeanwhile if the ledger has a later fact
	// than the Event of one that has an Event: the last event that its caller knew of.
	Facts(ctx context.Context, kind string) ([]Fact, error)
	SetFact(ctx context.Context, facts ...Fact) error

	// CheckAccounts proves that each provider has the API key that the ledger has for it,
	// and that no trips are booked from today on at another address. It returns an *Error
	// that says what a person has to find out first.
	CheckAccounts(ctx context.Context, accounts []importer.Account, today importer.Date) error
	// SetAddress records whether an address belongs to the service that is known under
	// another address, or to a service of its own if known is empty.
	SetAddress(ctx context.Context, known, address string, by Person) error
	// Rekey records the account's key as the new key of its provider.
	Rekey(ctx context.Context, account importer.Account, by Person) error
	// Service returns the address that records have for the service at an address.
	Service(ctx context.Context, address string) (string, error)

	// Verify reads the whole ledger and checks that it is sound.
	Verify(ctx context.Context) (Verification, error)
	// Close closes the ledger. Writes that returned without an error are durable already.
	Close() error
}

// A Person says who did something to the ledger, and when.
type Person struct {
	Who, Host string
	When      time.Time
}

// A Store keeps ledgers of one kind, each at a location: a path, or the address of a database. A
// store holds no state and is safe for concurrent use.
type Store interface {
	// Open opens the ledger at a location. It never makes one, because an empty ledger would
	// book the night twice; it returns an *Error with Missing set if there is none. It
	// waits for another run as long as the options say, and returns ctx.Err() when ctx ends.
	// A ledger of another schema, one that is behind its mark, a backup, and a ledger that is
	// in use on another machine can be opened only for reading, or not at all.
	Open(ctx context.Context, location string, o Options) (Ledger, error)
	// Create makes a new ledger at a location and opens it. It never changes anything that
	// exists there.
	Create(ctx context.Context, location string, o Options) (Ledger, error)
	// Adopt opens a backup, another older copy, or the ledger of another machine as the
	// ledger in use from now on. It is for a person who knows that trips booked since the
	// copy was made are not in it. Adopt first calls enter, which may be nil, to enter the
	// trips that can be proved to be booked. It returns the greatest Number that is known of
	// the lost ledger; this ledger continues after that. If enter fails, the ledger is refused
	// as before.
	Adopt(ctx context.Context, location string, o Options, enter func(Ledger) (int64, error)) (Ledger, error)
	// Backup copies the ledger at a location, as it is at one instant, to a new file at dest,
	// with everything that belongs to it. A run may go on meanwhile. Backup never overwrites a
	// file, and leaves none behind if it fails. Open refuses the copy, except for reading,
	// until it is adopted. A store whose ledgers are backed up by other means returns an
	// *Error that says how.
	Backup(ctx context.Context, location, dest string) error
}

// Options control how a ledger is opened.
type Options struct {
	// ReadOnly opens the ledger only for reading, beside a run that may be writing.
	ReadOnly bool
	// Sound proves first that no part of the ledger is damaged, which takes longer the larger it is. A
	// run that sends needs it. Otherwise only what is read is known to be sound.
	Sound bool
	// Rehearsal is for a ledger that records only rehearsals: a power cut may lose its commits.
	Rehearsal bool
	// LockWait is how long to wait for another run to end, if the store allows only one
	// run at a time.
	LockWait time.Duration
	// Waiting is told who holds the ledger, once that is waited for; nil tells nobody.
	Waiting func(text string)
	// Who, Host and Command tell others who is using the ledger.
	Who, Host, Command string
	// Machine is the id of this machine, to which the ledger is bound. It is empty for a
	// ledger that records nothing real.
	Machine string
	// Marks are folders of this machine, outside the ledger's own folder, that keep the
	// ledger's Number as well.
	Marks []string
}
