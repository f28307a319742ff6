package sandbox

import (
	"hash/fnv"
	"slices"
	"strconv"
	"sync"
)

// A striker chooses the failure of each request by a plan. It is safe for
// concurrent use.
type injector struct {
	plan  InjectionPlan
	kinds []string

	mu      sync.Mutex
	arrived map[Operation]int
	tries   map[string]int // how often each trip was sent
	used    []int          // how often each fault of the plan has struck
}

func newInjector(plan *InjectionPlan) *injector {
	s := &injector{arrived: map[Operation]int{}, tries: map[string]int{}}
	if plan != nil {
		s.plan = *plan
	}
	if s.kinds = s.plan.Kinds; len(s.kinds) == 0 {
		s.kinds = RandomKinds()
	}
	s.used = make([]int, len(s.plan.Injections))
	return s
}

// next gives the failure of the request that has just arrived; nil for none.
func (s *injector) next(op Operation, tripID string) *Injection {
	if len(s.plan.Injections) == 0 && s.plan.Rate == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrived[op]++
	s.tries[tripID]++
	for i, f := range s.plan.Injections {
		if !f.matches(op, tripID, s.arrived[op]) || f.Times > 0 && s.used[i] >= f.Times {
			continue
		}
		s.used[i]++
		return &f
	}
	if op == Insert {
		return s.byChance(tripID, s.tries[tripID])
	}
	return nil
}

func (f Injection) matches(op Operation, tripID string, number int) bool {
	on := f.On
	if on == "" {
		on = Insert
	}
	return on == op &&
		(f.Trip == "" || f.Trip == tripID) &&
		(len(f.At) == 0 || slices.Contains(f.At, number)) &&
		(f.Every == 0 || number%f.Every == 0)
}

// chance strikes by seed, trip and how often it was sent, not by the order of
// arrival: workers change that, and a failure has to come again from its seed.
func (s *injector) byChance(tripID string, try int) *Injection {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strconv.FormatUint(s.plan.Seed, 10) + "/" + tripID + "/" + strconv.Itoa(try)))
	n := mixBits(h.Sum64())
	if float64(n>>11)/(1<<53) >= s.plan.Rate {
		return nil
	}
	n = mixBits(n)
	f := Injection{Kind: s.kinds[n%uint64(len(s.kinds))]}
	before, after := canFail(f.Kind)
	if before && after && n>>63 == 1 {
		f.Commit = "after"
	}
	return &f
}

// mix spreads a hash over all of its bits (the finalizer of MurmurHash3): ids
// that follow each other differ in few.
func mixBits(n uint64) uint64 {
	n ^= n >> 33
	n *= 0xff51afd7ed558ccd
	n ^= n >> 33
	n *= 0xc4ceb9fe1a85ec53
	return n ^ n>>33
}
