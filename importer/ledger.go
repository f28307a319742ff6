package importer

import (
	"context"
	"errors"
	"time"
)

// A Ledger knows what was sent and what came of it. What it returns without an
// error is durable. It is safe for concurrent use; commits of concurrent calls
// may be grouped. It keeps no row content: ids, dates, times and statuses in
// clear, everything else as keyed hashes.
type Ledger interface {
	// Identity is the ledger's own, made when it was made. Results carry it.
	Identity() string
	// Begin opens a run, End closes it with its totals.
	Begin(context.Context, RunInfo) error
	End(ctx context.Context, run string, t Totals, ended time.Time, how string) error
	// Find gives what the ledger has for the trip's account and id. Record's
	// Differs names the properties that differ from trip's.
	Find(ctx context.Context, account Account, trip *Trip) (Record, bool, error)
	// Similar gives records of trips that may be the same trip under another id
	// or account, as Identity.MayBe says where the rules allow within minutes,
	// and that may be booked; in the order of their claims.
	Similar(ctx context.Context, account Account, trip *Trip, within int) ([]Record, error)
	// Claim writes down that the trip is about to be sent. It is the only thing
	// between a decision and the send, and the send follows at once. It returns
	// ErrClaimed where the trip is not free to be sent: it is booked, unknown,
	// or another run has just claimed it.
	Claim(context.Context, Claim) (Claimed, error)
	// Settle writes down what came of a claimed attempt. It returns
	// ErrGUIDTaken where another trip has the GUID; nothing is written then.
	Settle(context.Context, Claimed, Settlement) error
}

// Errors of a Ledger that are part of its working.
var (
	ErrClaimed   = errors.New("the trip is booked, unknown, or being sent by another run")
	ErrGUIDTaken = errors.New("another trip has this GUID")
)

// An Account is where a trip is booked: the service's canonical address and
// the provider's key there. The ledger keeps the key as a keyed hash.
type Account struct {
	// Service is compared as it stands: two spellings of one address would be
	// two services, and a trip could be booked twice.
	Service  string
	Provider string
	Key      Secret
}

// A RunInfo describes a run.
type RunInfo struct {
	ID      string
	Started time.Time
	// Command is the command's name: import or retry.
	Command string
	// Inputs are the files' names without folders, and their SHA-256.
	Inputs []InputInfo
	// Mapping is the mapping's name, MappingHash the SHA-256 of its text.
	Mapping, MappingHash string
	// Who and Host are the user and machine that run it.
	Who, Host string
	// Version is the program's.
	Version string
}

// An InputInfo names an input file.
type InputInfo struct{ Name, Hash string }

// A Claim is the intent to send one trip.
type Claim struct {
	Run     string
	Account Account
	Trip    *Trip
	// Input is the SHA-256 of the file the row came from and Row the row's
	// number there: no (Input, Row, Leg) is created twice, whatever its trip
	// id.
	Input string
	Row   int
	// MappingHash names the mapping that made the trip.
	MappingHash string
	At          time.Time
}

// A Claimed is a claim that was granted, to be settled once.
type Claimed struct{ Attempt int64 }

// A Settlement is what came of a claimed attempt.
type Settlement struct {
	// State is Created, Refused, Unknown or NotSent.
	State       State
	GUID        string
	GUIDMissing bool
	HTTPStatus  int
	// Code is Answer.Code: no row content.
	Code string
	At   time.Time
}

// A Record is what the ledger has of a trip.
type Record struct {
	TripID  string
	Account Account // its Key is empty
	Date    Date
	Leg     Leg
	// State is Created, Refused, Unknown or NotSent. A claim that was never
	// settled is Unknown.
	State       State
	GUID        string
	GUIDMissing bool
	// InFlight reports that a run that holds the ledger is sending it now.
	InFlight    bool
	HTTPStatus  int
	Code        string
	Run         string
	Attempts    int
	ClaimedAt   time.Time
	SettledAt   time.Time
	MappingHash string
	// Differs are the contract keys of the properties that are not the same in
	// the trip asked about as they were when it was last sent; nil where all
	// are.
	Differs []string
	// OtherTrip reports that the rider, the service date or the funding source
	// is among them: the id seems to have been used for another trip.
	OtherTrip bool
}

// Taken reports whether the record keeps its trip from being sent: it is booked,
// or may be.
func (r Record) Taken() bool { return r.State == Created || r.State == Unknown }
