package inject

import (
	"cmp"
	"slices"
	"sync"

	"tripimport/importer/sandbox"
)

// Start implements sandbox.Faults. Each call counts requests from the beginning.
func (p *Plan) Start() (func(sandbox.Operation, ...string) sandbox.Fault, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	arrived := map[sandbox.Operation]int{} // the number of requests
	used := make([]int, len(p.Faults))     // the number of failed requests
	return func(op sandbox.Operation, ids ...string) sandbox.Fault {
		mu.Lock()
		defer mu.Unlock()
		arrived[op]++
		for i, inj := range p.Faults {
			if inj.matches(op, ids, arrived[op]) && (inj.Times <= 0 || used[i] < inj.Times) {
				used[i]++
				return &inj
			}
		}
		return nil
	}, nil
}

// matches reports whether the injection is for the request with this number.
func (inj Fault) matches(op sandbox.Operation, ids []string, number int) bool {
	return cmp.Or(inj.On, sandbox.Insert) == op &&
		(inj.Trip == "" || slices.Contains(ids, inj.Trip)) &&
		(len(inj.At) == 0 || slices.Contains(inj.At, number)) &&
		(inj.Every == 0 || number%inj.Every == 0)
}
