package sandbox

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"sync"
)

// An injector chooses which requests fail. It is safe for concurrent use.
type injector struct {
	plan  InjectionPlan
	kinds []string

	mu      sync.Mutex
	arrived map[Operation]int // the number of requests, by operation
	tries   map[string]int    // the number of requests, by trip id
	used    []int             // the number of failed requests, by injection of the plan
}

// newInjector makes an injector; a nil plan injects nothing.
func newInjector(plan *InjectionPlan) *injector {
	in := &injector{arrived: map[Operation]int{}, tries: map[string]int{}}
	if plan != nil {
		in.plan = *plan
	}
	if in.kinds = in.plan.Kinds; len(in.kinds) == 0 {
		in.kinds = RandomKinds()
	}
	in.used = make([]int, len(in.plan.Injections))
	return in
}

// next returns the failure for the request that has just arrived about the trip with the
// ids, or nil if the request succeeds.
func (in *injector) next(op Operation, ids ...string) *Injection {
	if len(in.plan.Injections) == 0 && in.plan.Rate == 0 {
		return nil
	}

	in.mu.Lock()
	defer in.mu.Unlock()
	in.arrived[op]++
	in.tries[ids[0]]++
	for i, inj := range in.plan.Injections {
		if !inj.matches(op, ids, in.arrived[op]) || inj.Times > 0 && in.used[i] >= inj.Times {
			continue
		}
		in.used[i]++
		return &inj
	}
	if op == Insert {
		return in.byChance(ids[0], in.tries[ids[0]])
	}
	return nil
}

// matches reports whether the injection is for the request with this number.
func (inj Injection) matches(op Operation, ids []string, number int) bool {
	return cmp.Or(inj.On, Insert) == op &&
		(inj.Trip == "" || slices.Contains(ids, inj.Trip)) &&
		(len(inj.At) == 0 || slices.Contains(inj.At, number)) &&
		(inj.Every == 0 || number%inj.Every == 0)
}

// byChance returns the random failure of a trip that is sent for the try-th time, or nil.
// It depends on the seed, the trip and the try, and not on the order of arrival, which
// differs from run to run with several workers.
func (in *injector) byChance(tripID string, try int) *Injection {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strconv.FormatUint(in.plan.Seed, 10) + "/" + tripID + "/" + strconv.Itoa(try)))
	n := mixBits(h.Sum64())
	if float64(n>>11)/(1<<53) >= in.plan.Rate {
		return nil
	}

	n = mixBits(n)
	inj := Injection{Kind: in.kinds[n%uint64(len(in.kinds))]}
	before, after := canFail(inj.Kind)
	if before && after && n>>63 == 1 {
		inj.Commit = "after"
	}
	return &inj
}

// mixBits distributes a hash over all its bits, because FNV hashes of similar ids differ
// in only a few. It is the finalizer of MurmurHash3.
func mixBits(n uint64) uint64 {
	n ^= n >> 33
	n *= 0xff51afd7ed558ccd
	n ^= n >> 33
	n *= 0xc4ceb9fe1a85ec53
	return n ^ n>>33
}
