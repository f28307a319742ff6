package sandbox

import (
	"hash/fnv"
	"slices"
	"strconv"
	"sync"
)

// A striker chooses the failure of each request by a plan. It is safe for
// concurrent use.
type striker struct {
	plan  FaultPlan
	kinds []string

	mu       sync.Mutex
	arrived  map[Operation]int
	tries    map[string]int // how often each trip was sent
	stricken []int          // how often each fault of the plan has struck
}

func newStriker(plan *FaultPlan) *striker {
	s := &striker{arrived: map[Operation]int{}, tries: map[string]int{}}
	if plan != nil {
		s.plan = *plan
	}
	if s.kinds = s.plan.Kinds; len(s.kinds) == 0 {
		s.kinds = RandomKinds()
	}
	s.stricken = make([]int, len(s.plan.Faults))
	return s
}

// next gives the failure of the request that has just arrived; nil for none.
func (s *striker) next(op Operation, tripID string) *Fault {
	if len(s.plan.Faults) == 0 && s.plan.Rate == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrived[op]++
	s.tries[tripID]++
	for i, f := range s.plan.Faults {
		if !f.fits(op, tripID, s.arrived[op]) || f.Times > 0 && s.stricken[i] >= f.Times {
			continue
		}
		s.stricken[i]++
		return &f
	}
	if op == Insert {
		return s.chance(tripID, s.tries[tripID])
	}
	return nil
}

func (f Fault) fits(op Operation, tripID string, number int) bool {
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
func (s *striker) chance(tripID string, try int) *Fault {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strconv.FormatUint(s.plan.Seed, 10) + "/" + tripID + "/" + strconv.Itoa(try)))
	n := mix(h.Sum64())
	if float64(n>>11)/(1<<53) >= s.plan.Rate {
		return nil
	}
	n = mix(n)
	f := Fault{Kind: s.kinds[n%uint64(len(s.kinds))]}
	before, after := phases(f.Kind)
	if before && after && n>>63 == 1 {
		f.Commit = "after"
	}
	return &f
}

// mix spreads a hash over all of its bits (the finalizer of MurmurHash3): ids
// that follow each other differ in few.
func mix(n uint64) uint64 {
	n ^= n >> 33
	n *= 0xff51afd7ed558ccd
	n ^= n >> 33
	n *= 0xc4ceb9fe1a85ec53
	return n ^ n>>33
}
