package importer

import "time"

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
	// Command is the command's name: import, retry or ImportRehearsed.
	Command string
	// Input is the input file.
	Input InputInfo
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
type InputInfo struct {
	Name string `json:"name"`
	Hash string `json:"sha256,omitempty"`
}
