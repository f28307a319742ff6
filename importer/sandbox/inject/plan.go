package inject

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"tripimport/importer/sandbox"
)

// A Plan says which requests fail and how. It is written in YAML or
// JSON:
//
//	faults:
//	  - trip: T-1001            # every insertion of this trip
//	    kind: timeout
//	    commit: after           # the trip is booked nevertheless
//	    times: 1                # no more than once
//	  - at: [1, 250, 500]       # the first, 250th and 500th insertion
//	    kind: 429
//	    retry_after: 7          # or date+30, -5, 86400, or any other text
//	  - every: 10               # each 10th insertion
//	    kind: 307
//	    to: http://127.0.0.1:9000/elsewhere
//	  - on: access              # or change; default insert
//	    kind: 401
//	  - on: change
//	    kind: moved             # the new address is placed elsewhere
//	    metres: 450
//
// The first entry under faults that matches a request decides.
type Plan struct {
	Faults []Fault `yaml:"faults"`
}

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
	// Metres is the distance to the north by which the service misplaces a changed
	// address.
	Metres float64 `yaml:"metres"`
}

// String returns the failure as the log has it: "timeout after commit".
func (inj Fault) String() string {
	if inj.commits() {
		return inj.Kind + " after commit"
	}
	return inj.Kind + " before commit"
}

// commits reports whether the trip is booked.
func (inj Fault) commits() bool {
	before, _ := canFail(inj.Kind)
	return inj.Commit == "after" || inj.Commit == "" && !before
}

// Kinds returns the kinds of failures that are not HTTP statuses, each with its
// meaning.
func Kinds() [][2]string {
	return [][2]string{
		{"timeout", "no answer, until the client gives up"},
		{"reset-unread", "the connection is reset, and the request counts as never read"},
		{"reset", "the connection is reset after the request was read"},
		{"reset-headers", "the connection is reset in the middle of the answer's headers"},
		{"reset-body", "the connection is reset in the middle of the answer's body"},
		{"eof", "the connection is closed without an answer"},
		{"truncated", "a whole answer whose JSON breaks off"},
		{"wrong-length", "the answer is shorter than its Content-Length says"},
		{"empty", "200 without a body"},
		{"page", "200 with an HTML page"},
		{"no-guid", "200 with the trip object, but without its GUID"},
		{"bad-guid", "200 with a GUID that does not have the shape of one"},
		{"zero-guid", "200 with a GUID of zeros"},
		{"same-guid", "200 with the GUID of the first trip ever booked"},
		{"late", "the right answer, but late: see delay"},
		{"slow", "the right answer, one byte at a time: see delay"},
		{"endless", "the right answer, followed by spaces without end"},
		{"gzip-bomb", "a compressed answer of a few kilobytes that unpacks to 256 MB"},
		{"moved", "the right answer to a change whose addresses are placed elsewhere: see metres"},
		{"no-position", "200 to a change, without the addresses and their positions"},
		{"other-trip", "200 to a change, about another trip"},
		{"unknown-guid", "400 to a change, as if there were no such trip"},
	}
}

// canFail reports whether a kind of failure can happen before and after the trip is
// booked. If neither, there is no such kind. A response that proves a refusal cannot
// follow a booking, and a response with the trip needs a booking; otherwise the log would
// contradict the response.
func canFail(kind string) (before, after bool) {
	switch kind {
	case "reset-unread", "unknown-guid":
		return true, false
	case "no-guid", "bad-guid", "zero-guid", "same-guid", "late", "slow", "moved", "no-position":
		return false, true
	}
	if slices.ContainsFunc(Kinds(), func(k [2]string) bool { return k[0] == kind }) {
		return true, true
	}

	switch status := statusOf(kind); status {
	case 100, 102, 103:
		return false, true
	case 400, 401, 403, 404, 405, 413, 415, 422, 429:
		return true, false
	default:
		known := status > 200 && status < 600
		return known, known
	}
}

// statusOf returns the HTTP status of a kind, or 0 if the kind is a word.
func statusOf(kind string) int {
	n, err := strconv.Atoi(kind)
	if err != nil || len(kind) != 3 {
		return 0
	}
	return n
}

// Parse parses a plan in YAML or JSON. An empty text is an empty
// plan. The error says what is wrong and where.
func Parse(text []byte) (*Plan, error) {
	plan := &Plan{}
	if strings.TrimSpace(string(text)) == "" {
		return plan, nil
	}
	if err := yaml.Load(text, plan, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("the fault plan can't be read: %w", err)
	}
	if err := plan.check(); err != nil {
		return nil, err
	}
	return plan, nil
}

// check returns an error if the plan contains something impossible. A nil plan
// is valid.
func (p *Plan) check() error {
	if p == nil {
		return nil
	}
	for i, inj := range p.Faults {
		if mistake := inj.mistake(); mistake != "" {
			return fmt.Errorf("the fault plan's entry %d %s", i+1, mistake)
		}
	}
	return nil
}

// mistake returns what is wrong with an entry, or "".
func (inj Fault) mistake() string {
	before, after := canFail(inj.Kind)
	switch {
	case inj.Kind == "":
		return "names no kind"
	case !before && !after:
		return fmt.Sprintf("names a kind of fault that there is not: %q", inj.Kind)
	case !slices.Contains([]string{"", "before", "after"}, inj.Commit):
		return "has a commit that is neither before nor after"
	case inj.Commit == "before" && !before:
		return fmt.Sprintf("can't fail with %s before the trip is booked", inj.Kind)
	case inj.Commit == "after" && !after:
		return fmt.Sprintf("can't fail with %s after the trip is booked", inj.Kind)
	case !slices.Contains([]sandbox.Operation{"", sandbox.Access, sandbox.Insert, sandbox.Change}, inj.On):
		return "is on an operation that there is not: access, insert and change are"
	case inj.On != sandbox.Change && slices.Contains([]string{"moved", "no-position", "other-trip", "unknown-guid"}, inj.Kind):
		return fmt.Sprintf("can fail with %s only on a change", inj.Kind)
	case min(inj.Every, inj.Times, int(inj.Delay)) < 0 || slices.ContainsFunc(inj.At, func(n int) bool { return n < 1 }):
		return "has a number below its least"
	}
	return ""
}
