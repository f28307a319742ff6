package inject

import (
	"fmt"
	"slices"
	"strings"

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

// check returns an error if the plan contains something impossible.
func (p *Plan) check() error {
	for i, inj := range p.Faults {
		if mistake := inj.mistake(); mistake != "" {
			return fmt.Errorf("the fault plan's entry %d %s", i+1, mistake)
		}
	}
	return nil
}

// mistake returns what is wrong with an entry, or "".
func (inj Fault) mistake() string {
	k, known := kindOf(inj.Kind)
	switch {
	case inj.Kind == "":
		return "names no kind"
	case !known:
		return fmt.Sprintf("names a kind of fault that there is not: %q", inj.Kind)
	case !slices.Contains([]string{"", "before", "after"}, inj.Commit):
		return "has a commit that is neither before nor after"
	case inj.Commit == "before" && k.when&before == 0:
		return fmt.Sprintf("can't fail with %s before the trip is booked", inj.Kind)
	case inj.Commit == "after" && k.when&after == 0:
		return fmt.Sprintf("can't fail with %s after the trip is booked", inj.Kind)
	case !slices.Contains([]sandbox.Operation{"", sandbox.Access, sandbox.Insert, sandbox.Change}, inj.On):
		return "is on an operation that there is not: access, insert and change are"
	case inj.On != sandbox.Change && k.when&ofChange != 0:
		return fmt.Sprintf("can fail with %s only on a change", inj.Kind)
	case min(inj.Every, inj.Times, int(inj.Delay)) < 0 || slices.ContainsFunc(inj.At, func(n int) bool { return n < 1 }):
		return "has a number below its least"
	}
	return ""
}
