package sandbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"tripimport/importer"
)

// DefaultToken is the access token of a sandbox whose Config has none.
const DefaultToken = "sandbox-token"

// A Config configures a sandbox. The zero value is a sandbox that keeps its trips
// in memory and fails no request.
type Config struct {
	// Token is the access token that requests must carry. Empty means
	// DefaultToken.
	Token string
	// Rehearsal marks the GUIDs of trips by importer.RehearsedGUID. A trip with such a GUID that is not
	// in memory counts as one that an earlier process booked: it can be changed, by any provider.
	Rehearsal bool
	// Log, if set, is called with each Entry, under the sandbox's lock. It is for tests, since
	// entries have row content.
	Log func(Entry)
	// Faults make requests fail; nil means that none does.
	Faults Faults
	// Delay is how long every request takes.
	Delay time.Duration
	// OnRequest, if set, is called with the body of every insertion and change
	// that arrives, before the body is validated. It is called concurrently.
	OnRequest func(op Operation, body []byte)
}

// A Sandbox is a stand-in for the service. It is an http.Handler and safe for
// concurrent use.
type Sandbox struct {
	config   Config
	schemas  map[Operation]*jsonschema.Schema
	fault    func(op Operation, ids ...string) Fault
	closing  context.Context // done once a wait has to end
	release  context.CancelFunc
	requests atomic.Int64

	mu        sync.Mutex // guards the fields below
	providers []importer.Provider
	sources   int // the number of funding sources
	store     store
}

var _ http.Handler = (*Sandbox)(nil)

// New makes a sandbox without providers; Allow adds them. It fails if Faults is invalid.
func New(cfg Config) (s *Sandbox, err error) {
	cfg.Token = cmp.Or(cfg.Token, DefaultToken)
	s = &Sandbox{config: cfg, store: store{byGUID: map[string]BookedTrip{}, counts: map[[2]string]int{}}}
	s.closing, s.release = context.WithCancel(context.Background())
	if cfg.Faults != nil {
		if s.fault, err = cfg.Faults.Start(); err != nil {
			return nil, err
		}
	}
	s.schemas, err = bodySchemas()
	return s, err
}

// Token returns the access token that requests must carry.
func (s *Sandbox) Token() importer.Secret { return importer.NewSecret(s.config.Token) }

// Allow lets trips be booked with a provider and one of its funding sources. A
// rehearsal calls it with the names in the schedule. Names that differ only in
// letter case or in spaces are the same name.
func (s *Sandbox) Allow(provider, fundingSource string) {
	s.mu.Lock()
	defer s.mu.Unlock()

	p := importer.First(s.providers, func(p *importer.Provider) bool { return importer.SameName(p.Name, provider) })
	if p == nil {
		s.providers = append(s.providers, importer.Provider{Name: provider, Key: keyFor(provider)})
		p = &s.providers[len(s.providers)-1]
	}
	if _, found := p.FundingSource(fundingSource); !found {
		s.sources++
		p.FundingSources = append(p.FundingSources, importer.FundingSource{ID: s.sources, Name: fundingSource})
	}
}

// Trips returns the booked trips as the service has them now, in the order of booking.
func (s *Sandbox) Trips() []BookedTrip {
	s.mu.Lock()
	defer s.mu.Unlock()
	return importer.Each(s.store.order, func(guid string) BookedTrip {
		t, _ := s.store.find(guid)
		return t
	})
}

// Put stores a trip without a request, as a dispatcher does in the service itself. t is
// one of Trips, with other values or cancelled, or a new trip without a GUID. Put
// validates nothing, writes no Entry, and returns the GUID.
func (s *Sandbox) Put(t BookedTrip) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.GUID = cmp.Or(t.GUID, s.newGUID())
	t.Values = maps.Clone(t.Values)
	s.store.put(t)
	return t.GUID
}

// newGUID returns a random GUID.
func (s *Sandbox) newGUID() string {
	guid := uuid.NewString()
	if s.config.Rehearsal {
		return importer.RehearsedGUID + guid[len(importer.RehearsedGUID):]
	}
	return guid
}

// log tells Config.Log of an entry. The caller holds the lock.
func (s *Sandbox) log(e Entry) {
	if s.config.Log != nil {
		e.Time = time.Now().UTC()
		s.config.Log(e)
	}
}

// providerByKey returns the provider with a key, or nil. The caller holds the lock.
func (s *Sandbox) providerByKey(key string) *importer.Provider {
	return importer.First(s.providers, func(p *importer.Provider) bool { return p.Key.Reveal() == key })
}

// keyFor returns the API key of a provider. It is derived from the name, so that
// a provider has the same key, and the ledger of rehearsals the same trips, in
// every process.
func keyFor(name string) importer.Secret {
	sum := sha256.Sum256([]byte("tripimport sandbox: " + importer.BrokerText(name)))
	return importer.NewSecret(fmt.Sprintf("sandbox-%x", sum[:12]))
}

// Close ends the wait of every request that a delay or a fault holds. Requests that arrive later may
// fail. A second call does nothing.
func (s *Sandbox) Close() { s.release() }

// Faults make requests fail. They are for tests: see package inject.
type Faults interface {
	// Start returns a function that says how the next request fails, of an operation, about
	// the trip with those ids; it returns nil for a request that succeeds. The function is
	// called concurrently.
	Start() (next func(op Operation, ids ...string) Fault, err error)
}

// A Fault is the failure of one request.
type Fault interface {
	// String names the failure in the log.
	String() string
	// Unread reports that the request counts as never read: the log has no entry of it.
	Unread() bool
	// Serve answers the request in place of the sandbox.
	Serve(w http.ResponseWriter, a *Attempt)
}

// An Attempt is a request that fails.
type Attempt struct {
	// Process carries the request out and returns the right response. Without commit it
	// books and changes nothing. A changed address is placed that many metres too far
	// north.
	Process func(commit bool, metres float64) *Response
	// Wait waits for a time, or until the client is gone or the sandbox closes.
	Wait func(time.Duration)
	// Abandoned reports whether the client is gone or the sandbox closes.
	Abandoned func() bool
	// Trips returns the booked trips.
	Trips func() []BookedTrip
}
