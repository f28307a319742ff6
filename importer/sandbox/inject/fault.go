package inject

import (
	"time"

	"tripimport/importer/sandbox"
)

// A Fault is one entry of a plan: the requests that fail, and how. Empty
// fields match every request, so that an entry with only a kind fails every
// insertion.
type Fault struct {
	// On is the operation; empty means Insert.
	On sandbox.Operation `yaml:"on"`
	// Trip is the trip id, or for a change the GUID or the trip id.
	Trip string `yaml:"trip"`
	// At lists requests of the operation by their number, in order of arrival,
	// from 1. Every matches each request whose number is a multiple of it.
	At    []int `yaml:"at"`
	Every int   `yaml:"every"`
	// Times is the largest number of requests that fail; 0 means no limit.
	Times int `yaml:"times"`
	// Kind is an HTTP status or one of the words that Kinds lists.
	Kind string `yaml:"kind"`
	// Commit says whether the trip is booked: "before" means that the request
	// fails before that, "after" that it fails after it. Empty means "before" if
	// the kind allows it.
	Commit string `yaml:"commit"`
	// RetryAfter is the Retry-After header of a status: any text, or "date+N"
	// for the date N seconds from now.
	RetryAfter string `yaml:"retry_after"`
	// To is the Location of a 3xx; empty means another path on the same host.
	To string `yaml:"to"`
	// Delay is the wait before the failure, or for the kind "slow" the wait between two
	// bytes.
	Delay time.Duration `yaml:"delay"`
	// Metres is the distance to the north by which the answer misplaces the addresses.
	Metres float64 `yaml:"metres"`
}
