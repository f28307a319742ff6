package sandbox

import (
	"cmp"
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
	requests atomic.Int64

	mu        sync.Mutex // guards the fields below
	providers []importer.Provider
	sources   int // the number of funding sources
	store     store
}

var _ http.Handler = (*Sandbox)(nil)

// New makes a sandbox without providers; Allow adds them.
func New(cfg Config) (s *Sandbox, err error) {
	cfg.Token = cmp.Or(cfg.Token, DefaultToken)
	s = &Sandbox{config: cfg, store: store{byGUID: map[string]BookedTrip{}, counts: map[[2]string]int{}}}
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

// Faults make requests fail. They are for tests: see package inject.
type Faults interface {
	// Serve answers a request in place of the sandbox, or returns false if it is to succeed. It is
	// called concurrently.
	Serve(w http.ResponseWriter, r *http.Request, a *Attempt) bool
}

// An Attempt is a request that may fail, about the trip with those ids. Process carries it out and returns
// the right response; without commit it books and changes nothing.
type Attempt struct {
	*Sandbox

	Operation Operation
	IDs       []string
	Process   func(commit bool) *Response
}
