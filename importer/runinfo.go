package importer

import (
	"errors"
	"time"
)

// UnderWay is how long after a claim its request may still arrive at the service. It is
// well over the time-out of a request.
const UnderWay = 15 * time.Minute

// StartWithin limits, by the wall clock, the time from a claim to the call of the
// Service, and the time from that call until the request begins to leave. A request that
// is later, for example because the computer slept, is not sent: with a shared ledger,
// another office may have found meanwhile that the trip is not in the service, and sent
// it.
const StartWithin = time.Minute

// ErrGUIDTaken is returned by a ledger for a GUID that another trip has.
var ErrGUIDTaken = errors.New("another trip has this GUID")

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
	// Who and Host are the names of the user and the machine.
	Who, Host string
	// Version is the version of the program.
	Version string
}

// ImportRehearsed is the command of a run that imports the results of a rehearsal.
const ImportRehearsed = "import of a rehearsal"

// An InputInfo has the name of an input file, without its folder, and the SHA-256
// of its bytes in hex.
type InputInfo struct{ Name, Hash string }

// CodeBookedByHand is the Settlement.Code of a trip that a person entered in the
// service: it was never sent, and nobody asks for its GUID.
const CodeBookedByHand = "booked_by_hand"
