package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// A FaultPlan says which requests fail, and how. It is written in YAML or JSON:
//
//	seed: 42                    # chance: the same trips fail every time
//	rate: 0.02                  # the share of insertions that it strikes
//	kinds: [reset, 500, 429]    # with one of these; left out: RandomKinds
//	faults:
//	  - trip: T-1001            # this trip, every time it comes
//	    kind: timeout
//	    commit: after           # the trip is booked all the same
//	    times: 1                # but once in all
//	  - at: [1, 250, 500]       # the first, 250th and 500th insertion
//	    kind: 429
//	    retry_after: 7          # or date+30, -5, 86400, or any other text
//	  - every: 10
//	    kind: 307
//	    to: http://127.0.0.1:9000/elsewhere
//	  - on: access              # or change; left out: insert
//	    kind: 401
//
// The first entry of faults that fits a request strikes it; chance comes after
// them.
type InjectionPlan struct {
	Seed       uint64      `yaml:"seed"`
	Rate       float64     `yaml:"rate"`
	Kinds      []string    `yaml:"kinds"`
	Injections []Injection `yaml:"faults"`
}

// A Fault is one entry of a plan. What it does not say, it does not mind: an
// entry with nothing but a kind strikes every insertion.
type Injection struct {
	// On is the operation, Insert where empty.
	On Operation `yaml:"on"`
	// Trip is the trip id (of a change, the GUID).
	Trip string `yaml:"trip"`
	// At are numbers of requests of the operation, from 1, in order of arrival;
	// Every strikes each such multiple.
	At    []int `yaml:"at"`
	Every int   `yaml:"every"`
	// Times is how often it strikes in all; 0 means without end.
	Times int `yaml:"times"`
	// Kind is a status or one of the words that Kinds lists.
	Kind string `yaml:"kind"`
	// Commit says whether the trip is booked before it fails: "before" (the
	// failure comes before) or "after". Empty means before, where the kind can
	// fail before.
	Commit string `yaml:"commit"`
	// RetryAfter is the header to send with a status: any text, or "date+N" for
	// the date N seconds from now.
	RetryAfter string `yaml:"retry_after"`
	// To is where a 3xx points; empty means elsewhere on the same host.
	To string `yaml:"to"`
	// Delay is how long to wait before failing; of "slow", between two bytes.
	Delay time.Duration `yaml:"delay"`
}

// String names the failure for the log: "timeout after commit".
func (f Injection) String() string {
	if f.commits() {
		return f.Kind + " after commit"
	}
	return f.Kind + " before commit"
}

// after reports whether the trip is booked.
func (f Injection) commits() bool {
	before, _ := canFail(f.Kind)
	return f.Commit == "after" || f.Commit == "" && !before
}

// Kinds lists the words for kinds of failures, each with its meaning.
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
		{"bad-guid", "200 with a GUID that has not the shape of one"},
		{"zero-guid", "200 with a GUID of zeros"},
		{"same-guid", "200 with the GUID of the first trip ever booked"},
		{"late", "the right answer, but late: see delay"},
		{"slow", "the right answer, one byte at a time: see delay"},
		{"endless", "the right answer, followed by spaces without end"},
		{"gzip-bomb", "a compressed answer of a few kilobytes that unpacks to 256 MB"},
	}
}

// RandomKinds are the failures that chance takes where a plan names none: those
// after which a run goes on. A time-out is not among them because it takes its
// time.
func RandomKinds() []string {
	return []string{
		"reset-unread", "reset", "reset-headers", "reset-body", "eof", "truncated", "wrong-length",
		"no-guid", "bad-guid", "zero-guid", "400", "409", "422", "429", "500", "502", "503", "504", "202", "103",
	}
}

// phases reports whether a kind can fail before the trip is booked, and
// whether it can fail after. A service that refuses has not booked (anything
// else would be a judge that lies), and a right answer needs a booked trip.
func canFail(kind string) (before, after bool) {
	switch kind {
	case "reset-unread":
		return true, false
	case "no-guid", "bad-guid", "zero-guid", "same-guid", "late", "slow":
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

// statusOf gives the status that a kind is, 0 for a word.
func statusOf(kind string) int {
	n, err := strconv.Atoi(kind)
	if err != nil || len(kind) != 3 {
		return 0
	}
	return n
}

// ParseFaults reads a plan from YAML or JSON. Its error says what is wrong with
// it, and where.
func ParseInjectionPlan(text []byte) (*InjectionPlan, error) {
	plan := &InjectionPlan{}
	if strings.TrimSpace(string(text)) == "" {
		return plan, nil
	}
	if err := yaml.Load(text, plan, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("the fault plan can't be read: %s", yamlReason(err))
	}
	if err := plan.check(); err != nil {
		return nil, err
	}
	return plan, nil
}

func yamlReason(err error) string {
	var many *yaml.LoadErrors
	var one *yaml.LoadError
	switch {
	case errors.As(err, &many) && len(many.Errors) > 0:
		one = many.Errors[0]
	case !errors.As(err, &one):
		return err.Error()
	}
	return fmt.Sprintf("line %d, column %d: %s", one.Mark.Line, one.Mark.Column, one.Message)
}

// check finds what a plan can't mean. A nil plan is a good one.
func (p *InjectionPlan) check() error {
	if p == nil {
		return nil
	}
	if p.Rate < 0 || p.Rate > 1 {
		return errors.New("the fault plan's rate is not between 0 and 1")
	}
	for _, kind := range p.Kinds {
		if before, after := canFail(kind); !before && !after {
			return fmt.Errorf("the fault plan names a kind of fault that there is not: %q", kind)
		}
	}
	for i, f := range p.Injections {
		if mistake := f.mistake(); mistake != "" {
			return fmt.Errorf("the fault plan's entry %d %s", i+1, mistake)
		}
	}
	return nil
}

// fault says what is wrong with an entry.
func (f Injection) mistake() string {
	before, after := canFail(f.Kind)
	switch {
	case f.Kind == "":
		return "names no kind"
	case !before && !after:
		return fmt.Sprintf("names a kind of fault that there is not: %q", f.Kind)
	case f.Commit != "" && f.Commit != "before" && f.Commit != "after":
		return "has a commit that is neither before nor after"
	case f.Commit == "before" && !before:
		return fmt.Sprintf("can't fail with %s before the trip is booked", f.Kind)
	case f.Commit == "after" && !after:
		return fmt.Sprintf("can't fail with %s after the trip is booked", f.Kind)
	case f.On != "" && f.On != Access && f.On != Insert && f.On != Change:
		return "is on an operation that there is not: access, insert and change are"
	case f.Every < 0 || f.Times < 0 || f.Delay < 0 || slices.ContainsFunc(f.At, func(n int) bool { return n < 1 }):
		return "has a number below its least"
	}
	return ""
}
