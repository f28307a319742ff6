package inject

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"sync"

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
//	    kind: moved             # the answer has the addresses elsewhere
//	    metres: 450
//
// The first entry under faults that matches a request decides.
type Plan struct {
	Faults []Fault `yaml:"faults"`

	mu      sync.Mutex
	arrived map[sandbox.Operation]int // the number of requests
	used    map[int]int               // the number of requests that each fault failed
}

// Parse parses a plan in YAML or JSON. The error says what is wrong and where.
func Parse(text []byte) (*Plan, error) {
	plan := &Plan{}
	if err := yaml.Load(text, plan, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("the fault plan can't be read: %w", err)
	}
	for i, inj := range plan.Faults {
		if !inj.Possible() {
			return nil, fmt.Errorf("the fault plan's entry %d can't happen: its kind is %q, and its commit %q", i+1, inj.Kind, inj.Commit)
		}
	}
	return plan, nil
}

// Possible reports whether there is the kind of failure, before or after the booking as Commit says.
func (inj Fault) Possible() bool {
	k, known := kindOf(inj.Kind)
	commit, valid := map[string]when{"": either, "before": before, "after": after}[inj.Commit]
	return known && valid && k.when&commit != 0
}

// Serve implements sandbox.Faults.
func (p *Plan) Serve(w http.ResponseWriter, r *http.Request, a *sandbox.Attempt) bool {
	fault := p.next(a.Operation, a.IDs...)
	if fault != nil {
		fault.serve(w, r, a)
	}
	return fault != nil
}

// next returns how the next request of an operation fails, about the trip with those ids; nil for one that
// succeeds.
func (p *Plan) next(op sandbox.Operation, ids ...string) *Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.arrived == nil {
		p.arrived, p.used = map[sandbox.Operation]int{}, map[int]int{}
	}
	p.arrived[op]++
	for i, inj := range p.Faults {
		if inj.matches(op, ids, p.arrived[op]) && (inj.Times <= 0 || p.used[i] < inj.Times) {
			p.used[i]++
			return &inj
		}
	}
	return nil
}

// matches reports whether the injection is for the request with this number.
func (inj Fault) matches(op sandbox.Operation, ids []string, number int) bool {
	return cmp.Or(inj.On, sandbox.Insert) == op &&
		(inj.Trip == "" || slices.Contains(ids, inj.Trip)) &&
		(len(inj.At) == 0 || slices.Contains(inj.At, number)) &&
		(inj.Every == 0 || number%inj.Every == 0)
}
