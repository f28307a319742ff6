package inject

import (
	"cmp"
	"slices"
	"sync"

	"tripimport/importer/sandbox"
)

// An injector chooses which requests fail. It is safe for concurrent use.
type injector struct {
	faults []Fault

	mu      sync.Mutex
	arrived map[sandbox.Operation]int // the number of requests, by operation
	used    []int                     // the number of failed requests, by fault of the plan
}

// Start implements sandbox.Faults. Each call counts requests from the beginning.
func (p *Plan) Start() (func(sandbox.Operation, ...string) sandbox.Fault, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	in := newInjector(p)
	return func(op sandbox.Operation, ids ...string) sandbox.Fault {
		if fault := in.next(op, ids...); fault != nil {
			return fault
		}
		return nil
	}, nil
}

func newInjector(plan *Plan) *injector {
	return &injector{faults: plan.Faults, arrived: map[sandbox.Operation]int{}, used: make([]int, len(plan.Faults))}
}

// next returns the failure for the request that has just arrived about the trip with the
// ids, or nil if the request succeeds.
func (in *injector) next(op sandbox.Operation, ids ...string) *Fault {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.arrived[op]++
	for i, inj := range in.faults {
		if !inj.matches(op, ids, in.arrived[op]) || inj.Times > 0 && in.used[i] >= inj.Times {
			continue
		}
		in.used[i]++
		return &inj
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
